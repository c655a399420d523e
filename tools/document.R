# NAMESPACE, man/ and the RcppExports files from the comments in the sources. The pages are made
# from an installed package: read as plain source, S3 methods are not recognised as such.
if (!requireNamespace("roxygen2", quietly = TRUE)) {
  stop("`make document` needs the R package roxygen2.", call. = FALSE)
}

Rcpp::compileAttributes(".")
library_dir <- file.path(".build", "lib")
dir.create(library_dir, recursive = TRUE, showWarnings = FALSE)
status <- system2(
  file.path(R.home("bin"), "R"),
  c("CMD", "INSTALL", "--no-docs", "--no-test-load", paste0("--library=", library_dir), ".")
)
if (status != 0L) stop("The package does not install; see above.", call. = FALSE)
.libPaths(c(library_dir, .libPaths()))
roxygen2::roxygenise(".", load_code = "installed")
