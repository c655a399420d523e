# What happens in the process of a mutant: one file of R/ is changed in the loaded package, and test
# files run until one fails. Sourced by tools/mutate.R.

redefine <- function(name, value, ns = asNamespace("stabilect")) {
  if (bindingIsLocked(name, ns)) unlockBinding(name, ns)
  assign(name, value, ns)
}

# Methods are called from tables that hold copies of them.
register_again <- function(changed, ns = asNamespace("stabilect")) {
  methods <- ns$.__NAMESPACE__.$S3methods
  methods <- methods[methods[, 3] %in% changed & is.na(methods[, 4]), , drop = FALSE]
  for (k in seq_len(nrow(methods))) {
    registerS3method(methods[k, 1], methods[k, 2], get(methods[k, 3], ns), envir = ns)
  }
}

put_lines <- function(lines) {
  expressions <- parse(text = lines, keep.source = FALSE)
  defines <- vapply(expressions, function(e) {
    is.call(e) && identical(e[[1]], quote(`<-`)) && is.symbol(e[[2]])
  }, NA)
  names <- vapply(expressions[defines], function(e) as.character(e[[2]]), "")
  values <- lapply(expressions[defines], function(e) eval(e[[3]], asNamespace("stabilect")))
  kept <- names != ".onLoad"
  Map(redefine, names[kept], values[kept])
  register_again(names)
}

# Name of the first test file that fails, or "".
first_failure <- function(tests) {
  for (file in tests) {
    ok <- tryCatch(
      {
        found <- as.data.frame(testthat::test_file(
          file.path("tests/testthat", file), reporter = testthat::SilentReporter$new(),
          package = "stabilect", load_package = "installed"
        ))
        !any(found$failed > 0L | found$error)
      },
      error = function(e) FALSE
    )
    if (!ok) {
      return(file)
    }
  }
  ""
}

# @param lines of the changed file, NULL for no change.
# @return name of the first test file that fails, "" for none.
run_mutant <- function(lines, tests) {
  nothing <- file(nullfile(), "w")
  sink(nothing)
  built <- is.null(lines) || tryCatch(
    {
      put_lines(lines)
      TRUE
    },
    error = function(e) FALSE
  )
  if (!built) {
    return("definition")
  }
  suppressPackageStartupMessages(library(stabilect))
  first_failure(tests)
}
