# The tables of experiments that are installed, and the full results that they are of.

shipped_experiments <- function() {
  folder <- system.file("extdata", "results", package = "stabilect", mustWork = TRUE)
  sub("[.]rds$", "", list.files(folder, "[.]rds$"))
}

full_table <- function(folder, name) {
  utils::read.csv(
    file.path(folder, paste0(name, ".csv")), check.names = FALSE, encoding = "UTF-8"
  )
}

test_that("what is installed of the experiments is what their results say", {
  # These two are not from csv files.
  others <- list(
    hamer = list(maps = readRDS(experiment("hamer", "results", "maps.rds"))),
    onda = list(`colon-t-halves` =
      readRDS(experiment("onda", "results", "cases", "colon-t-halves.rds"))$stability[1:4]
    )
  )
  for (name in shipped_experiments()) {
    folder <- if (name == "papers") experiment(name) else experiment(name, "results")
    tables <- shipped_tables(name)
    for (other in names(others[[name]])) {
      expect_identical(tables[[other]], others[[name]][[other]], info = paste(name, other))
    }
    for (table in setdiff(names(tables), names(others[[name]]))) {
      full <- full_table(folder, table)
      # A column without text is read as missing flags.
      empty <- vapply(full, function(column) is.logical(column) && all(is.na(column)), NA)
      full[empty & name == "papers"] <- ""
      # Some have not all of the columns; they have all of the rows.
      expect_true(all(names(tables[[table]]) %in% names(full)), info = paste(name, table))
      # Not to the last bit, which R reads otherwise on some processors.
      expect_equal(
        tables[[table]], full[names(tables[[table]])], tolerance = 1e-14,
        info = paste(name, table)
      )
    }
  }
})

test_that("experiments are not installed, and what is of them is small", {
  expect_identical(system.file("experiments", package = "stabilect"), "")
  folder <- system.file("extdata", "results", package = "stabilect", mustWork = TRUE)
  expect_lt(sum(file.size(list.files(folder, full.names = TRUE))), 500 * 1024)
})

test_that("the list of the experiments is that of their titles", {
  list <- readLines(experiment("README.md"))
  pages <- Sys.glob(experiment("*", "README.md"))
  titles <- vapply(pages, function(page) sub("^# ", "", readLines(page, n = 1L)), "")
  rows <- sprintf("| `%s` | %s |", basename(dirname(pages)), titles)
  expect_setequal(grep("^[|] `", list, value = TRUE), rows)
})

test_that("documents name the experiments by the folder where they are", {
  files <- c(
    sources(c("README.md", "NEWS.md", "DESIGN.md", "CONTRIBUTING.md", "Makefile")),
    list.files(sources("design"), full.names = TRUE),
    list.files(sources("R"), "[.]R$", full.names = TRUE),
    list.files(sources("vignettes"), "[.](Rmd|R)$", full.names = TRUE, recursive = TRUE),
    list.files(sources("tools"), full.names = TRUE),
    # All tests but this one, which has the words.
    setdiff(
      list.files(sources("tests", "testthat"), "[.]R$", full.names = TRUE),
      sources("tests", "testthat", "test-all-shipped-tables.R")
    ),
    list.files(sources("experiments"), "[.](R|md)$", full.names = TRUE, recursive = TRUE)
  )
  there <- basename(list.dirs(experiment(), recursive = FALSE))
  for (file in files) {
    text <- paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
    old <- grepl("inst/experiments|system.file\\(\"experiments\"", text)
    expect_false(old, info = file)
    folder <- "(?<=[`\" ]experiments/)[a-z-]+(?=[`/\" ])"
    named <- regmatches(text, gregexpr(folder, text, perl = TRUE))[[1]]
    gone <- setdiff(named, there)
    expect_identical(gone, character(), info = file)
  }
})
