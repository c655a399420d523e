# Links between pages lead somewhere, without asking the network: files that are linked exist, so do
# the places in them, and the pages that `vignette()` is told to open.

page_files <- function() {
  root <- sources()
  found <- c(
    list.files(file.path(root, "vignettes"), "[.]Rmd$", recursive = TRUE, full.names = TRUE),
    list.files(file.path(root, c("", "bench", "experiments", "design", "examples/core")),
      "[.]md$", full.names = TRUE
    )
  )
  normalizePath(found)
}

links_in <- function(file) {
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  found <- regmatches(text, gregexpr("\\]\\([^() ]+\\)", text))[[1L]]
  # Those with a `%` are made by code, which stops when what it names is not there.
  grep("%|^https?:", unique(substr(found, 3L, nchar(found) - 1L)), invert = TRUE, value = TRUE)
}

places_in <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  given <- regmatches(lines, regexpr("\\{#[^}]+\\}", lines))
  # pandoc makes the other names from the words of a heading.
  words <- gsub("[^a-z0-9 _.-]", "", tolower(sub("^#+ +", "", grep("^#+ ", lines, value = TRUE))))
  c(substr(given, 3L, nchar(given) - 1L), gsub(" +", "-", trimws(words)))
}

leads_nowhere <- function(link, from) {
  parts <- strsplit(link, "#", fixed = TRUE)[[1L]]
  file <- from
  if (nzchar(parts[1L])) {
    file <- file.path(dirname(from), sub("[.]html$", ".Rmd", parts[1L]))
  }
  !file.exists(file) || (length(parts) > 1L && !parts[2L] %in% places_in(file))
}

test_that("links of pages and of files of the sources lead to files and places that exist", {
  files <- page_files()
  links <- lapply(files, links_in)
  expect_gt(length(unlist(links)), 10L)
  for (i in seq_along(files)) {
    broken <- Filter(function(link) leads_nowhere(link, files[i]), links[[i]])
    expect_identical(broken, character(), label = paste("broken links of", basename(files[i])))
  }
})

test_that("a link that leads nowhere is found", {
  page <- withr::local_tempfile(fileext = ".Rmd")
  writeLines(c("# One heading", "[a](#one-heading) [b](#other) [c](none.html)"), page)
  links <- links_in(page)
  broken <- Filter(function(link) leads_nowhere(link, page), links)
  expect_identical(broken, c("#other", "none.html"))
})

test_that("vignette() is told to open pages that there are", {
  pages <- list.files(sources("vignettes"), "[.]Rmd$")
  named <- unlist(lapply(
    c(page_files(), list.files(sources("R"), full.names = TRUE)),
    function(file) {
      text <- readLines(file, encoding = "UTF-8")
      regmatches(text, gregexpr("(?<=vignette\\(.)[a-z0-9-]+(?=.\\))", text, perl = TRUE))
    }
  ))
  expect_gt(length(named), 20L)
  expect_identical(setdiff(named, sub("[.]Rmd$", "", pages)), character())
})

test_that("what people call it leads to a page of help", {
  pages <- unlist(lapply(list.files(sources("man"), "[.]Rd$", full.names = TRUE), readLines))
  # What help.search() reads.
  found <- grep("^.(title|alias|concept)[{]", pages, value = TRUE)
  words <- c(
    "biomarker", "gene signature", "gene selection", "variable selection", "feature selection",
    "feature importance", "reproducibility", "overfitting", "p >> n", "high-dimensional", "DESeq2",
    "limma", "RNA-seq", "microarray", "glmnet", "Boruta", "false discovery", "sample size",
    "cross-validation", "survival", "Kaplan-Meier", "SummarizedExperiment", "parallel",
    "checkpoint", "HDF5", "gene panel", "multiple testing", "differential expression", "confounder",
    "false positives", "classifier", "diagnostic test", "proteomics", "metabolomics", "AUC",
    "class imbalance", "random forest", "observation weights", "batch effect", "offset",
    "survival analysis", "paired samples", "meta-analysis", "missing values", "power"
  )
  known <- vapply(words, function(word) any(grepl(word, found, fixed = TRUE)), NA)
  expect_identical(words[!known], character())
})

test_that("pages show formulas without a network: in plain symbols, never in TeX", {
  # Those of vignettes/articles are on the web site only.
  pages <- list.files(sources("vignettes"), "[.]Rmd$", full.names = TRUE)
  expect_gt(length(pages), 15L)
  for (page in pages) {
    text <- gsub("(?s)```.*?```|`[^`]*`", "", paste(readLines(page), collapse = "\n"), perl = TRUE)
    expect_no_match(text, "\\\\[(\\[]|[$][^$ \n][^$]*[$]|[$][$]", info = basename(page))
  }
})
