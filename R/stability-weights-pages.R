#' Stability of importance and of ranks
#'
#' Runs that select the same features can still disagree on what matters. `stability_phi_iw()` and
#' `stability_phi_pears()` compare how important each selected feature was in the model of its run;
#' the others compare rankings by score.
#'
#' @inheritParams stability_similarity
#' @param impute_na (number, or `NULL`) value of pairs of runs whose correlation does not exist
#'   because all values of a run are equal; with `NULL` the result is `NA` then.
#' @param location (whole number from 1 to p, or `NULL`) how many top ranks count; `NULL` is the
#'   median size of the runs.
#' @param weights (numeric, length 1 to p, >= 0; or `NULL`) weights of the depths 1, 2, ...; `NULL`
#'   is `1 / seq_len(location)`.
#' @param correct_for_chance (flag) see the details.
#'
#' @details
#' **Importance** \eqn{I_{fi}} of feature f in run i is `selection$importance`; without it the
#' absolute score of the selected features; even when scores only tell what was selected. Each run
#' is scaled to the same sum, the mean number of features \eqn{\bar k}.
#'
#' `stability_phi_iw()` (Hamer and Dupont 2021, Eq. 6) is
#' \deqn{\phi_{iw} = \frac{2}{m(m-1)} \sum_{i<j} \frac{s_{ij} - e_{ij}}{\bar k - C}, \quad
#'   s_{ij} = \sum_f \min(I_{fi}, I_{fj}), \quad
#'   e_{ij} = \frac{1}{p} \sum_{f, g} \min(I_{fi}, I_{gj}),}
#' C being the mean of \eqn{e_{ij}}: the importance that two runs share, from 1 when all agree to
#' \eqn{-1/(m-1)}, with expectation 0 when features are shuffled. It is Kuncheva's index for even
#' importance and equal sizes (Theorem 3), does not depend on the size of groups selected as a whole
#' (Property 5), and an empty run agrees with empty runs only. `NA` when no run selects anything, or
#' all select everything with equal importance.
#'
#' `stability_phi_pears()` (Eq. 4) is the mean correlation of importances, 0 for features that were
#' not selected. Importances that are proportional to each other suffice for 1.
#'
#' **Ranks** come from `selection$score`: rank 1 is best, ties share their mean rank, features
#' without a score are tied last. `stability_spearman()` and `stability_kendall()` (tau-b) are mean
#' correlations. `stability_canberra()` (Eq. 5; Jurman et al. 2008) is
#' \deqn{1 - \frac{1}{\chi} \frac{2}{m(m-1)} \sum_{i<j} \sum_f
#'   \frac{|\min(r_{fi}, k+1) - \min(r_{fj}, k+1)|}{\min(r_{fi}, k+1) + \min(r_{fj}, k+1)}}
#' with k the `location`. \eqn{\chi = (k+1)(2p-k) \log(4) / p - (2kp + 3p - k - k^2) / p} is
#' approximately the mean distance of random rankings; `correct_for_chance = TRUE` takes the exact
#' mean. Ranks say nothing about how much a feature matters, and disagreement at the top weighs
#' most.
#'
#' `stability_weighted_overlap()` is \eqn{\sum_l w_l |T_i^l \cap T_j^l| / \sum_l w_l l}, averaged
#' over pairs, with \eqn{T_i^l} the l best features of run i. Of features tied at depth l each
#' counts with the share of them that fits. Corrected for chance, random rankings without ties have
#' mean 0.
#'
#' @return (number) the stability; `NA` as said above.
#' @section Errors:
#' Class `stabilect_error_input`: a `location` above p, `weights` that are negative or too many.
#' @references
#' Hamer V, Dupont P (2021). An importance weighted feature selection stability measure. *Journal of
#' Machine Learning Research* 22(116), 1-57.
#'
#' Jurman G, Merler S, Barla A, Paoli S, Galea A, Furlanello C (2008). Algebraic stability
#' indicators for ranked lists in molecular profiling. *Bioinformatics* 24(2), 258-264.
#'
#' Boulesteix AL, Slawski M (2009). Stability and aggregation of ranked gene lists. *Briefings in
#' Bioinformatics* 10(5), 556-568.
#' @family stability
#' @seealso [stability()] for several indices with intervals.
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, max_features = 5, seed = 1)
#' stability_phi_iw(fit)
#' stability_canberra(fit, location = 5)
#' stability_kendall(fit)
#' @name stability_weights
NULL

#' @rdname stability_weights
#' @export
stability_phi_iw <- function(selection, n_threads = 1) {
  index_number("phi_iw", selection, n_threads = n_threads)
}

#' @rdname stability_weights
#' @export
stability_phi_pears <- function(selection, impute_na = NULL) {
  index_number("phi_pears", selection, impute_na = impute_na)
}

#' @rdname stability_weights
#' @export
stability_canberra <- function(selection, location = NULL, correct_for_chance = FALSE,
                               n_threads = 1) {
  index_number("canberra", selection,
    location = location, correct = correct_for_chance, n_threads = n_threads
  )
}

#' @rdname stability_weights
#' @export
stability_spearman <- function(selection, impute_na = NULL, n_threads = 1) {
  index_number("spearman", selection, impute_na = impute_na, n_threads = n_threads)
}

#' @rdname stability_weights
#' @export
stability_kendall <- function(selection, impute_na = NULL, n_threads = 1) {
  index_number("kendall", selection, impute_na = impute_na, n_threads = n_threads)
}

#' @rdname stability_weights
#' @export
stability_weighted_overlap <- function(selection, location = NULL, weights = NULL,
                                       correct_for_chance = FALSE, n_threads = 1) {
  index_number("weighted_overlap", selection,
    location = location, weights = weights, correct = correct_for_chance, n_threads = n_threads
  )
}
