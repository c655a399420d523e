#' Sample size for a stable feature list
#'
#' Runs a whole procedure on disjoint parts of the samples, as two small studies would. The parts
#' grow from a fifth to a half of the samples, and the stability of their lists is followed. The
#' curve is extended to two and four times the number of samples. Simulated studies of these sizes
#' can be added. [estimate_ensemble_size()] answers how many *runs* are needed; more runs do not
#' replace samples.
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param object (selector from a `selector_*()` function, whose `n_features` best features are the
#'   list; or a result, for example of [fealect()] or [select_ensemble()], or a function, as in
#'   [evaluate_replication()]) the procedure.
#' @param x,y (as in the call of `object`, or in any form that [evaluate_replication()] takes) the
#'   data; at least 20 samples (blocks, if any), and 10 of each class.
#' @param n_features (whole number >= 1, or `NULL`) number of best features in the list; `NULL` for
#'   the procedure's own selection.
#' @param target_stability (number in (0, 1)) target of the stability between studies: 0 for lists
#'   drawn by chance, 1 for equal lists.
#' @param learner (`stabilect_learner`, or `NULL`) model of the list, whose error is also followed;
#'   `NULL` takes the default of [evaluate_selectors()].
#' @param n_pairs (whole number >= 5) number of divisions of the samples.
#' @param conf_level (number in (0, 1)) confidence level of the bands.
#' @param n_simulations (whole number: 0, or >= 2) number of pairs of studies to simulate for every
#'   value of `n_true`, for two classes or numbers; 20 are sufficient for a picture, 0 simulates
#'   none. It takes longer than all else. The strength alone needs 16 times [fealect()] with 50 runs
#'   for each value of `n_true`, and the procedure runs on up to four times the number of samples.
#' @param n_true (whole numbers >= 1, or `NULL`) number of true features in simulated studies;
#'   `NULL` for 10, 30 and 100, as far as there are more features.
#' @param checkpoint (string, or `NULL`) file for finished parts (not simulated studies), see
#'   `vignette("scaling-out")`.
#' @details
#' **What the numbers mean.** `stability` is the overlap of the lists of two disjoint parts,
#' corrected for chance: 0 for lists drawn by chance, 1 for equal lists. For lists of one size it is
#' the index of Kuncheva (2007) and of Nogueira et al. (2018), averaged over pairs. [stability()] of
#' runs on overlapping resamples is higher, since the runs share samples. `fitted` extends it along
#' a curve; extrapolated values are marked. A curve of five points on one data set says little about
#' four times as many samples.
#'
#' The band shows how much the curve depends on the division of the samples, not on the samples
#' themselves, and is widened for this. In 32 simulated studies of 60 or 120 samples with signal,
#' the 95 % band contained the truth for one, two and four times the number of samples in 97, 100
#' and 100 %. The curve itself was too high, by 0.06, 0.15 and 0.22 on average. On noise, bands
#' contained the truth less often (`vignette("error-rates")`).
#'
#' `error` is the mean error of models of the lists on all samples outside of their part. Its curve
#' is withheld if the sizes do not determine it.
#'
#' **Simulated studies** show what the extended curve cannot: whether agreement continues to grow,
#' and whether the lists are right. New samples resemble yours, with correlations shrunken as
#' Schaefer and Strimmer (2005) advise, and an effect is added to `n_true` random features, as
#' strong as the out-of-bag error of the data. Pairs of independent studies have n / 2, n, 2 n and 4
#' n samples. The number of true features is unknown: the print begins with the number whose lists
#' agree most nearly like those of your largest parts.
#'
#' **How it is computed.** Samples (whole blocks, if any) are divided into two halves, with the
#' classes in proportion; smaller parts are taken from within each. The curve is
#' \eqn{\mathrm{logit}\, s(n) = a + b \log n}, fitted by quasi-likelihood; the error follows
#' \eqn{e(n) = a + b n^{-c}} (Figueroa et al. 2012). `vignette("how-computed")` has the formulas,
#' bands and the simulation.
#' @return An object of class `stabilect_sample_size`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per number of samples) `n`; `kind` (string: `"measured"`, or
#'   `"extrapolated"` for 1, 2 and 4 times the number of samples); `stability` (`NA` if
#'   extrapolated); `fitted`, `lower`, `upper` (the curve and its band; `NA` without one); `n_again`
#'   (mean number of features that two lists share; by the curve if extrapolated, `NA` for lists
#'   without a fixed size); `error` (mean error of the models); `error_fitted`, `error_lower`,
#'   `error_upper` (`NA` if withheld).}
#'   \item{needed}{(data frame, one row) `target_stability`; `n` (whole number: samples at which the
#'   curve attains it), `lower`, `upper` (samples at which the upper and the lower limit of the band
#'   attain it); `Inf` for more than four times the number of samples; `NA` without a curve. Below
#'   the smallest part nothing is known, and the size of the smallest part is given.}
#'   \item{curve}{(named numbers) `a`, `b` of the curve; `NULL` without one.}
#'   \item{error_curve}{(named numbers) `a`, `b`, `c`; `NULL` if withheld.}
#'   \item{refused}{(named strings) why there is no `curve`, no `error_curve`; empty if there are
#'   both.}
#'   \item{simulated}{(data frame, one row per number of true features and size; `NULL` with
#'   `n_simulations = 0`) `n_true`, `r_squared` (share of the variance of the outcome that the true
#'   features would explain if they were independent given the outcome), `matched` (flag: does this
#'   strength give the out-of-bag error of the data?), `n`, `stability`, `n_again`, `power` (mean
#'   share of the true features that are in a list), `fdr` (mean share of false positives in a
#'   list), `error`. Each of the last five is followed by its Monte Carlo standard error by the
#'   jackknife over pairs (`stability_se`, ...).}
#'   \item{pairs}{(data frame, one row per pair and size) `pair`, `n`, `n_common` (features in both
#'   lists), `size_1`, `size_2` (of the lists), `error`; `NA` if the procedure failed.}
#'   \item{asked}{(list) the arguments.}
#'   \item{study,made}{(lists) about the data and the runs, see [results]; `made$n_runs` parts,
#'   `made$n_failed` on which the procedure failed; simulated studies are not counted.}
#' }
#' `as.data.frame()` gives `table`, the measured and extrapolated values; simulated values are in
#' `simulated`.
#' @section Errors:
#' Class `stabilect_error_input` for too few samples (the message says how many are needed), other
#' data than in `object`, custom resamples, a function that returns no result, a list of all
#' features, and `n_simulations` with blocks, covariates, or an outcome other than two classes and
#' numbers. `stabilect_error_runs` if the procedure failed on nearly every part.
#' @references Figueroa RL, Zeng-Treitler Q, Kandula S, Ngo LH (2012). Predicting sample size
#'   required for classification performance. *BMC Medical Informatics and Decision Making* 12, 8.
#'
#'   Ein-Dor L, Zuk O, Domany E (2006). Thousands of samples are needed to generate a robust gene
#'   list for predicting outcome in cancer. *PNAS* 103, 5923-5928.
#'
#'   Kuncheva LI (2007). A stability index for feature selection. *Proceedings of the 25th IASTED
#'   International Multi-Conference on Artificial Intelligence and Applications*, 390-395.
#'
#'   Nogueira S, Sechidis K, Brown G (2018). On the stability of feature selection algorithms.
#'   *Journal of Machine Learning Research* 18(174).
#'
#'   Schaefer J, Strimmer K (2005). A shrinkage approach to large-scale covariance matrix estimation
#'   and implications for functional genomics. *Statistical Applications in Genetics and Molecular
#'   Biology* 4(1), 32.
#' @concept sample size
#' @concept power
#' @concept reproducibility
#' @family evidence
#' @examples
#' data <- simulate_data("NC100", n = 60, n_total = 200, seed = 1)
#' estimate_sample_size(
#'   selector_filter("t"), data$x, data$y, n_features = 10, n_pairs = 10, seed = 1
#' )
#' @export
estimate_sample_size <- function(object, x, y, n_features = 10, target_stability = 0.5,
                                 learner = NULL, n_pairs = 20, conf_level = 0.95, n_simulations = 0,
                                 n_true = NULL, seed = NULL,
                                 n_threads = getOption("stabilect.n_threads", 1),
                                 progress = interactive(), checkpoint = NULL) {
  check_given(except = "y")
  refuse(!is.null(record_of(object)$roles$within),
    c("{.arg object} compares within groups, for which no sample size can be estimated.",
      i = "{.code evaluate_replication(object, x, y)} compares the lists of two halves."
    )
  )
  is_selector <- inherits(object, "stabilect_selector")
  about <- question(
    x, y, object, "estimate_sample_size", "an estimate of the sample size", n_threads,
    progress, seed, checkpoint,
    procedure = if (!is_selector) as_procedure(object, "object")
  )
  study <- about$study
  if (is_selector) check_takes(study$response, object$responses, "this selector")
  asked <- list(
    n_features = check_list_size(n_features, study$p, is_selector),
    target_stability = check_fraction(target_stability, open_right = TRUE),
    n_pairs = check_count(n_pairs, min = 5),
    conf_level = check_fraction(conf_level, open_right = TRUE),
    n_simulations = check_simulated(n_simulations), n_true = check_n_true(n_true, study$p)
  )
  if (is_selector) about$procedure <- procedure_of_selector(object, asked$n_features)
  if (asked$n_simulations > 0L) check_imitable(study, asked$n_true)
  if (is.null(learner)) {
    learner <- default_learner(outcome_of(study$response), !is.null(study$response$covariates))
  }
  check_learner(learner, "learner")
  asked["learner"] <- name_learners(learner, study$response)
  sizes <- part_sizes(study)
  done <- run_parts(about, sizes, asked)
  plan <- new_sample_size(done, sizes, asked, study, about$record, about$seed)
  if (asked$n_simulations > 0L) {
    control <- check_run(n_threads, progress)
    plan$simulated <- simulate_studies(study, about$procedure, asked, about$seed, control)
  }
  plan
}
register_verb("estimate_sample_size", place = 21, without = "count")

check_list_size <- function(n_features, p, is_selector) {
  if (is.null(n_features)) {
    refuse(is_selector, "{.arg n_features} must be a number: a selector has no list of its own.")
    return(NULL)
  }
  check_count(n_features)
  refuse(n_features >= p,
    "{.arg n_features} must be less than the {p} features that there are: a list of all features
      is the same for any samples."
  )
  as.integer(n_features)
}
