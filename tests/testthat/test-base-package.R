# The help is found by the words that people use.

test_that("every word that one would search for leads to a verb", {
  pages <- list.files(sources("man"), "[.]Rd$", full.names = TRUE)
  lines <- unlist(lapply(pages, function(page) {
    grep("^.(concept|alias|title)[{]", readLines(page, encoding = "UTF-8"), value = TRUE)
  }))
  wanted <- c(
    "biomarker", "gene signature", "gene selection", "variable selection", "feature importance",
    "variable importance", "reproducibility", "overfitting", "p >> n", "false discovery rate",
    "SummarizedExperiment", "parallel", "checkpoint", "HDF5", "cross-validation", "Kaplan-Meier",
    "recursive feature elimination", "sample size", "collinearity"
  )
  found <- vapply(wanted, function(word) any(grepl(word, lines, ignore.case = TRUE)), NA)
  expect_identical(wanted[!found], character())
})

test_that("README shows the calls of its table, and pages that are there", {
  text <- readLines(sources("README.md"), encoding = "UTF-8")
  links <- unlist(regmatches(text, gregexpr("(?<=\\]\\()[^)]+", text, perl = TRUE)))
  links <- grep("^http", links, value = TRUE, invert = TRUE)
  expect_identical(links[!file.exists(sources(links))], character())
  rows <- grep("^[|] .* [|] `", text, value = TRUE)
  expect_lte(length(rows), 6L)
  verbs <- unlist(regmatches(rows, gregexpr("[a-z_]+(?=\\(\\))", rows, perl = TRUE)))
  expect_identical(setdiff(verbs, getNamespaceExports("stabilect")), character())
})
