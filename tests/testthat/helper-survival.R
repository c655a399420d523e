# Right-censored data: the first two features matter. Times are rounded so that some are equal.
survival_design <- function(n = 60, p = 12, seed = 7, digits = 1) {
  withr::with_seed(seed, {
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(paste0("s", seq_len(n)), paste0("g", 1:p)))
    time <- stats::rexp(n, exp(1.2 * x[, 1] - 0.8 * x[, 2]) / 5)
    limit <- stats::runif(n, 1, 12)
    list(
      x = x, time = pmax(round(pmin(time, limit), digits), 10^-digits),
      event = as.integer(time <= limit)
    )
  })
}

surv_of <- function(d) new_surv(unname(d$time), unname(d$event))
