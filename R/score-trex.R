# T-Rex as a selector: features that enter a path before random columns do.

#' Selector by T-Rex
#'
#' Features compete with dummies, random columns that have nothing to do with the response, for
#' entry into a path of least angle regression that ends when some dummies have entered. Features
#' that enter before that in most of several such experiments are selected (Machkour, Muma and
#' Palomar 2025). How many these are follows from the data.
#'
#' @param fdr (number in (0, 1)) the estimated share of false features among the selected ones that
#'   is accepted. On correlated features more are false, see Details.
#' @param n_repeats (whole number >= 2) experiments of a run, K, each with new dummies.
#' @param max_dummies (whole number >= 1) an experiment has so many times as many dummies as
#'   features at most.
#' @details
#' **Experiments.** A dummy is a column of independent normal numbers, centred and scaled like the
#' features. The path has L dummies beside the p features; \eqn{\phi_{tj}} is the share of
#' experiments in which feature j was active when the t-th dummy entered, T dummies enter before
#' the path ends, and \eqn{\Phi_j = \phi_{Tj}}. With \eqn{\Delta_{tj} = \phi_{tj} - \phi_{t-1,j}},
#' \deqn{\Phi'_j = \sum_{t=1}^{T} \Delta_{tj} \Big[1 - \frac{p - \sum_i \phi_{ti}}{L - t + 1} \Big/
#'   \sum_{i: \Phi_i > 1/2} \Delta_{ti}\Big], \qquad
#'   \widehat{FDP}(v) = \min\Big\{1, \frac{\sum_{j: \Phi_j > v} (1 - \Phi'_j)}{\#\{j: \Phi_j > v\}}
#'   \Big\},}
#' the bracket being 0 where its last sum is. The levels v are 1/2, 1/2 + 1/K, ..., the highest just
#' below 1. L grows from p by p until the estimate at 3/4 with T = 1 is at most `fdr`, or to
#' `max_dummies` times p; then T grows, to half of the samples at most, until the estimate at the
#' highest level is above `fdr`. Of all v, and all T before the last, that have an estimate of at
#' most `fdr`, those with the most features count; of several the highest v, then the largest T.
#'
#' The score of a feature is its \eqn{\Phi_j} at this T, and the features above v are the set of the
#' run. A set may be empty: without signal it should be. So take `n_features = "own"` with
#' `aggregate_by("frequency", cutoff = )`, the share of the runs in whose sets a feature has to be;
#' without it the features with the highest mean scores are named, whatever these are. The example
#' has the set of a single run on all samples.
#'
#' **Dummies are not written out** (Koka et al. 2026). A path asks of a dummy only its products with
#' a few vectors, each orthogonal to those before. A dummy is a random direction among centred
#' columns, so that these products can be drawn one by one, and its numbers only when it enters.
#' In place of an n x L matrix, an experiment keeps 40 bytes for each dummy.
#'
#' **Samples** that are several times in a run count once: their copies would raise the
#' correlations that features have by chance, but not those of dummies. So `resample_subsample()`
#' is the plan to take, such as of half of the samples; a bootstrap is one of 63 %. Two classes are
#' the numbers -1 and 1.
#'
#' **What it delivers.** The estimate is about features that are independent of one another.
#' Dummies are correlated with nothing, and so they are beaten by features without an effect that
#' are correlated with one that has it. In `vignette("error-rates")`, `fdr = 0.2` brought a share
#' of 0.08 false features on independent features, 0.37 on correlated normal ones and 0.56 on real
#' ones, where 0.39 were not even correlated by more than 0.7 with a true one. It found a share of
#' 0.41 of the true ones on real features; without signal it named something in 1.7 % of the
#' responses. That was with normal noise. Dummies are normal, and where responses and features both
#' have outliers they lose to features by chance: on the leukaemia genes, many of them at the floor
#' of the scanner, 2 % of normal responses without any signal had a name, but 58 % of those with one
#' outlier and 37 % of lognormal ones. So read `fdr` as a setting, not as a promise, and take the
#' list for a preselection;
#' [find_signals()] and [stability_selection()] keep what they say on more kinds of features.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_input` for parameters out of range. A run fails when no feature varies:
#' "no feature varies".
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
selector_trex <- function(fdr = 0.2, n_repeats = 20, max_dummies = 10) {
  params <- list(
    fdr = check_fraction(fdr, open_right = TRUE),
    n_repeats = check_count(n_repeats, min = 2),
    max_dummies = check_count(max_dummies)
  )
  score <- function(x, y, weights, control) {
    status <- status_of_runs(y, pmin(weights, 1L))
    out <- cpp_select_trex(
      x, as.double(y$y), weights, as.double(control$seeds), params$fdr, params$n_repeats,
      params$max_dummies, control$n_threads, control$report
    )
    status[status == "ok" & out$n_dummies == 0] <- "no feature varies"
    value <- out$phi
    value[, status != "ok"] <- 0
    chosen <- value > rep(out$level, each = nrow(value))
    new_runs(value, status, colnames(x), selected = positive_pattern(chosen, colnames(x)))
  }
  new_selector("trex", "T-Rex", params, c("binary", "numeric"), score,
    caution = "The `fdr` of T-Rex assumes independent features and values without outliers; see
      ?selector_trex for what it delivers elsewhere."
  )
}
