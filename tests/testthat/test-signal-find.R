# find_signals(): steps, p values and sets against plain R, enumeration, lm() and a loop.

signal_data <- function(n = 40, p = 120, seed = 1, strength = 2) {
  withr::with_seed(seed, {
    x <- matrix(stats::rnorm(n * p), n) + stats::rnorm(n)
    colnames(x) <- paste0("g", seq_len(p))
    list(x = x, y = strength * (x[, 3] - x[, 50]) + stats::rnorm(n))
  })
}

expect_plain_steps <- function(fit, metric, features) {
  taken <- integer()
  for (k in seq_len(nrow(fit$steps))) {
    statistic <- plain_statistics(metric, metric$yt, taken)
    expect_identical(fit$steps$feature[k], features[which.max(statistic)])
    expect_equal(fit$steps$partial_r[k], max(statistic), tolerance = 1e-8)
    taken <- c(taken, which.max(statistic))
  }
}

# Rows that are not constant in blocks, and covariates.
held <- withr::with_seed(2, {
  data.frame(age = stats::rnorm(40), batch = rep(c("a", "b", "c", "d"), 10))
})

test_that("steps are those of plain R in the trimmed metric, with covariates and without", {
  data <- signal_data()
  z <- stats::model.matrix(~ age + batch, held)
  for (covariates in list(NULL, held)) {
    fit <- find_signals(data$x, data$y, covariates = covariates, permute = 99, seed = 1)
    metric <- plain_metric(data$x, data$y, if (is.null(covariates)) matrix(1, 40, 1) else z)
    expect_plain_steps(fit, metric, colnames(data$x))
    expect_equal(fit$marginal$correlation, drop(crossprod(metric$xr, metric$yr)))
  }
})

test_that("the first p is that of all permutations, and exact", {
  # 5 samples in 120 orders: the share of orders with a p of at most alpha is at most alpha, and p
  # from draws is that of the enumeration.
  x <- withr::with_seed(3, matrix(stats::rnorm(5 * 12), 5))
  y <- withr::with_seed(4, stats::rnorm(5))
  orders <- as.matrix(expand.grid(rep(list(1:5), 5)))
  orders <- orders[apply(orders, 1, anyDuplicated) == 0, ]
  largest <- function(y) max(abs(stats::cor(x, y)))
  metric <- plain_metric(x, y)
  trimmed <- function(y) {
    max(plain_statistics(metric, metric$w * drop(crossprod(metric$u, y - mean(y)))))
  }
  shares <- function(statistic) {
    all <- apply(orders, 1, function(order) statistic(y[order]))
    mean(all >= statistic(y) - 1e-9)
  }
  fit <- find_signals(x, y, null = "permutation", permute = 9999, seed = 1)
  expect_equal(fit$p_value, shares(largest), tolerance = 0.03)
  expect_equal(fit$steps$p[1], shares(trimmed), tolerance = 0.03)
  expect_equal(fit$null$n_distinct, 120)
  p <- apply(orders, 1, function(order) {
    seed <- sum(order * 7^(0:4))
    fit <- find_signals(x, y[order], null = "permutation", permute = 199, seed = seed)
    c(fit$p_value, fit$steps$p[1])
  })
  # Each order has draws of its own, so the shares vary: three binomial standard errors.
  for (level in c(0.1, 0.25, 0.5, 0.75)) {
    expect_lte(max(rowMeans(p <= level)), level + 3 * sqrt(level * (1 - level) / 120))
  }
})

test_that("p values of later steps are the share of null maxima in plain R", {
  data <- signal_data(strength = 0.8)
  metric <- plain_metric(data$x, data$y)
  for (null in c("rotation", "permutation")) {
    fit <- find_signals(data$x, data$y, null = null, permute = 999, seed = 1)
    taken <- integer()
    for (k in seq_len(nrow(fit$steps))) {
      xs <- metric$xt[, taken, drop = FALSE]
      b <- if (length(taken) > 0L) qr.coef(qr(xs), metric$yt) else numeric()
      rest <- metric$yr - drop(metric$xr[, taken, drop = FALSE] %*% b)
      maxima <- withr::with_seed(5, replicate(600, {
        g <- if (null == "rotation") {
          metric$w * stats::rnorm(length(metric$w))
        } else {
          metric$w * drop(crossprod(metric$u, sample(rest)))
        }
        max(plain_statistics(metric, g, taken))
      }))
      p <- mean(maxima >= fit$steps$partial_r[k])
      error <- sqrt((p * (1 - p) + 0.01) * (1 / 600 + 1 / 999))
      expect_lt(abs(fit$steps$p[k] - p), 4 * error)
      taken <- c(taken, match(fit$steps$feature[k], colnames(data$x)))
    }
  }
})

test_that("the p of a name is that of its statistic given the other names", {
  data <- signal_data(strength = 1)
  metric <- plain_metric(data$x, data$y)
  fit <- find_signals(data$x, data$y, null = "rotation", permute = 999, seed = 1)
  index <- match(fit$features, colnames(data$x))
  expect_gte(length(index), 2)
  for (k in seq_along(index)) {
    others <- index[-k]
    own <- plain_statistics(metric, metric$yt, others)[index[k]]
    maxima <- withr::with_seed(5, replicate(600, {
      max(plain_statistics(metric, metric$w * stats::rnorm(length(metric$w)), others))
    }))
    p <- mean(maxima >= own)
    expect_lt(abs(fit$table$p[k] - p), 4 * sqrt((p * (1 - p) + 0.01) * (1 / 600 + 1 / 999)))
    expect_lte(fit$table$p[k], 0.05)
  }
})

test_that("the step-down p is that of a loop over maxima of permutations", {
  data <- signal_data(strength = 0.5)
  classes <- data$y > stats::median(data$y)
  fit <- find_signals(data$x, classes, permute = 999, seed = 1)
  size <- abs(drop(stats::cor(data$x, classes)))
  order <- order(size)
  reached <- withr::with_seed(6, rowSums(replicate(600, {
    null <- abs(drop(stats::cor(data$x, sample(classes))))[order]
    cummax(null) >= size[order] - 1e-9
  })))
  p <- rev(cummax(rev(reached / 600)))
  error <- sqrt((p * (1 - p) + 0.01) * (1 / 600 + 1 / 999))
  expect_lt(max(abs(fit$marginal$p[order] - p) / error), 4.5)
  expect_equal(abs(fit$marginal$correlation), unname(size))
  expect_identical(fit$p_value, min(fit$marginal$p))
})

test_that("partial correlations and intervals are those of lm()", {
  data <- signal_data(strength = 1)
  fit <- find_signals(data$x, data$y, covariates = held, permute = 99, seed = 1)
  frame <- data.frame(y = data$y, held, data$x[, fit$features, drop = FALSE])
  line <- stats::lm(y ~ ., frame)
  t <- summary(line)$coefficients[fit$features, "t value"]
  r <- t / sqrt(t^2 + line$df.residual)
  expect_equal(fit$table$partial_r, unname(r))
  # cor.test() of the residuals has Fisher's interval for n samples without covariates.
  y <- data$x[, 3] + withr::with_seed(7, stats::rnorm(40))
  one <- find_signals(data$x[, 3, drop = FALSE], y, seed = 1, permute = 99)
  peer <- stats::cor.test(data$x[, 3], y)
  expect_equal(c(one$table$lower, one$table$upper), as.vector(peer$conf.int))
  expect_identical(one$table$direction, "+")
  for (sign in c(1, -1)) {
    classes <- sign * data$x[, 3] > 0
    named <- find_signals(data$x[, 3, drop = FALSE], classes, permute = 99, seed = 1)
    expect_identical(named$table$direction, if (sign > 0) "TRUE" else "FALSE")
  }
})

test_that("credible sets are those of SuSiE in plain R", {
  data <- signal_data(n = 60, p = 80, strength = 1)
  data$x[, 51:53] <- data$x[, 50] + withr::with_seed(8, matrix(stats::rnorm(180, sd = 0.1), 60))
  fit <- find_signals(data$x, data$y, permute = 99, seed = 1)
  alpha <- plain_susie(data$x, data$y)
  expect_gte(length(unique(fit$sets$set)), 2)
  for (set in split(fit$sets, fit$sets$set)) {
    index <- match(set$feature, colnames(data$x))
    effect <- which.max(alpha[, index[1]])
    best <- order(-alpha[effect, ])[seq_along(index)]
    expect_setequal(index, best)
    expect_equal(set$probability, alpha[effect, index], tolerance = 0.01)
    expect_gte(sum(set$probability), 0.95)
    expect_lt(sum(set$probability) - min(set$probability), 0.95)
  }
})

test_that("neighbours are correlated above 0.7 without what the covariates explain", {
  data <- signal_data(n = 40)
  data$x[, 60] <- data$x[, 3] + withr::with_seed(9, stats::rnorm(40, sd = 0.5))
  data$x[, 61] <- -data$x[, 3] + withr::with_seed(10, stats::rnorm(40, sd = 0.3))
  fit <- find_signals(data$x, data$y, covariates = held, permute = 99, seed = 1)
  rest <- stats::lm.fit(stats::model.matrix(~ age + batch, held), data$x)$residuals
  r <- stats::cor(rest)
  expect_gte(nrow(fit$table), 2)
  expect_gte(max(lengths(fit$neighbours)), 2)
  for (name in fit$features) {
    near <- sort(abs(r[name, abs(r[name, ]) > 0.7 & colnames(r) != name]), decreasing = TRUE)
    expect_equal(fit$neighbours[[name]], r[name, names(near)], ignore_attr = TRUE)
    expect_identical(names(fit$neighbours[[name]]), as.character(names(near)))
  }
  expect_identical(fit$table$n_neighbours, unname(lengths(fit$neighbours)))
})

test_that("many samples of few features have the steps of plain R, too", {
  skip_on_cran()
  data <- signal_data(n = 1010, p = 60, strength = 0.05)
  metric <- plain_metric(data$x, data$y)
  fit <- find_signals(data$x, data$y, permute = 99, seed = 1)
  expect_plain_steps(fit, metric, colnames(data$x))
  expect_identical(find_signals(data$x, data$y, permute = 99, seed = 1, n_threads = 2), fit)
})
