# The calibration score of every pair of q and cutoff.

calibrated_cutoffs <- seq(0.51, 1, by = 0.01)

# Share of runs whose models of 1, 2, ..., largest features contain each feature (or cluster).
# @return matrix, units x largest.
shares_by_size <- function(runs, ok, largest, asked, unit) {
  shares <- vapply(seq_len(largest), function(q) {
    sets <- unit$sets(runs$paths, q, asked$score_rule)[ok]
    tabulate(unlist(lapply(sets, function(set) unique(unit$code[set]))), unit$n) / length(ok)
  }, numeric(unit$n))
  matrix(shares, ncol = largest)
}

# The scores of all pairs for finished runs.
# @param runs list(paths, ...) as of path_job(); the paths contain `largest` units. ok (integer):
#   runs that count.
# @return list(largest, scores, peaks).
calibrate_runs <- function(runs, ok, asked, largest, unit) {
  shares <- shares_by_size(runs, ok, largest, asked, unit)
  lowest <- lowest_cutoffs(largest, unit$n_open, max(2L, length(ok) %/% 2L), asked)
  scores <- score_pairs(shares, length(ok), lowest, unit$n_open)
  list(largest = largest, scores = scores, peaks = find_peaks(scores, shares))
}

# Reports the smallest possible bound, at q = 1.
abort_no_pair <- function(p, asked, n_pairs) {
  cutoff <- if (is.null(asked$pfer)) 1
  solve_bound(p, 1L, cutoff, asked$pfer, n_pairs, asked$assumption)
}

# The lowest cutoff with a finite bound of at most `pfer`, for q = 1, ..., largest; NA if there is
# none. Bounds fall with the cutoff.
lowest_cutoffs <- function(largest, p, n_pairs, asked) {
  most <- if (is.null(asked$pfer)) Inf else asked$pfer
  vapply(seq_len(largest), function(q) {
    low <- 0L
    high <- length(calibrated_cutoffs) + 1L
    while (high - low > 1L) {
      middle <- (low + high) %/% 2L
      reached <- bound_pfer(p, q, calibrated_cutoffs[middle], n_pairs, asked$assumption)
      if (within_bound(reached, most)) high <- middle else low <- middle
    }
    calibrated_cutoffs[high]
  }, 0)
}

# @param shares of shares_by_size(); lowest of lowest_cutoffs(); p (number) of units that runs can
#   select.
# @return (data frame, a row for every q and cutoff) q, cutoff, n_selected, z (NA if all or no
#   features are selected), allowed (flag).
score_pairs <- function(shares, n_runs, lowest, p = nrow(shares)) {
  parts <- lapply(seq_len(ncol(shares)), function(q) {
    data.frame(
      q = q, cutoff = calibrated_cutoffs,
      z_of_cutoffs(shares[, q], calibrated_cutoffs, n_runs, p),
      allowed = !is.na(lowest[q]) & calibrated_cutoffs >= lowest[q] - 1e-9
    )
  })
  do.call(rbind, parts)
}

# The z statistic for a higher selection rate of the features with frequencies of at least the
# cutoff, all runs pooled.
# @param share (numeric) frequencies of some of p features; the others have frequency zero.
z_of_cutoffs <- function(share, cutoffs, n_runs, p) {
  above <- outer(share, cutoffs, function(a, b) a >= b - 1e-9)
  n_selected <- colSums(above)
  trials_in <- n_runs * n_selected
  trials_out <- n_runs * (p - n_selected)
  hits_in <- n_runs * colSums(above * share)
  hits_out <- n_runs * sum(share) - hits_in
  pooled <- (hits_in + hits_out) / (n_runs * p)
  z <- (hits_in / trials_in - hits_out / trials_out) /
    sqrt(pooled * (1 - pooled) * (1 / trials_in + 1 / trials_out))
  data.frame(n_selected = as.integer(n_selected), z = replace(z, !is.finite(z), NA))
}

# The pair with the largest z for every q, with the highest cutoff among equals. A z above those of
# the next smaller and larger q is a peak.
# @return (data frame, the largest first) rows of `scores`; each list of features once.
find_peaks <- function(scores, shares) {
  open <- scores[scores$allowed & !is.na(scores$z), ]
  best <- lapply(split(open, open$q), function(one) {
    one[max(which(one$z >= max(one$z) - 1e-9 * abs(max(one$z)))), ]
  })
  best <- do.call(rbind, c(list(open[0, ]), best))
  z <- rep(-Inf, ncol(shares) + 2L)
  z[best$q + 1L] <- best$z
  peaks <- best[z[best$q + 1L] >= z[best$q] & z[best$q + 1L] >= z[best$q + 2L], ]
  peaks <- peaks[order(-signif(peaks$z, 9), method = "radix"), ]
  lists <- Map(function(q, cutoff) which(shares[, q] >= cutoff - 1e-9), peaks$q, peaks$cutoff)
  peaks <- peaks[!duplicated(lists), c("q", "cutoff", "n_selected", "z")]
  rownames(peaks) <- NULL
  peaks
}

# The bound of the pair with the largest score. If no feature is in more than half of the runs, the
# bound of the largest q at its lowest cutoff, which selects nothing.
bound_of_pair <- function(found, unit, n_pairs, asked) {
  n_pairs <- max(2L, n_pairs)
  allowed <- found$scores[found$scores$allowed, ]
  if (nrow(allowed) == 0L) abort_no_pair(unit$n_open, asked, n_pairs)
  pair <- if (nrow(found$peaks) > 0L) found$peaks else allowed[allowed$q == max(allowed$q), ]
  bound <- solve_bound(unit$n_open, pair$q[1], pair$cutoff[1], NULL, n_pairs, asked$assumption)
  if (!is.null(asked$pfer)) bound$asked <- asked$pfer
  bound$unit <- unit$tag
  bound
}

# The scores that chose the pair of a result, or the scores of the paths of another result.
score_cutoffs <- function(object) {
  if (!is.null(object$calibration)) {
    return(object$calibration)
  }
  asked <- object$asked
  unit <- unit_of(object$study)
  largest <- rule_of(asked)$limit(object$bound$q, unit, object$study$n)
  calibrate_runs(runs_of_result(object), ok_runs(object$selection), asked, largest, unit)
}
