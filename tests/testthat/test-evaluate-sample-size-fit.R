# The curves behind estimate_sample_size(), against glm(), optim() and closed forms.

test_that("the curve of stability is that of glm(), with a slope that cannot be negative", {
  n <- c(12, 15, 19, 24, 30)
  s <- c(0.1, 0.13, 0.15, 0.22, 0.24)
  peer <- stats::coef(suppressWarnings(stats::glm(s ~ log(n), family = stats::binomial())))
  expect_equal(unname(fit_stability(n, s)), unname(peer), tolerance = 1e-6)
  exact <- stats::plogis(-4 + 1.2 * log(n))
  expect_equal(fit_stability(n, exact), c(a = -4, b = 1.2), tolerance = 1e-6)
  expect_equal(fit_stability(n, rev(s)), c(a = stats::qlogis(mean(s)), b = 0))
  expect_equal(fit_stability(n, c(s[1:3], NaN, s[5])), fit_stability(n[-4], s[-4]))
  expect_null(fit_stability(n, c(-0.1, 0, 0, -0.01, 0)))
  expect_identical(fit_stability(n, rep(1, 5))[["b"]], 0)
  steep <- c(0, 0, 0, 0.01, 0.2)
  capped <- stats::coef(suppressWarnings(
    stats::glm(steep ~ 1 + offset(3 * log(n)), family = stats::binomial())
  ))
  expect_equal(fit_stability(n, steep), c(a = unname(capped), b = 3), tolerance = 1e-6)
})

test_that("the curve of the error is the least-squares one within its limits", {
  n <- c(12, 15, 19, 24, 30)
  exact <- 0.1 + 2 * n^-0.8
  expect_equal(fit_error(n, exact), c(a = 0.1, b = 2, c = 0.8), tolerance = 1e-6)
  # By numerical minimisation, with the same limits.
  e <- c(0.41, 0.36, 0.36, 0.3, 0.29)
  loss <- function(par) sum((e - par[1] - par[2] * n^-par[3])^2)
  starts <- lapply(c(0.2, 0.6, 1.5), function(c) {
    stats::optim(
      c(0.1, 1, c), loss, method = "L-BFGS-B", lower = c(0, 0, 0.1), upper = c(1, 100, 2),
      control = list(maxit = 1000)
    )$value
  })
  expect_lte(loss(fit_error(n, e)), min(unlist(starts)) * 1.01)
  expect_identical(fit_error(n, rev(e))[["b"]], 0)
  # Steeper than n^-c can be without a floor below zero.
  expect_identical(fit_error(n, 5 / n^3)[["a"]], 0)
})

test_that("the samples needed are where curve and band cross the target", {
  curve <- c(a = -5, b = 1.2)
  redrawn <- lapply(seq(-0.5, 0.5, length.out = 41), function(shift) curve + c(shift, 0))
  asked <- list(target_stability = 0.4, conf_level = 0.9)
  needed <- samples_needed(curve, redrawn, c(12, 30), 60, asked)
  crossing <- function(a, target = 0.4) ceiling(exp((stats::qlogis(target) - a) / 1.2))
  expect_equal(needed$n, crossing(-5))
  expect_equal(needed$lower, crossing(-5 + 0.45 * widen_samples))
  # Beyond the largest part nothing more may be gained.
  expect_identical(needed$upper, Inf)
  within <- samples_needed(curve, redrawn, c(12, 30), 60, replace(asked, "target_stability", 0.1))
  expect_equal(within$upper, crossing(-5 - 0.45 * widen_samples, 0.1))
  far <- samples_needed(curve, redrawn, c(12, 30), 60, replace(asked, "target_stability", 0.95))
  expect_identical(c(far$n, far$lower, far$upper), c(Inf, Inf, Inf))
  near <- samples_needed(curve, redrawn, c(12, 30), 60, replace(asked, "target_stability", 0.01))
  expect_equal(near$n, 12)
})
