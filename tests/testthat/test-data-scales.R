# Columns and responses of any scale. Powers of two round nothing, so that scores are the same bits.

d <- withr::with_seed(1, {
  x <- matrix(stats::rnorm(16 * 6), 16, dimnames = list(NULL, paste0("g", 1:6)))
  x[, 2] <- x[, 2] + rep(0:1, 8)
  list(x = x, y = factor(rep(c("a", "b"), 8)), numbers = stats::rnorm(16) + x[, 1])
})
powers <- 2^c(-996, -515, -300, 300, 515, 1000)

one_column <- function(x, power) {
  x[, 2] <- x[, 2] * power
  x
}

scores <- function(x, y, selector) {
  select_ensemble(
    x, y, selector, resample_bootstrap(5), n_features = 2, seed = 1
  )$selection$score
}

test_that("selectors see the same whatever the scale of a column or of all", {
  selectors <- list(
    selector_filter("t"), selector_filter("welch"), selector_filter("anova"),
    selector_filter("pearson"), selector_filter("wilcoxon"), selector_filter("spearman"),
    selector_learner(learner_svm()), selector_learner(learner_svm(), step = 0.2),
    selector_learner(learner_logistic()), selector_learner(learner_svm(loss = "l1")),
    selector_filter("mutual_information", discretise = "sd"),
    selector_filter("mutual_information"), selector_relief(),
    selector_mrmr(), selector_hybrid_rfe(n_stable = 2, criterion = "welch"), selector_trex()
  )
  for (selector in selectors) {
    expected <- scores(d$x, d$y, selector)
    expect_true(all(is.finite(expected)))
    for (power in powers) {
      what <- paste(selector$label, log2(power))
      expect_identical(scores(one_column(d$x, power), d$y, selector), expected, info = what)
      expect_identical(scores(d$x * power, d$y, selector), expected, info = what)
    }
  }
})

test_that("so do those of other packages", {
  selectors <- list()
  if (requireNamespace("glmnet", quietly = TRUE)) {
    selectors <- list(selector_lasso_path("coefficient", alpha = 0.5))
  }
  if (requireNamespace("gglasso", quietly = TRUE)) {
    selectors <- c(selectors, list(selector_group_lasso(rep(1:3, each = 2))))
  }
  for (selector in selectors) {
    for (y in list(d$y, d$numbers)) {
      expected <- scores(d$x, y, selector)
      for (power in powers) {
        expect_equal(scores(one_column(d$x, power), y, selector), expected, tolerance = 1e-6)
        expect_equal(scores(d$x * power, y, selector), expected, tolerance = 1e-6)
      }
    }
  }
})

test_that("the response of a correlation has any scale", {
  for (statistic in c("pearson", "spearman")) {
    selector <- selector_filter(statistic)
    expected <- scores(d$x, d$numbers, selector)
    for (power in powers) {
      expect_identical(scores(d$x, d$numbers * power, selector), expected)
    }
  }
})

test_that("models of columns of any scale predict the same", {
  learners <- list(learner_svm(), learner_logistic(), learner_lda(), learner_lda(shrinkage = 0.5))
  if (requireNamespace("glmnet", quietly = TRUE)) learners <- c(learners, list(learner_lasso()))
  for (learner in learners) {
    run <- function(x) {
      fit <- eliminate_features(x, d$y, learner, resampling = resample_folds(2), seed = 1)
      list(fit$features, predict(fit, x), fit$sizes)
    }
    expected <- run(d$x)
    for (power in powers) {
      expect_equal(run(one_column(d$x, power)), expected, info = paste(learner$label, log2(power)))
      expect_equal(run(d$x * power), expected, info = paste(learner$label, log2(power)))
    }
  }
  plain <- fit_model(d$x, d$y, c("g1", "g2"))
  hybrid <- function(x) {
    hybrid_rfe(
      x, d$y, n_features = 3, n_stable = 2, resampling = resample_bootstrap(5), seed = 1
    )
  }
  for (power in powers) {
    scaled <- fit_model(d$x * power, d$y, c("g1", "g2"))
    expect_equal(scaled$standardised, plain$standardised)
    expect_equal(coef(scaled)[-1] * power, coef(plain)[-1])
    expect_equal(hybrid(d$x * power)$model$weight, hybrid(d$x)$model$weight)
  }
})

test_that("a score that is no number is a failed run", {
  x <- d$x * 1e300
  fit <- tryCatch(
    select_ensemble(
      x, d$y, selector_filter("variance"), resample_bootstrap(3), n_features = 2, seed = 1
    ),
    error = identity
  )
  expect_s3_class(fit, "stabilect_error_runs")
  expect_match(conditionMessage(fit), "beyond the range of numbers")
})
