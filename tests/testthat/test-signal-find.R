# find_signals(): p values, names, effects and neighbours against enumeration, susieR, lm(), a loop.

signal_data <- function(n = 40, p = 120, seed = 1, strength = 2) {
  withr::with_seed(seed, {
    x <- matrix(stats::rnorm(n * p), n) + stats::rnorm(n)
    colnames(x) <- paste0("g", seq_len(p))
    list(x = x, y = strength * (x[, 3] - x[, 50]) + stats::rnorm(n))
  })
}

# Rows that are not constant in blocks, and covariates.
held <- withr::with_seed(2, {
  data.frame(age = stats::rnorm(40), batch = rep(c("a", "b", "c", "d"), 10))
})

test_that("correlations are those of residuals, with covariates and without", {
  data <- signal_data()
  z <- stats::model.matrix(~ age + batch, held)
  for (covariates in list(NULL, held)) {
    fit <- find_signals(data$x, data$y, covariates = covariates, permute = 99, seed = 1)
    held_columns <- if (is.null(covariates)) z[, 1, drop = FALSE] else z
    rest <- function(v) stats::lm.fit(held_columns, v)$residuals
    plain <- drop(stats::cor(rest(data$x), rest(data$y)))
    expect_equal(fit$marginal$correlation, unname(plain))
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
  shares <- function(statistic) {
    all <- apply(orders, 1, function(order) statistic(y[order]))
    mean(all >= statistic(y) - 1e-9)
  }
  fit <- find_signals(x, y, null = "permutation", permute = 9999, seed = 1)
  expect_equal(fit$p_value, shares(largest), tolerance = 0.03)
  expect_equal(fit$null$n_distinct, 120)
  p <- apply(orders, 1, function(order) {
    seed <- sum(order * 7^(0:4))
    find_signals(x, y[order], null = "permutation", permute = 199, seed = seed)$p_value
  })
  # Each order has draws of its own, so the shares vary: three binomial standard errors.
  for (level in c(0.1, 0.25, 0.5, 0.75)) {
    expect_lte(mean(p <= level), level + 3 * sqrt(level * (1 - level) / 120))
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

test_that("one effect among neighbours is shared as susieR shares it", {
  stored <- readRDS(test_path("fixtures", "susie.rds"))
  sizes <- vapply(stored$cases, function(case) {
    fit <- find_signals(case$x, case$y, permute = 99, seed = 1)
    expect_length(fit$features, 1)
    expect_identical(fit$features, fit$sets$about[1])
    pip <- case$pip[match(fit$sets$feature, colnames(case$x))]
    expect_lt(max(abs(fit$sets$share - pip)), 0.1)
    expect_gt(sum(pip), 0.9)
    nrow(fit$sets)
  }, 1L)
  expect_gt(max(sizes), 1)
})

test_that("probabilities count themselves up, and are only drawn where there is signal", {
  data <- signal_data(strength = 1)
  fit <- find_signals(data$x, data$y, permute = 99, seed = 1)
  expect_setequal(fit$features, c("g3", "g50"))
  expect_true(all(fit$table$probability >= 0.8))
  expect_true(all(fit$candidates$probability >= 0.5 & fit$candidates$probability < 1))
  expect_equal(fit$expected_wrong, sum(1 - fit$table$probability))
  expect_true(all(fit$marginal$inclusion >= 0 & fit$marginal$inclusion <= 1))
  # A feature in a model carries its own signal: its neighbourhood is at least as probable.
  own <- fit$marginal$inclusion[match(fit$features, fit$marginal$feature)]
  expect_true(all(own <= fit$table$probability + 0.05))
  noise <- withr::with_seed(2, stats::rnorm(40))
  none <- find_signals(data$x, noise, permute = 99, seed = 1)
  expect_gt(none$p_value, 0.05)
  expect_identical(c(nrow(none$table), nrow(none$candidates), nrow(none$sets)), c(0L, 0L, 0L))
  expect_true(all(is.na(none$marginal$inclusion)))
  expect_identical(none$background, list(probability = NA_real_, mc_error = NA_real_))
  expect_identical(none$expected_wrong, 0)
})

test_that("two classes are named as the numbers behind them", {
  data <- signal_data(n = 60, strength = 3)
  fit <- find_signals(data$x, data$y > 0, permute = 99, seed = 1)
  expect_setequal(fit$features, c("g3", "g50"))
  named <- find_signals(data$x, ifelse(data$y > 0, "b", "a"), permute = 99, seed = 1)
  expect_identical(named$table$probability, fit$table$probability)
  expect_identical(fit$table$direction[fit$features == "g3"], "TRUE")
  # One of ten, and a covariate that separates some of the classes.
  few <- data$y > stats::quantile(data$y, 0.9)
  fit <- find_signals(data$x, few, covariates = data$y > 0, permute = 99, seed = 1)
  expect_true(all(is.finite(fit$marginal$p)))
})

test_that("an outcome spread over all features names none, and the print says so", {
  x <- withr::with_seed(1, matrix(stats::rnorm(60 * 400), 60) + 2 * stats::rnorm(60))
  colnames(x) <- paste0("g", 1:400)
  y <- drop(scale(x %*% withr::with_seed(2, stats::rnorm(400))))
  y <- y + 0.1 * withr::with_seed(3, stats::rnorm(60)) + 2 * drop(scale(rowSums(x)))
  fit <- find_signals(x, y, permute = 99, seed = 1)
  expect_lte(fit$p_value, 0.05)
  expect_gt(fit$background$probability, 0.5)
  expect_match(printed_words(fit), "Caution much of the outcome is spread over many features")
})

# Where a component had to be a sum of all features in proportion to their variance, two features
# were named here, and the background had a probability of 0.2.
test_that("an outcome that follows a component names no feature, and the print says so", {
  x <- withr::with_seed(2, {
    common <- matrix(stats::rnorm(60 * 4), 60) %*% matrix(stats::rnorm(4 * 300), 4)
    common + matrix(stats::rnorm(60 * 300), 60)
  })
  colnames(x) <- paste0("g", 1:300)
  component <- sqrt(60) * svd(scale(x), nu = 4, nv = 0)$u[, 4]
  fit <- find_signals(
    x, 2 * component + withr::with_seed(12, stats::rnorm(60)), permute = 99, seed = 1
  )
  expect_lte(fit$p_value, 0.05)
  expect_length(fit$features, 0L)
  expect_gt(fit$background$probability, 0.7)
  expect_match(printed_words(fit), "spread over many features or components \\(probability")
})

test_that("many samples and few features have the same bits on two threads", {
  skip_on_cran()
  data <- signal_data(n = 1010, p = 60, strength = 0.5)
  fit <- find_signals(data$x, data$y, permute = 99, seed = 1)
  expect_identical(find_signals(data$x, data$y, permute = 99, seed = 1, n_threads = 2), fit)
  expect_setequal(fit$features, c("g3", "g50"))
})

test_that("where permutations are few, each is made once", {
  x <- withr::with_seed(2, matrix(rnorm(10 * 30), 10))
  pair <- rep(1:5, each = 2)
  y <- rep(0:1, 5)
  x[, 1] <- 0.1 * x[, 1] + y
  # Only the swaps of all pairs give as large a correlation.
  for (seed in 1:3) {
    paired <- find_signals(x, factor(y), blocks = pair, kind = "any", seed = seed)
    expect_identical(paired$made$n_null, 31L)
    expect_identical(paired$p_value, 2 / 32)
    expect_identical(paired$dependence$p_value, 2 / 32)
  }
  expect_output(print(paired), "all 32 arrangements within 5 blocks")
  # One class of two samples: the largest t of 15 assignments, as enumerated by hand.
  y <- c(1, 1, 0, 0, 0, 0)
  r <- function(y) max(abs(cor(x[1:6, ], y)))
  all <- combn(6, 2, function(two) r(replace(numeric(6), two, 1)))
  few <- find_signals(x[1:6, ], factor(y), seed = 1)
  expect_identical(few$p_value, sum(all >= r(y) - 1e-9) / 15)
  # With covariates each sample has a residual of its own.
  beside <- find_signals(x, rep(0:1, 5), blocks = pair, covariates = cos(1:10), seed = 1)
  expect_identical(beside$made$n_null, 31L)
  expect_false(find_signals(x, 1:10 + 0.5, permute = 99, seed = 1)$null$complete)
})
