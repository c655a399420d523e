# NAMESPACE, man/ and the RcppExports files from the comments in the sources. The code is read as
# source, not from an installed package, so that nothing has to be compiled first.
if (!requireNamespace("roxygen2", quietly = TRUE)) {
  stop("`make document` needs the R package roxygen2.", call. = FALSE)
}

# roxygen2's own reader of sources leaves out data/, whose pages are documented too.
load_sources <- function(path) {
  env <- suppressPackageStartupMessages(roxygen2::load_source(path))
  for (file in list.files(file.path(path, "data"), "[.]rda$", full.names = TRUE)) {
    load(file, envir = env)
  }
  env
}

Rcpp::compileAttributes(".")
roxygen2::roxygenise(".", load_code = load_sources)
