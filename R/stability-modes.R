# Intervals if the runs are of two kinds, for example if a procedure selects either of two lists. A
# stability is then a quadratic in the share of a kind. Its slope can be 0, and no standard error
# tells how far the share, a binomial, can move it.

# Two kinds of runs: the ends of the main axis of their overlaps (cosines), cut where both parts are
# closest to their means.
# @param runs (list) of index_runs().
# @return (logical, m) is it of the first kind? NULL if the parts are not clearly apart.
run_kinds <- function(runs) {
  m <- runs$n_runs
  if (m < 5L || m > 5000L || any(runs$size == 0L)) {
    return(NULL)
  }
  cosines <- rep(1 / sqrt(runs$size), runs$size)
  sets <- new_sparse(runs$feature, runs$start, NULL, cosines, runs$n_total)
  place <- main_axis(as.matrix(Matrix::crossprod(sets)))
  if (is.null(place)) NULL else clear_parts(place)
}

# The first principal coordinate of the runs; NULL if they do not differ.
main_axis <- function(overlap) {
  means <- rowMeans(overlap)
  centred <- overlap - means - rep(means - mean(means), each = length(means))
  axis <- centred[, which.max(diag(centred))]
  if (sum(axis^2) < 1e-20) {
    return(NULL)
  }
  # Powers of the matrix: where two kinds are clearly apart, few are enough.
  for (step in 1:50) {
    axis <- axis / sqrt(sum(axis^2))
    axis <- drop(centred %*% axis)
  }
  axis
}

# The distance of the means of both parts, in standard deviations within them (Ashman et al. 1994,
# Eq. 2), has a limit that 5 % of samples from a uniform law exceed, the flattest law of one mode:
# it was simulated for 5 to 300 runs.
clear_parts <- function(place) {
  m <- length(place)
  order <- order(place)
  sum <- cumsum(place[order])
  square <- cumsum(place[order]^2)
  k <- seq_len(m - 1L)
  within <- square[k] - sum[k]^2 / k + square[m] - square[k] - (sum[m] - sum[k])^2 / (m - k)
  cut <- which.min(within)
  apart <- (sum[m] - sum[cut]) / (m - cut) - sum[cut] / cut
  sd <- sqrt(max(within[cut], 0) / (m - 2))
  if (apart <= (3.5 + 25 / m) * sd) NULL else seq_len(m) %in% order[seq_len(cut)]
}

# @param value (stabilect_index_value with `kinds`)
# @return list(first (logical, m), pair (numeric, 3: value of two runs of the second kind, of two
#   different ones, of two of the first kind), se (number): standard error of the estimate at these
#   shares); NULL without two kinds.
kinds_of_runs <- function(value) {
  m <- length(value$loo)
  first <- if (m >= 5L && !anyNA(value$loo)) value$kinds()
  if (is.null(first)) {
    return(NULL)
  }
  n <- sum(first)
  both <- value$replicate(cbind(as.double(!first), as.double(first)))
  # One run alone says nothing of two of its kind.
  if (n == m - 1L) both[1] <- both[2]
  if (n == 1L) both[2] <- both[1]
  pairs <- c(choose(m - n, 2), n * (m - n), choose(n, 2))
  mixed <- (sum(pairs) * value$estimate - sum(pairs[c(1, 3)] * both)) / pairs[2]
  if (!all(is.finite(c(both, mixed)))) {
    return(NULL)
  }
  pseudo <- m * value$estimate - (m - 1) * value$loo
  within <- pseudo - stats::ave(pseudo, first)
  list(
    first = first, pair = c(both[1], mixed, both[2]),
    se = sqrt(sum(within^2) / (m - 2) / m + value$mc_se^2)
  )
}

# Exact limits of the share of the first kind (Clopper & Pearson 1934), as values of the index; what
# runs of one kind vary is added to the distances (Zou & Donner 2008).
kinds_limits <- function(value, kinds, tail) {
  m <- length(kinds$first)
  n <- sum(kinds$first)
  share <- exact_interval(n / m, m, 1 - 2 * tail)
  mixtures <- range_of_mixtures(kinds$pair, share[1], share[2])
  own <- stats::qt(tail, m - 2, lower.tail = FALSE) * kinds$se
  away <- pmax(c(value$estimate - mixtures[1], mixtures[2] - value$estimate), 0)
  value$estimate + c(-1, 1) * sqrt(away^2 + own^2)
}

kinds_interval <- function(value, kinds, conf_level) {
  limits <- kinds_limits(value, kinds, (1 - conf_level) / 2)
  n <- sort(c(sum(kinds$first), sum(!kinds$first)))
  list(
    lower = limits[1], upper = limits[2], se = sqrt(jackknife_variance(value$loo, value$mc_se)),
    note = sprintf("two kinds of runs, %d and %d: limits of a binomial share", n[1], n[2])
  )
}
