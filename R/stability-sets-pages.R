#' Stability of sets, pair by pair
#'
#' Indices that compare the sets of every two runs and average over the pairs of runs. Each function
#' returns one number; [stability()] gives the same with a standard error and an interval.
#'
#' @param selection (`stabilect_selection`, or anything that [as_selection()] takes) at least two
#'   runs.
#' @param correct_for_chance (flag) take every pair to (value - E) / (1 - E), where E is the
#'   expectation for two random sets of the same sizes? The functions without this argument are
#'   corrected by construction.
#' @param impute_na (number, or `NULL`) value of pairs for which the index is not defined; with
#'   `NULL` the result is `NA` as soon as there is such a pair.
#'
#' @details
#' For two runs that select \eqn{k_1} and \eqn{k_2} of p features, r of them in common, let
#' \eqn{e = k_1 k_2 / p} be the expectation of r for random sets. Values of a pair:
#'
#' * `stability_jaccard()`: \eqn{r / (k_1 + k_2 - r)}, 0 to 1; not defined when both sets are
#'   empty.
#' * `stability_dice()`: \eqn{2 r / (k_1 + k_2)}, 0 to 1; not defined when both are empty.
#' * `stability_ochiai()`: \eqn{r / \sqrt{k_1 k_2}}, 0 to 1; not defined when one is empty.
#' * `stability_hamming()`: \eqn{(2 r + p - k_1 - k_2) / p}, 0 to 1; always defined.
#' * `stability_pog()`: \eqn{(r / k_1 + r / k_2) / 2}, 0 to 1; not defined when one is empty.
#' * `stability_npog()`: \eqn{((r - e) / (k_1 - e) + (r - e) / (k_2 - e)) / 2}, \eqn{-((p - 1) + 1
#'   / (p - 1)) / 2} to 1; not defined when one is empty or full.
#' * `stability_lustgarten()`: \eqn{(r - e) / (\min(k_1, k_2) - \max(0, k_1 + k_2 - p))}, between
#'   -1 and 1; not defined when one is empty or full.
#' * `stability_wald()`: \eqn{(r - e) / (\min(k_1, k_2) - e)}, \eqn{1 - p} to 1; not defined when
#'   one is empty or full.
#' * `stability_kappa()`: \eqn{(r - e) / ((k_1 + k_2) / 2 - e)}, -1 to 1; not defined when both
#'   are empty or both full.
#' * `stability_phi()`: \eqn{(r - e) / \sqrt{k_1 (1 - k_1 / p) k_2 (1 - k_2 / p)}}, -1 to 1; not
#'   defined when one is empty or full.
#' * `stability_unadjusted()`: \eqn{(r - e) / (\sqrt{k_1 k_2} - e)}, -1 to 1; not defined when one
#'   is empty, or both are full.
#' * `stability_kuncheva()`: \eqn{(r p - k^2) / (k (p - k))}, -1 to 1; not defined when sizes
#'   differ, or sets are empty or full.
#'
#' POG (percentage of overlapping genes) is directional, \eqn{r / k_1} or \eqn{r / k_2}: here it is
#' the mean of both directions, and so is nPOG, whose expected overlap is the exact e. `kappa` is
#' Cohen's kappa and `phi` the Pearson correlation of the two 0/1 vectors. `unadjusted` is what the
#' similarity-aware intersection indices become when no two features are similar.
#'
#' **Correction for chance** is exact: with r hypergeometric, E is \eqn{e} in place of r for the
#' indices that are linear in r, and a sum over the values of r for Jaccard. Corrected Dice and
#' corrected Hamming are identical to kappa, and corrected Ochiai to `unadjusted`. When all runs
#' have the same size, kappa, phi, Wald, nPOG, unadjusted, Kuncheva and Nogueira's index are one.
#'
#' **Properties** (Nogueira et al. 2018; see [list_stability_indices()]). Jaccard, Dice, Ochiai,
#' Hamming and POG are not corrected for chance. Lustgarten does not reach 1 for identical sets
#' (only 1 - k/p for k up to p/2). Wald is 1 as soon as the sets are nested, and it has, like nPOG,
#' no bound that holds for any p. Kuncheva needs equal sizes. Kappa, phi and unadjusted have all
#' five.
#'
#' @return (number) mean over pairs of runs; `NA` when a pair is undefined and `impute_na = NULL`.
#'   [stability()] says in its note how many pairs those are and where the first one is.
#' @section Errors:
#' Class `stabilect_error_input`: fewer than two runs, or an argument of the wrong kind.
#' @references
#' Bommert A, Rahnenfuehrer J (2020). Adjusted measures for feature selection stability for
#'   data sets with similar features. *Machine Learning, Optimization, and Data Science*, 203-214.
#'
#' Carletta J (1996). Assessing agreement on classification tasks: the kappa statistic.
#'   *Computational Linguistics* 22(2), 249-254.
#'
#' Dunne K, Cunningham P, Azuaje F (2002). Solutions to instability problems with sequential
#'   wrapper-based approaches to feature selection. Trinity College Dublin.
#'
#' Kalousis A, Prados J, Hilario M (2007). Stability of feature selection algorithms: a study on
#'   high-dimensional spaces. *Knowledge and Information Systems* 12, 95-116.
#'
#' Kuncheva LI (2007). A stability index for feature selection. *IASTED International
#'   Multi-Conference: Artificial Intelligence and Applications*, 390-395.
#'
#' Lustgarten JL, Gopalakrishnan V, Visweswaran S (2009). Measuring stability of feature selection
#'   in biomedical datasets. *AMIA Annual Symposium Proceedings*, 406-410.
#'
#' Nogueira S, Brown G (2016). Measuring the stability of feature selection. *ECML PKDD 2016*,
#'   442-457. \doi{10.1007/978-3-319-46227-1_28}
#'
#' Nogueira S, Sechidis K, Brown G (2018). On the stability of feature selection algorithms.
#'   *Journal of Machine Learning Research* 18(174), 1-54.
#'
#' Shi L, et al. (2006). The MicroArray Quality Control (MAQC) project shows inter- and
#'   intraplatform reproducibility of gene expression measurements. *Nature Biotechnology* 24,
#'   1151-1161.
#'
#' Wald R, Khoshgoftaar TM, Napolitano A (2013). Stability of filter- and wrapper-based feature
#'   subset selection. *ICTAI 2013*, 374-380. \doi{10.1109/ictai.2013.63}
#'
#' Zhang M, et al. (2009). Evaluating reproducibility of differential expression discoveries in
#'   microarray studies by considering correlated molecular changes. *Bioinformatics* 25(13),
#'   1662-1668. \doi{10.1093/bioinformatics/btp295}
#'
#' Zucknick M, Richardson S, Stronach EA (2008). Comparing the characteristics of gene expression
#'   profiles derived by univariate and multivariate classification methods. *Statistical
#'   Applications in Genetics and Molecular Biology* 7(1). \doi{10.2202/1544-6115.1307}
#' @family stability
#' @examples
#' runs <- as_selection(rbind(c(1, 1, 0, 0, 0), c(1, 1, 1, 0, 0), c(1, 1, 0, 1, 0)))
#' stability_jaccard(runs)
#' stability_jaccard(runs, correct_for_chance = TRUE)
#' stability_kappa(runs)
#' @name stability_pairs
NULL

#' @rdname stability_pairs
#' @export
stability_jaccard <- function(selection, correct_for_chance = FALSE, impute_na = NULL) {
  index_number("jaccard", selection, correct = correct_for_chance, impute_na = impute_na)
}

#' @rdname stability_pairs
#' @export
stability_dice <- function(selection, correct_for_chance = FALSE, impute_na = NULL) {
  index_number("dice", selection, correct = correct_for_chance, impute_na = impute_na)
}

#' @rdname stability_pairs
#' @export
stability_ochiai <- function(selection, correct_for_chance = FALSE, impute_na = NULL) {
  index_number("ochiai", selection, correct = correct_for_chance, impute_na = impute_na)
}

#' @rdname stability_pairs
#' @export
stability_hamming <- function(selection, correct_for_chance = FALSE, impute_na = NULL) {
  index_number("hamming", selection, correct = correct_for_chance, impute_na = impute_na)
}

#' @rdname stability_pairs
#' @export
stability_pog <- function(selection, correct_for_chance = FALSE, impute_na = NULL) {
  index_number("pog", selection, correct = correct_for_chance, impute_na = impute_na)
}

#' @rdname stability_pairs
#' @export
stability_npog <- function(selection, impute_na = NULL) {
  index_number("npog", selection, impute_na = impute_na)
}

#' @rdname stability_pairs
#' @export
stability_lustgarten <- function(selection, impute_na = NULL) {
  index_number("lustgarten", selection, impute_na = impute_na)
}

#' @rdname stability_pairs
#' @export
stability_wald <- function(selection, impute_na = NULL) {
  index_number("wald", selection, impute_na = impute_na)
}

#' @rdname stability_pairs
#' @export
stability_kappa <- function(selection, impute_na = NULL) {
  index_number("kappa", selection, impute_na = impute_na)
}

#' @rdname stability_pairs
#' @export
stability_phi <- function(selection, impute_na = NULL) {
  index_number("phi", selection, impute_na = impute_na)
}

#' @rdname stability_pairs
#' @export
stability_unadjusted <- function(selection, impute_na = NULL) {
  index_number("unadjusted", selection, impute_na = impute_na)
}

#' @rdname stability_pairs
#' @export
stability_kuncheva <- function(selection, impute_na = NULL) {
  index_number("kuncheva", selection, impute_na = impute_na)
}
