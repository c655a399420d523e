#' Parameters of the simulated selector from real selections
#'
#' How many features a selector chooses from, and how strongly it keeps to them: the two parameters
#' of [simulate_stability()], estimated from a few dozen real runs.
#'
#' @param counts (whole numbers >= 0, one per feature) how many of the runs selected each feature;
#'   or a `stabilect_selection`, or what [as_selection()] takes, whose runs are counted.
#' @param n_runs (whole number >= 2) runs; taken from a selection.
#' @param n_target (whole number >= 1, or `NULL`) features that each run selects; `NULL` takes the
#'   median size of the runs, or the sum of the counts by `n_runs`.
#' @param stability (number) of the real single selector: the index of its runs.
#' @param n_features,n_useful,p,index,correct_for_chance as in [simulate_stability()].
#' @param method (string) `"bisection"`, or `"grid"`, the paper's: the value on a grid whose
#'   stability is nearest.
#' @param grid (numbers in \[0, 1\]) the grid; the paper's is 0.1, ..., 0.9.
#' @param tolerance (number > 0) the iteration ends when n_useful changes less; 0.5 is equality of
#'   whole numbers.
#'
#' @details
#' **Threshold.** The uniform selector takes any `n_target` features. `uniform_threshold()` is the
#' law of \eqn{t_{uniform}}, the number of times that it takes its most frequent feature in `n_runs`
#' runs: counts are Binomial(`n_runs`, `n_target` / `n_features`), and the maximum is taken over
#' independent ones; that all runs have the same size is of no account (tests: means within 0.03 of
#' simulations).
#'
#' **Useful features.** `estimate_n_useful()` counts the features that were selected more often than
#' the threshold (paper 2.3.1), averaged over its law, where the paper draws it 1,000 times. There
#' are at least `n_target`: S_m could not be drawn from fewer.
#'
#' **p.** The stability of single selections grows with p from its lowest value, where no feature
#' is favoured, on; `estimate_p()` solves for it on the exact relation (F.2). A stability outside of
#' what `n_useful` allows gives the nearer end, and `attained` is `FALSE`.
#'
#' **Verification.** `verify_n_useful()` asks what the procedure would find if the model were true:
#' a feature of the pool is counted Binomial(`n_runs`, q) times, with q its inclusion probability,
#' so that the expected number above the threshold, A\[f\], needs no simulation. Equation 1 of the
#' paper asks for n_useful = A\[f\]; the iteration follows it to its fixed point. A pool for which
#' many features go unnoticed shrinks on the way; one whose features are all noticed stays as it is,
#' whatever its size, so that Equation 1 alone cannot confirm it.
#' @return `uniform_threshold()`: a list with `law` (data frame `threshold`, `probability`), `mean`,
#'   `sd`.
#'
#'   `estimate_n_useful()`: a list of class `stabilect_n_useful` with `n_useful` (whole number),
#'   `expected` (before rounding), `sd` (due to the threshold), `threshold` (as above), `counts`,
#'   `n_runs`, `n_target`, `n_features`.
#'
#'   `estimate_p()`: a list of class `stabilect_p` with `p`, `attained` (flag), `range` (lowest and
#'   highest stability that `n_useful` allows), `stability` (that of the model at `p`), `method`.
#'
#'   `verify_n_useful()`: a list with `verified` (A\[f\] at the given value), `fixed_point`,
#'   `iterations` (data frame `step`, `n_useful`, `p`) and `converged` (flag).
#' @section Errors:
#' Class `stabilect_error_input`: counts above `n_runs`, sizes out of order, an index that is no
#' function of the overlap.
#' @references Onda R, Gao Z, Kotera M, Oono K. Fast estimation method for the stability of ensemble
#'   feature selectors. Sections 2.3 and F.2.
#' @family estimation
#' @examples
#' uniform_threshold(2000, 20, n_runs = 62)$mean # the paper's colon: 4.64
#' x <- as.matrix(mcl_sll[, -1])
#' runs <- select_ensemble(
#'   x, mcl_sll$MCL, selector_filter("t"), n_features = 10, seed = 1
#' )$selection
#' estimate_n_useful(runs)
#' estimate_p(stability_jaccard(runs), ncol(x), n_target = 10, n_useful = 40)
#' verify_n_useful(ncol(x), 10, 40, p = 0.6, n_runs = 40)$verified
#' @export
estimate_n_useful <- function(counts, n_runs = NULL, n_target = NULL) {
  if (!is.numeric(counts) || is.matrix(counts)) {
    selection <- as_selection(counts)
    data <- index_data(selection)
    counts <- data$frequency
    n_runs <- data$n_runs
    if (is.null(n_target)) n_target <- max(1L, as.integer(stats::median(data$size)))
  }
  n_runs <- check_count(n_runs, "n_runs", min = 2)
  bad <- which(is.na(counts) | counts < 0 | counts > n_runs | counts != round(counts))
  if (length(bad) > 0L) {
    abort("{.arg counts} must be whole numbers from 0 to {n_runs}; number {bad[1]} is
      {counts[bad[1]]}.")
  }
  if (is.null(n_target)) n_target <- max(1, round(sum(counts) / n_runs))
  n_features <- length(counts)
  n_target <- check_count(n_target, "n_target", max = n_features)
  threshold <- uniform_threshold(n_features, n_target, n_runs)
  above <- vapply(threshold$law$threshold, function(t) sum(counts > t), 0L)
  expected <- sum(threshold$law$probability * above)
  structure(
    list(
      n_useful = as.integer(max(round(expected), n_target)), expected = expected,
      sd = sqrt(max(0, sum(threshold$law$probability * above^2) - expected^2)),
      threshold = threshold, counts = as.integer(counts), n_runs = n_runs, n_target = n_target,
      n_features = n_features
    ),
    class = "stabilect_n_useful"
  )
}

#' @export
print.stabilect_n_useful <- function(x, ...) {
  cat(sprintf(
    "<stabilect_n_useful> %d useful features: %.1f (sd %.1f) selected more than %.2f times\n",
    x$n_useful, x$expected, x$sd, x$threshold$mean
  ))
  if (x$expected < x$n_target) {
    cat(sprintf("raised to the %d features that a run selects\n", x$n_target))
  }
  invisible(x)
}

#' @rdname estimate_n_useful
#' @export
uniform_threshold <- function(n_features, n_target, n_runs) {
  n_features <- check_count(n_features, "n_features")
  n_target <- check_count(n_target, "n_target", max = n_features)
  n_runs <- check_count(n_runs, "n_runs", min = 2)
  count <- 0:n_runs
  # log, as the distribution function comes close to 1 long before its power does.
  log_below <- stats::pbinom(count, n_runs, n_target / n_features, log.p = TRUE)
  below <- exp(n_features * log_below)
  law <- data.frame(threshold = count, probability = diff(c(0, below)))
  law <- law[law$probability > 1e-12, ]
  law$probability <- law$probability / sum(law$probability)
  rownames(law) <- NULL
  mean <- sum(law$threshold * law$probability)
  list(law = law, mean = mean, sd = sqrt(sum(law$probability * (law$threshold - mean)^2)))
}
