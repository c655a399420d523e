# Univariate-guided lasso against its authors' package and single fits.
d <- selector_design()
counts <- d$weights[, 1]
kept <- counts > 0
number <- d$x[, 1] + d$x[, 2] - d$x[, 3] + sin(1:30)
class <- as.integer(d$y == "b")
their <- readRDS(test_path("fixtures", "unilasso.rds"))

test_that("univariate fits and models are those of the package uniLasso", {
  expect_identical(
    their$check, signif(sum(d$x * cos(seq_along(d$x))) + sum(counts * seq_along(counts)), 10)
  )
  skip_if_not_installed("glmnet")
  for (family in c("gaussian", "binomial")) {
    y <- if (family == "gaussian") number else class
    answer <- their[[family]]
    own <- univariate_fits(
      d$x[kept, ], y[kept], counts[kept] / sum(counts), family == "binomial"
    )
    expect_equal(own$beta, unname(answer$beta), tolerance = 1e-10, ignore_attr = TRUE)
    expect_equal(unname(own$left_out), answer$left_out, tolerance = 1e-10)
    spread <- apply(d$x[rep(1:30, counts), ], 2, function(v) sqrt(mean((v - mean(v))^2)))
    run <- runs_of_selector(
      selector_unilasso(5), d$x, if (family == "gaussian") y else d$y, d$weights
    )
    # The package follows the path to glmnet's 1e-7 only.
    expect_equal(
      unname(run$score[, 1]), abs(answer$coefficients) * unname(spread), tolerance = 2e-3
    )
    expect_identical(unname(run$selected[, 1]), answer$coefficients != 0)
    # Models of the package agree in sign with the feature alone, too.
    expect_true(all(answer$coefficients * answer$beta >= 0))
    expect_gt(sum(answer$coefficients != 0), 2)
  }
})

# Cox models of the package have no intercept, and ours are of centred features.
counts_centred <- function() {
  x <- d$x[kept, ]
  x - rep(colSums(x * counts[kept]) / sum(counts), each = nrow(x))
}

test_that("so are those of survival times, with ties, too", {
  skip_if_not_installed("glmnet")
  for (ties in c(FALSE, TRUE)) {
    answer <- their[[if (ties) "cox_ties" else "cox"]]
    values <- selector_times(d$x, ties)
    expect_identical(anyDuplicated(values[values[, "status"] == 1, "time"]) > 0, ties)
    y <- new_surv(values[, "time"], values[, "status"])
    own <- univariate_cox(counts_centred(), label_rows(y, kept), counts[kept] / sum(counts))
    expect_equal(own$beta, unname(answer$beta), tolerance = 1e-10, ignore_attr = TRUE)
    expect_equal(unname(own$left_out), answer$left_out, tolerance = 1e-10)
    spread <- apply(d$x[rep(1:30, counts), ], 2, function(v) sqrt(mean((v - mean(v))^2)))
    run <- runs_of_selector(selector_unilasso(5), d$x, y, d$weights)
    # The package follows the path to glmnet's 1e-7 only.
    expect_equal(
      unname(run$score[, 1]), abs(answer$coefficients) * unname(spread), tolerance = 1e-3
    )
    expect_identical(unname(run$selected[, 1]), answer$coefficients != 0)
    expect_gt(sum(answer$coefficients != 0), 2)
    # Where a feature has its zero does not matter.
    moved <- runs_of_selector(selector_unilasso(5), d$x + 8, y, d$weights)
    expect_equal(moved$score, run$score, tolerance = 1e-6)
  }
})

test_that("answers are those of an installed uniLasso", {
  skip_if_not_installed("uniLasso")
  skip_if_not_installed("glmnet")
  live <- survival_design(n = 50, p = 20, digits = 0, seed = 3)
  x <- scale(live$x, TRUE, FALSE)
  y <- cbind(time = live$time, status = live$event)
  info <- uniLasso::uniInfo(x, y, "cox", loo = TRUE)
  own <- univariate_cox(x, surv_of(live), rep(1 / 50, 50))
  expect_equal(own$beta, unname(info$beta), tolerance = 1e-10, ignore_attr = TRUE)
  expect_equal(unname(own$left_out), unname(info$F), tolerance = 1e-10, ignore_attr = TRUE)
  fit <- suppressWarnings(uniLasso::uniLasso(x, y, family = "cox", nlambda = 200, dfmax = 28))
  model <- max(which(fit$df > 0 & fit$df <= 4))
  run <- runs_of_selector(selector_unilasso(4), live$x, surv_of(live), matrix(1L, 50, 1))
  spread <- sqrt(colMeans(x^2))
  expect_equal(run$score[, 1], abs(fit$beta[, model]) * spread, tolerance = 1e-3)
})

test_that("steps of Cox regression are those of a slow loop, and near the fit itself", {
  late <- survival_design(n = 40, p = 4, digits = 0)
  x <- scale(late$x, TRUE, FALSE)
  eta <- 0.3 * x
  # Ties as in Breslow.
  times <- cox_times(late$time, late$event, "breslow")
  by_time <- times$order
  found <- cox_working_response(eta[by_time, ], times)
  for (j in c(1, 4)) {
    risk <- exp(eta[, j])
    hazards <- vapply(which(late$event == 1), function(k) {
      share <- risk * (late$time >= late$time[k]) / sum(risk[late$time >= late$time[k]])
      c(share, share * (1 - share))
    }, numeric(80))
    gradient <- late$event - rowSums(hazards[1:40, ])
    weight <- rowSums(hazards[41:80, ])
    expect_equal(found$weight[, j], weight[by_time] / 40)
    expect_equal(
      found$response[, j], (eta[, j] + gradient / 40 / pmax(weight / 40, 1e-6))[by_time]
    )
  }
  skip_if_not_installed("survival")
  own <- univariate_cox(x, surv_of(late), rep(1 / 40, 40))$beta
  exact <- vapply(1:4, function(j) {
    survival::coxph(survival::Surv(late$time, late$event) ~ x[, j], ties = "breslow")$coefficients
  }, 0)
  expect_gt(stats::cor(own, exact), 0.99)
  expect_identical(sign(unname(own)), sign(unname(exact)))
})

test_that("what a fit predicts for a sample is made without it and its copies", {
  own <- univariate_fits(d$x[kept, 1:3], number[kept], counts[kept] / sum(counts), FALSE)
  data <- data.frame(x = d$x[kept, 2], y = number[kept], w = counts[kept])
  for (i in c(1, 5, sum(kept))) {
    fit <- stats::lm(y ~ x, data[-i, ], weights = data$w[-i])
    expect_equal(own$left_out[i, 2], stats::predict(fit, data[i, ]), ignore_attr = TRUE)
  }
})

test_that("runs have at most as many features as were asked for, and say when there are none", {
  skip_if_not_installed("glmnet")
  out <- runs_of_selector(selector_unilasso(), d$x, number, d$weights, n_features = 4L)
  expect_true(all(out$status == "ok"))
  expect_true(all(Matrix::colSums(out$selected) <= 4))
  expect_identical(unname(as.matrix(out$selected)), unname(out$score > 0))
  # Two levels in turn that the response has nothing to do with: no fit predicts.
  x <- cbind(a = rep(c(0, 1), 10), b = rep(c(0, 0, 1, 1), 5))
  none <- runs_of_selector(
    selector_unilasso(1), x, rep(c(1, 1, 1, 1, -1, -1, -1, -1), length.out = 20), matrix(1L, 20, 1)
  )
  expect_match(none$status, "no feature entered")
  flat <- runs_of_selector(selector_unilasso(1), 0 * x, 1:20, matrix(1L, 20, 1))
  expect_match(flat$status, "no feature varies")
  # A constant column and a separating one among others.
  odd <- cbind(d$x, flat = 1, apart = class)
  scores <- runs_of_selector(selector_unilasso(5), odd, d$y, d$weights)$score
  expect_false(anyNA(scores))
  expect_true(all(scores["flat", ] == 0))
})

test_that("it is a selector of ensembles, and bad input is refused", {
  skip_if_not_installed("glmnet")
  fit <- select_ensemble(
    d$x, d$y, selector_unilasso(), resample_subsample(8), n_features = 5, seed = 1
  )
  expect_gt(length(intersect(selected(fit), paste0("g", 1:5))), 1)
  late <- survival_design()
  times <- select_ensemble(
    late$x, surv_of(late), selector_unilasso(), resample_subsample(8), n_features = 3, seed = 1
  )
  expect_true(all(c("g1", "g2") %in% selected(times)))
  expect_error(selector_unilasso(0), "n_features", class = "stabilect_error_input")
  expect_error(score_features(d$x, d$y, selector_unilasso()), "needs a number of features")
  expect_error(
    score_features(d$x, rep(letters[1:3], 10), selector_unilasso(3)), "several classes",
    class = "stabilect_error_input"
  )
})

test_that("the order of columns changes nothing, also of separated classes", {
  skip_if_not_installed("glmnet")
  for (seed in 1:4) {
    d <- withr::with_seed(seed, {
      class <- rep(0:1, 10)
      x <- matrix(rnorm(20 * 60), 20, dimnames = list(NULL, paste0("g", 1:60)))
      x[, 1:4] <- 0.6 * x[, 1:4] + 2 * class
      list(x = x, y = factor(class), order = sample(60))
    })
    score <- function(x) {
      found <- score_features(x, d$y, selector_unilasso(5), seed = 1)
      stats::setNames(found$score, found$feature)[colnames(d$x)]
    }
    expect_equal(score(d$x[, d$order]), score(d$x), tolerance = 1e-4)
  }
})
