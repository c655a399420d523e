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

# The lines of the n-th block of code of README, and the lines between it and the next.
block_of_readme <- function(n) {
  lines <- readLines(sources("README.md"), encoding = "UTF-8")
  fences <- grep("^```", lines)
  start <- fences[2L * n - 1L]
  list(kind = lines[start], code = lines[(start + 1L):(fences[2L * n] - 1L)], at = start)
}

test_that("README gives the answer first, then the line that installs, and is short", {
  expect_identical(block_of_readme(1)$kind, "```r")
  expect_match(block_of_readme(1)$code, "fealect(", fixed = TRUE, all = FALSE)
  expect_identical(block_of_readme(2)$kind, "```sh")
  expect_match(block_of_readme(2)$code[1], "^make demo")
  between <- block_of_readme(2)$at - block_of_readme(1)$at - length(block_of_readme(1)$code)
  expect_lte(between, 5L)
  words <- strsplit(paste(readLines(sources("README.md")), collapse = " "), "\\s+")[[1]]
  expect_lte(length(words), 700L)
})

test_that("README shows what its call prints", {
  skip_on_cran()
  code <- block_of_readme(1)$code
  shown <- sub("^#> ?", "", grep("^#>", code, value = TRUE))
  call <- grep("^fit <-", code, value = TRUE)
  fit <- suppressMessages(eval(parse(text = call)))
  said <- utils::capture.output(print(fit, n = 3))
  # The table is cut after three rows.
  rows <- grepl("^ *Hsa|^[.]{3}", shown)
  expect_identical(setdiff(shown[!rows], said), character())
  expect_identical(setdiff(grep("^ *Hsa", shown, value = TRUE), said), character())
})

# The functions of the cheat sheet.
cheat <- new.env()
read_cheat <- function() {
  if (length(ls(cheat)) == 0L) sys.source(sources("tools", "cheatsheet.R"), cheat)
  cheat
}

# Data for its calls: two classes, of which three features tell.
cheat_data <- function() {
  withr::local_seed(1)
  n <- 40
  y <- factor(rep(c("ill", "well"), n / 2))
  x <- matrix(rnorm(n * 60), n, dimnames = list(NULL, paste0("g", 1:60)))
  x[, 1:3] <- x[, 1:3] + 1.5 * (y == "ill")
  list2env(list(
    x = x, y = y, patients = data.frame(status = y, x), counts = stats::rpois(n, 3),
    clinical = data.frame(age = rnorm(n), sex = rep(c("f", "m"), each = n / 2)),
    patient = rep(seq_len(n / 2), each = 2), pair = rep(seq_len(n / 2), each = 2),
    time = stats::rexp(n), event = rep(c(1, 1, 0, 1), n / 4),
    gaps = replace(x, sample(length(x), 60), NA), site = rep(c("a", "b"), each = n / 2),
    new_x = x[1:10, ] + rnorm(600) / 2, new_y = y[1:10]
  ), parent = globalenv())
}

# What is called in an expression, as list(verb, arguments by name).
verbs_in <- function(expression) {
  if (!is.call(expression)) {
    return(list())
  }
  inner <- unlist(lapply(as.list(expression)[-1], verbs_in), recursive = FALSE)
  name <- paste(deparse(expression[[1]]), collapse = "")
  if (name %in% getNamespaceExports("stabilect")) c(list(expression), inner) else inner
}

test_that("the cheat sheet calls verbs by arguments that they have", {
  # Settings that verbs take by `...`.
  settings <- c(names(formals(path_control)), names(formals(run_control)))
  for (call in unlist(lapply(read_cheat()$cheat_calls(), str2expression))) {
    for (verb in verbs_in(call)) {
      name <- deparse(verb[[1]])
      known <- names(formals(args(getExportedValue("stabilect", name))))
      known <- c("", known, if ("..." %in% known) settings)
      given <- as.character(names(as.list(verb)[-1]))
      expect_identical(setdiff(given, known), character(), info = name)
    }
  }
  said <- paste(read_cheat()$cheat_calls(), collapse = "\n")
  questions <- c(
    "find_signals(", "fealect(", "stability_selection(", "eliminate_features(", "stability(",
    "evaluate_replication(", "missing_pattern(", "max_features", "write_report("
  )
  for (verb in questions) expect_match(said, verb, fixed = TRUE)
})

test_that("the calls of the cheat sheet run, in their order", {
  skip_on_cran()
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("survival")
  data <- cheat_data()
  withr::local_dir(withr::local_tempdir())
  # These simulate, or fit every random list: their own tests run them.
  slow <- "^(estimate_error_rates|estimate_sample_size|test_signature|evaluate_selectors)"
  for (expression in as.list(str2expression(read_cheat()$cheat_calls()))) {
    if (!grepl(slow, deparse(expression)[1])) {
      expect_error(suppressMessages(eval(expression, data)), NA, info = deparse(expression)[1])
    }
  }
  expect_true(file.exists("genes.html"))
})

test_that("the stored cheat sheet has the words of its script, is one page and small", {
  file <- sources("inst", "cheatsheet", "stabilect.pdf")
  text <- readLines(file, warn = FALSE, skipNul = TRUE)
  title <- grep("^/Title", text, value = TRUE, useBytes = TRUE)
  expect_identical(title, sprintf("/Title (%s)", read_cheat()$cheat_key()))
  expect_length(grep("/Type /Page ", text, fixed = TRUE, useBytes = TRUE), 1L)
  expect_lt(file.size(file), 2e5)
  drawn <- withr::local_tempfile(fileext = ".pdf")
  expect_true(all(read_cheat()$draw_cheatsheet(drawn) <= 595))
})

test_that("README and ?stabilect lead to the cheat sheet", {
  expect_match(text_of("README.md"), "(inst/cheatsheet/stabilect.pdf)", fixed = TRUE)
  expect_match(text_of("R/base-package.R"), "system.file(\"cheatsheet\", \"stabilect.pdf\"",
    fixed = TRUE
  )
})
