# The pages on the five papers: their contents are complete, and what they let the reader run gives
# the stored numbers again.

# What the pages share.
page_tables <- function() {
  tables <- new.env()
  sys.source(sources("vignettes", "papers", "tables.R"), tables)
  tables
}

page_lines <- function(paper) {
  readLines(sources("vignettes", paste0("paper-", paper, ".Rmd")), encoding = "UTF-8")
}

# Code of the chunks whose label matches.
chunks <- function(lines, label) {
  begin <- grep(paste0("^```[{]r ", label), lines)
  end <- grep("^```$", lines)
  unlist(lapply(begin, function(at) lines[(at + 1L):(min(end[end > at]) - 1L)]))
}

numbered <- function(what, numbers) paste(what, numbers)

test_that("the contents name every table and figure, its state and its place", {
  tables <- page_tables()
  contents <- tables$read_contents()
  expect_setequal(contents$paper, tables$paper_names)
  expect_in <- function(items, paper) {
    known <- sub(",.*", "", contents$item[contents$paper == paper])
    expect_identical(setdiff(items, known), character(), info = paper)
  }
  # Drawings and tables of notation hold no result, nor do settings that are used as printed.
  expect_in(c(numbered("Table", c(1, 2, 4)), numbered("Figure", setdiff(1:15, 5))), "onda")
  expect_in(numbered("Table", 1:3), "dernoncourt")
  expect_in(c(numbered("Table", 2:5), numbered("Figure", 3:29)), "hamer")
  expect_in(c(numbered("Table", 1:4), numbered("Figure", 1:4)), "brzezinski")
  expect_in(c("Algorithm 1", "Figure 2"), "zare")
  sets <- contents$item[contents$paper == "dernoncourt"]
  printed <- tables$read_result("dernoncourt", "paper")
  printed <- unique(printed$data[printed$item == "Table 3"])
  expect_true(all(paste("Table 3,", printed) %in% sets))

  known <- c("agrees", "undecided", "differs", "not run", "cannot be had")
  expect_true(all(contents$state %in% known))
  # What cannot be had says why, and so does what does not agree.
  expect_identical(contents$state == "cannot be had", nzchar(contents$absent))
  short_of <- !contents$state %in% c("agrees", "cannot be had")
  expect_identical(contents$item[short_of & !nzchar(contents$why)], character())
  expect_identical(anyDuplicated(contents[c("paper", "item")]), 0L)
})

test_that("the README counts the states as the pages do", {
  contents <- page_tables()$read_contents()
  count <- function(state) sum(contents$state == state)
  expect_says(
    "README.md", paste(
      "of %d tables, figures and statements %d agree, %d are undecided, %d differ and %d cannot",
      "be had"
    ),
    nrow(contents), count("agrees"), count("undecided"), count("differs"), count("cannot be had")
  )
})

test_that("every row of the contents leads to a section", {
  tables <- page_tables()
  contents <- tables$read_contents()
  for (paper in tables$paper_names) {
    # Of headings, and of places inside.
    headings <- grep("^(#.*|\\[\\])[{]#.*[}]", page_lines(paper), value = TRUE)
    anchors <- sub(".*[{]#([^} ]*).*", "\\1", headings)
    wanted <- contents$where[contents$paper == paper]
    expect_identical(setdiff(wanted, anchors), character(), info = paper)
  }
})

test_that("two numbers agree within two joint standard errors, or within rounding", {
  tables <- page_tables()
  expect_identical(
    tables$mark_of(c(1.2, 1.21, 1.5), 1, c(0.1, 0.1, 0.15), c(0, 0, 0.2)),
    c("agrees", "differs", "agrees")
  )
  expect_identical(tables$mark_of(c(0.754, 0.756), 0.75, unit = 0.01), c("agrees", "differs"))
  expect_true(all(is.na(tables$mark_of(c(NA, 1), c(1, NA)))))
  expect_identical(
    tables$beside(c(0.5, NA), c(0.52, 0.1), 0.01, c("agrees", NA)),
    c("0.50 / 0.52 (0.01) \u2713", "\u2013 / 0.10 (0.01)")
  )
  # The digits that the paper prints.
  expect_identical(
    tables$beside(c(0.2, 0.17, 130), c(0.157, 0.18, 131), NA, "open", 3, c(0.1, 0.01, 1)),
    c("0.2 / 0.157 ?", "0.17 / 0.180 ?", "130 / 131.000 ?")
  )
})

test_that("what a page lets the reader run gives the stored numbers again", {
  skip_on_cran()
  skip_if_not_installed("knitr")
  # Pages find the code that they share from where they are.
  withr::local_dir(sources("vignettes"))
  for (paper in c("zare", "onda", "dernoncourt")) {
    lines <- page_lines(paper)
    place <- new.env(parent = globalenv())
    eval(parse(text = chunks(lines, "setup"), encoding = "UTF-8"), place)
    live <- chunks(lines, "live")
    expect_true(any(grepl("stopifnot", live)), info = paper)
    code <- parse(text = live, encoding = "UTF-8")
    expect_no_error(suppressWarnings(utils::capture.output(eval(code, place))))
  }
})

test_that("the steps of a paper have their scripts, and what is stored its record", {
  root <- experiment()
  paths <- Sys.glob(file.path(root, "*", "steps.csv"))
  expect_true(all(c("zare", "onda", "dernoncourt") %in% basename(dirname(paths))))
  for (path in paths) {
    steps <- utils::read.csv(path, colClasses = "character")
    expect_true(all(file.exists(file.path(dirname(path), steps$script))), info = path)
    if (!basename(dirname(path)) %in% c("zare", "onda", "dernoncourt")) next
    made <- utils::read.csv(file.path(dirname(path), "results", "made.csv"))
    expect_named(made, c("step", "commit", "seed", "seconds", "date"), info = path)
    stored <- file.exists(file.path(dirname(path), "results", paste0(steps$table, ".csv")))
    recorded <- vapply(seq_len(nrow(steps)), function(i) {
      any(startsWith(made$step, steps$step[i]) | startsWith(made$step, steps$table[i]))
    }, NA)
    expect_identical(steps$step[stored & !recorded], character(), info = path)
  }
})

test_that("the papers' words lead to pages and functions that are there", {
  terms <- utils::read.csv(sources("vignettes", "papers", "terms.csv"))
  rd <- lapply(list.files(sources("man"), "[.]Rd$", full.names = TRUE), readLines)
  tagged <- function(tag) {
    lines <- unlist(lapply(rd, grep, pattern = paste0("^.", tag, "[{]"), value = TRUE))
    sub("[}]$", "", sub(paste0("^.", tag, "[{]"), "", lines))
  }
  expect_identical(setdiff(terms$page, tagged("alias")), character())
  expect_setequal(terms$paper, c(
    "Zare", "Onda", "Dernoncourt", "Dernoncourt, Hamer", "Hamer", "Brzezinski"
  ))
  calls <- unlist(regmatches(terms$here, gregexpr("[A-Za-z_.]+(?=[(])", terms$here, perl = TRUE)))
  known <- c(getNamespaceExports("stabilect"), "plot", "list")
  expect_identical(setdiff(calls, known), character())
  indices <- grep("^ind", terms$here, value = TRUE)
  indices <- unlist(regmatches(indices, gregexpr('(?<=")[a-z_]+(?=")', indices, perl = TRUE)))
  expect_gt(length(indices), 7)
  expect_identical(setdiff(indices, list_available("indices")$index), character())
  # What help.search() finds beside titles and aliases.
  asked <- c(
    "hybrid-RFE", "SVM-RFE", "k-subsecting", "SRFE", "FRFE", "CW_rel", "score-averaged",
    "importance flip", "simulated selector", "weak selector", "t_uniform",
    "differential shrinkage", "3-segment", "G-mean", "phi_can", "POG"
  )
  expect_identical(setdiff(asked, tagged("concept")), character())
})
