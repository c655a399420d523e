# T-Rex as a selector: features that enter a path before random columns do.

#' T-Rex selector: FDR control with dummy features
#'
#' Features compete with dummies, random columns unrelated to the outcome. Both try to enter a path
#' of least angle regression, which ends when some dummies have entered. In several experiments,
#' features that enter before that in most of them are selected (Machkour, Muma and Palomar 2025).
#' The data determine their number.
#'
#' @param fdr (number in (0, 1)) accepted estimated share of false positives. With correlated
#'   features the true share is larger, see Details.
#' @param n_repeats (whole number >= 2) number K of experiments of a run, each with new dummies.
#' @param max_dummies (whole number >= 1) largest number of dummies in an experiment, as a multiple
#'   of the number of features.
#' @param family (string, or `NULL`) `"poisson"` reads a numeric outcome as counts.
#' @details
#' **What `fdr` means here.** A setting, not a promise. The estimate assumes independent features: a
#' feature without an effect, but correlated with one that has an effect, beats the dummies. In
#' `vignette("error-rates")`, `fdr = 0.2` gave a share of false positives of 0.08 on independent
#' features, 0.37 on correlated normal features and 0.56 on real features. On these, 0.39 were not
#' even correlated by more than 0.7 with a true feature. It found a share of 0.41 of the true
#' features on real data; without signal it selected something in 1.7 % of the outcomes. On 1512
#' outcomes of `experiments/peers`, `fdr = 0.2` gave a share of 0.48 false features, 0.10 unrelated,
#' and named 2.32 true ones an outcome.
#'
#' These simulations had normal noise. Dummies are normal, and lose by chance to features if
#' outcomes and features have outliers: on the leukaemia genes, 2 % of normal outcomes without any
#' signal gave a selection. The share was 58 % for outcomes with one outlier and 37 % for lognormal
#' outcomes. Use the list as a preselection. [find_signals()] and [stability_selection()] keep their
#' promises on more kinds of features.
#'
#' **How it is computed.** A dummy is a column of independent normal numbers. Paths have dummies
#' beside the features and end when some of these have entered. The score of a feature is the share
#' of experiments in which it was active. From the dummies that enter follows an estimate of the
#' false discovery proportion; among all levels and lengths of paths with an estimate of at most
#' `fdr` the one with the most features is used. Dummies are not written out (Koka et al. 2026), but
#' drawn where a path needs them.
#'
#' Features above the level are the set of the run, which without signal should be empty. Therefore
#' use `n_features = "own"` with `aggregate_by("frequency", cutoff = )`; otherwise the features with
#' the highest mean scores are listed, however low these are.
#'
#' Copies of a sample count once: use `resample_subsample()`. Survival times, counts and ordered
#' classes are replaced by scores as in [find_signals()], for the selection only. Each of several
#' classes is set against the others, at `fdr` divided by their number. `vignette("how-computed")`
#' has the formulas.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_input` for parameters out of range. A run fails if no feature varies: "no
#' feature varies".
#' @references Koka T, Machkour J, Palomar DP, Muma M (2026). Virtual dummies: enabling scalable
#'   FDR-controlled variable selection via sequential sampling of null features. arXiv:2604.07464.
#'
#'   Machkour J, Muma M, Palomar DP (2025). The terminating-random experiments selector: fast
#'   high-dimensional variable selection with false discovery rate control. *Signal Processing* 231,
#'   109894. \doi{10.1016/j.sigpro.2025.109894}
#' @family selectors
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' all_samples <- resample_custom(list(seq_len(nrow(x))))
#' fit <- select_ensemble(
#'   x, mcl_sll$MCL, selector_trex(), all_samples, aggregate_by("frequency", cutoff = 1),
#'   n_features = "own", seed = 1
#' )
#' selected(fit)
#' @export
selector_trex <- function(fdr = 0.2, n_repeats = 20, max_dummies = 10, family = NULL) {
  counts <- !is.null(family)
  if (counts) family <- check_choice(family, names(asked_families()))
  params <- c(
    list(
      fdr = check_fraction(fdr, open_right = TRUE), n_repeats = check_count(n_repeats, min = 2),
      max_dummies = check_count(max_dummies)
    ),
    list(family = family)[counts]
  )
  score <- function(x, y, weights, control) {
    if (counts) {
      refuse(y$type != "numeric", "{.arg y} holds {outcome_of(y)$got}: leave {.arg family} out.")
      y <- read_response(y$y, nrow(x), family)
    }
    status <- status_of_runs(y, pmin(weights, 1L))
    scores <- cbind(outcome_scores(y, matrix(0, nrow(x), 0L)))
    value <- chosen <- 0
    # Shares of false positives of several lists add up at most.
    for (k in seq_len(ncol(scores))) {
      out <- cpp_select_trex(
        x, as.double(scores[, k]), weights, as.double(control$seeds), params$fdr / ncol(scores),
        params$n_repeats, params$max_dummies, control$n_threads, control$report
      )
      status[status == "ok" & out$n_dummies == 0] <- "no feature varies"
      value <- pmax(out$phi, value)
      chosen <- pmax(out$phi > rep(out$level, each = ncol(x)), chosen)
    }
    value[, status != "ok"] <- 0
    chosen[, status != "ok"] <- 0
    new_runs(value, status, colnames(x), selected = positive_pattern(chosen > 0, colnames(x)))
  }
  responses <- c("binary", "multiclass", "numeric", "survival")
  new_selector("trex", "T-Rex", params, if (counts) "numeric" else responses, score,
    caution = "The `fdr` of T-Rex assumes independent features and values without outliers; see
      ?selector_trex for what it delivers elsewhere."
  )
}
