# Intervals of stability indices: they need only the value of an index and its range.

# @param range (numeric, 2) of the index; @param variance (number, or NULL) analytic variance.
# @param how list(interval, conf_level, n_boot, seed), as given to stability().
index_interval <- function(value, range, variance, how) {
  if (is.na(value$estimate)) {
    return(no_interval(""))
  }
  seen <- deviating_runs(value)
  kinds <- if (is.null(seen) && how$interval == "jackknife") kinds_of_runs(value)
  limits <- if (!is.null(seen)) {
    deviating_interval(value, seen, how$conf_level)
  } else if (nzchar(value$uneven) && how$interval != "bootstrap") {
    no_interval(sprintf(
      "no interval: with sizes from %s a few runs decide; cut them to one size, or take %s",
      value$uneven, dQuote("bootstrap", FALSE)
    ))
  } else if (!is.null(kinds)) {
    kinds_interval(value, kinds, how$conf_level)
  } else {
    switch(how$interval,
      jackknife = jackknife_interval(value, how$conf_level),
      analytic = analytic_interval(value, variance, how$conf_level),
      bootstrap = bootstrap_interval(value, how$conf_level, how$n_boot, how$seed)
    )
  }
  limits$lower <- max(limits$lower, min(range[1], value$estimate))
  limits$upper <- min(limits$upper, max(range[2], value$estimate))
  limits
}

# Runs that differ but all agree equally well with the others, for example three disjoint sets.
no_spread <- "no interval: the runs differ, but each agrees with the others equally well"

no_interval <- function(note) list(lower = NA_real_, upper = NA_real_, se = NA_real_, note = note)

jackknife_interval <- function(value, conf_level) {
  m <- length(value$loo)
  if (m < 3L) {
    return(no_interval("an interval takes at least 3 runs"))
  }
  if (anyNA(value$loo)) {
    return(no_interval(sprintf(
      "no interval: not defined without run %d", which(is.na(value$loo))[1]
    )))
  }
  se <- sqrt(jackknife_variance(value$loo, value$mc_se))
  if (se <= 1e-12) {
    return(no_interval(no_spread))
  }
  half <- stats::qt((1 + conf_level) / 2, m - 1) * se
  list(lower = value$estimate - half, upper = value$estimate + half, se = se, note = "")
}

analytic_interval <- function(value, variance, conf_level) {
  se <- sqrt(variance)
  if (se <= 1e-12) {
    return(no_interval(no_spread))
  }
  half <- stats::qnorm((1 + conf_level) / 2) * se
  list(lower = value$estimate - half, upper = value$estimate + half, se = se, note = "")
}

# Bias corrected and accelerated (Efron 1987) bootstrap over runs.
bootstrap_interval <- function(value, conf_level, n_boot, seed) {
  m <- length(value$loo)
  if (m < 3L) {
    return(no_interval("an interval takes at least 3 runs"))
  }
  counts <- draw_resamples(resample_bootstrap(n_boot), n = m, seed = seed)$counts
  storage.mode(counts) <- "double"
  replicates <- value$replicate(counts)
  lost <- sum(!is.finite(replicates))
  replicates <- replicates[is.finite(replicates)]
  if (length(replicates) < 0.9 * n_boot || anyNA(value$loo)) {
    return(no_interval("no interval: not defined for too many bootstrap samples of the runs"))
  }
  if (diff(range(replicates)) <= 1e-12) {
    return(no_interval(no_spread))
  }
  level <- bca_levels(replicates, value, conf_level)
  limits <- stats::quantile(replicates, level, names = FALSE)
  list(
    lower = limits[1], upper = limits[2], se = stats::sd(replicates),
    note = if (lost > 0L) sprintf("%d of %d replicates not defined", lost, n_boot) else ""
  )
}

bca_levels <- function(replicates, value, conf_level) {
  below <- mean(replicates < value$estimate) + mean(replicates == value$estimate) / 2
  # Kept away from 0 and 1, where the correction would be infinite.
  edge <- 1 / (length(replicates) + 1)
  z0 <- stats::qnorm(min(max(below, edge), 1 - edge))
  d <- mean(value$loo) - value$loo
  acceleration <- if (any(d != 0)) sum(d^3) / (6 * sum(d^2)^1.5) else 0
  z <- stats::qnorm(c((1 - conf_level) / 2, (1 + conf_level) / 2))
  stats::pnorm(z0 + (z0 + z) / (1 - acceleration * (z0 + z)))
}
