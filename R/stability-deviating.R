# Intervals if more than half of the runs are the same. Jackknife and bootstrap then cannot estimate
# the frequency of other runs; the number of deviating runs is binomial.

# One number per run, equal for runs that this family of indices cannot distinguish.
same_runs <- function(runs, family) {
  columns <- seq_len(runs$n_runs)
  seen <- switch(family, weights = runs$importance, ranks = runs$score)
  if (family == "weights" && is.null(seen)) seen <- runs$score
  keys <- vapply(columns, function(i) {
    set <- runs$feature[seq_len(runs$size[i]) + runs$start[i]]
    hash_plain(list(set, if (!is.null(seen)) as.numeric(seen[, i])))
  }, "")
  match(keys, keys)
}

# The runs that deviate from a run repeated by more than half; NULL without one.
# @param value (stabilect_index_value with `same`)
# @return list(n_runs, loss (numeric, falling): contribution of a usual run minus the deviating
#   run's, by pseudo-values of the jackknife; usual (number): contribution of a usual run; pair
#   (numeric, 3): value of two usual runs, of a usual and another one, of two others).
deviating_runs <- function(value) {
  loo <- value$loo
  m <- length(loo)
  # Equal runs have equal leave-one-out values: most calls end here.
  alike <- abs(loo - stats::median(loo)) <= 1e-10
  if (m < 3L || anyNA(alike) || sum(alike) <= m / 2) {
    return(NULL)
  }
  group <- value$same()
  deviates <- group != which.max(tabulate(group, m))
  if (sum(deviates) >= m / 2) {
    return(NULL)
  }
  pseudo <- m * value$estimate - (m - 1) * loo
  usual <- mean(pseudo[!deviates])
  list(
    n_runs = m, usual = usual, loss = sort(pmax(usual - pseudo[deviates], 0), decreasing = TRUE),
    pair = pair_values(value, deviates, usual, mean(pseudo[deviates]))
  )
}

# From the sums over the pairs with a usual run, and with another one. For a mean over all pairs
# these are ((m - 2) pseudo-value + m estimate) / 2.
pair_values <- function(value, deviates, usual, other) {
  m <- length(deviates)
  n <- sum(deviates)
  both_usual <- value$replicate(matrix(as.double(!deviates), m, 1L))
  if (n == 0L) {
    return(rep(both_usual, 3L))
  }
  mixed <- (((m - 2) * usual + m * value$estimate) / 2 - (m - n - 1) * both_usual) / n
  both_other <- if (n > 1L) {
    (((m - 2) * other + m * value$estimate) / 2 - (m - n) * mixed) / (n - 1)
  } else {
    2 * mixed - both_usual
  }
  c(both_usual, mixed, both_other)
}

# The lowest and highest value if a share of the runs between `from` and `to` deviates.
range_of_mixtures <- function(pair, from, to) {
  value <- function(q) (1 - q)^2 * pair[1] + 2 * q * (1 - q) * pair[2] + q^2 * pair[3]
  turn <- (pair[1] - pair[2]) / (pair[1] - 2 * pair[2] + pair[3])
  range(value(c(from, to, if (is.finite(turn) && turn > from && turn < to) turn)))
}

# Limits that are missed with probability `tail` on either side. If no run deviates, other runs may
# still have a share of at most 1 - tail^(1 / m) and nothing in common: two runs are then the same
# with probability tail^(2 / m). If some deviate, the exact limits of their share (Clopper & Pearson
# 1934) are filled with their losses, the largest first and for the unseen ones (Stringer 1963).
# This is linear in the share, but the value is not when many runs deviate: the limits also include
# its values at the shares between the exact limits.
deviating_limits <- function(value, seen, tail) {
  m <- seen$n_runs
  n <- length(seen$loss)
  estimate <- value$estimate
  if (n == 0L) {
    lower <- if (estimate > 0) estimate * tail^(2 / m) else -Inf
    return(c(lower, estimate))
  }
  highest <- stats::qbeta(tail, 0:n + 1, m - 0:n, lower.tail = FALSE)
  lowest <- stats::qbeta(tail, seq_len(n), m - seq_len(n) + 1)
  mixtures <- range_of_mixtures(seen$pair, lowest[n], highest[n + 1L])
  c(
    min(mixtures, estimate, seen$usual - sum(diff(c(0, highest)) * seen$loss[c(1L, seq_len(n))])),
    max(mixtures, estimate, seen$usual - sum(diff(c(0, lowest)) * seen$loss))
  )
}

deviating_interval <- function(value, seen, conf_level) {
  limits <- deviating_limits(value, seen, (1 - conf_level) / 2)
  n <- length(seen$loss)
  list(
    lower = limits[1], upper = limits[2],
    se = if (n > 0L) sqrt(jackknife_variance(value$loo, value$mc_se)) else NA_real_,
    note = if (anyNA(limits)) {
      "no limits: the index is not defined for the runs that are the same, more than half of them"
    } else if (n == 0L) {
      "runs do not vary: the lower limit allows for runs of another kind that did not come"
    } else {
      sprintf("all runs but %d are the same: limits of a binomial share", n)
    }
  )
}

# The share of samples of runs with at least this much evidence against `null`: the tail at which a
# limit equals the null value. At least the smallest number distinguishable from 0.
# @param limits (function of a tail) lower and upper limit.
tail_at <- function(limits, estimate, null) {
  if (null == estimate) {
    return(0.5)
  }
  side <- if (null < estimate) 1L else 2L
  # How far the limit lies beyond the null value.
  clears <- function(log_tail) {
    limit <- limits(exp(log_tail))[side]
    if (side == 1L) limit - null else null - limit
  }
  ends <- log(c(.Machine$double.eps / 2, 0.5))
  if (clears(ends[1]) >= 0) {
    return(.Machine$double.eps / 2)
  }
  if (clears(ends[2]) <= 0) {
    return(0.5)
  }
  exp(stats::uniroot(clears, ends, tol = 1e-10)$root)
}
