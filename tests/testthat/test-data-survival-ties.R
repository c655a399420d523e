# Times that only rounding tells apart are ties, as for survival::coxph().

rounded <- withr::with_seed(5, {
  n <- 60L
  entry <- pi * stats::runif(n, 0, 10)
  x <- matrix(stats::rnorm(n * 3), n, dimnames = list(NULL, c("a", "b", "c")))
  follow_up <- pmax(1, round(stats::rexp(n, exp(x[, 1]) / 4)))
  # As `end - entry` of two dates as numbers.
  list(x = x, time = (entry + follow_up) - entry, whole = follow_up, event = rep(c(1, 1, 0), n / 3))
})

test_that("the rule is that of survival::aeqSurv()", {
  skip_if_not_installed("survival")
  expect_gt(length(unique(rounded$time)), length(unique(rounded$whole)))
  surv <- survival::Surv(rounded$time, rounded$event)
  expect_identical(surv_matrix(surv)[, 1L], unname(unclass(survival::aeqSurv(surv))[, 1L]))
  # Close times in small units, steps that add up, and no tie.
  for (time in list(c(1, 1 + 1e-9, 2), c(1e-3, 1e-3 + 1e-11, 5), 1 + 1e-8 * 0:5, c(3, 1, 2))) {
    one <- survival::Surv(time, rep(1, length(time)))
    expect_identical(surv_matrix(one)[, 1L], unname(unclass(survival::aeqSurv(one))[, 1L]))
  }
  expect_identical(tied_times(c(1, Inf, NA, 1 + 1e-12)), c(1, Inf, NA, 1))
})

test_that("Cox models of rounded times are those of coxph(), live and stored", {
  skip_if_not_installed("survival")
  y <- survival::Surv(rounded$time, rounded$event)
  whole <- survival::Surv(rounded$whole, rounded$event)
  path <- lasso_path(rounded$x, y, lambda = 1e-9, tolerance = 1e-12)
  peer <- survival::coxph(y ~ rounded$x)
  expect_equal(as.vector(path$coefficients[, 1]), unname(stats::coef(peer)), tolerance = 1e-6)
  # survival 3.5.3.
  stored <- c(0.584935462, 0.26843247, -0.10117214)
  expect_equal(as.vector(path$coefficients[, 1]), stored, tolerance = 1e-6)
  expect_identical(
    lasso_path(rounded$x, whole, lambda = 0.05)$coefficients,
    lasso_path(rounded$x, y, lambda = 0.05)$coefficients
  )
})

test_that("every verb of survival times gives the same for rounded and for whole times", {
  skip_if_not_installed("survival")
  x <- rounded$x
  whole <- survival::Surv(rounded$whole, rounded$event)
  y <- survival::Surv(rounded$time, rounded$event)
  calls <- list(
    fit_model = function(y) coef(fit_model(x, y, c("a", "b"))),
    stability_selection = function(y) {
      stability_selection(x, y, q = 1, cutoff = 0.9, n_pairs = 5, seed = 1)$table
    },
    fealect = function(y) {
      fit <- fealect(x, y, n_runs = 10, n_boot = 0, seed = 1)
      list(fit$table, fit$oob$error)
    },
    score_features = function(y) score_features(x, y, selector_filter("cox"))$score,
    find_signals = function(y) find_signals(x, y, permute = 19, seed = 1)$p_value,
    validate = function(y) validate_model(fit_model(x, whole, "a"), x + 1, y)$table,
    measures = function(y) measure_predictions(y, x[, 1]),
    importance = function(y) {
      feature_importance(fit_model(x, whole, "a"), x, y, n_repeats = 2, seed = 1)
    }
  )
  for (name in names(calls)) {
    expect_equal(calls[[name]](y), calls[[name]](whole), tolerance = 1e-12, info = name)
  }
})
