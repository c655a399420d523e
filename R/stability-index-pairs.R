#' Pairwise stability indices: Jaccard, Dice, kappa, Kuncheva and others
#'
#' Indices that compare the sets of every two runs and average over the pairs of runs. For
#' [stability()].
#'
#' @section Options:
#' `impute_na` (number, or `NULL`) is the value of pairs for which the index is undefined. With
#' `NULL`, one undefined pair makes the result `NA`. The note of [stability()] gives the number of
#' these pairs and the first one.
#'
#' `corrected = TRUE` returns (value - E) / (1 - E) for every pair, where E is the expectation for
#' two random sets of the same sizes. Indices not mentioned under *correction for chance* are
#' corrected by construction.
#'
#' @details
#' Two runs select \eqn{k_1} and \eqn{k_2} of p features, r of them in common; \eqn{e = k_1 k_2 / p}
#' is the expectation of r for random sets. Values of a pair, which need sets that are not empty,
#' and those with e also sets that are not full:
#'
#' * `"jaccard"`: \eqn{r / (k_1 + k_2 - r)}, 0 to 1; one set may be empty.
#' * `"dice"`: \eqn{2 r / (k_1 + k_2)}, 0 to 1; one set may be empty.
#' * `"ochiai"`: \eqn{r / \sqrt{k_1 k_2}}, 0 to 1.
#' * `"hamming"`: \eqn{(2 r + p - k_1 - k_2) / p}, 0 to 1; always defined.
#' * `"pog"`: \eqn{(r / k_1 + r / k_2) / 2}, 0 to 1.
#' * `"npog"`: \eqn{((r - e) / (k_1 - e) + (r - e) / (k_2 - e)) / 2}, at most 1.
#' * `"lustgarten"`: \eqn{(r - e) / (\min(k_1, k_2) - \max(0, k_1 + k_2 - p))}, between -1 and 1.
#' * `"wald"`: \eqn{(r - e) / (\min(k_1, k_2) - e)}, \eqn{1 - p} to 1.
#' * `"kappa"`: \eqn{(r - e) / ((k_1 + k_2) / 2 - e)}, -1 to 1; one set may be empty or full.
#' * `"phi"`: \eqn{(r - e) / \sqrt{k_1 (1 - k_1 / p) k_2 (1 - k_2 / p)}}, -1 to 1.
#' * `"unadjusted"`: \eqn{(r - e) / (\sqrt{k_1 k_2} - e)}, -1 to 1; one set may be full.
#' * `"kuncheva"`: \eqn{(r p - k^2) / (k (p - k))}, -1 to 1; for equal sizes, not 0 or p.
#'
#' POG (percentage of overlapping genes) and nPOG are the mean of both directions. `kappa` is
#' Cohen's kappa and `phi` the Pearson correlation of the two 0/1 vectors.
#'
#' **Correction for chance** is exact, since r is hypergeometric. Corrected Dice and corrected
#' Hamming are identical to kappa, and corrected Ochiai to `unadjusted`. If all runs have the same
#' size, kappa, phi, Wald, nPOG, unadjusted, Kuncheva and Nogueira's index are equal.
#'
#' **Properties** (Nogueira et al. 2018; see [list_available()]). Jaccard, Dice, Ochiai, Hamming and
#' POG are not corrected for chance. Lustgarten does not attain 1 for identical sets. Wald is 1 as
#' soon as the sets are nested; like nPOG, it has no bound for all p. Kuncheva needs equal sizes.
#' Kappa, phi and unadjusted have all five.
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
#' @concept POG
#' @concept nPOG
#' @concept Kuncheva index
#' @examples
#' runs <- as_selection(rbind(c(1, 1, 0, 0, 0), c(1, 1, 1, 0, 0), c(1, 1, 0, 1, 0)))
#' stability(runs, "jaccard")$table$estimate
#' stability(runs, "jaccard", corrected = TRUE)$table$estimate
#' stability(runs, c("jaccard", "kappa"))
#' @name stability_pairs
NULL

pair_indices <- function() {
  list(
    pair_index("jaccard", "Jaccard", "TTTTF", "Jaccard (1901); Kalousis et al. (2007)",
      pair_rule(
        function(k1, k2, p, e, ...) plain_pairs(1 + 0 * e, k1 + k2 == 0),
        corrected = corrected_jaccard, of_union = TRUE
      )
    ),
    pair_index("dice", "Dice", "TTTTF", "Dice (1945)", dice_rule()),
    pair_index("ochiai", "Ochiai", "TTTTF", "Ochiai (1957); Zucknick et al. (2008)",
      pair_rule(
        function(k1, k2, p, e, ...) plain_pairs(1 / sqrt(k1 * k2), k1 * k2 == 0),
        corrected = unadjusted_pairs
      )
    ),
    pair_index("hamming", "Hamming", "TTTTF", "Dunne et al. (2002)", needs = "p",
      pair_rule(hamming_pairs, corrected = kappa_pairs)),
    pair_index("pog", "Percentage of overlap (POG)", "TTTTF", "Shi et al. (2006)",
      pair_rule(
        function(k1, k2, p, e, ...) plain_pairs((1 / k1 + 1 / k2) / 2, k1 * k2 == 0),
        corrected = corrected_pog
      )
    ),
    pair_index("npog", "Normalised POG", "TTFTT", "Zhang et al. (2009)", needs = "p",
      lower = "-((p - 1) + 1 / (p - 1)) / 2", pair_rule(npog_pairs)),
    pair_index("lustgarten", "Lustgarten", "TTTFT", "Lustgarten et al. (2009)", needs = "p",
      lower = "-1", pair_rule(lustgarten_pairs)),
    pair_index("wald", "Wald", "TTFFT", "Wald et al. (2013)", needs = "p", lower = "1 - p",
      pair_rule(wald_pairs)),
    pair_index("kappa", "Cohen's kappa", "TTTTT", "Carletta (1996)", needs = "p", lower = "-1",
      pair_rule(kappa_pairs)),
    pair_index("phi", "Phi coefficient", "TTTTT", "Nogueira and Brown (2016)", needs = "p",
      lower = "-1", pair_rule(phi_pairs)),
    pair_index("unadjusted", "Unadjusted", "TTTTT", "Bommert and Rahnenfuehrer (2020)",
      needs = "p", lower = "-1", pair_rule(unadjusted_pairs)),
    pair_index("kuncheva", "Kuncheva", "FTTTT", "Kuncheva (2007)", lower = "-1",
      needs = c("p", "equal sizes"), kuncheva_rule())
  )
}

# An index that is the mean of `pairs` over all pairs of runs.
pair_index <- function(name, label, properties, reference, pairs, needs = character(),
                       lower = "0") {
  value <- if (is.null(pairs$corrected)) {
    function(runs, impute_na = NULL, n_threads = 1L) {
      pair_value(runs, pairs, FALSE, impute_na, n_threads)
    }
  } else {
    function(runs, corrected = FALSE, impute_na = NULL, n_threads = 1L) {
      pair_value(runs, pairs, corrected, impute_na, n_threads)
    }
  }
  new_index(name, label, "sets", c(lower, "1"), needs, properties, reference, value,
    frequency = !pairs$of_union, pairs = pairs
  )
}

# Two rules that also serve indices of all runs together, see stability-index-frequencies.R.
dice_rule <- function() {
  pair_rule(
    function(k1, k2, p, e, ...) plain_pairs(2 / (k1 + k2), k1 + k2 == 0),
    corrected = kappa_pairs
  )
}

kuncheva_rule <- function() {
  pair_rule(function(k1, k2, p, e, ...) {
    excess_pairs(p / (k1 * (p - k2)), e, k1 * k2 == 0 | k1 == p | k2 == p)
  })
}

hamming_pairs <- function(k1, k2, p, e, ...) {
  list(offset = (p - k1 - k2) / p, slope = 2 / p + 0 * e, undefined = e < 0)
}

lustgarten_pairs <- function(k1, k2, p, e, ...) {
  undefined <- k1 * k2 == 0 | k1 == p | k2 == p
  excess_pairs(1 / (pmin(k1, k2) - pmax(0, k1 + k2 - p)), e, undefined)
}

wald_pairs <- function(k1, k2, p, e, ...) {
  excess_pairs(1 / (pmin(k1, k2) - e), e, k1 * k2 == 0 | k1 == p | k2 == p)
}

# Dice and Hamming, corrected, are identical to this ...
kappa_pairs <- function(k1, k2, p, e, ...) {
  excess_pairs(1 / ((k1 + k2) / 2 - e), e, k1 + k2 == 0 | k1 + k2 == 2 * p)
}

phi_pairs <- function(k1, k2, p, e, ...) {
  spread <- sqrt(k1 * (p - k1)) * sqrt(k2 * (p - k2)) / p
  excess_pairs(1 / spread, e, spread == 0)
}

# ... and Ochiai, corrected, to this.
unadjusted_pairs <- function(k1, k2, p, e, ...) {
  excess_pairs(1 / (sqrt(k1 * k2) - e), e, k1 * k2 == 0 | k1 + k2 == 2 * p)
}

npog_pairs <- function(k1, k2, p, e, ...) {
  undefined <- k1 * k2 == 0 | k1 == p | k2 == p
  excess_pairs((p / (k1 * (p - k2)) + p / (k2 * (p - k1))) / 2, e, undefined)
}

corrected_pog <- function(k1, k2, p, e, ...) {
  slope <- (1 / k1 + 1 / k2) / (2 - (k1 + k2) / p)
  excess_pairs(slope, e, k1 * k2 == 0 | k1 + k2 == 2 * p)
}

# The only correction without a closed form: a sum over the hypergeometric distribution of the
# overlap.
corrected_jaccard <- function(k1, k2, p, e, n_threads) {
  expected <- cpp_expect_jaccard(p, as.integer(k1[, 1]), n_threads)
  undefined <- k1 + k2 == 0 | k1 + k2 == 2 * p
  list(offset = -expected / (1 - expected), slope = 1 / (1 - expected), undefined = undefined)
}
