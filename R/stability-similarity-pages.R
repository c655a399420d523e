#' Stability that knows which features are alike
#'
#' Two runs that select different but highly correlated features have found the same thing. These
#' indices say so: they count features of the one run that are similar to features of the other.
#'
#' @param selection (`stabilect_selection`, or anything that [as_selection()] takes) at least two
#'   runs.
#' @param similarity What is similar to what, matched by name where both have names:
#'   * (symmetric p x p numeric matrix or sparse Matrix) similarities between 0 and 1, such as
#'     `abs(cor(x))`;
#'   * (vector or factor of length p) group labels: similarity 1 within a group, 0 between groups; a
#'     feature with a missing label is a group of its own;
#'   * (`list(x = )`, with a numeric matrix n x p) the data: absolute correlations of its columns,
#'     computed where they are needed. A constant column is similar to no other.
#' @param threshold (number in (0, 1]) features are similar from this similarity on. For
#'   `stability_sechidis()` smaller similarities count as 0; there `threshold = 0` keeps them all.
#' @param impute_na (number, or `NULL`) value of pairs of runs without a score, such as two empty
#'   ones; with `NULL` the result is `NA` then.
#' @param n_draws (whole number >= 100) random pairs of sets for each pair of set sizes.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) of these draws.
#' @param n_threads (whole number >= 1) threads; the result is the same for any number.
#'
#' @details
#' Let r be the size of the overlap of two sets \eqn{V_i, V_j} of sizes \eqn{k_i, k_j}, and A and B
#' what only \eqn{V_i} and only \eqn{V_j} hold. The adjusted intersection I is r plus
#' * `intersection_count`: how many of A are similar to one of B, or the other way round, whichever
#'   is less;
#' * `intersection_mean`: the same, each counting with the mean of its similarities;
#' * `intersection_greedy`: pairs of A and B taken by decreasing similarity, each feature once
#'   (equal similarities: the smaller feature numbers first);
#' * `intersection_mbm`: as many pairs as possible, each feature once (maximum bipartite matching);
#' * `yu`: the mean of the two numbers of `intersection_count`.
#'
#' The score of a pair of runs is \eqn{(I - E I) / (I_{max} - E I)} with
#' \eqn{I_{max} = \sqrt{k_i k_j}}, for `yu` \eqn{(k_i + k_j) / 2}; the index is its mean over pairs.
#' E I is the mean over random sets of the same sizes. For `yu` it is exact: given r, a feature with
#' d similar ones is without a partner among l random others with probability
#' \eqn{{p - 1 - d \choose l} / {p - 1 \choose l}}, and r is hypergeometric. For the other four
#' there is no closed form: `n_draws` random pairs of sets for each pair of sizes, with r as control
#' variate; [stability()] reports the standard error that this adds.
#'
#' `stability_zucknick()` is the mean of
#' \eqn{(r + C_{ij} + C_{ji}) / |V_i \cup V_j|}, \eqn{C_{ij}} being the sum of the similarities of
#' \eqn{V_i} with B divided by \eqn{k_j}; its correction is exact too.
#'
#' `stability_sechidis()` is \eqn{\Phi_C = 1 - tr(C S) / tr(C \Sigma_0)} with S the covariance of
#' the selections and \eqn{\Sigma_0} its expectation under random selection: Nogueira's index when C
#' is the identity. `list(x = )` means plain correlations here, without threshold; the p x p matrix
#' is never formed. It has no lower bound, and falls without limit when large groups enter and leave
#' as a whole (Hamer and Dupont 2021, section 5.3).
#'
#' With `list(x = )` and up to 5000 features all correlations are computed in blocks and those from
#' `threshold` on kept. With more, this is done for the features that some run selected; the
#' corrections of `yu` and `zucknick` then come from the neighbours of 1000 randomly chosen
#' features, with a standard error, and random sets are correlated when drawn.
#'
#' @return (number) the stability; 1 when all runs agree up to similar features, 0 in expectation
#'   for random runs (not so `stability_zucknick()` unless corrected). `NA` when a pair of runs has
#'   no score: an empty set (`zucknick`, `yu`: two), or sizes that leave no room above chance.
#' @section Errors:
#' Class `stabilect_error_input`: a similarity of wrong size, not symmetric or outside 0 to 1, names
#' that are not those of the features, a threshold outside (0, 1].
#' @references
#' Bommert A, Rahnenfuehrer J (2020). Adjusted measures for feature selection stability for data
#' sets with similar features. *LOD 2020*, 203-214.
#'
#' Sechidis K, Papangelou K, Nogueira S, Weatherall J, Brown G (2020). On the stability of feature
#' selection in the presence of feature correlations. *ECML PKDD 2019*, 327-342.
#'
#' Yu L, Han Y, Berens ME (2012). Stable gene selection from microarray data via sample weighting.
#' *IEEE/ACM Transactions on Computational Biology and Bioinformatics* 9(1), 262-272.
#'
#' Zucknick M, Richardson S, Stronach EA (2008). Comparing the characteristics of gene expression
#' profiles derived by univariate and multivariate classification methods. *Statistical Applications
#' in Genetics and Molecular Biology* 7(1), 7.
#' @family stability
#' @seealso [stability()] for several indices with intervals.
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' x <- x[, apply(x, 2, sd) > 0]
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, max_features = 5, seed = 1)
#' stability_yu(fit, similarity = list(x = x), threshold = 0.7)
#' stability_intersection_mbm(fit, similarity = abs(cor(x)), threshold = 0.7, seed = 1)
#' stability_sechidis(fit, similarity = list(x = x))
#' @name stability_similarity
NULL

#' @rdname stability_similarity
#' @export
stability_intersection_count <- function(selection, similarity, threshold = 0.9,
                                         impute_na = NULL, n_draws = 1000, seed = NULL,
                                         n_threads = 1) {
  index_number("intersection_count", selection,
    similarity = similarity, threshold = threshold, impute_na = impute_na, n_draws = n_draws,
    seed = check_seed(seed), n_threads = n_threads
  )
}

#' @rdname stability_similarity
#' @export
stability_intersection_mean <- function(selection, similarity, threshold = 0.9,
                                        impute_na = NULL, n_draws = 1000, seed = NULL,
                                        n_threads = 1) {
  index_number("intersection_mean", selection,
    similarity = similarity, threshold = threshold, impute_na = impute_na, n_draws = n_draws,
    seed = check_seed(seed), n_threads = n_threads
  )
}

#' @rdname stability_similarity
#' @export
stability_intersection_greedy <- function(selection, similarity, threshold = 0.9,
                                          impute_na = NULL, n_draws = 1000, seed = NULL,
                                          n_threads = 1) {
  index_number("intersection_greedy", selection,
    similarity = similarity, threshold = threshold, impute_na = impute_na, n_draws = n_draws,
    seed = check_seed(seed), n_threads = n_threads
  )
}

#' @rdname stability_similarity
#' @export
stability_intersection_mbm <- function(selection, similarity, threshold = 0.9,
                                       impute_na = NULL, n_draws = 1000, seed = NULL,
                                       n_threads = 1) {
  index_number("intersection_mbm", selection,
    similarity = similarity, threshold = threshold, impute_na = impute_na, n_draws = n_draws,
    seed = check_seed(seed), n_threads = n_threads
  )
}

#' @rdname stability_similarity
#' @export
stability_yu <- function(selection, similarity, threshold = 0.9, impute_na = NULL,
                         n_threads = 1) {
  index_number("yu", selection,
    similarity = similarity, threshold = threshold, impute_na = impute_na, n_threads = n_threads
  )
}

#' @rdname stability_similarity
#' @param correct_for_chance (flag) correct such that random runs have expectation 0?
#' @export
stability_zucknick <- function(selection, similarity, threshold = 0.9,
                               correct_for_chance = FALSE, impute_na = NULL, n_threads = 1) {
  index_number("zucknick", selection,
    similarity = similarity, threshold = threshold, correct = correct_for_chance,
    impute_na = impute_na, n_threads = n_threads
  )
}

#' @rdname stability_similarity
#' @export
stability_sechidis <- function(selection, similarity, threshold = 0.9) {
  index_number("sechidis", selection, similarity = similarity, threshold = threshold)
}
