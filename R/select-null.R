# The whole procedure on permuted outcomes: its result without association. For all verbs that
# select: add_null() adds the record `null` and three columns of the table.

#' Permutation tests of a whole procedure
#'
#' With `permute`, a verb repeats its whole procedure on outcomes in random order, which no feature
#' is associated with, and compares. It gives a p-value for the question *is there any signal*, p
#' and q-values for every feature, and the number of features expected by chance. The result
#' contains them in the field `null` and in three columns of its `table`.
#'
#' @details
#' **Which value to read.** *Is there any signal?* `p`, of the best feature. *Is this feature
#' associated?* `p_fwer`: would any of thousands be as strong by chance? A useful feature may have a
#' value of 1. *Which list?* `q_fdr` estimates the share of false discoveries among the features
#' that are at least as strong. `expected_by_chance` is the mean number of features with such a
#' score in a permutation; it has little power. A feature that is correlated with a true one is
#' itself associated: these are statements about association, not about cause.
#'
#' On 1512 outcomes of `experiments/peers` a feature that was not true had a `p_fwer` of at most
#' 0.05 in 32 %, and an unrelated one in 4 %. Of the features with a `q_fdr` of at most 0.2 a share
#' of 0.45 was not true, and 0.09 unrelated. `vignette("error-rates")` has more.
#'
#' **Verdicts.** No p-value is below 1 / (permutations + 1). Prints say *yes* for a p of at most
#' 0.05 and *no evidence* otherwise, from 39 permutations on. With fewer they say *undecided*, and
#' how long 39 would take, unless a p of 0.05 is out of reach. A signal with an exact p-value of
#' 0.01 has a p of at most 0.05 in 83 % of the draws of 19 permutations, in 94 % of 39 and in 99.7 %
#' of 99. The verdict does not depend on the cut of the list.
#'
#' **What is permuted.** The outcomes of the samples, in blocks and strata only among samples that
#' can be exchanged (Winkler et al. 2014). Resamples, settings and seed stay. With covariates,
#' weights or an offset the residuals of numbers (Freedman and Lane 1983), or of the features, are
#' permuted; p is then approximate. `null$permuted` says what was done. If there are at most
#' `permute` arrangements, each is done once, and p-values are exact.
#'
#' **How they are computed.** The first 20 permutations repeat everything, with out-of-bag errors;
#' the p-value of the error comes from these. Later ones compute what the other p-values need: the
#' mean over runs of the penalty at which a feature first enters, in verbs without a path its score
#' or frequency. They stop early when p cannot come to 0.05 (Besag and Clifford 1991). `p_fwer` is
#' the step-down p of Westfall and Young (1993), `q_fdr` that of Tusher et al. (2001).
#' `vignette("how-computed")` has the formulas.
#' @return The field `null` of a result, of class `stabilect_null`; `NULL` when `permute = 0`. A
#'   list with
#' \describe{
#'   \item{p}{(number in (0, 1\]) of the best feature among all: is there any signal?}
#'   \item{n_permutations}{(integer) permutations that were done.}
#'   \item{n_asked}{(integer) `permute`.}
#'   \item{complete}{(flag) was every arrangement done?}
#'   \item{stopped}{(flag) did they stop early?}
#'   \item{n_whole}{(integer) permutations that repeated everything.}
#'   \item{scheme}{(string) what swapped: `"samples"`, `"whole blocks"`, `"within blocks"` or
#'     `"within strata"`.}
#'   \item{permuted}{(string) `"responses"`, `"residuals of the response"` or `"residuals of the
#'     features"`.}
#'   \item{statistic}{(string) the statistic of the p and q-values; `path_size` (integer): only
#'   models of at most this number of features count, `NA` for the score.}
#'   \item{observed}{(named numeric, p) the statistic of every feature, in the order of the
#'   columns.}
#'   \item{maxima}{(numeric, one per permutation) the largest statistic of all features.}
#'   \item{top}{(numeric matrix, up to 500 x permutations) the largest values of the statistic in
#'   each permutation, in descending order; used by [fdp_bound()].}
#'   \item{curve}{(data frame, one row per rank from the best) `rank`; `lower`, `median`, `upper`:
#'     5, 50 and 95 % points, over the whole permutations, of the printed score at that rank.}
#'   \item{n_supported}{(integer) the largest k for which `expected_by_chance` of the k-th best is
#'     at most k / 2; without a test; 0 if none.}
#'   \item{error, auc}{(lists, or `NULL` without an out-of-bag error) `p`, `mean`, `sd` and `values`
#'     (numeric) of the out-of-bag error and area under the curve in the whole permutations.}
#'   \item{named, cutoff}{(integer, one per whole permutation; number) only for
#'   [stability_selection()]: number of features or clusters selected in a permutation, and the
#'   smallest cutoff, not below that of the result, at which the mean of these numbers is within the
#'   bound (`NA` if there is none, `NULL` with a calibrated cutoff).}
#' }
#' The columns of `table` are `expected_by_chance` (number), `p_fwer` (family-wise p-value, number
#' in (0, 1\]) and `q_fdr` (estimated false discovery rate, number in (0, 1\]).
#'
#' Results made by merging, or by evaluating a result again, have no `null`.
#' @references Besag J, Clifford P (1991). Sequential Monte Carlo p-values. *Biometrika* 78,
#'   301-304.
#'
#'   Freedman D, Lane D (1983). A nonstochastic interpretation of reported significance levels.
#'   *Journal of Business & Economic Statistics* 1, 292-298.
#'
#'   Tusher VG, Tibshirani R, Chu G (2001). Significance analysis of microarrays applied to the
#'   ionizing radiation response. *PNAS* 98, 5116-5121.
#'
#'   Westfall PH, Young SS (1993). *Resampling-based multiple testing*. Wiley.
#'
#'   Winkler AM, Ridgway GR, Webster MA, Smith SM, Nichols TE (2014). Permutation inference for the
#'   general linear model. *NeuroImage* 92, 381-397.
#' @family evidence
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, permute = 39, seed = 1)
#' fit$null
#' head(as.data.frame(fit))
#' @name permutations
NULL

# @param fit result of the procedure on the observed data.
# @param permute (integer, checked) number of permutations; 0 adds nothing.
add_null <- function(fit, procedure, study, permute, control) {
  if (permute == 0L) {
    return(fit)
  }
  draws <- fit$resamples
  check_residuals(study)
  arranged <- draw_arrangements(study, study$response$blocks, permute, draws$seed)
  measure <- measure_of(fit, procedure, study, draws, control)
  # The observed data have already given their warnings.
  done <- withCallingHandlers(
    run_permutations(arranged, procedure, study, draws, measure, control),
    warning = function(w) tryInvokeRestart("muffleWarning")
  )
  permuted <- what_is_permuted(procedure$asked$likelihood$family, study$response)
  record_null(fit, done, arranged, permute, measure, permuted)
}

check_permute <- function(permute) check_count(permute, min = 0, max = 1e6)

# The stages before speak for the permutations too: a whole one takes as long as all before it.
expect_permutations <- function(permute, procedure) {
  if (permute > 0L) {
    n_whole <- min(permute, n_whole_permutations)
    later <- (permutations_as_whole(permute, procedure) - n_whole) / (1 + n_whole)
    expect_stages(c(
      "Whole permutations" = function(before) n_whole * before,
      if (later > 0) c(Permutations = function(before) later * before)
    ))
  }
}

# The number of whole permutations that take as long as `n` permutations.
permutations_as_whole <- function(n, procedure) {
  n_whole <- min(n, n_whole_permutations)
  n_whole + (n - n_whole) * procedure$later
}
