# Brier scores of survival curves by ipred 0.9, for tests of our own. ipred takes the weight of an
# event after the censorings at its time: censored times are moved off the events here.

set.seed(11)
n <- 40
risk <- round(rnorm(n), 2)
life <- round(rexp(n, exp(risk) / 8), 1) + 0.1
limit <- round(runif(n, 1, 14), 1) + 0.15
time <- pmin(life, limit)
event <- as.integer(life <= limit)
times <- c(0.5, 1, 2, 3.5, 6)
curves <- exp(-outer(exp(risk), times / 10))
at <- c(0.3, 0.5, 1.7, 3, 4.2, 6, 7.5)
score <- vapply(at, function(t) {
  own <- cbind(1, curves)[, findInterval(t, times) + 1L]
  as.numeric(suppressWarnings(ipred::sbrier(survival::Surv(time, event), own, t)))
}, 0)
saveRDS(
  list(
    time = time, event = event, risk = risk, times = times, curves = curves, at = at,
    score = score, peer = paste("ipred", packageVersion("ipred"))
  ),
  "tests/testthat/fixtures/brier.rds", version = 3
)
