# The tables of a report as files.
x <- as.matrix(mcl_sll[, -1])
colnames(x)[1:3] <- c("SEPT2", "100287102999999999", "=1+1,\"q\"")
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
fit <- fealect(x, y, n_runs = 20, n_boot = 0, seed = 1)
short <- stability_selection(x, y, pfer = 2, n_pairs = 10, seed = 1)

read_csv <- function(file) {
  utils::read.csv(file, check.names = FALSE, encoding = "UTF-8", na.strings = "")
}

test_that("a folder has all features with all digits, and the tables of the report", {
  folder <- file.path(withr::local_tempdir(), "supplement")
  again <- evaluate_replication(short, x, y, n_pairs = 3, seed = 1)
  files <- expect_invisible(write_tables(fit, folder, "Would it recur?" = again, x = x, y = y))
  expect_setequal(list.files(folder), basename(files))
  expect_identical(basename(files), c(
    "about.csv", "features.csv", "model.csv", "would-it-recur.csv", "would-it-recur-again.csv",
    "checklist.csv", "columns.csv"
  ))
  features <- read_csv(files[2])
  expect_identical(nrow(features), fit$study$p)
  at <- match(features$feature, fit$table$feature)
  expect_identical(sort(at), seq_len(fit$study$p))
  expect_equal(features$score, fit$table$score[at], tolerance = 1e-14)
  expect_identical(features$rank, seq_len(fit$study$p))
  chosen <- features$feature %in% fit$features
  expect_identical(which(chosen), seq_along(fit$features))
  effects <- effects_of(reported_study(x, y, fit), features$feature)
  expect_equal(features$difference, effects$value, tolerance = 1e-14)
  expect_true(all(names(fit$table) %in% c(names(features), "direction")))
  expect_identical(read_csv(files[4])$overlap, again$table$overlap)
  model <- read_csv(files[3])
  expect_equal(model[[2]], unname(coef(fit$model)), tolerance = 1e-14)
  columns <- read_csv(files[7])
  expect_true(all(c("score", "difference", "frequency") %in% columns$column))
  about <- read_csv(files[1])
  script <- about$text[about$item == "Script"]
  expect_match(script, "write_tables(fit, \"supplement\"", fixed = TRUE)
  # The same call writes the same bytes.
  before <- tools::md5sum(files)
  write_tables(fit, folder, "Would it recur?" = again, x = x, y = y)
  expect_identical(tools::md5sum(files), before)
})

test_that("names and numbers come back from csv as they are, in every locale", {
  table <- data.frame(
    feature = c("a,b", "\"q\"", "line\nbreak", "\u00e9", NA), value = c(1 / 3, NA, Inf, 1e-300, 2),
    count = c(1L, NA, 3:5)
  )
  file <- withr::local_tempfile(fileext = ".csv")
  withr::with_options(list(OutDec = ",", scipen = 99), write_folder(list(T = table), dirname(file)))
  again <- read_csv(file.path(dirname(file), "t.csv"))
  expect_identical(again$feature, table$feature)
  expect_equal(again$value, table$value, tolerance = 1e-14)
  expect_identical(again$count, table$count)
  withr::with_locale(c(LC_CTYPE = "C"), write_one_csv(table, file))
  expect_identical(readBin(file, "raw", 1e4), readBin(
    file.path(dirname(file), "t.csv"), "raw", 1e4
  ))
})

test_that("a workbook keeps names of genes as text", {
  skip_if_not_installed("openxlsx")
  file <- file.path(withr::local_tempdir(), "supplement.xlsx")
  expect_identical(write_tables(fit, file, Runs = stability(fit), x = x, y = y), file)
  expect_identical(
    openxlsx::getSheetNames(file),
    c("About", "Features", "Model", "Runs", "Checklist", "Columns")
  )
  features <- openxlsx::read.xlsx(file, "Features", detectDates = TRUE)
  at <- match(features$feature, fit$table$feature)
  expect_identical(sort(at), seq_len(fit$study$p))
  expect_true(all(colnames(x)[1:3] %in% unlist(c(features$feature, features$copies))))
  expect_equal(features$score, fit$table$score[at], tolerance = 1e-14)
  # Text is stored as text: cells of type s (of shared strings).
  folder <- withr::local_tempdir()
  utils::unzip(file, exdir = folder)
  cells <- readLines(file.path(folder, "xl", "worksheets", "sheet2.xml"), warn = FALSE)
  expect_match(paste(cells, collapse = ""), "<c r=\"B2\"[^>]* t=\"s\"")
  local_value("most_rows", 100L)
  expect_error(write_tables(fit, file), "more than 100 rows", class = "stabilect_error_input")
})

test_that("without openxlsx a workbook is refused, and a folder is not", {
  local_value("check_package", function(...) abort("no package", class = "package"))
  folder <- withr::local_tempdir()
  expect_error(
    write_tables(fit, file.path(folder, "a.xlsx")), "no package",
    class = "stabilect_error_package"
  )
  expect_length(write_tables(fit, file.path(folder, "a")), 5L)
})

test_that("what cannot be written is refused", {
  folder <- withr::local_tempdir()
  refused <- "stabilect_error_input"
  expect_error(write_tables(1, folder), class = refused)
  expect_error(write_tables(fit, file.path(folder, "a.csv")), "several tables", class = refused)
  expect_error(write_tables(fit, file.path(folder, "no", "a")), "not exist", class = refused)
  expect_error(write_tables(fit, ""), "one path", class = refused)
  expect_error(write_tables(fit, folder, 1), "has no name", class = refused)
  expect_error(write_tables(fit, folder, x = x + 1, y = y), "not the data", class = refused)
  expect_length(list.files(folder), 0L)
  file <- file.path(folder, "file")
  writeLines("", file)
  expect_error(write_tables(fit, file), "cannot be written to", class = refused)
})

test_that("sheets have names that Excel takes, and lists in columns are text", {
  long <- strrep("a", 40)
  names <- names_of_sheets(c("A/b: [c]?", "a b c", long, long, "*", toupper(long)))
  expect_identical(names[c(1:3, 5)], c("A b c", "a b c 2", strrep("a", 31), "Table"))
  expect_true(all(nchar(names) <= 31L))
  expect_identical(anyDuplicated(tolower(names)), 0L)
  table <- plain_columns(data.frame(a = I(list(1:2, "b")), b = factor(c("u", "v"))))
  expect_identical(table, data.frame(a = c("1, 2", "b"), b = c("u", "v")))
})

test_that("every kind of result has its tables, and no values of single samples", {
  skip_if_not_installed("survival")
  some <- rep(c(TRUE, TRUE, FALSE), length.out = 22)
  model <- fit_model(x[some, ], y[some], features = colnames(x)[4:5])
  others <- list(
    Signals = find_signals(x, y, permute = 19, seed = 1),
    New = validate_model(model, x[!some, ], y[!some]),
    Size = eliminate_features(
      x[, 4:12], y, learner_lda(), resampling = resample_folds(3), seed = 1
    )
  )
  tables <- do.call(c, unname(Map(tables_of_result, others, names(others))))
  expect_true(all(vapply(tables, is.data.frame, NA)))
  expect_true(all(c("Signals marginal", "New", "Size sizes") %in% names(tables)))
  expect_false("New predictions" %in% names(tables))
  folder <- withr::local_tempdir()
  for (one in others[c("Signals", "Size")]) {
    expect_true(all(file.exists(write_tables(one, folder))))
  }
})
