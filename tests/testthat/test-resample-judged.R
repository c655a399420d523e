# How many of many samples have a model each out of bag, and which.

response_of <- function(n, ..., codes = NULL, event = NULL) {
  type <- if (!is.null(codes)) "multiclass" else if (!is.null(event)) "survival" else "numeric"
  response <- new_response(type, numeric(n), codes, event = event)
  more <- list(...)
  response[names(more)] <- more
  response
}

test_that("all of up to 1,000 samples are judged, and of more as many as take the same time", {
  for (n in c(10L, 1000L)) {
    expect_identical(judged_samples(response_of(n), seq_len(n), 5e5), seq_len(n))
  }
  judged <- function(n, work) length(judged_samples(response_of(n), seq_len(n), work))
  expect_identical(judged(1200L, 3e6), 1200L)
  expect_identical(judged(2000L, 3e6), 1500L)
  expect_identical(judged(5000L, 3e6), 600L)
  expect_identical(judged(50000L, 3e6), 300L)
  expect_identical(judged(1250L, 5e5), 400L)
  # Only of samples that a run left out.
  expect_true(all(judged_samples(response_of(5000L), 2001:5000, 3e6) > 2000L))
})

test_that("classes and events keep their proportion, and a rare class makes the number larger", {
  share <- function(code, ...) {
    rows <- judged_samples(response_of(length(code), ...), seq_along(code), 3e6)
    expect_false(is.unsorted(rows, strictly = TRUE))
    as.vector(table(code[rows]))
  }
  codes <- rep(1:3, c(5000, 4000, 1000))
  expect_identical(share(codes, codes = codes), c(150L, 120L, 30L))
  rare <- rep(1:2, c(9600, 400))
  expect_identical(share(rare, codes = rare), c(720L, 30L))
  # At most five times as many.
  rarer <- rep(1:2, c(9990, 10))
  expect_identical(share(rarer, codes = rarer), c(1499L, 2L))
  event <- rep(0:1, c(8000, 2000))
  expect_identical(share(event, event = event), c(240L, 60L))
})

test_that("blocks are judged as a whole", {
  blocks <- factor(rep(1:2500, each = 2))
  rows <- judged_samples(response_of(5000L, blocks = blocks), 1:5000, 3e6)
  expect_length(rows, 600L)
  expect_true(all(table(blocks[rows]) %in% c(0L, 2L)))
})

test_that("fealect() judges some of many samples, and prints how many", {
  data <- withr::with_seed(1, {
    x <- matrix(stats::rnorm(4000 * 5), 4000, dimnames = list(NULL, letters[1:5]))
    list(x = x, y = ifelse(x[, 1] + stats::rlogis(4000) > 0, "b", "a"))
  })
  fit <- fealect(data$x, data$y, n_runs = 20, n_boot = 0, seed = 1)
  expect_identical(fit$oob$n_samples, 4000L)
  expect_lt(abs(fit$oob$n - 750), 3)
  expect_identical(sum(!is.na(fit$oob$predictions$predicted)), fit$oob$n)
  expect_match(printed_words(fit), "75[01] of 4,000 samples judged")
  # The optimal rule errs in about 30 %.
  expect_true(fit$oob$lower < 0.32 && fit$oob$upper > 0.29)
  # Wider than with all: the interval is that of the samples that are judged.
  expect_gt(fit$oob$upper - fit$oob$lower, 0.06)
  few <- fealect(data$x[1:1200, ], data$y[1:1200], n_runs = 20, n_boot = 0, seed = 1)
  expect_null(few$oob$n_samples)
  expect_gt(few$oob$n, 1180L)
})

test_that("ensembles judge some of many samples", {
  data <- withr::with_seed(1, {
    x <- matrix(stats::rnorm(1700 * 4), 1700, dimnames = list(NULL, letters[1:4]))
    list(x = x, y = ifelse(x[, 1] - x[, 2] + stats::rnorm(1700) > 0, "b", "a"))
  })
  fit <- select_ensemble(
    data$x, data$y, selector_filter(), resample_subsample(5), n_features = 2,
    learner = learner_logistic(), seed = 1
  )
  expect_lt(abs(fit$oob$n - 300L), 2)
  expect_match(printed_words(fit), "30[01] of 1,700 samples judged")
})
