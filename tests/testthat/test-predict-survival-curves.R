# Probabilities of survival of the final Cox model.

d <- survival_design()
y <- surv_of(d)
old <- 1:40
new <- 41:60

test_that("curves are those of survfit(), with penalty, with ties, and for given coefficients", {
  skip_if_not_installed("survival")
  z <- d$x[, 1:4]
  times <- c(0.5, 1, 2, 3.3)
  for (lambda in list(0, 5, NULL)) {
    model <- fit_model(d$x[old, ], label_rows(y, old), features = 1:4, lambda = lambda)
    peer <- survival::coxph(
      survival::Surv(d$time[old], d$event[old]) ~ z, data = list(z = z[old, ]),
      init = unname(model$coefficients), iter.max = 0
    )
    curves <- survival::survfit(peer, newdata = data.frame(z = I(z[new, ])), se.fit = FALSE)
    expect_equal(
      unname(predict(model, d$x[new, ], type = "survival", times = times)),
      unname(t(summary(curves, times = times)$surv)), tolerance = 1e-12
    )
    # All falls, in order, by default.
    falls <- curves$n.event > 0
    all <- predict(model, d$x[new, ], type = "survival")
    expect_equal(unname(all), unname(t(curves$surv[falls, ])), tolerance = 1e-12)
    expect_equal(as.double(colnames(all)), curves$time[falls])
  }
  marginal <- survival::survfit(survival::Surv(d$time[old], d$event[old]) ~ 1)
  expect_equal(model$baseline$survival, marginal$surv)
  expect_equal(model$baseline$time, marginal$time)
})

test_that("rows are samples and columns are times, in the order asked for", {
  model <- fit_model(d$x[old, ], label_rows(y, old), features = 1:4)
  last <- max(d$time[old])
  times <- c(3, 0, last + 1, 1, last)
  curves <- predict(model, d$x[new, ], type = "survival", times = times)
  expect_identical(dimnames(curves), list(paste0("s", new), label_times(times)))
  expect_identical(curves[, 2], stats::setNames(rep(1, 20), paste0("s", new)))
  expect_true(all(curves[, 1] < curves[, 4]) && !anyNA(curves[, -3]) && all(is.na(curves[, 3])))
  expect_identical(
    predict(model, d$x[new[2], , drop = FALSE], type = "survival", times = times),
    curves[2, , drop = FALSE]
  )
  # A higher risk is a lower curve.
  expect_equal(order(predict(model, d$x[new, ])), order(-curves[, 1]))
  expect_identical(predict(model, d$x[0, ], type = "survival", times = 1:2), matrix(
    numeric(), 0, 2, dimnames = list(NULL, c("1", "2"))
  ))
  # Without long double R reads the last digit of a number otherwise.
  exact <- if (.Machine$sizeof.longdouble > 0) 0 else 1e-15
  times <- c(0.1 + 0.2, 1 / 3, 5)
  expect_equal(as.double(label_times(times)), times, tolerance = exact)
})

test_that("without features the curve is that of Nelson and Aalen", {
  model <- suppressWarnings(fit_model(d$x, y, features = character()))
  curve <- predict(model, d$x[1:2, ], type = "survival")
  at <- sort(unique(d$time[d$event == 1]))
  # With ties Efron's steps, as in Fleming and Harrington (1984).
  hazard <- cumsum(vapply(at, function(t) {
    sum(1 / (sum(d$time >= t) - seq_len(sum(d$time == t & d$event)) + 1))
  }, 0))
  expect_equal(unname(curve), rbind(exp(-hazard), exp(-hazard)))
})

test_that("covariates are part of the curves, and have curves of their own as a reference", {
  skip_if_not_installed("survival")
  z <- cbind(age = d$x[, 9] * 5 + 40, sex = rep(0:1, 30))
  model <- fit_model(
    d$x[old, ], label_rows(y, old), features = 1:3, lambda = 0, covariates = z[old, ]
  )
  of <- function(rows) data.frame(z[rows, ], d$x[rows, 1:3])
  cox <- function(formula) {
    survival::coxph(formula, of(old))
  }
  real <- survival::Surv(d$time[old], d$event[old])
  curves_by <- function(fit) {
    peer <- survival::survfit(fit, newdata = of(new), se.fit = FALSE)
    t(peer$surv[peer$n.event > 0, ])
  }
  curves <- predict(model, d$x[new, ], type = "survival", covariates = z[new, ])
  both <- curves_by(cox(real ~ age + sex + g1 + g2 + g3))
  expect_equal(unname(curves), unname(both), tolerance = 1e-6)
  judged <- validate_model(model, d$x[new, ], label_rows(y, new), covariates = z[new, ])$table
  alone <- curves_by(cox(real ~ age + sex))
  dimnames(alone) <- dimnames(curves)
  truth <- label_rows(y, new)
  brier <- function(curves) {
    measure_predictions(truth, seq_along(new), curves, metric = "integrated_brier")[[1]]
  }
  row <- judged[judged$measure == "integrated_brier", ]
  expect_equal(row$estimate, brier(curves))
  expect_equal(row$reference, brier(alone), tolerance = 1e-6)
  learner <- learner_ridge(2)$held(2L)
  both <- cbind(z, d$x[, 1:3])
  fitted <- learner$fit(both[old, ], label_rows(y, old))
  own <- fit_model(
    d$x[old, ], label_rows(y, old), features = 1:3, lambda = 2, covariates = z[old, ]
  )
  expect_equal(
    unname(learner$survival(fitted, both[new, ], c(1, 3))),
    unname(predict(own, d$x[new, ], type = "survival", times = c(1, 3), covariates = z[new, ]))
  )
})

test_that("risks far apart give no missing numbers", {
  baseline <- baseline_hazard(c(1, 2, 3, 4), c(1, 0, 1, 1), c(2000, 0, -2000, 1))
  expect_true(all(is.finite(baseline$hazard)))
  curves <- curves_of_risk(baseline, c(2000, 0, -2000), c(0, 1, 9))
  expect_false(anyNA(curves))
  expect_identical(unname(curves[, 1]), rep(1, 3))
})

test_that("fealect() predicts survival, too, and other models and times are refused", {
  fit <- fealect(d$x, y, n_runs = 20, seed = 1, oob = FALSE)
  expect_identical(
    predict(fit, d$x, type = "survival", times = 2),
    predict(fit$model, d$x, type = "survival", times = 2)
  )
  model <- fit$model
  ask <- function(...) message_of(predict(model, d$x, ...))
  expect_match(ask(type = "survival", times = c(1, -1)), "`times` must.*not -1 at position 2")
  expect_match(ask(type = "survival", times = NA_real_), "not NA at position 1")
  expect_match(ask(type = "survival", times = "5"), "`times` must hold finite numbers")
  expect_match(ask(type = "survival", times = numeric()), "`times` must hold finite numbers")
  expect_match(ask(times = 2), "`times` applies only to")
  expect_match(ask(type = "class"), "\"risk\".*\"survival\"")
  numbers <- fit_model(d$x, d$time)
  expect_match(message_of(predict(numbers, d$x, type = "survival")), "`type` must be")
  expect_match(message_of(predict(numbers, d$x, times = 2)), "`times` applies only to")
})
