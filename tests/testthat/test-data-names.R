# Columns by name: the time and the event, covariates, and the data before the formula.
x <- as.matrix(mcl_sll[, -1])
x <- x[, apply(x, 2, stats::sd) > 0][, 1:20]
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
quick <- function(...) {
  fealect(..., n_runs = 10, n_boot = 0, oob = FALSE, seed = 1)$table
}

test_that("two names are a time and an event, in tables and containers", {
  skip_if_not_installed("survival")
  time <- exp(sin(seq_along(y)))
  event <- rep(c(TRUE, FALSE), 11)
  plain <- quick(x, survival::Surv(time, event))
  table <- data.frame(x, time = time, event = event, check.names = FALSE)
  expect_identical(quick(table, c("time", "event")), plain)
  skip_if_not_installed("SummarizedExperiment")
  se <- SummarizedExperiment::SummarizedExperiment(
    list(values = t(x)), colData = S4Vectors::DataFrame(time = time, event = as.integer(event))
  )
  expect_identical(quick(se, c("time", "event")), plain)
  expect_error(quick(se, c("time", "time")), "1 or `TRUE` where the event occurred",
    class = "stabilect_error_input"
  )
  expect_error(quick(se, c("time", "death")), "not a column", class = "stabilect_error_input")
  table$time <- letters[1:22]
  expect_error(quick(table, c("time", "event")), "must hold times", class = "stabilect_error_input")
})

test_that("covariates go by the names of their columns", {
  age <- cos(seq_along(y))
  plain <- quick(x, y, family = "binomial", covariates = data.frame(age = age))
  table <- data.frame(class = y, x, age = age, check.names = FALSE)
  expect_identical(quick(table, "class", family = "binomial", covariates = "age"), plain)
})

test_that("the data may stand before the formula, as after a pipe", {
  table <- data.frame(class = y, x, check.names = FALSE)
  expect_identical(quick(table, class ~ .), quick(class ~ ., table))
})

test_that("objects of other packages are refused with the call that takes out their values", {
  said <- function(class) {
    error <- tryCatch(fealect(structure(list(1), class = class), y), error = identity)
    expect_s3_class(error, "stabilect_error_input")
    gsub("\\s+", " ", cli::ansi_strip(conditionMessage(error)))
  }
  expect_match(said("DGEList"), "t(edgeR::cpm(x, log = TRUE))", fixed = TRUE)
  expect_match(said("EList"), "t(x$E)", fixed = TRUE)
  expect_match(said("Seurat"), "sum them first")
})

test_that("a model says its features, and takes the word prob for probability", {
  model <- fit_model(x, y, colnames(x)[1:3])
  expect_identical(selected(model), colnames(x)[1:3])
  expect_identical(
    stats::predict(model, x, type = "prob"), stats::predict(model, x, type = "probability")
  )
})
