# find_signals() of more than 1,000 samples, and of samples that are not few beside the features.

# Ten features with effects of `size` standard errors; `rest`: the deviation of what all add.
many_data <- function(n, p, size = 7, n_true = 10, rest = 0, seed = 1) {
  withr::with_seed(seed, {
    x <- scale(matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p)))))
    own <- stats::rnorm(p)
    effect <- rest * own / sqrt(sum(own^2))
    at <- seq_len(n_true)
    effect[at] <- effect[at] + size / sqrt(n) * rep_len(c(1, -1), n_true)
    link <- drop(x %*% effect)
    list(x = x, link = link, y = link + stats::rnorm(n), true = paste0("g", at))
  })
}

test_that("many samples name each of ten features, of numbers and of classes", {
  data <- many_data(1500, 40)
  for (y in list(data$y, ifelse(data$y > 0, "b", "a"))) {
    fit <- find_signals(data$x, y, permute = 99, seed = 1)
    # Classes say less than the numbers behind them.
    expect_gte(length(fit$features), if (is.numeric(y)) 10L else 8L)
    expect_true(all(fit$features %in% data$true))
    expect_lt(fit$background$probability, 0.5)
  }
})

test_that("a dense rest of few features hides no name, and the print says what a name is", {
  # Where the background of all features was as large as those of p far above n, none of 20 was.
  named <- vapply(c(2, 4, 6, 8), function(seed) {
    data <- many_data(250, 20, size = 4, n_true = 5, rest = 0.5, seed = seed)
    sum(data$true %in% find_signals(data$x, data$y, permute = 99, seed = 1)$features)
  }, 0L)
  expect_gte(sum(named), 10L)
  spread <- many_data(250, 20, size = 7, n_true = 2, rest = 1.5, seed = 5)
  found <- find_signals(spread$x, spread$y, permute = 99, seed = 1)
  expect_gt(length(found$features), 0L)
  expect_gt(found$background$probability, 0.5)
  expect_match(printed_words(found), "a name stands out of this rest")
})

test_that("p of many samples has the power of the exact one", {
  # One feature, whose correlation is the statistic: p is that of its rank among permutations.
  n <- 20000
  x <- withr::with_seed(1, cbind(g1 = stats::rnorm(n), g2 = stats::rnorm(n)))
  y <- 0.03 * x[, 1] + withr::with_seed(2, stats::rnorm(n))
  fit <- find_signals(x, y, permute = 199, seed = 1)
  expect_identical(fit$p_value, 1 / 200)
  expect_equal(fit$marginal$p[1], 1 / 200)
  largest <- sort(fit$null$maxima, decreasing = TRUE)
  expect_equal(
    unname(stats::quantile(fit$null$maxima, 0.95)) * sqrt(n),
    stats::qnorm(1 - (1 - 0.95^(1 / 2)) / 2), tolerance = 0.15
  )
  expect_lt(largest[1], 0.03)
})

test_that("names of many samples are the same with covariates, blocks and two threads", {
  data <- many_data(1100, 30)
  z <- data.frame(age = withr::with_seed(4, stats::rnorm(1100)))
  y <- data$y + z$age
  fit <- find_signals(data$x, y, covariates = z, permute = 99, seed = 1)
  expect_true(all(fit$features %in% data$true))
  expect_gte(length(fit$features), 8L)
  both <- find_signals(data$x, y, covariates = z, permute = 99, seed = 1, n_threads = 2)
  expect_identical(both[c("table", "marginal")], fit[c("table", "marginal")])
  rotated <- find_signals(data$x, y, covariates = z, null = "rotation", permute = 99, seed = 1)
  expect_identical(rotated$features, fit$features)
  rest <- function(v) stats::lm.fit(cbind(1, z$age), v)$residuals
  expect_equal(fit$marginal$correlation, unname(drop(stats::cor(rest(data$x), rest(y)))))
})

test_that("1,000 of more samples are compared for dependence, and the print says so", {
  data <- many_data(1400, 4, size = 0, n_true = 1)
  y <- data$x[, 2]^2 + data$y
  fit <- find_signals(data$x, y, kind = "any", permute = 99, seed = 1)
  expect_identical(
    fit$dependence[c("n_compared", "n_samples")], list(n_compared = 1000L, n_samples = 1400L)
  )
  expect_identical(fit$dependence$features, "g2")
  expect_match(printed_words(fit), "g2; 1,000 of 1,400 samples compared; 99 permutations")
})

test_that("compared samples keep the proportions of exchangeable ones", {
  expect_identical(compared_samples(rep(1L, 1000), 1), 1:1000)
  groups <- rep(1:3, c(2000, 998, 2))
  rows <- compared_samples(groups, 1)
  expect_identical(as.vector(table(groups[rows])), c(666L, 332L, 2L))
  expect_false(is.unsorted(rows, strictly = TRUE))
  expect_identical(rows, compared_samples(groups, 1))
})
