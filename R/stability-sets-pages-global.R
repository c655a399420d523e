#' Stability of sets by selection frequencies
#'
#' Indices that look at all runs together, through the number of runs in which each feature was
#' selected. Each function returns one number; [stability()] gives the same with a standard error
#' and an interval.
#'
#' @inheritParams stability_pairs
#' @param correct_for_chance (flag) take the index to (value - E) / (highest - E), where E is its
#'   expectation for m random sets of the same sizes? Nogueira's index is corrected by construction.
#' @param impute_na (number, or `NULL`) what to return where the index is not defined.
#' @param penalty (number >= 0) how much a median size of p costs.
#'
#' @details
#' Of p features, feature f is selected in \eqn{h_f} of m runs; run i selects \eqn{k_i};
#' \eqn{q = \sum_i k_i = \sum_f h_f}, and \eqn{\bar k = q / m}.
#'
#' * **`stability_nogueira()`** (Nogueira et al. 2018), Fleiss' kappa of the features, at least
#'   \eqn{-1 / (m - 1)} and at most 1:
#'   \deqn{1 - \frac{\frac{1}{p} \sum_f \frac{m}{m - 1} \frac{h_f}{m} (1 - \frac{h_f}{m})}
#'   {\frac{\bar k}{p} (1 - \frac{\bar k}{p})}}
#' * **`stability_cw()`** (Somol and Novovicova 2010), weighted consistency, 0 to 1:
#'   \eqn{CW = \sum_f h_f (h_f - 1) / (q (m - 1))}.
#' * **`stability_cw_rel()`** (Somol and Novovicova 2010), 0 to 1:
#'   \eqn{(CW - CW_{min}) / (CW_{max} - CW_{min})}, with the exact bounds for given q, m and p. With
#'   D = q mod p and H = q mod m,
#'   \deqn{CW_{min} = \frac{q^2 - p (q - D) - D^2}{p q (m - 1)}, \quad CW_{max} = \frac{H^2 + q (m -
#'   1) - H m}{q (m - 1)}.} The upper one is out of reach when sizes differ: for sizes 1, 3 and 4 it
#'   is 0.875, but no choice of sets exceeds 0.625.
#' * **`stability_cw_rel_sizes()`**, 0 to 1: the same with the highest CW for the *sizes of these
#'   runs*, which nested sets attain. There \eqn{h_j = \#\{i: k_i \ge j\}}, the conjugate partition
#'   of the sizes. The lower bound is the same: some choice of sets with these sizes attains it.
#' * **`stability_davis()`** (Davis et al. 2006), 0 to 1:
#'   \eqn{\max(0, q / (m |\cup_i V_i|) - \mathrm{penalty} \cdot \mathrm{median}(k) / p)}.
#' * **`stability_novovicova()`** (Novovicova et al. 2009), 0 to 1:
#'   \eqn{\sum_{f: h_f > 0} h_f \log_2 h_f / (q \log_2 m)}.
#'
#' **Correction for chance** is exact, for all m sets at once: E of CW is
#' \eqn{\sum_{i \ne j} k_i k_j / (p q (m - 1))}; that of Novovicova's index comes from the
#' Poisson-binomial distribution of \eqn{h_f}, that of Davis's from the distribution of the size of
#' the union, by recursion over the runs. The highest value is 1, that of CW and CW_rel
#' \eqn{CW_{max}} (given the sizes for `stability_cw_rel_sizes()`), and that of Davis's index
#' \eqn{\max(1 - \mathrm{penalty}/p, \lfloor (m - 1) / 2 \rfloor / m)}. So corrected CW and
#' corrected CW_rel are the same. The package stabm corrects Davis and Novovicova as if there were
#' two runs; random sets then have positive or negative stability when there are more.
#'
#' Nogueira's index has expectation 0 when every run draws its features with the same probabilities.
#' Given runs of *different* sizes, its expectation for random sets is slightly negative,
#' \eqn{-\frac{\sum_i (k_i - \bar k)^2}{(m - 1) m \bar k (p - \bar k)}}: differing sizes are
#' instability, too.
#'
#' **Not defined.** All indices when no run selects anything; Nogueira's and CW_rel also when all
#' select everything; CW_rel when its bounds coincide.
#'
#' **Properties** (Nogueira et al. 2018; see [list_stability_indices()]). Nogueira's index has all
#' five. CW_rel is 1 for some sets that differ, and it is not corrected for chance. Davis's index
#' only looks at the union, and Novovicova's is not a function of the overlaps, so that neither need
#' rise when overlaps do.
#'
#' @return (number) `NA` when the index is not defined and `impute_na = NULL`; [stability()] says
#'   why in its note.
#' @section Errors:
#' Class `stabilect_error_input`: fewer than two runs, or an argument of the wrong kind.
#' @references
#' Davis CA, Gerick F, Hintermair V, Friedel CC, Fundel K, Kuffner R, Zimmer R (2006). Reliable gene
#'   signatures for microarray classification: assessment of stability and performance.
#'   *Bioinformatics* 22(19), 2356-2363. \doi{10.1093/bioinformatics/btl400}
#'
#' Nogueira S, Sechidis K, Brown G (2018). On the stability of feature selection algorithms.
#'   *Journal of Machine Learning Research* 18(174), 1-54.
#'
#' Novovicova J, Somol P, Pudil P (2009). A new measure of feature selection algorithms' stability.
#'   *IEEE International Conference on Data Mining Workshops*. \doi{10.1109/icdmw.2009.32}
#'
#' Somol P, Novovicova J (2010). Evaluating stability and comparing output of feature selectors that
#'   optimize feature subset cardinality. *IEEE Transactions on Pattern Analysis and Machine
#'   Intelligence* 32(11), 1921-1939. \doi{10.1109/tpami.2010.34}
#' @family stability
#' @examples
#' runs <- as_selection(rbind(c(1, 1, 0, 0, 0), c(1, 1, 1, 0, 0), c(1, 1, 0, 1, 0)))
#' stability_nogueira(runs)
#' stability_cw_rel(runs)
#' stability_cw_rel_sizes(runs)
#' stability_novovicova(runs, correct_for_chance = TRUE)
#' @name stability_frequencies
NULL

#' @rdname stability_frequencies
#' @export
stability_nogueira <- function(selection, impute_na = NULL) {
  index_number("nogueira", selection, impute_na = impute_na)
}

#' @rdname stability_frequencies
#' @export
stability_cw <- function(selection, correct_for_chance = FALSE, impute_na = NULL) {
  index_number("cw", selection, correct = correct_for_chance, impute_na = impute_na)
}

#' @rdname stability_frequencies
#' @export
stability_cw_rel <- function(selection, correct_for_chance = FALSE, impute_na = NULL) {
  index_number("cw_rel", selection, correct = correct_for_chance, impute_na = impute_na)
}

#' @rdname stability_frequencies
#' @export
stability_cw_rel_sizes <- function(selection, correct_for_chance = FALSE, impute_na = NULL) {
  index_number("cw_rel_sizes", selection, correct = correct_for_chance, impute_na = impute_na)
}

#' @rdname stability_frequencies
#' @export
stability_davis <- function(selection, penalty = 0, correct_for_chance = FALSE, impute_na = NULL) {
  index_number("davis", selection,
    penalty = penalty, correct = correct_for_chance, impute_na = impute_na
  )
}

#' @rdname stability_frequencies
#' @export
stability_novovicova <- function(selection, correct_for_chance = FALSE, impute_na = NULL) {
  index_number("novovicova", selection, correct = correct_for_chance, impute_na = impute_na)
}
