# Concordance by a sort and a tree of sums, against a loop over events and the package survival.

# The definition: each event with each sample that outlives it.
loop_concordance <- function(time, event, risk, weights, pairs, group) {
  concordant <- comparable <- numeric(length(time))
  total <- agree <- 0
  for (i in which(event == 1)) {
    later <- (time > time[i] | time == time[i] & event == 0) & group == group[i]
    higher <- pairs[i] * ((risk[i] > risk[later]) + (risk[i] == risk[later]) / 2)
    own <- weights[later]
    concordant[later] <- concordant[later] + weights[i] * higher
    comparable[later] <- comparable[later] + weights[i] * pairs[i]
    concordant[i] <- concordant[i] + sum(own * higher)
    comparable[i] <- comparable[i] + sum(pairs[i] * own)
    agree <- agree + weights[i] * sum(own * higher)
    total <- total + weights[i] * sum(pairs[i] * own)
  }
  value <- agree / total
  list(concordance = value, influence = (concordant - value * comparable) / total)
}

# Ties of times, of risks, and of events with censored samples.
tied_times <- function(n, seed) {
  withr::with_seed(seed, data.frame(
    time = sample(n %/% 2L, n, TRUE), event = stats::rbinom(n, 1, 0.6),
    risk = sample(n %/% 3L, n, TRUE) / 7, weights = sample(3, n, TRUE),
    pairs = stats::runif(n, 0.5, 2), group = sample(3, n, TRUE)
  ))
}

test_that("the value is exactly that of a loop over events", {
  for (seed in 1:5) {
    data <- tied_times(60, seed)
    one <- rep(1, 60)
    found <- concordance_of(data$time, data$event, data$risk)
    expect_identical(found, loop_concordance(data$time, data$event, data$risk, one, one, one))
    # Sums of whole numbers have no rounding; other weights do.
    expect_identical(
      concordance_of(data$time, data$event, data$risk, data$weights, group = data$group),
      loop_concordance(data$time, data$event, data$risk, data$weights, one, data$group)
    )
    expect_equal(
      do.call(concordance_of, data), do.call(loop_concordance, data), tolerance = 1e-13
    )
  }
})

test_that("value and variance are those of survival::concordance()", {
  skip_if_not_installed("survival")
  data <- tied_times(200, 7)
  y <- survival::Surv(data$time, data$event)
  known <- survival::concordance(y ~ data$risk, weights = data$weights, reverse = TRUE)
  found <- concordance_of(data$time, data$event, data$risk, data$weights)
  expect_equal(found$concordance, unname(known$concordance))
  expect_equal(sum((data$weights * found$influence)^2), unname(known$var))
})

test_that("there is no value without pairs, and none or all agree exactly", {
  none <- list(concordance = NA_real_, influence = rep(NA_real_, 3))
  expect_identical(concordance_of(1:3, c(0, 0, 0), 1:3), none)
  expect_identical(concordance_of(1:3, c(1, 1, 1), 1:3, group = 1:3), none)
  expect_identical(concordance_of(1:3, c(1, 1, 1), c(1, NA, 2)), none)
  weights <- c(0.1, 0.7, 0.3, 1.9, 0.2, 1 / 3)
  expect_identical(concordance_of(1:6, rep(1, 6), 6:1, weights)$concordance, 1)
  expect_identical(concordance_of(1:6, rep(1, 6), 1:6, weights)$concordance, 0)
  expect_identical(concordance_of(1:6, rep(1, 6), rep(1, 6), weights)$concordance, 0.5)
})

test_that("100,000 samples take no time in proportion to their square", {
  skip_on_cran()
  n <- 100000
  data <- withr::with_seed(1, list(time = stats::rexp(n), risk = stats::rnorm(n)))
  took <- system.time(found <- concordance_of(data$time, rep(1, n), data$risk))
  expect_lt(took[["user.self"]], 5)
  expect_equal(found$concordance, 0.5, tolerance = 0.01)
})

test_that("predictions that are all equal have no interval", {
  for (risk in list(numeric(20), rep(0.3, 20))) {
    found <- concordance_of(1:20, rep(c(1, 0), 10), risk)
    judged <- judge_order(found, 1:20, NULL, 0.95, 10)
    expect_identical(judged$share, 0.5)
    expect_identical(judged$limits, c(NA_real_, NA_real_))
  }
})
