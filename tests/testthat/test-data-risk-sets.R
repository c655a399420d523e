late <- survival_design(n = 40, p = 3, digits = 0)
links <- unname(cbind(late$x %*% c(1, -1, 0.5), 0, late$x[, 2]))

# Partial likelihoods, event by event: with Efron's ties the l-th of m events at a time sees each of
# them with the share 1 - l / m.
slow_likelihood <- function(time, event, link, ties = "efron") {
  sum(vapply(which(event == 1), function(k) {
    here <- which(event == 1 & time == time[k])
    gone <- (match(k, here) - 1) / length(here)
    own <- time >= time[k]
    top <- max(link[own])
    share <- ifelse(ties == "efron" & seq_along(time) %in% here, 1 - gone, 1)
    link[k] - top - log(sum((share * exp(link - top))[own]))
  }, 0))
}

test_that("sums over risk sets are those of a slow loop, with ties and censored times", {
  for (ties in c("efron", "breslow")) {
    times <- cox_times(late$time, late$event, ties)
    sums <- risk_sums(times, links[times$order, ])
    found <- risk_hazard(times, sums)
    for (j in 1:3) {
      risk <- exp(links[, j])
      # The derivative of the likelihood along the link of a sample.
      slow <- vapply(1:40, function(i) {
        at <- function(h) {
          slow_likelihood(late$time, late$event, links[, j] + h * (1:40 == i), ties)
        }
        (late$event[i] - (at(1e-4) - at(-1e-4)) / 2e-4) / risk[i]
      }, 0)
      expect_equal(found[, j] * exp(-max(links[, j])), slow[times$order], tolerance = 1e-7)
      expect_equal(
        partial_likelihood(times, sums)[j],
        slow_likelihood(late$time, late$event, links[, j], ties)
      )
    }
  }
})

test_that("residuals and baselines are those of coxph() and survfit(), with weights and ties", {
  skip_if_not_installed("survival")
  y <- survival::Surv(late$time, late$event)
  weights <- rep(1:4, 10)
  rows <- rep(1:40, weights)
  null <- survival::coxph(y ~ 1, weights = weights)
  expect_equal(
    martingale_residuals(late$time[rows], late$event[rows], rows)[!duplicated(rows)],
    unname(stats::residuals(null, "martingale"))
  )
  working <- working_targets(new_response("survival", late$time, event = late$event), rows)
  expect_equal(working[!duplicated(rows), ], unname(stats::residuals(null, "martingale")))
  # Repeats that were ties would have other residuals.
  plain <- martingale_residuals(late$time[rows], late$event[rows])[!duplicated(rows)]
  expect_gt(max(abs(plain - stats::residuals(null, "martingale"))), 0.01)
  for (j in 1:3) {
    fit <- survival::coxph(y ~ offset(links[, j]))
    peer <- survival::survfit(fit)
    baseline <- baseline_hazard(late$time, late$event, links[, j])
    # survfit() has the sample with the mean link.
    expect_equal(baseline$hazard * exp(mean(links[, j])), peer$cumhaz)
    expect_equal(baseline$time, peer$time)
    alone <- survival::survfit(y ~ 1)
    expect_equal(baseline$survival, alone$surv)
  }
})

test_that("one partial likelihood: of models, of folds, of survival", {
  times <- cox_times(late$time, late$event)
  at <- cox_point(links[times$order, ], times, c(1, 0, 0))$likelihood
  response <- list(time = late$time, event = late$event)
  even <- rep(1, 40)
  expect_equal(log_partial_likelihood(links, response, NULL, even, 1:40)[1], at)
  half <- rep(1:2, 20)
  expect_equal(
    log_partial_likelihood(links, response, half, even, 1:40),
    log_partial_likelihood(links, response, NULL, even, which(half == 1)) +
      log_partial_likelihood(links, response, NULL, even, which(half == 2))
  )
  skip_if_not_installed("survival")
  peer <- survival::coxph(
    survival::Surv(late$time, late$event) ~ links[, 1], init = 1,
    control = survival::coxph.control(iter.max = 0)
  )
  expect_equal(at, peer$loglik[2])
})

test_that("log hazards far apart have a finite partial likelihood", {
  far <- cbind(seq(-2000, 2000, length.out = 40), 1000 * late$x[, 1])
  response <- list(time = late$time, event = late$event)
  expect_equal(log_partial_likelihood(far, response, NULL, rep(1, 40), 1:40), c(
    slow_likelihood(late$time, late$event, far[, 1]),
    slow_likelihood(late$time, late$event, far[, 2])
  ))
})

test_that("equal numbers of samples and events, or one time for all, have their sums", {
  one <- list(time = rep(3, 6), event = c(1, 1, 0, 1, 1, 0))
  all <- list(time = rep(1:2, 3), event = rep(1, 6))
  z <- cbind(c(0.3, -1, 2, 0.4, 1.1, -0.2))
  for (d in list(one, all)) {
    times <- cox_times(d$time, d$event)
    at <- cox_point(z[times$order, , drop = FALSE], times, 0.7)
    expect_equal(at$likelihood, slow_likelihood(d$time, d$event, 0.7 * z[, 1]))
    slope <- function(b) cox_point(z[times$order, , drop = FALSE], times, b)$gradient
    expect_equal(drop(at$information), (slope(0.7 - 1e-5) - slope(0.7 + 1e-5)) / 2e-5)
  }
})

test_that("times without an event have sums of nothing", {
  times <- cox_times(c(2, 1, 3), c(0, 0, 0))
  sums <- risk_sums(times, matrix(0, 3, 2))
  expect_identical(risk_hazard(times, sums), matrix(0, 3, 2))
  expect_identical(partial_likelihood(times, sums), c(0, 0))
})
