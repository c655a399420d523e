test_that("names of classes that read as numbers are quoted", {
  expect_identical(
    say_class(c("1", "2.5", "ALL", "1a", NA, "-1")),
    c("\"1\"", "\"2.5\"", "ALL", "1a", NA, "\"-1\"")
  )
  x <- withr::with_seed(1, matrix(stats::rnorm(30 * 5), 30, dimnames = list(NULL, letters[1:5])))
  y <- rep(c("1", "2", "3"), each = 10)
  x[, 1] <- x[, 1] + 3 * (y == "2")
  text <- printed_words(fealect(x, y, n_runs = 10, n_boot = 0, seed = 1))
  expect_match(text, "outcome: 10 \"1\", 10 \"2\", 10 \"3\"", fixed = TRUE)
  expect_match(text, "when always predicting \"1\"", fixed = TRUE)
  expect_match(text, "a +\"2\"")
  model <- fit_model(x[y != "3", ], y[y != "3"], c("a", "b"))
  expect_match(printed_words(model), "positive coefficients favour \"2\" over \"1\"", fixed = TRUE)
})

test_that("intervals have two digits and one unit", {
  said <- function(...) gsub("\u00a0", " ", describe_interval(...))
  limits <- list(lower = 0.0000054, upper = 0.0498)
  expect_identical(said(limits, 0.95, TRUE), "95 % CI 0 to 5 %")
  expect_identical(said(list(lower = 0.0123, upper = 0.163), 0.9, TRUE), "90 % CI 1.2 to 16 %")
  expect_identical(said(list(lower = 0.5812, upper = 0.7649), 0.95), "95 % CI 0.58 to 0.76")
})

test_that("an error says which samples were predicted", {
  plan <- function(plan) say_predicted(format(plan))
  expect_identical(plan(resample_folds(5, n_repeats = 2)), "in cross-validation")
  expect_identical(plan(resample_loo()), "in cross-validation")
  expect_identical(plan(resample_bootstrap(5)), "on left-out samples")
})

test_that("what goes with large values of a feature has the same words in every verb", {
  x <- withr::with_seed(1, matrix(stats::rnorm(40 * 5), 40, dimnames = list(NULL, letters[1:5])))
  numbers <- x[, 1] - x[, 2] + withr::with_seed(2, stats::rnorm(40) / 2)
  times <- new_surv(exp(-numbers), rep(1, 40))
  heading <- function(y) {
    fit <- stability_selection(x, y, q = 2, pfer = 1, n_pairs = 5, seed = 1)
    effects <- feature_effects(fit, x, y, features = c("a", "b"))
    c(printed_words(fit), printed_words(effects), printed_words(summary(effects)))
  }
  expect_match(heading(numbers), "feature outcome .*a up ")
  expect_match(heading(times), "feature hazard .*a up ")
  expect_match(heading(numbers > 0), "feature higher in .*a TRUE ")
  expect_match(heading(numbers)[-1], "b down ")
  expect_match(heading(times)[-1], "b down ")
  expect_match(heading(numbers > 0)[-1], "b FALSE ")
})

test_that("numbers beside each other have as many digits as tell them apart", {
  expect_identical(figures_apart(c(1.11, 1.08, 1.14)), c("1.11", "1.08", "1.14"))
  expect_identical(figures_apart(c(31, 25, 38)), c("31", "25", "38"))
  # Equal ones need none.
  expect_identical(figures_apart(c(1.11, 1.11)), c("1.1", "1.1"))
})
