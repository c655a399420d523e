# The pair of q and cutoff that separates the features best: the calibration score of the package
# sharp (Bodinier et al. 2023), from the stored paths.

#' @rdname stability_selection
#' @section Calibrated cutoff:
#' `cutoff = "calibrated"` takes the q and the cutoff that separate the features most clearly, as in
#' the package sharp. Each of K runs selects q of p features. Let \eqn{N_w} be K times the number of
#' features with a frequency of at least the cutoff, and \eqn{p_w} the share of selections among
#' these. \eqn{N_b} and \eqn{p_b} are the same for the other features, and \eqn{p_0} is the share
#' among all. The score is (Bodinier et al. 2023)
#' \deqn{z = \frac{p_w - p_b}{\sqrt{p_0 (1 - p_0) (1 / N_w + 1 / N_b)}}.}
#' It is computed for the models with 1, 2, ... features of all runs, up to `q` (`NULL`: a quarter
#' of the number of samples), and for the cutoffs 0.51, 0.52, ..., 1 with a bound. With `pfer`, only
#' pairs with a bound of at most `pfer` count. Among pairs with the same score, the smallest q and
#' then the highest cutoff is taken. sharp varies the penalty instead of q; on the same frequencies
#' the score is the same. `plot(fit, type = "cutoffs")` draws the score of all pairs. Any result of
#' `stability_selection()` or [fealect()] can be calibrated without further runs.
#'
#' This is a rule of thumb without an error rate: the same runs choose the pair and then judge the
#' features. The printed bound of the chosen pair is therefore no bound for the list. The score
#' often has several peaks. If another peak with another list reaches nine tenths of the largest,
#' the print says so. The chosen cutoff is mostly near 0.5. The procedure is repeated on 20 permuted
#' outcomes (`permute`), and the print gives the number of features that it selects there.
#'
#' *Simulations.* On real features (`experiments/calibrated`, 16 responses without signal and 48
#' with) it named 2.7 features on average without signal, and 1.0 false ones with signal; with `pfer
#' = 1` 0.12 and 0.38, as `q = 20, pfer = 1` did (0.06 and 0.38). By default sharp uses cutoffs from
#' 0.01 on, half of which have no bound: such lists contained 68 false features without signal, and
#' 22 with. Give a `pfer`.
#' @references
#'   Bodinier B, Filippi S, Nost TH, Chiquet J, Chadeau-Hyam M (2023). Automated calibration for
#'   stability selection in penalised regression and graphical models. *Journal of the Royal
#'   Statistical Society C* 72, 1375-1393.
#' @name stability_selection
NULL

calibrated_cutoffs <- seq(0.51, 1, by = 0.01)

is_calibrated <- function(asked) identical(asked$cutoff, "calibrated")

check_cutoff <- function(cutoff) {
  if (is.null(cutoff)) {
    return(NULL)
  }
  if (is.character(cutoff)) {
    return(check_choice(cutoff, "calibrated"))
  }
  check_fraction(cutoff)
}

# The largest q.
# @return list(q, cutoff = NULL): the bound as far as it is known before the runs.
plan_calibration <- function(p, asked, n_pairs) {
  q <- check_count(asked$q, name = "q", max = p)
  fits <- lowest_cutoffs(q, p, n_pairs, asked)
  if (all(is.na(fits))) abort_no_pair(p, asked, n_pairs)
  list(q = max(which(!is.na(fits))), cutoff = NULL)
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

# @param shares of shares_by_size(); lowest of lowest_cutoffs().
# @return (data frame, a row for every q and cutoff) q, cutoff, n_selected, z (NA if all or no
#   features are selected), allowed (flag).
score_pairs <- function(shares, n_runs, lowest) {
  parts <- lapply(seq_len(ncol(shares)), function(q) {
    data.frame(
      q = q, cutoff = calibrated_cutoffs,
      z_of_cutoffs(shares[, q], calibrated_cutoffs, n_runs, nrow(shares)),
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
bound_of_pair <- function(found, p, n_pairs, asked) {
  n_pairs <- max(2L, n_pairs)
  allowed <- found$scores[found$scores$allowed, ]
  if (nrow(allowed) == 0L) abort_no_pair(p, asked, n_pairs)
  pair <- if (nrow(found$peaks) > 0L) found$peaks else allowed[allowed$q == max(allowed$q), ]
  bound <- solve_bound(p, pair$q[1], pair$cutoff[1], NULL, n_pairs, asked$assumption)
  if (!is.null(asked$pfer)) bound$asked <- asked$pfer
  if (!is.null(asked$clusters)) bound$unit <- "cluster"
  bound
}
