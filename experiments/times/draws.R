# Outcomes of this experiment, from the number `link` that explains `r2` of them. Read by run.R and
# run-shares.R.

# The part of times and of censoring that is left when `share` of the samples are censored.
censor <- function(time, share) {
  limit <- stats::rexp(length(time))
  missing <- function(scale) mean(limit * scale < time) - share
  scale <- exp(stats::uniroot(function(s) missing(exp(s)), c(-30, 30))$root)
  survival::Surv(pmin(time, limit * scale), time <= limit * scale)
}

# `link` explains `r2` of the log of an exponential time, whose errors have the variance pi^2 / 6.
draw_times <- function(link, r2, share) {
  censor(stats::rexp(length(link)) * exp(-sqrt(r2 / (1 - r2) * pi^2 / 6) * link), share)
}
draw_ordered <- function(link, r2) {
  y <- sqrt(r2) * link + sqrt(1 - r2) * stats::rnorm(length(link))
  cut(y, stats::quantile(y, c(0, 0.4, 0.7, 0.9, 1)), letters[1:4],
    include.lowest = TRUE, ordered_result = TRUE
  )
}
