# The sources say what is there: no function without a caller, no name in the design documents that
# nothing has any more.

source_files <- function(folder, pattern) {
  list.files(sources(folder), pattern, full.names = TRUE)
}

functions_of <- function(env) {
  Filter(function(name) is.function(env[[name]]), ls(env, all.names = TRUE))
}

test_that("every function has a caller, is exported or a method", {
  # What R calls, and what a test of the C++ side calls.
  called <- c(".onLoad", "cpp_trex_choice", "cpp_trex_order", "no_memory")
  methods <- grep("^S3method", readLines(sources("NAMESPACE")), value = TRUE)
  # Where one function serves several classes, its name comes third.
  shared <- sub("^S3method\\([^,]*,[^,]*,(.*)\\)$", "\\1", methods)
  methods <- sub("^S3method\\(([^:]*::)?\"?([^,\"]*)\"?,(.*)\\)$", "\\2.\\3", methods)
  # Comments of roxygen may call one to write a part of a help page.
  lines <- unlist(lapply(source_files("R", "[.]R$"), readLines, encoding = "UTF-8"))
  lines <- lines[!grepl("^\\s*#", lines) | grepl("^#' @eval", lines)]
  # A generic is not its own caller.
  lines <- sub("UseMethod\\(.*\\)", "", lines)
  words <- unlist(regmatches(lines, gregexpr("[A-Za-z.][A-Za-z0-9_.]*", lines)))
  names <- setdiff(functions_of(asNamespace("stabilect")), c(
    called, methods, shared, getNamespaceExports("stabilect")
  ))
  # Methods of outcomes, which test-data-outcome.R compares with their generics.
  names <- grep("[.]outcome(_[a-z]+)?$", names, value = TRUE, invert = TRUE)
  names <- grep("^[.]__|^[^A-Za-z.]", names, value = TRUE, invert = TRUE)
  expect_identical(names[tabulate(match(words, names), length(names)) < 2L], character())
})

test_that("no function is defined twice", {
  lines <- unlist(lapply(source_files("R", "[.]R$"), readLines, encoding = "UTF-8"))
  lines <- grep("^[A-Za-z.][A-Za-z0-9_.]* <- function", lines, value = TRUE)
  defined <- sub(" <- function.*", "", lines)
  expect_identical(defined[duplicated(defined)], character())
})

test_that("a test is named after the file of R/ that it is about, or is about all of them", {
  homes <- c(sub("[.]R$", "", basename(source_files("R", "[.]R$"))), "all", "papers")
  tests <- sub("^test-(.*)[.]R$", "\\1", basename(source_files("tests/testthat", "^test-")))
  is_named <- vapply(tests, function(test) {
    any(startsWith(paste0(test, "-"), paste0(homes, "-")))
  }, NA)
  expect_identical(tests[!is_named], character())
})

test_that("functions that the design documents name are there", {
  # Of the core and of another package, and fields that rules hold as functions.
  others <- c(
    "cap_reach", "stabs::lars.lasso", "impute.knn", "fit", "importance", "score", "train", "sbf",
    "rfe"
  )
  files <- c(source_files("design", "[.]md$"), source_files(".", "^(DESIGN|CONTRIBUTING)[.]md$"))
  text <- unlist(lapply(files, readLines, encoding = "UTF-8"))
  named <- unlist(regmatches(text, gregexpr("`[A-Za-z_.:]+\\(", text)))
  named <- setdiff(gsub("[`(]", "", named), others)
  there <- vapply(named, exists, NA, envir = asNamespace("stabilect"), mode = "function")
  expect_identical(named[!there], character())
})
