# Ridge regression for numbers and survival times, and what is measured of it.

d <- survival_design(n = 80, p = 6, seed = 4)
y <- surv_of(d)

# On the scale of features at mean 0 and standard deviation 1 (divisor n).
standard <- function(x) {
  z <- t(t(x) - colMeans(x))
  t(t(z) / sqrt(colMeans(z^2)))
}

test_that("the Cox model is that of coxph() with ridge()", {
  skip_if_not_installed("survival")
  z <- standard(d$x)
  for (lambda in c(0.1, 2, 50)) {
    peer <- survival::coxph(
      survival::Surv(d$time, d$event) ~ survival::ridge(z, theta = lambda, scale = FALSE),
      control = survival::coxph.control(1e-13, 1e-14, 50)
    )
    fit <- fit_model(d$x, y, lambda = lambda)
    expect_equal(unname(fit$standardised), unname(stats::coef(peer)), tolerance = 1e-7)
    expect_equal(predict(fit, d$x), drop(z %*% stats::coef(peer)), tolerance = 1e-7)
    expect_equal(unname(learner_ridge(lambda)$predict(learner_ridge(lambda)$fit(d$x, y), d$x)),
      unname(predict(fit, d$x)))
  }
  peer <- survival::coxph(survival::Surv(d$time, d$event) ~ z)
  expect_equal(unname(fit_model(d$x, y, lambda = 0)$standardised), unname(stats::coef(peer)),
    tolerance = 1e-5)
})

test_that("the core's Cox model is that of Newton's method in R, and of coxph() with weights", {
  u <- standard(d$x)
  for (far in c(1, 400)) {
    times <- cox_times(round(d$time, 1), d$event)
    z <- far * u[times$order, ]
    offset <- log(rep(1:4, 20))
    for (lambda in list(0.3, c(0, 0, 5, 5, 5, 5), 200)) {
      penalty <- rep_len(lambda, 6)
      peer <- maximise_likelihood(
        function(beta) cox_point(z, times, beta, offset), penalty, numeric(6),
        1e-9 * sum(times$deaths)
      )
      fit <- maximise_cox(z, times, lambda, numeric(6), offset)
      for (field in c("beta", "likelihood", "gradient")) {
        expect_equal(fit[[field]], drop(peer[[field]]), tolerance = 1e-7, ignore_attr = TRUE)
      }
      expect_equal(fit$information, peer$information, tolerance = 1e-8, ignore_attr = TRUE)
      expect_true(fit$converged)
    }
  }
  # Risks that underflow, at coefficients far from the maximum.
  at <- cpp_fit_ridge_cox(z, times, rep(1e9, 6), rep(1, 6), offset)
  expect_equal(at$likelihood, cox_point(z, times, at$beta, offset)$likelihood, tolerance = 1e-10)
  skip_if_not_installed("survival")
  weights <- rep(1:3, length.out = 80)
  peer <- survival::coxph(
    survival::Surv(d$time, d$event) ~ d$x, weights = weights,
    control = survival::coxph.control(1e-13, 1e-14, 50)
  )
  times <- cox_times(d$time, weights * d$event)
  fit <- maximise_cox(d$x[times$order, ], times, 0, numeric(6), log(weights[times$order]))
  expect_equal(fit$beta, unname(stats::coef(peer)), tolerance = 1e-8)
})

test_that("a sample that a run draws twice has the weight two, and is no tie with itself", {
  skip_if_not_installed("survival")
  counts <- rep(c(0, 1, 3, 2), 20)
  rows <- withr::with_seed(1, sample(rep(1:80, counts)))
  z <- d$x[, 1:3]
  peer <- survival::coxph(y ~ z, weights = counts, subset = counts > 0,
    control = survival::coxph.control(1e-13, 1e-14, 50))
  drawn <- samples_at(d$x, y, NULL, rows)
  made <- trial(learner_ridge(0), 1:3, drawn, samples_at(d$x, y, NULL, 1:4))
  expect_equal(unname(made$model$coefficients), unname(stats::coef(peer)), tolerance = 1e-7)
  curve <- survival::survfit(peer, newdata = data.frame(z = I(t(colMeans(z[rows, ])))))
  at <- made$model$baseline
  expect_equal(at$hazard, curve$cumhaz[match(at$time, curve$time)], tolerance = 1e-7)
  skip_if_not_installed("glmnet")
  made <- trial(learner_lasso(1e-7), 1:3, drawn, samples_at(d$x, y, NULL, 1:4))
  expect_equal(unname(made$model$beta), unname(stats::coef(peer)), tolerance = 1e-6)
  # Rows that are left out are no samples drawn.
  left <- trial(learner_ridge(2), 1:3, samples_at(d$x, y, NULL, -5L), samples_at(d$x, y, NULL, 5L))
  plain <- learner_ridge(2)$fit(z[-5, ], label_rows(y, -5L))
  expect_identical(left$model, plain)
})

test_that("more features than samples, equal and constant ones: the gradient is zero", {
  wide <- survival_design(n = 30, p = 90, seed = 2)
  wide$x[, 3] <- 4
  wide$x[, 5] <- wide$x[, 1]
  # Features by number keep copies.
  fit <- fit_model(wide$x, surv_of(wide), features = 1:90, lambda = 3)
  z <- standard(wide$x[, -3])
  link <- drop(z %*% fit$standardised[-3])
  skip_if_not_installed("survival")
  left <- stats::residuals(survival::coxph(surv_of(wide) ~ offset(link)), "martingale")
  expect_equal(
    drop(crossprod(z, left)), 3 * fit$standardised[-3], tolerance = 1e-7, ignore_attr = TRUE
  )
  expect_identical(fit$coefficients[["g3"]], 0)
  expect_equal(fit$coefficients[["g5"]], fit$coefficients[["g1"]], tolerance = 1e-8)
})

test_that("the features themselves and the factor of their products give the model of svd()", {
  by_svd <- function(d, lambda) {
    own <- svd(standard(d$x))
    # coxph() and its ridge have no model for chosen penalties: Newton's method in R has.
    u <- own$u %*% diag(own$d)
    times <- cox_times(d$time, d$event)
    point <- function(beta) cox_point(u[times$order, ], times, beta)
    fit <- maximise_likelihood(point, rep(lambda, ncol(u)), numeric(ncol(u)), 1e-9)
    drop(own$v %*% fit$beta)
  }
  for (p in c(4, 25, 35, 90)) {
    d <- survival_design(n = 30, p = p, seed = 6, digits = p %% 2)
    for (lambda in list(NULL, 0.5)) {
      fit <- fit_model(d$x, surv_of(d), lambda = lambda)
      times <- cox_times(d$time, d$event)
      expect_false(is.null(core_cox(d$x, d$time, d$event, lambda)))
      expect_equal(unname(fit$standardised), by_svd(d, fit$asked$lambda), tolerance = 1e-7)
    }
  }
  # Directions of which rounding leaves few digits take svd() itself.
  d$x[, 2:90] <- d$x[, 1] + 1e-5 * d$x[, 2:90]
  expect_null(core_cox(d$x, d$time, d$event, 0.5))
  fit <- fit_model(d$x, surv_of(d), lambda = 0.5)
  expect_equal(unname(fit$standardised), by_svd(d, 0.5), tolerance = 1e-7)
})

test_that("the penalty has the smallest corrected AIC of those compared", {
  u <- svd(standard(d$x))
  u <- u$u %*% diag(u$d)
  times <- cox_times(d$time, d$event)
  u <- u[times$order, ]
  chosen <- cpp_choose_ridge_cox(u, times, 0L)
  n_events <- sum(d$event)
  aic <- function(lambda) {
    fit <- maximise_cox(u, times, lambda, numeric(6))
    df <- sum(diag(solve(fit$information + diag(lambda, 6), fit$information)))
    -2 * fit$likelihood + 2 * df * n_events / (n_events - df - 1)
  }
  expect_equal(chosen$error, aic(chosen$lambda))
  expect_gt(aic(chosen$lambda * 10), chosen$error)
  expect_gt(aic(chosen$lambda / 10), chosen$error)
  # Noise is shrunk to next to nothing.
  noise <- withr::with_seed(1, matrix(stats::rnorm(80 * 6), 80))
  fit <- fit_model(noise, y)
  expect_lt(stats::sd(predict(fit, `colnames<-`(noise, fit$features))), 0.3)
})

test_that("of many samples the penalty and its model are those of models solved to the end", {
  many <- survival_design(n = 1200, p = 8, seed = 4)
  u <- standard(many$x)
  times <- cox_times(many$time, many$event)
  u <- u[times$order, ]
  n_events <- sum(many$event)
  # The penalties: three to a tenth, down from a hundred times the size of the features.
  size <- max(eigen(crossprod(u), only.values = TRUE)$values) * n_events / nrow(u)
  lambda <- size * 10^(2 - 0:18 / 3)
  error <- vapply(lambda, function(one) {
    fit <- maximise_cox(u, times, one, numeric(8))
    df <- sum(diag(solve(fit$information + diag(one, 8), fit$information)))
    -2 * fit$likelihood + 2 * df * n_events / (n_events - df - 1)
  }, 0)
  chosen <- cpp_choose_ridge_cox(u, times, 0L)
  expect_equal(chosen$lambda, lambda[which.min(error)])
  expect_equal(chosen$error, min(error), tolerance = 1e-10)
  exact <- maximise_cox(u, times, lambda[which.min(error)], numeric(8))
  expect_equal(chosen$beta, exact$beta, tolerance = 1e-10)
})

test_that("a final model for survival prints, tells its coefficients and predicts risks", {
  fit <- fit_model(d$x, y, features = c("g1", "g2"))
  expect_output(print(fit), "Ridge Cox regression\n80 samples .*\n2 features, lambda = ")
  expect_output(print(fit), "positive coefficients favour early events")
  expect_identical(names(coef(fit)), c("g1", "g2"))
  expect_gt(coef(fit)[["g1"]], 0)
  expect_lt(coef(fit)[["g2"]], 0)
  expect_identical(as.data.frame(fit)$feature, c("g1", "g2"))
  expect_equal(unname(predict(fit, t(colMeans(d$x)))), 0)
  expect_error(predict(fit, d$x, type = "class"), "risk", class = "stabilect_error_input")
  expect_error(fit_model(d$x, y, model = "ridge_logistic"), "ridge_cox",
    class = "stabilect_error_input")
  expect_error(fit_model(d$x, d$time, model = "ridge_cox"), "survival times",
    class = "stabilect_error_input")
  none <- suppressWarnings(fit_model(d$x, y, features = character()))
  expect_true(all(predict(none, d$x) == 0))
})

test_that("concordance and its variance are those of survival, with ties and weights", {
  skip_if_not_installed("survival")
  for (digits in c(0, 1, 8)) {
    d <- survival_design(n = 50, seed = 11, digits = digits)
    risk <- round(d$x[, 1], 1)
    weights <- rep(1:5, 10)
    real <- survival::Surv(d$time, d$event)
    peer <- survival::concordance(real ~ risk, weights = weights, reverse = TRUE)
    ours <- concordance_of(d$time, d$event, risk, weights)
    expect_equal(ours$concordance, unname(peer$concordance))
    peer <- survival::concordance(real ~ risk, reverse = TRUE)
    ours <- concordance_of(d$time, d$event, risk)
    expect_equal(ours$concordance, unname(peer$concordance))
    expect_equal(sum(ours$influence^2), unname(peer$var))
    expect_equal(
      measure_predictions(real, risk)["concordance"], c(concordance = unname(peer$concordance))
    )
  }
  expect_identical(concordance_of(1:3, c(0, 0, 1), 3:1)$concordance, NA_real_)
  expect_identical(concordance_of(1:3, c(1, 1, 1), c(2, 2, 2))$concordance, 0.5)
})

test_that("numbers are measured by R squared and the root of the mean squared error", {
  truth <- d$x[, 1]
  predicted <- truth + d$x[, 2] / 3
  fit <- stats::lm(truth ~ offset(predicted) - 1)
  spread <- sum((truth - mean(truth))^2)
  expect_equal(
    measure_predictions(truth, predicted)[c("r_squared", "rmse")],
    c(r_squared = 1 - sum(stats::residuals(fit)^2) / spread,
      rmse = sqrt(mean((truth - predicted)^2)))
  )
  expect_identical(
    measure_predictions(c(2, 2), c(1, 2), metric = "r_squared"), c(r_squared = NA_real_)
  )
  expect_error(measure_predictions(truth, predicted[-1]), class = "stabilect_error_input")
  expect_error(measure_predictions(truth, predicted, metric = "auc"), "r_squared",
    class = "stabilect_error_input")
})

test_that("the out-of-bag error of an ensemble follows the outcome", {
  d <- survival_design(n = 50, p = 30, seed = 5)
  y <- surv_of(d)
  run <- function(y, filter, learner = learner_ridge(), x = d$x) {
    select_ensemble(x, y, selector_filter(filter), resample_bootstrap(15), n_features = 3,
      learner = learner, seed = 1)
  }
  fit <- run(y, "cox")
  oob <- fit$oob
  expect_identical(oob$measure, "discordance")
  expect_identical(oob$baseline, 0.5)
  expect_lt(oob$error, 0.4)
  expect_true(oob$lower < oob$error && oob$error < oob$upper)
  shown <- format(1 - oob$error, digits = 2)
  expect_output(print(fit), paste("concordance", shown, "out of bag"))
  expect_false(any(grepl("discordance", capture.output(print(fit)))))
  expect_output(print(fit), "Error +concordance ")
  noise <- withr::with_seed(3, matrix(stats::rnorm(50 * 30), 50))
  expect_gt(run(y, "cox", x = noise)$oob$error, 0.35)
  number <- d$x[, 1] + d$x[, 2]
  oob <- run(number, "pearson")$oob
  expect_identical(oob$measure, "mean squared error")
  expect_lt(oob$error, 0.5 * stats::var(number))
  expect_error(run(y, "cox", learner_lda()), "learner_ridge", class = "stabilect_error_input")
  expect_error(
    run(factor(d$event), "t"), "\"ridge\" predicts numbers or survival times",
    class = "stabilect_error_input"
  )
  wrong <- learner_custom(
    function(x, y) NULL, function(model, newdata) rep("a", nrow(newdata)), responses = "survival"
  )
  expect_error(run(y, "cox", wrong), "a finite number", class = "stabilect_error_learner")
})

test_that("selectors are evaluated on survival times and numbers", {
  d <- survival_design(n = 60, p = 20, seed = 6)
  evaluate <- function(y, filter, ...) {
    evaluate_selectors(d$x, y, selector_filter(filter), n_features = 2, n_repeats = 3,
      resampling = resample_bootstrap(5), seed = 1, ...)
  }
  result <- evaluate(surv_of(d), "cox")
  expect_lt(max(result$table$error), 0.45)
  expect_output(print(result), "error: 1 - concordance")
  expect_identical(names(result$asked$learner), "ridge")
  # By hand, for one half.
  draws <- draw_resamples(resample_pairs(3, stratify = TRUE), surv_of(d), seed = 1)
  sides <- lapply(1:2, function(k) which(draws$counts[, k] > 0))
  errors <- vapply(1:2, function(k) {
    train <- sides[[k]]
    test <- sides[[3 - k]]
    scores <- score_features(d$x[train, ], label_rows(surv_of(d), train), selector_filter("cox"))
    best <- which(scores$rank <= 2)
    fit <- fit_model(d$x[train, best], label_rows(surv_of(d), train))
    truth <- label_rows(surv_of(d), test)
    1 - measure_predictions(truth, predict(fit, d$x[test, ]))[["concordance"]]
  }, 0)
  single <- result$errors[result$errors$aggregation == "single" & result$errors$unit == 1, ]
  expect_equal(single$error, mean(errors))
  number <- d$x[, 1] + d$x[, 2]
  result <- evaluate(number, "pearson")
  expect_lt(max(result$table$error), stats::var(number))
  expect_output(print(result), "error: mean squared error")
  expect_error(evaluate(surv_of(d), "cox", learner = learner_lda()), "learner_ridge",
    class = "stabilect_error_input")
})

test_that("features are eliminated for survival times and numbers", {
  d <- survival_design(n = 60, p = 12, seed = 8)
  fit <- eliminate_features(d$x, surv_of(d), search = search_sizes(c(12, 6, 3, 2)), seed = 1)
  expect_identical(fit$asked$metric, "concordance")
  expect_true(all(c("g1", "g2") %in% names(fit$ranking)[fit$ranking <= 3]))
  expect_equal(unname(predict(fit, d$x)), unname(predict(
    fit_model(d$x, surv_of(d), features = sort(match(fit$features, colnames(d$x)))), d$x
  )))
  # Fold by fold, at the first size.
  draws <- fit$resamples
  by_hand <- vapply(seq_len(draws$n_runs), function(b) {
    train <- draws$counts[, b] > 0
    model <- fit_model(d$x[train, ], label_rows(surv_of(d), which(train)))
    out <- which(!train)
    measure_predictions(label_rows(surv_of(d), out), predict(model, d$x[out, ]))[["concordance"]]
  }, 0)
  expect_equal(fit$scores$score[fit$scores$size == 12], by_hand)
  number <- d$x[, 1] - d$x[, 2]
  fit <- eliminate_features(d$x, number, search = search_sizes(c(12, 6, 2)), seed = 1)
  expect_setequal(fit$features, c("g1", "g2"))
  expect_gt(max(fit$sizes$score), 0.9)
  judged <- evaluate_elimination(
    d$x, surv_of(d), outer = resample_folds(3, stratify = TRUE), search = search_sizes(c(12, 4)),
    seed = 1
  )
  expect_gt(mean(judged$table$concordance), 0.6)
  expect_error(eliminate_features(d$x, number, learner_svm()), "learner_ridge",
    class = "stabilect_error_input")
  expect_error(eliminate_features(d$x, number, metric = "accuracy"), "r_squared",
    class = "stabilect_error_input")
})

test_that("a final model is validated on new survival times", {
  d <- survival_design(n = 90, p = 6, seed = 9)
  y <- surv_of(d)
  fit <- fit_model(d$x[1:50, ], label_rows(y, 1:50))
  new <- 51:90
  result <- validate_model(fit, d$x[new, ], label_rows(y, new))
  expect_identical(result$table$measure, c("discordance", metrics_of("survival")))
  expect_equal(sum(result$table$estimate[1:2]), 1)
  expect_identical(names(result$predictions), c("sample", "time", "event", "predicted", "link"))
  expect_match(
    printed_words(result),
    "Signal yes: the interval of the concordance is beyond 0.5 Error concordance 0.* on 40 new"
  )
  expect_error(validate_model(fit, d$x[new, ], d$time[new]), "survival times",
    class = "stabilect_error_input")
  expect_error(validate_model(fit, d$x[new, ], y), "90 values", class = "stabilect_error_input")
  skip_if_not_installed("survival")
  real <- survival::Surv(d$time[new], d$event[new])
  link <- predict(fit, d$x[new, ])
  peer <- survival::concordance(real ~ link, reverse = TRUE)
  estimate <- unname(peer$concordance)
  half <- stats::qnorm(0.975) * sqrt(unname(peer$var)) / (estimate * (1 - estimate))
  expect_equal(
    unlist(result$table[2, 2:4], use.names = FALSE),
    c(estimate, stats::plogis(stats::qlogis(estimate) + c(-half, half)))
  )
  slope <- survival::coxph(real ~ link)
  expect_equal(
    unlist(result$table[5, 2:4], use.names = FALSE),
    unname(c(stats::coef(slope), stats::confint(slope))), tolerance = 1e-6
  )
})

test_that("without penalty, a Cox model of equal columns has no answer, not an error", {
  times <- cox_times(c(3, 1, 2, 5, 4), c(1, 1, 0, 1, 1))
  z <- cbind(c(1, 0, 2, 0, 1), c(1, 0, 2, 0, 1))
  expect_false(maximise_cox(z, times, 0, c(0, 0))$converged)
})
