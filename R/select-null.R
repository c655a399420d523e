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
#' **What is permuted.** The outcomes of the samples. Resamples, settings and seed are the same as
#' for the observed data. Resamples that depend on the classes (stratified, balanced, or with one
#' class only) are drawn again for the permuted classes from the same seed. In blocks: if all
#' samples of a block have one outcome, whole blocks swap their outcomes with blocks of the same
#' size; otherwise samples swap within their block (Winkler et al. 2014). If there are at most
#' `permute` arrangements besides the observed one, each is done once, and all p-values are exact.
#'
#' **Other likelihoods, strata and covariates.** Survival times move together with their events, and
#' only within strata. With covariates the outcomes are not exchangeable, because the covariates
#' explain a part of them. For numbers the *residuals* of the outcome given the covariates are
#' permuted and added to the part that the covariates explain (Freedman and Lane 1983). Other
#' outcomes have no residuals of this kind. For them the residuals of the *features* given the
#' covariates are permuted, in the same order for all features, and added to the explained part of
#' each (Potter 2005; Werft and Benner 2010). The outcome keeps its relation to the covariates, and
#' the features keep their relation to the covariates and among themselves. With `weights` or an
#' `offset` the features also move, and all else stays with its sample. Both are exact if the
#' coefficients of the covariates are known, and approximate otherwise. `null$permuted` says what
#' was done. On 1,200 data sets without a signal, whose covariate or stratum did have one, 3 to 5.5
#' % of the p values of paths were at most 0.05, by family, with standard errors of 1.2 to 1.6 %; of
#' ensembles of filters, on 600, 5.5 to 8 % were (`null.csv` in `experiments/permutations`).
#'
#' **Two measures of a feature.** The printed one (score or frequency) is compared as it is:
#' `expected_by_chance` is the mean number of features that reach it in a permutation. It has little
#' power: at a fixed number of features noise competes only with noise. The p and q-values of
#' [fealect()], [stability_selection()] and [bolasso()] therefore use another statistic, from paths
#' on the same resamples,
#' \deqn{T_j = \frac{1}{B} \sum_b \lambda_{bj} / \|y_b\|,}
#' the mean over runs of the penalty at which feature j first enters, relative to the norm of the
#' centred outcome of the run. For paths by likelihood this is the penalty on the scale of
#' [lasso_path()]. A feature that is not in the first models, of at most `null$path_size` features,
#' has 0. The feature that enters first has the largest absolute correlation in the run.
#' [select_ensemble()] has no path; its p-values use its score, and those of [stability_selection()]
#' with a `selector` the frequency, or with `bound = "integrated"` the score.
#'
#' **Number of permutations.** The first 20 permutations repeat everything, with models and
#' out-of-bag errors; later ones only compute what the p-values need. They stop early when no
#' feature can become significant at 0.05: once `ceiling((permute + 1) / 20)` permutations have
#' reached the best feature, but not before the 20th. Then `p` is their number over the number of
#' permutations so far (Besag and Clifford 1991). This is a valid p-value, as is `(1 + number) /
#' (permutations + 1)` without a stop.
#'
#' **Verdicts.** No p-value is below 1 / (permutations + 1). Therefore 18 permutations can never
#' give 0.05 or less, and 19 to 38 only if none of them reaches the observed value. Prints give a
#' verdict from 39 permutations on: *yes* for a p of at most 0.05, otherwise *no evidence*. With
#' fewer they say *undecided*, and how long 39 would take, unless so many of them reach the observed
#' value that with a p of 0.05 it would happen in less than 1 % (3 of 8, or 2 of 3). A signal with
#' an exact p-value of 0.01 has a p of at most 0.05 in 83 % of the draws of 19 permutations, in 94 %
#' of 39 and in 99.7 % of 99. If every arrangement is done, 20 are enough. The verdict does not
#' depend on the cut of the list.
#'
#' **Several features.** `p_fwer` controls the probability that any feature without association has
#' a p-value below the level, by the step-down procedure of Westfall and Young (1993, algorithm
#' 4.1). With \eqn{T_{(1)} \ge \ldots \ge T_{(p)}} and permuted values \eqn{T^r} in the same order
#' of features, \eqn{u_k^r = \max_{l \ge k} T^r_{(l)}} and \eqn{p_{(k)} = \max_{l \le k} (1 + \#\{r:
#' u_l^r \ge T_{(l)}\}) / (R + 1)}. `q_fdr` estimates the share of false discoveries among the
#' features with at least the same T (Tusher et al. 2001). It is the mean over r of \eqn{\#\{g:
#' T_g^r \ge t\}} over \eqn{\#\{g: T_g \ge t\}}, at its smallest over \eqn{t \le T_j}, at most 1,
#' and at least 1 / (R + 1), the smallest share that R permutations can tell from zero. A feature
#' that is correlated with a true one is itself associated: these are statements about association,
#' not about cause. On real features with 3 to 30 true ones, some feature with a `p_fwer` of at most
#' 0.05 was unrelated to all of them (correlation at most 0.7) in 17 % of the responses
#' (`vignette("error-rates")`). On 1512 outcomes of `experiments/peers` a feature that was not true
#' had a `p_fwer` of at most 0.05 in 32 %, and an unrelated one in 4 %. Of the features with a
#' `q_fdr` of at most 0.2 a share of 0.45 was not true, and 0.09 unrelated.
#'
#' **Error.** The p-value of the out-of-bag error comes from the first 20 permutations: (1 + number
#' with at most this error) / (20 + 1); for the AUC, with at least this value. Prints give the mean
#' of these errors, and no second p-value.
#'
#' **Which value to read.** `p_fwer` is for a single feature. It asks whether any of thousands would
#' be as strong by chance. A useful feature may therefore have a value of 1. For a list read
#' `q_fdr`. The p-values of [find_signals()] are of another statistic and other questions; they
#' differ from both.
#'
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
#' @references
#' Besag J, Clifford P (1991). Sequential Monte Carlo p-values. *Biometrika* 78, 301-304.
#'
#' Freedman D, Lane D (1983). A nonstochastic interpretation of reported significance levels.
#' *Journal of Business & Economic Statistics* 1, 292-298.
#'
#' Potter DM (2005). A permutation test for inference in logistic regression with small- and
#' moderate-sized data sets. *Statistics in Medicine* 24, 693-708.
#'
#' Tusher VG, Tibshirani R, Chu G (2001). Significance analysis of microarrays applied to the
#' ionizing radiation response. *PNAS* 98, 5116-5121.
#'
#' Werft W, Benner A (2010). glmperm: A permutation of regressor residuals test for inference in
#' generalized linear models. *The R Journal* 2(1), 39-43.
#'
#' Westfall PH, Young SS (1993). *Resampling-based multiple testing*. Wiley.
#'
#' Winkler AM, Ridgway GR, Webster MA, Smith SM, Nichols TE (2014). Permutation inference for the
#' general linear model. *NeuroImage* 92, 381-397.
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
