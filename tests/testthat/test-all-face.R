# What a newcomer sees first: the reference index, README and the cheat sheet.

# Contents by title of a part of _pkgdown.yml, without a package that reads such files.
index_of <- function(part) {
  lines <- readLines(sources("_pkgdown.yml"), encoding = "UTF-8")
  starts <- grep("^[a-z]+:", lines)
  first <- match(paste0(part, ":"), lines)
  lines <- lines[first:min(starts[starts > first] - 1L, length(lines))]
  title <- sub("^  - title: \"?([^\"]*)\"?$", "\\1", grep("^  - title:", lines, value = TRUE))
  group <- cumsum(grepl("^  - title:", lines))
  rows <- grepl("^      - ", lines)
  entries <- split(sub("^ *- ", "", lines[rows]), factor(group[rows], seq_along(title)))
  stats::setNames(entries, title)
}

# The pages of help that an entry means: list(name, aliases, concepts) for each.
pages_of_help <- function() {
  lapply(list.files(sources("man"), "[.]Rd$", full.names = TRUE), function(file) {
    lines <- readLines(file, encoding = "UTF-8")
    of <- function(tag) {
      sub("^.[a-z]+[{](.*)[}]$", "\\1", grep(paste0("^.", tag, "[{]"), lines, value = TRUE))
    }
    list(names = c(of("name"), of("alias")), concepts = of("concept"))
  })
}

is_meant <- function(page, entry) {
  word <- sub("^[a-z_]+[(]\"(.*)\"[)]$", "\\1", entry)
  switch(sub("[(].*", "", entry),
    starts_with = any(startsWith(page$names, word)), ends_with = any(endsWith(page$names, word)),
    has_concept = word %in% page$concepts, entry %in% page$names
  )
}

test_that("the reference has at most 12 sections, the front row first", {
  reference <- index_of("reference")
  expect_lte(length(reference), 12L)
  expect_identical(names(reference)[length(reference)], "internal")
  expect_lte(length(reference[[1]]), 12L)
  verbs <- c("fealect", "stability_selection", "find_signals", "stability", "write_report")
  expect_identical(setdiff(verbs, reference[[1]]), character())
})

test_that("pages of methods are out of sight, verbs of single papers behind one door", {
  reference <- index_of("reference")
  shown <- unlist(reference[names(reference) != "internal"], use.names = FALSE)
  methods <- "^(starts_with.\")?(autoplot|as[.]data[.]frame|summary|coef|anova)|-methods"
  expect_identical(grep(methods, shown, value = TRUE), character())
  wanted <- c(
    "simulate_stability", "estimate_stability", "hybrid_rfe", "search", "has_concept(\"FeaLect\")"
  )
  expect_identical(setdiff(wanted, reference[["From the papers"]]), character())
})

test_that("every page of help has a place, and every entry is a page", {
  entries <- grep("^-", unlist(index_of("reference")), value = TRUE, invert = TRUE)
  pages <- pages_of_help()
  meant <- vapply(entries, function(entry) vapply(pages, is_meant, NA, entry = entry),
    logical(length(pages))
  )
  homeless <- vapply(pages[rowSums(meant) == 0L], function(page) page$names[1], "")
  expect_identical(homeless, character())
  expect_identical(unname(entries)[colSums(meant) == 0L], character())
})

test_that("every article has a place, those on papers behind one door", {
  articles <- index_of("articles")
  pages <- sub("[.]Rmd$", "", list.files(sources("vignettes"), "[.]Rmd$", recursive = TRUE))
  expect_setequal(unlist(articles), pages)
  others <- unlist(articles[names(articles) != "Reproduction"], use.names = FALSE)
  expect_identical(grep("^paper", others, value = TRUE), character())
})
