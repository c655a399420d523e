# Numbers in sentences of pages, and the stored results that they are of.

experiment <- function(...) {
  system.file("experiments", ..., package = "stabilect", mustWork = TRUE)
}
result_of <- function(name, table) {
  utils::read.csv(experiment(name, "results", paste0(table, ".csv")))
}

# The text of a file of the sources without marks of comments and line breaks; NULL where only the
# installed package is there.
text_of <- function(file) {
  path <- if (startsWith(file, "inst/experiments/")) {
    do.call(experiment, as.list(strsplit(sub("inst/experiments/", "", file), "/")[[1]]))
  } else {
    test_path("..", "..", file)
  }
  if (!file.exists(path)) {
    return(NULL)
  }
  lines <- gsub("^#' ?", "", readLines(path, encoding = "UTF-8"))
  gsub("\\s+", " ", paste(lines, collapse = " "))
}

expect_says <- function(file, ...) {
  text <- text_of(file)
  skip_if(is.null(text), paste(file, "is not there"))
  sentence <- sprintf(...)
  expect_true(grepl(sentence, text, fixed = TRUE), info = paste0(file, ": ", sentence))
}
