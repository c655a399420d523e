# Measures of predicted survival.

d <- survival_design()
y <- surv_of(d)
risk <- round(d$x[, 1] - 0.5 * d$x[, 3], 1)

test_that("Uno's concordance and its variance are those of the package survival", {
  skip_if_not_installed("survival")
  for (digits in 0:1) {
    d <- survival_design(digits = digits)
    for (tau in list(NULL, 2, 4.5)) {
      peer <- survival::concordance(
        survival::Surv(d$time, d$event) ~ risk, timewt = "n/G2", reverse = TRUE,
        ymax = if (is.null(tau)) Inf else tau
      )
      ours <- concordance_uno(d$time, d$event, risk, tau)
      expect_equal(ours$concordance, unname(peer$concordance), tolerance = 1e-12)
      expect_equal(sum(ours$influence^2), unname(peer$var), tolerance = 1e-12)
      expect_identical(
        measure_predictions(surv_of(d), risk, metric = "concordance_uno", tau = tau),
        c(concordance_uno = ours$concordance)
      )
    }
  }
  # Without censoring it is Harrell's.
  expect_equal(
    concordance_uno(d$time, rep(1, 60), risk)$concordance,
    concordance_of(d$time, rep(1, 60), risk)$concordance
  )
})

test_that("Uno's concordance does not change with the censoring, Harrell's does", {
  found <- withr::with_seed(5, {
    n <- 1500
    risk <- stats::rnorm(n)
    # Features that matter early only: early pairs are easier to order.
    life <- ifelse(stats::rexp(n, exp(2 * risk)) < 0.5, stats::runif(n), 1 + stats::rexp(n))
    whole <- concordance_of(life, rep(1, n), risk)$concordance
    limit <- stats::rexp(n, 0.7)
    time <- pmin(life, limit)
    event <- as.integer(life <= limit)
    c(
      uno = concordance_uno(time, event, risk, 3)$concordance,
      harrell = concordance_of(time, event, risk)$concordance,
      whole = concordance_uno(life, rep(1, n), risk, 3)$concordance
    )
  })
  expect_lt(abs(found[["uno"]] - found[["whole"]]), 0.015)
  expect_gt(abs(found[["harrell"]] - found[["whole"]]), 0.03)
})

test_that("Brier scores are those of ipred, and their integral is exact", {
  peer <- readRDS(test_path("fixtures", "brier.rds"))
  ours <- brier_scores(peer$time, peer$event, peer$curves, peer$times, peer$at)
  expect_equal(ours, peer$score, tolerance = 1e-12)
  # The order of the columns says nothing.
  back <- rev(seq_along(peer$times))
  expect_identical(
    brier_scores(peer$time, peer$event, peer$curves[, back], peer$times[back], peer$at), ours
  )
  # A fine grid instead of the steps.
  for (tau in c(2.3, 7)) {
    grid <- (seq_len(5e4) - 0.5) / 5e4 * tau
    scores <- brier_scores(peer$time, peer$event, peer$curves, peer$times, grid)
    exact <- integrated_brier(peer$time, peer$event, peer$curves, peer$times, tau)
    expect_equal(exact, mean(scores), tolerance = 1e-4)
  }
  colnames(peer$curves) <- peer$times
  truth <- new_surv(peer$time, peer$event)
  last <- max(peer$time[peer$event == 1])
  expect_identical(
    measure_predictions(truth, peer$risk, peer$curves)[["integrated_brier"]],
    integrated_brier(peer$time, peer$event, peer$curves, peer$times, last)
  )
  expect_identical(
    measure_predictions(truth, peer$risk, peer$curves, metric = "integrated_brier", tau = 5),
    c(integrated_brier = integrated_brier(peer$time, peer$event, peer$curves, peer$times, 5))
  )
})

test_that("the integrated Brier score by hand", {
  # Without censoring: at t, the mean squared distance to 1 (alive) or 0.
  time <- c(1, 3, 4)
  curves <- cbind(c(0.2, 0.6, 0.9))
  # From 0 to 2 curves are 1, from 2 on as given; tau = 4.
  by_hand <- (1 * 0 + 1 * 1 / 3 +
    1 * (0.2^2 + 0.4^2 + 0.1^2) / 3 + 1 * (0.2^2 + 0.6^2 + 0.1^2) / 3) / 4
  expect_equal(integrated_brier(time, c(1, 1, 1), curves, 2), by_hand)
  # The second is censored at 3: G is 1 before and 1/2 from 3 on, an event at 4 counts twice.
  censored <- (0 + 1 / 3 + (0.2^2 + 0.4^2 + 0.1^2) / 3 + (0.2^2 + 0.1^2 * 2) / 3) / 4
  expect_equal(integrated_brier(time, c(1, 0, 1), curves, 2), censored)
  # Curves that know everything, and half the truth at every time.
  know <- outer(time, time, `>`) + 0
  expect_identical(integrated_brier(time, c(1, 1, 1), know, time), 0)
  expect_equal(integrated_brier(time, c(1, 1, 1), matrix(0.5, 3, 1), 0), 0.25)
  expect_identical(integrated_brier(time, c(0, 0, 0), know, time), NA_real_)
})

test_that("the calibration slope is the coefficient of a Cox model", {
  slope <- calibration_of_risk(d$time, d$event, risk)
  skip_if_not_installed("survival")
  peer <- summary(survival::coxph(survival::Surv(d$time, d$event) ~ risk))
  expect_equal(slope, unname(peer$coefficients[c(1, 3)]), tolerance = 1e-8)
  expect_identical(calibration_of_risk(d$time, d$event, rep(2, 60)), c(NA_real_, NA_real_))
  # Separated: the one with the higher risk always comes first.
  expect_identical(calibration_of_risk(1:6, rep(1, 6), 6:1 / 10)[1], NA_real_)
})

test_that("new samples are judged with intervals and references", {
  skip_if_not_installed("survival")
  old <- 1:40
  new <- 41:60
  model <- fit_model(d$x[old, ], label_rows(y, old), features = 1:4)
  judged <- validate_model(model, d$x[new, ], label_rows(y, new), tau = 4)$table
  row <- function(measure) as.list(judged[judged$measure == measure, ])
  real <- survival::Surv(d$time[new], d$event[new])
  link <- predict(model, d$x[new, ])
  uno <- survival::concordance(real ~ link, timewt = "n/G2", reverse = TRUE, ymax = 4)
  expect_equal(row("concordance_uno")$estimate, unname(uno$concordance))
  half <- stats::qnorm(0.975) * sqrt(uno$var) / (uno$concordance * (1 - uno$concordance))
  upper <- stats::plogis(stats::qlogis(uno$concordance) + half)
  expect_equal(row("concordance_uno")$upper, unname(upper))
  brier <- row("integrated_brier")
  curves <- predict(model, d$x[new, ], type = "survival")
  expect_equal(
    brier$estimate,
    measure_predictions(real, link, curves, metric = "integrated_brier", tau = 4)[[1]]
  )
  marginal <- survival::survfit(survival::Surv(d$time[old], d$event[old]) ~ 1)
  level <- summary(marginal, times = as.double(colnames(curves)))$surv
  alike <- curves
  alike[] <- rep(level, each = 20)
  expect_equal(
    brier$reference,
    measure_predictions(real, link, alike, metric = "integrated_brier", tau = 4)[[1]]
  )
  expect_lt(brier$estimate, brier$reference)
  expect_match(
    message_of(validate_model(fit_model(d$x, d$time), d$x, d$time, tau = 2)), "`tau` is for surv"
  )
})

test_that("elimination chooses by curves and is judged by all measures", {
  fit <- eliminate_features(d$x, y, metric = "integrated_brier", seed = 1)
  runs <- fit$resamples
  best <- fit$sizes$size[which.min(fit$sizes$score)]
  expect_identical(fit$best, best)
  expect_true(all(c("g1", "g2") %in% fit$features))
  # The score of all features in the first run, from the outside.
  rows <- split(runs)[[1]]
  out <- setdiff(1:60, rows)
  model <- fit_model(d$x[rows, ], label_rows(y, rows))
  times <- sort(unique(d$time[d$event == 1]))
  curves <- curves_of_risk(model$baseline, unname(predict(model, d$x[out, ])), times)
  expected <- integrated_brier(d$time[out], d$event[out], curves, times)
  expect_equal(fit$scores$score[fit$scores$size == 12 & fit$scores$run == 1], expected)
  judged <- evaluate_elimination(
    d$x, y, resampling = resample_folds(3, stratify = TRUE), seed = 1
  )$table
  expect_true("calibration_slope" %in% names(judged))
  expect_false(anyNA(judged[metrics_of("survival")[1:3]]))
  expect_match(
    message_of(eliminate_features(d$x, y, metric = "calibration_slope")), "`metric` must be"
  )
  risk_only <- learner_custom(
    function(x, y) colMeans(x), function(model, newdata) newdata[, 1],
    importance = function(model) abs(model), responses = "survival"
  )
  expect_match(
    message_of(eliminate_features(d$x, y, risk_only, metric = "integrated_brier")),
    "needs probabilities"
  )
  none <- evaluate_elimination(
    d$x, y, risk_only, resampling = resample_folds(3, stratify = TRUE), seed = 1
  )$table
  expect_false("integrated_brier" %in% names(none))
})

test_that("learners of one's own and forests bring curves", {
  own <- function(survival) {
    learner_custom(
      function(x, y) colMeans(x), function(model, newdata) newdata[, 1],
      importance = function(model) abs(model), responses = "survival", survival = survival
    )
  }
  level <- own(function(model, newdata, times) matrix(0.5, nrow(newdata), length(times)))
  fit <- eliminate_features(
    d$x, y, level, search = search_sizes(c(12, 6, 3)), metric = "integrated_brier", seed = 1
  )
  expect_identical(length(unique(signif(fit$sizes$score, 10))), 1L)
  bad <- own(function(model, newdata, times) matrix(2, nrow(newdata), length(times)))
  expect_match(
    message_of(
      eliminate_features(d$x, y, bad, metric = "integrated_brier"),
      class = "stabilect_error_learner"
    ),
    "must predict survival by a matrix"
  )
  expect_match(message_of(own(3)), "`survival` must be a function or NULL")
  skip_if_not_installed("ranger")
  forest <- learner_forest(20)
  model <- withr::with_seed(1, forest$fit(d$x, y))
  times <- c(0.05, 2, 30)
  curves <- forest$survival(model, d$x[1:5, ], times)
  peer <- stats::predict(model$fit, d$x[1:5, ], num.threads = 1)
  at <- findInterval(2, peer$unique.death.times)
  expect_identical(curves[, 1], rep(1, 5))
  expect_identical(curves[, 2], peer$survival[, at])
  expect_identical(curves[, 3], peer$survival[, ncol(peer$survival)])
  expect_identical(forest$survival(model, d$x[2, , drop = FALSE], times), curves[2, , drop = FALSE])
})

test_that("numbers, counts and probabilities by closed forms", {
  truth <- c(3, 0, 7, 2)
  predicted <- c(2.5, 0.5, 5, 3)
  got <- measure_predictions(truth, predicted)
  expect_identical(names(got), c("r_squared", "rmse", "calibration_slope"))
  expect_equal(got[["calibration_slope"]], unname(stats::coef(stats::lm(truth ~ predicted))[2]))
  expect_identical(measure_predictions(truth, rep(2, 4))[["calibration_slope"]], NA_real_)
  family <- stats::poisson()
  expect_equal(
    measure_predictions(truth, predicted, metric = "poisson_deviance")[[1]],
    mean(family$dev.resids(truth, predicted, rep(1, 4)))
  )
  p <- cbind(a = c(0.9, 0.3, 0.4), b = c(0.1, 0.7, 0.6))
  expect_equal(
    measure_predictions(c("a", "b", "a"), c("a", "b", "b"), p, metric = "brier")[[1]],
    mean(c(0.1, 0.3, 0.6)^2)
  )
  three <- cbind(a = 0.2, b = 0.3, c = 0.5)
  expect_equal(
    measure_predictions("b", "c", three, metric = "brier")[[1]], (0.2^2 + 0.7^2 + 0.5^2) / 2
  )
})

test_that("what does not fit is refused", {
  ask <- function(...) message_of(measure_predictions(...))
  curves <- matrix(0.5, 60, 2, dimnames = list(NULL, c("1", "2")))
  expect_match(ask(y, risk, metric = "integrated_brier"), "needs `probability`")
  expect_match(ask(y, risk, unname(curves)), "named by it, for each time")
  expect_match(ask(y, risk, curves[-1, ]), "60 rows")
  expect_match(ask(y, risk, curves * 3), "numbers from 0 to 1")
  expect_match(ask(y, risk, replace(curves, 3, NA)), "numbers from 0 to 1")
  expect_match(ask(d$time, risk, curves), "not for numbers")
  expect_match(ask(y, risk, tau = 0), "`tau` must be a finite number > 0")
  expect_match(ask(d$time, risk, tau = 3), "`tau` is for survival times only")
  expect_match(ask(c("a", "b"), c("a", "b"), tau = 3), "`tau` is for survival times only")
  expect_match(ask(c(-1, 3), c(2, 2), metric = "poisson_deviance"), "`y` >= 0")
  expect_match(ask(c(1, 3), c(0, 2), metric = "poisson_deviance"), "`predicted` > 0")
  expect_match(ask(y, risk, metric = "rmse"), "`metric` must be")
})
