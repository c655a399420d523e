# Numbers in sentences of pages, and the stored results that they are of.

# A path in the sources of the package, of which the installed package has neither pages nor
# experiments. R CMD check runs a copy of the tests: there `make check` names the sources, and
# anybody else's check skips what needs them. Not there, though named, is a failure.
sources <- local({
  named <- Sys.getenv("STABILECT_SOURCES")
  # Read here, since some tests work in another folder.
  root <- normalizePath(if (nzchar(named)) named else test_path("..", ".."), mustWork = FALSE)
  function(...) {
    is_there <- file.exists(file.path(root, "DESIGN.md"))
    if (nzchar(named) && !is_there) stop("STABILECT_SOURCES names no sources of the package")
    skip_if_not(is_there, "the sources are not there")
    file.path(root, ...)
  }
})
experiment <- function(...) sources("experiments", ...)
result_of <- function(name, table) {
  utils::read.csv(experiment(name, "results", paste0(table, ".csv")))
}

# The tables of an experiment that are installed.
shipped_tables <- function(name) {
  readRDS(system.file(
    "extdata", "results", paste0(name, ".rds"), package = "stabilect", mustWork = TRUE
  ))
}

# The text of a file of the sources without marks of comments and line breaks.
text_of <- function(file) {
  lines <- gsub("^#' ?", "", readLines(sources(file), encoding = "UTF-8"))
  gsub("\\s+", " ", paste(lines, collapse = " "))
}

expect_says <- function(file, ...) {
  sentence <- sprintf(...)
  expect_true(grepl(sentence, text_of(file), fixed = TRUE), info = paste0(file, ": ", sentence))
}
