# The border of the linear classifiers refuses what it does not know.

test_that("unknown words are refused with those that are known", {
  x <- matrix(c(1, 2, 4, 3, 5, 1, 0, 2), 4)
  codes <- c(1L, 2L, 1L, 2L)
  counts <- matrix(1L, 4)
  expect_error(
    cpp_score_linear(x, codes, 2L, counts, list(loss = "l3"), -1, character(), double(), 1L, NULL),
    '`loss` must be "l2", "l1" or "logistic", not "l3".', fixed = TRUE
  )
  options <- list(loss = "l2", penalty = 1, free_intercept = FALSE, scaling = "sd", pairs = FALSE)
  fit <- function(...) {
    cpp_fit_linear(x, codes, 2L, c(1, 1), c(1, 1), utils::modifyList(options, list(...)))
  }
  expect_true(fit()$converged)
  expect_error(fit(loss = "hinge"), "`loss` must be", fixed = TRUE)
  expect_error(fit(scaling = "mean"), '`scaling` must be "sd", "range" or "none"', fixed = TRUE)
  expect_true(fit(free_intercept = TRUE)$converged)
})

test_that("penalties of hybrid-RFE go by name", {
  x <- withr::with_seed(1, matrix(stats::rnorm(80), 10))
  run <- function(penalties) {
    cpp_run_hybrid_rfe(
      x, rep(1:2, 5), matrix(1L, 10), matrix(0L, 0, 1), 2L, penalties, 0.2, character(), double(),
      1L, NULL
    )
  }
  penalties <- list(lambda = 3, lambda_final = 1, epsilon = 1, alpha = 0)
  expect_identical(run(penalties), run(rev(penalties)))
  expect_true(run(penalties)$converged)
  expect_error(run(penalties[-1]), "lambda")
})
