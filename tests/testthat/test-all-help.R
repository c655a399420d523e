# Help pages are short: what a number means first, the computation on a page of its own.

# The words of a section as a reader of help() sees them, without its heading.
words_of_section <- function(section) {
  page <- structure(list(section), class = "Rd")
  shown <- utils::capture.output(tools::Rd2txt(page, fragment = TRUE))[-1]
  sum(grepl("[[:alnum:]]", strsplit(paste(shown, collapse = " "), "[[:space:]]+")[[1]]))
}

# Words of the details and of each section, by page.
lengths_of_page <- function(file) {
  rd <- tools::parse_Rd(file)
  tags <- vapply(rd, attr, "", "Rd_tag")
  vapply(rd[tags %in% c("\\details", "\\section")], words_of_section, 0L)
}

test_that("details, and every other section, of every help page have at most 400 words", {
  pages <- list.files(sources("man"), "[.]Rd$", full.names = TRUE)
  expect_gt(length(pages), 100L)
  longest <- vapply(pages, function(page) max(0L, lengths_of_page(page)), 0L)
  names(longest) <- basename(pages)
  expect_identical(longest[longest > 400], stats::setNames(integer(), character()))
})

test_that("the words of a page are counted", {
  page <- withr::local_tempfile(fileext = ".Rd")
  writeLines(c(
    "\\name{a}", "\\title{A title of five words}", "\\details{", strrep("word ", 401), "}",
    "\\section{Other}{", "two words", "}"
  ), page)
  expect_identical(lengths_of_page(page), c(401L, 2L))
})

test_that("pages that say less than the page on computation say where the rest is", {
  linked <- vapply(list.files(sources("man"), "[.]Rd$", full.names = TRUE), function(page) {
    any(grepl("vignette(\"how-computed\")", readLines(page), fixed = TRUE))
  }, NA)
  expect_gte(sum(linked), 20L)
  for (verb in c("find_signals", "fealect", "stability_selection", "permutations", "learners")) {
    expect_true(linked[[sources("man", paste0(verb, ".Rd"))]], info = verb)
  }
})
