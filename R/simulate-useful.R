# Estimates n_useful, the number of features that a simulated selector chooses from; simulate-p.R
# estimates p. See the help page of estimate_stability().

# The number of features selected more often than the threshold, averaged over the threshold's exact
# distribution, from which Onda et al. (section 2.3.1) draw 1,000 times. It is at least
# `n_features`, since a member draws so many preferred features from them.
# @param counts (whole numbers, one per feature) number of the `n_runs` runs that selected each.
# @return (stabilect_n_useful) list(n_useful (whole number), expected (before rounding), sd (due to
#   the threshold), threshold (see threshold_by_chance()), counts, n_runs, n_features, n_total).
count_useful <- function(counts, n_runs, n_features) {
  n_total <- length(counts)
  threshold <- threshold_by_chance(n_total, n_features, n_runs)
  above <- vapply(threshold$law$threshold, function(t) sum(counts > t), 0L)
  expected <- sum(threshold$law$probability * above)
  of_class("stabilect_n_useful",
    n_useful = as.integer(max(round(expected), n_features)), expected = expected,
    sd = sqrt(max(0, sum(threshold$law$probability * above^2) - expected^2)),
    threshold = threshold, counts = as.integer(counts), n_runs = n_runs, n_features = n_features,
    n_total = n_total
  )
}

#' @export
print.stabilect_n_useful <- function(x, ...) {
  cat(sprintf(
    "%d useful features: %.1f (sd %.1f) selected more than %.2f times\n",
    x$n_useful, x$expected, x$sd, x$threshold$mean
  ))
  if (x$expected < x$n_features) {
    cat(sprintf("raised to the %d features that a run selects\n", x$n_features))
  }
  invisible(x)
}

# The distribution of the largest count of a random selector: it takes any `n_features` features in
# each of `n_runs` runs. Counts are Binomial(n_runs, n_features / n_total). Runs of one size make
# them dependent, which matters for few features: with 60 the maximum is 0.06 higher than for
# independent counts, with 5 it is 0.4. It is exact for independent counts from 100 features on, and
# drawn for fewer.
# @return list(law (data frame threshold, probability), mean, sd).
threshold_by_chance <- function(n_total, n_features, n_runs) {
  count <- 0:n_runs
  probability <- if (n_total < 100L) {
    drawn_threshold(n_total, n_features, n_runs)
  } else {
    # log: the distribution function comes close to 1 long before its power does.
    log_below <- stats::pbinom(count, n_runs, n_features / n_total, log.p = TRUE)
    diff(c(0, exp(n_total * log_below)))
  }
  law <- data.frame(threshold = count, probability = probability)
  law <- law[law$probability > 1e-12, ]
  law$probability <- law$probability / sum(law$probability)
  rownames(law) <- NULL
  mean <- sum(law$threshold * law$probability)
  list(law = law, mean = mean, sd = sqrt(sum(law$probability * (law$threshold - mean)^2)))
}

# Shares of 4,000 draws, four times as many as in Onda et al., with their own seed: an estimate has
# one threshold.
drawn_threshold <- function(n_total, n_features, n_runs) {
  n_draws <- 4000L
  highest <- with_seed(1, vapply(seq_len(n_draws), function(draw) {
    sets <- replicate(n_runs, sample.int(n_total, n_features))
    max(tabulate(sets, n_total))
  }, 0L))
  tabulate(highest + 1L, n_runs + 1L) / n_draws
}
