# The best classifier, from the covariance matrix itself.
bayes_error_of <- function(truth, sigma) {
  stats::pnorm(-sqrt(drop(truth$mean %*% solve(sigma, truth$mean))))
}

block_sigma <- function(group, correlation) {
  sigma <- outer(group, group, `==`) * correlation
  diag(sigma) <- 1
  sigma
}

test_that("the Bayes error is met in closed form", {
  for (type in c("NC100", "NC", "CB")) {
    for (error in c(0.02, 0.1, 0.4)) {
      data <- simulate_data(type, n = 4, n_total = 123, bayes_error = error, seed = 1)
      sigma <- block_sigma(data$truth$group, data$correlation)
      expect_equal(bayes_error_of(data$truth, sigma), error)
      expect_equal(data$bayes_error, error)
      expect_equal(data$truth$weight, drop(solve(sigma, data$truth$mean)))
    }
  }
  groups <- simulate_data("groups", 4, group_size = 7, n_other = 20, correlation = 0.95, seed = 1)
  sigma <- block_sigma(groups$truth$group, 0.95)
  expect_equal(bayes_error_of(groups$truth, sigma), groups$bayes_error)
})

test_that("the Bayes rule has the Bayes error on 20,000 samples", {
  for (type in c("NC100", "NC", "CB")) {
    data <- simulate_data(type, n = 20000, n_total = 100, seed = 7)
    wrong <- mean((data$x %*% data$truth$weight > 0) != (data$y == "A"))
    # Four standard errors.
    expect_lt(abs(wrong - 0.1), 4 * sqrt(0.09 / 20000))
  }
})

test_that("samples have the means and correlations of the model", {
  data <- simulate_data("CB", n = 20000, n_total = 20, seed = 3)
  sign <- ifelse(data$y == "A", 1, -1)
  expect_lt(max(abs(colMeans(data$x * sign) - data$truth$mean)), 5 / sqrt(20000))
  residual <- data$x - outer(sign, data$truth$mean)
  expect_lt(max(abs(stats::cov(residual) - block_sigma(data$truth$group, 0.5))), 0.05)
})

test_that("designs are those of the paper", {
  nc100 <- simulate_data("NC100", n = 10, seed = 1)
  expect_identical(dim(nc100$x), c(10L, 1000L))
  expect_identical(sum(nc100$truth$relevant), 100L)
  # 100 mean^2 = qnorm(0.9)^2
  expect_equal(nc100$truth$mean[1:101], c(rep(stats::qnorm(0.9) / 10, 100), 0))
  nc <- simulate_data("NC", n = 10, n_total = 50000, seed = 1)
  root <- sqrt(nc$truth$mean / max(nc$truth$mean))
  # Triangular: mean 1/3, half of it below 1 - sqrt(1/2).
  expect_lt(abs(mean(root) - 1 / 3), 0.01)
  expect_lt(abs(stats::median(root) - (1 - sqrt(0.5))), 0.01)
  cb <- simulate_data("CB", n = 10, n_total = 50000, seed = 1)
  expect_equal(cb$truth$mean / cb$truth$mean[1], nc$truth$mean / nc$truth$mean[1])
  groups <- simulate_data("groups", group_size = 3, seed = 1)
  expect_identical(dim(groups$x), c(200L, 1015L))
  expect_identical(as.vector(table(groups$y)), c(100L, 100L))
  expect_identical(groups$truth$mean[c(1, 15, 16)], c(0.5, 0.5, 0.05))
  expect_identical(tabulate(groups$truth$group)[1:6], c(rep(3L, 5), 1L))
})

test_that("more samples come from the same model", {
  first <- simulate_data("CB", n = 30, n_total = 30, seed = 1)
  more <- simulate_again(first, n = 20, seed = 2)
  expect_identical(more$truth, first$truth)
  expect_identical(more$bayes_error, first$bayes_error)
  expect_identical(dim(more$x), c(20L, 30L))
  expect_false(any(more$x[1, ] == first$x[1, ]))
})

test_that("seeds decide, and the user's generator is left alone", {
  withr::local_seed(42)
  before <- .Random.seed
  a <- simulate_data("NC", n = 6, n_total = 5, seed = 9)
  expect_identical(.Random.seed, before)
  withr::local_seed(42, .rng_kind = "Wichmann-Hill", .rng_normal_kind = "Box-Muller")
  before <- .Random.seed
  expect_identical(simulate_data("NC", n = 6, n_total = 5, seed = 9), a)
  expect_identical(.Random.seed, before)
  withr::with_seed(1, b <- simulate_data("groups", 6, n_other = 3))
  withr::with_seed(1, c <- simulate_data("groups", 6, n_other = 3))
  expect_identical(b, c)
  expect_identical(child_seeds(3, 5), child_seeds(3, 9)[1:5])
})

test_that("print and errors", {
  expect_output(print(simulate_data("CB", 10, n_total = 30, seed = 1)), "within 3 groups")
  small <- simulate_data("groups", 10, n_other = 5, seed = 1)
  expect_output(print(small), "positive: 5, negative: 5")
  expect_match(message_of(simulate_data("XX", 10)), "`design` must be one of")
  expect_match(message_of(simulate_data("NC100", 10, n_total = 50)), "`n_total` must be")
  expect_match(message_of(simulate_data("NC", 10, bayes_error = 0.6)), "below 0.5")
  expect_match(message_of(simulate_data("groups", 10, correlation = 1)), "`correlation` must be")
})

test_that("groups of one feature are no groups in the print", {
  shown <- utils::capture.output(print(simulate_data("groups", n_other = 5, seed = 1)))
  expect_false(any(grepl("correlation", shown)))
  shown <- utils::capture.output(print(simulate_data("groups", group_size = 3, seed = 1)))
  expect_true("correlation 0.8 within 5 groups" %in% shown)
})
