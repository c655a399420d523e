late <- survival_design(n = 40, p = 3, digits = 0)
links <- unname(cbind(late$x %*% c(1, -1, 0.5), 0, late$x[, 2]))

# Breslow's partial likelihood, event by event.
slow_likelihood <- function(time, event, link) {
  sum(vapply(which(event == 1), function(k) {
    own <- link[time >= time[k]]
    link[k] - max(own) - log(sum(exp(own - max(own))))
  }, 0))
}

test_that("sums over risk sets are those of a slow loop, with ties and censored times", {
  times <- cox_times(late$time, late$event)
  sums <- risk_sums(times, links[times$order, ])
  found <- risk_hazard(times, sums)
  hazard <- function(t, link) {
    sum(vapply(which(late$event == 1 & late$time <= t), function(k) {
      1 / sum(exp(link[late$time >= late$time[k]]))
    }, 0))
  }
  for (j in 1:3) {
    slow <- vapply(late$time, hazard, 0, links[, j])
    expect_equal(found[, j] * exp(-max(links[, j])), slow[times$order])
    expect_equal(
      partial_likelihood(times, sums)[j], slow_likelihood(late$time, late$event, links[, j])
    )
    baseline <- breslow_baseline(late$time, late$event, links[, j])
    expect_equal(baseline$hazard, vapply(sort(unique(late$time)), hazard, 0, links[, j]))
  }
  expect_equal(
    martingale_residuals(late$time, late$event),
    late$event - vapply(late$time, hazard, 0, numeric(40))
  )
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
    survival::Surv(late$time, late$event) ~ links[, 1], ties = "breslow", init = 1,
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

test_that("times without an event have sums of nothing", {
  times <- cox_times(c(2, 1, 3), c(0, 0, 0))
  sums <- risk_sums(times, matrix(0, 3, 2))
  expect_identical(risk_hazard(times, sums), matrix(0, 3, 2))
  expect_identical(partial_likelihood(times, sums), c(0, 0))
})
