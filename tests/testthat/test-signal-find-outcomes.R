# find_signals() on survival times and ordered classes: scores of survival::coxph() and MASS::polr(),
# p of an enumeration, the figures of the experiment.

times_of <- function(link, seed, censored = 0.3) {
  withr::with_seed(seed, {
    n <- length(link)
    time <- stats::rexp(n) * exp(-link)
    survival::Surv(time, seq_len(n) %in% sample(n, (1 - censored) * n))
  })
}
features <- withr::with_seed(11, {
  matrix(stats::rnorm(60 * 40), 60, dimnames = list(NULL, paste0("g", 1:40)))
})
held <- withr::with_seed(12, {
  data.frame(age = stats::rnorm(60), batch = rep(c("a", "b", "c"), 20))
})

test_that("correlations of survival times are those with the residuals of a Cox model", {
  skip_if_not_installed("survival")
  y <- times_of(features[, 3] + held$age, 13)
  for (covariates in list(NULL, held)) {
    fit <- find_signals(features, y, covariates = covariates, permute = 19, seed = 1)
    null <- survival::coxph(
      if (is.null(covariates)) y ~ 1 else y ~ age + batch, held, ties = "breslow"
    )
    columns <- stats::model.matrix(if (is.null(covariates)) ~ 1 else ~ age + batch, held)
    rest <- function(v) stats::lm.fit(columns, v)$residuals
    expected <- drop(stats::cor(rest(features), rest(stats::residuals(null, "martingale"))))
    expect_equal(fit$marginal$correlation, unname(expected), tolerance = 1e-7)
  }
  # The product with a feature is the score of the Cox model in which only it is new.
  first <- survival::coxph(y ~ features[, 3], ties = "breslow", init = 0, iter.max = 0)
  residuals <- martingale_residuals(y[, 1], y[, 2])
  expect_equal(sum(features[, 3] * residuals), sum(stats::residuals(first, "score")))
})

test_that("correlations of ordered classes are those with the score of a proportional-odds model", {
  skip_if_not_installed("MASS")
  y <- cut(features[, 5] + held$age, c(-Inf, -1, 0.5, 1.5, Inf), letters[1:4], ordered_result = TRUE)
  fit <- find_signals(features, y, permute = 19, seed = 1)
  # The derivative of the likelihood by the coefficient of a feature, at 0.
  score <- vapply(1:5, function(j) {
    z <- features[, j]
    model <- MASS::polr(y ~ 1)
    likelihood <- function(beta) {
      bounds <- c(-Inf, model$zeta, Inf)
      codes <- as.integer(y)
      sum(log(stats::plogis(bounds[codes + 1] - beta * z) - stats::plogis(bounds[codes] - beta * z)))
    }
    (likelihood(1e-4) - likelihood(-1e-4)) / 2e-4
  }, 0)
  size <- fit$marginal$correlation[1:5] * apply(features[, 1:5], 2, stats::sd)
  expect_equal(unname(size / size[5]), unname(score / score[5]), tolerance = 1e-4)
  expect_identical(fit$features[1], "g5")
  expect_true(fit$table$direction[1] == "d")
})

test_that("p of few survival times is that of all orders", {
  skip_if_not_installed("survival")
  x <- features[1:6, ]
  y <- times_of(x[, 1], 14)[1:6]
  orders <- as.matrix(expand.grid(rep(list(1:6), 6)))
  orders <- orders[apply(orders, 1, anyDuplicated) == 0, ]
  residuals <- martingale_residuals(y[, 1], y[, 2])
  largest <- apply(orders, 1, function(order) max(abs(stats::cor(x, residuals[order]))))
  fit <- find_signals(x, y, permute = 9999, seed = 1)
  at <- max(abs(stats::cor(x, residuals)))
  expect_equal(fit$p_value, mean(largest >= at - 1e-9), tolerance = 0.04)
})

test_that("features of the hazard are named, printed, drawn and tabulated as such", {
  skip_if_not_installed("survival")
  y <- times_of(2 * features[, 3] - 2 * features[, 9], 15, censored = 0.2)
  fit <- find_signals(features, y, seed = 1)
  expect_setequal(fit$features, c("g3", "g9"))
  expect_identical(fit$table$direction[match(c("g3", "g9"), fit$features)], c("+", "-"))
  printed <- format(fit)
  expect_true(any(grepl("hazard", printed)) && any(grepl("48 events", printed)))
  expect_identical(
    fit$features, find_signals(features, y, seed = 1, n_threads = 2)$features
  )
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(fit), "ggplot")
})

test_that("patients with one outcome are one sample each, also with survival times", {
  skip_if_not_installed("survival")
  y <- times_of(features[, 3], 16)
  patients <- rep(1:20, each = 3)
  alike <- y[patients]
  fit <- find_signals(features, alike, blocks = patients, permute = 99, seed = 1)
  means <- rowsum(features, patients) / 3
  rownames(means) <- NULL
  direct <- find_signals(means, y[1:20], permute = 99, seed = 1)
  expect_identical(fit$marginal, direct$marginal)
  expect_identical(fit$p_value, direct$p_value)
})
