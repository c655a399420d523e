# Equal survival times: the likelihoods of Efron and Breslow on paths.

d <- survival_design(n = 90, p = 8, seed = 4, digits = 6)
d$x <- unname(d$x)
colnames(d$x) <- paste0("g", 1:8)
exact <- if (requireNamespace("survival", quietly = TRUE)) {
  survival::coxph.control(1e-12, 1e-13, iter.max = 60)
}
heavy <- ceiling(10 * rank(d$time) / 90)
strata <- rep(1:2, 45)
age <- withr::with_seed(1, stats::rnorm(90))
weights <- withr::with_seed(2, stats::runif(90, 0.2, 3))

# The best model without a penalty, beside that of coxph().
# @param y (Surv); ... of lasso_path() and coxph().
compare <- function(y, weights = rep(1, 90), ties = "efron") {
  path <- lasso_path(d$x[, 1:3], y,
    covariates = cbind(age = age), strata = strata, weights = weights, ties = ties,
    lambda = c(0.1, 0), tolerance = 1e-10
  )
  data <- list(x = d$x[, 1:3], age = age, by = strata, y = y, w = weights)
  strata <- survival::strata
  peer <- survival::coxph(y ~ age + x + strata(by), data,
    weights = w, subset = w > 0, ties = ties, control = exact
  )
  null <- survival::coxph(y ~ age + strata(by), data,
    weights = w, subset = w > 0, ties = ties, control = exact
  )
  own <- c(path$covariates[, 2], path$coefficients[, 2])
  expect_equal(own, stats::coef(peer), tolerance = 1e-7, ignore_attr = TRUE)
  gain <- 2 * (peer$loglik[2] - null$loglik[2])
  expect_equal(path$null_deviance - path$deviance[2], gain, tolerance = 1e-8)
  own
}

test_that("without a penalty models and likelihoods are those of coxph()", {
  skip_if_not_installed("survival")
  expect_identical(length(unique(heavy)), 10L)
  y <- survival::Surv(heavy, d$event)
  for (own in list(rep(1, 90), weights, replace(weights, 1:9, 0), rep(c(1, 1e5), 45))) {
    both <- lapply(c("efron", "breslow"), function(ties) compare(y, own, ties))
    expect_gt(sum(abs(both[[1]])), sum(abs(both[[2]])) + 0.005)
  }
  # All samples have the event at one of three times; all events have one time.
  compare(survival::Surv(rep(1:3, 30), rep(1, 90)), weights)
  compare(survival::Surv(ifelse(d$event == 1, 2, 2 + d$time), d$event), weights)
  # Without ties it is the same model, bit for bit.
  both <- lapply(c("efron", "breslow"), function(ties) {
    unclass(lasso_path(d$x, survival::Surv(d$time, d$event), ties = ties, strata = strata))
  })
  fields <- c("coefficients", "deviance", "null_deviance")
  expect_identical(both[[1]][fields], both[[2]][fields])
})

test_that("the deviance is that to the likelihood of a perfect fit", {
  skip_if_not_installed("survival")
  y <- survival::Surv(heavy, d$event)
  path <- lasso_path(d$x, y, weights = weights, n_lambda = 2)
  null <- survival::coxph(y ~ 1, weights = weights)$loglik
  # Events of a time have one link, far above that of all who live longer.
  link <- 60 * (11 - heavy) - 30 * (1 - d$event)
  perfect <- survival::coxph(y ~ offset(link), weights = weights)$loglik
  expect_equal(path$null_deviance, 2 * (perfect - null), tolerance = 1e-10)
})

test_that("a sample that a run draws twice has the weight two, and is no tie with itself", {
  skip_if_not_installed("survival")
  y <- survival::Surv(heavy, d$event)
  fit <- bolasso(d$x, y, lambda = 0.03, cutoff = 0.5, n_runs = 8, seed = 1)
  other <- bolasso(d$x, y, lambda = 0.03, cutoff = 0.5, n_runs = 8, seed = 1, ties = "breslow")
  counts <- as.matrix(fit$resamples)
  expect_gt(max(counts), 1)
  for (run in 1:8) {
    for (ties in c("efron", "breslow")) {
      path <- lasso_path(d$x, y, weights = counts[, run], lambda = c(0.1, 0.03), ties = ties)
      set <- names(which(path$coefficients[, 2] != 0))
      own <- (if (ties == "efron") fit else other)$selection$selected[, run]
      expect_setequal(names(which(own > 0)), set)
    }
  }
  expect_identical(fit$asked$likelihood$ties, "efron")
  # The penalty of cross-validation and the refit have the same likelihood.
  chosen <- bolasso(d$x, y, cutoff = 0.5, n_runs = 2, n_folds = 3, seed = 1)
  breslow <- bolasso(d$x, y, cutoff = 0.5, n_runs = 2, n_folds = 3, seed = 1, ties = "breslow")
  for (one in list(chosen, breslow)) {
    ties <- one$asked$likelihood$ties
    peer <- survival::coxph(y ~ d$x[, one$features], ties = ties, control = exact)
    expect_equal(unname(one$coefficients), unname(stats::coef(peer)), tolerance = 1e-6)
  }
  expect_gt(max(abs(chosen$cv$error / breslow$cv$error - 1)), 0.001)
})

test_that("threads change nothing with ties, and results say which they have", {
  skip_if_not_installed("survival")
  y <- survival::Surv(heavy, d$event)
  run <- function(...) {
    stability_selection(d$x, y, q = 2, pfer = 1, n_pairs = 10, seed = 1, progress = FALSE, ...)
  }
  expect_identical(without_call(run(n_threads = 2)), without_call(run()))
  expect_output(print(run(ties = "breslow")), "Cox regression, ties as in Breslow", fixed = TRUE)
  expect_false(any(grepl("Breslow", utils::capture.output(print(run())))))
  path <- lasso_path(d$x, y, ties = "breslow")
  expect_output(print(path), "ties as in Breslow", fixed = TRUE)
  expect_identical(path$asked$ties, "breslow")
  expect_null(lasso_path(d$x, d$time)$asked$ties)
})

test_that("a word for ties is one of two, and for survival times", {
  y <- new_surv(heavy, d$event)
  refused <- function(says, ...) {
    expect_error(lasso_path(d$x, ...), says, class = "stabilect_error_input")
  }
  refused("one of \"efron\" or \"breslow\"", y, ties = "exact")
  refused("`ties` are for survival times, not for least squares", d$time, ties = "breslow")
  expect_error(
    bolasso(d$x, d$time, ties = "breslow", seed = 1), "for survival times",
    class = "stabilect_error_input"
  )
  expect_error(path_control(ties = TRUE), "must be one of", class = "stabilect_error_input")
})
