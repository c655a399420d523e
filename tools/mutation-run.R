# What happens in the process of a mutant of R/ or src/: it is brought into the loaded package, and
# tests run until one fails. Sourced by tools/mutate.R.

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

# What library(stabilect) put on the search path are copies, too.
attach_again <- function(changed, ns = asNamespace("stabilect")) {
  attached <- as.environment("package:stabilect")
  for (name in intersect(changed, ls(attached))) {
    if (bindingIsLocked(name, attached)) unlockBinding(name, attached)
    assign(name, get(name, ns), attached)
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
  attach_again(names)
}

# "file: test" of the first test that fails, or "".
# @param tests (data frame) file and test, in the order in which they are tried.
first_failure <- function(tests) {
  for (file in unique(tests$file)) {
    reporter <- testthat::ListReporter$new()
    failed <- tryCatch(
      {
        run_tests_of(file, tests$test[tests$file == file], reporter)
        found <- as.data.frame(reporter$get_results())
        found$test[found$failed > 0L | found$error]
      },
      error = function(e) "outside tests"
    )
    if (length(failed) > 0L) {
      return(paste0(file, ": ", failed[1]))
    }
  }
  ""
}

# @param change a function that brings the mutant in, NULL for none.
# @return name of the first test that fails, "" for none.
run_mutant <- function(change, tests) {
  nothing <- file(nullfile(), "w")
  sink(nothing)
  built <- is.null(change) || tryCatch(
    {
      change()
      TRUE
    },
    error = function(e) FALSE
  )
  if (!built) {
    return("definition")
  }
  first_failure(tests)
}
