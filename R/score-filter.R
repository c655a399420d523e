# Filters: one score per feature, computed without the other features. One call of the core scores
# all runs of all features.

filter_selector <- function(filter, label, responses, min_class = 1L) {
  raw <- function(x, y, weights, n_threads, report) {
    if (!is.null(y$covariates)) {
      return(score_given(filter, x, y, weights, report))
    }
    if (filter == "cox") {
      return(cpp_score_cox(x, y$y, y$event, weights, n_threads, report))
    }
    target <- if (filter == "wilcoxon") y$codes - 1 else as.double(y$y)
    cpp_score_filter(
      x, as.integer(y$codes), length(y$levels), target, weights, filter, n_threads, report
    )
  }
  status <- function(y, weights) {
    if (filter == "variance") {
      return(ifelse(colSums(weights) < 3L, "fewer than 3 samples", "ok"))
    }
    status <- status_of_runs(y, weights, 3L, min_class)
    if (is.null(y$covariates)) status else status_given(filter, y, weights, status)
  }
  cut <- if (filter == "cox") Inf else cpp_largest_score(filter)
  column_selector(
    filter, label, list(), responses, raw, status, cut,
    if (filter != "cox") factor_filter(filter), filter_holds(filter)
  )
}

#' Univariate filters: t test, Wilcoxon, ANOVA, correlation, Cox score test
#'
#' Classical test statistics and correlations, computed for all features in all resamples at once.
#' In-bag counts equal repeated rows.
#'
#' @param statistic (string) the score of a feature: `"t"`, `"welch"`, `"anova"`, `"wilcoxon"`,
#'   `"pearson"`, `"spearman"`, `"cox"`, `"variance"`, `"mutual_information"` or `"moderated_t"`,
#'   see Details.
#' @param discretise,n_bins (string, whole number, or `NULL`) for `"mutual_information"`: how
#'   numbers become bins, see [selector_mrmr()]; `NULL` for `"equal_width"` and the number given
#'   there.
#' @param estimator (string, or `NULL`) for `"mutual_information"`: `"empirical"` (also for `NULL`),
#'   the plug-in estimate from the shares of the cells, or `"miller_madow"`, which adds (cells used
#'   by both margins - joint cells used - 1) / (2 N); what falls below 0 is 0.
#' @details
#' Scores of a feature, from the samples in the bag:
#'
#' * `"t"`, `"welch"`: absolute t statistic with pooled variances ([stats::t.test()] with `var.equal
#'   = TRUE`), or without; `"welch"` needs two samples of each class.
#' * `"anova"`: F statistic of the classes in the run.
#' * `"wilcoxon"`: |z| of the rank sum test; the p-value of [stats::wilcox.test()] with `exact =
#'   FALSE, correct = FALSE` is 2 * pnorm(-score).
#' * `"pearson"`, `"spearman"`: absolute correlation with the outcome, of values or of midranks; two
#'   classes are -1 and 1; ordered classes have ranks only.
#' * `"cox"`, for survival times: |z| of the score test of the feature alone in a Cox model, ties as
#'   in Efron (1977); its square is the score test of `survival::coxph()`. A run needs two events.
#' * `"variance"`, whatever the outcome.
#' * `"mutual_information"` of the discretised feature with the classes or the discretised numbers,
#'   in nats.
#' * `"moderated_t"`: |t| of classes or of the slope on numbers, F of several classes, with the
#'   variances of `eBayes()` of limma (Smyth 2004), estimated from all features of x in the run. It
#'   needs x in memory.
#'
#' A feature that is constant in a run scores 0, the lowest value. A feature that differs between
#' the classes but has no spread within them has an infinite t or F; it gets the largest finite
#' score of its run (at least 1), since an infinite score would outweigh everything in a mean over
#' runs. Equal columns have equal scores.
#'
#' **Given covariates** (argument `covariates` of [score_features()], [select_ensemble()] and
#' [evaluate_selectors()]) a score says what the feature adds to them: `"t"` and `"anova"` by
#' analysis of covariance, `"pearson"` and `"spearman"` by partial correlation, `"wilcoxon"` (for
#' factors) by van Elteren's test (1960), `"cox"` in the Cox model of the covariates. A feature that
#' the covariates explain scores 0. `"welch"`, `"variance"`, `"mutual_information"` and
#' `"moderated_t"` cannot adjust for covariates.
#'
#' For several classes, `"anova"` and `"moderated_t"` test all of them together; the two-sample
#' statistics do not support more than two classes. `vignette("how-computed")` has the formulas.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_input` for an unknown `statistic`. A run without enough samples, with one
#' class, or with fewer than two events is marked as failed.
#' @references Efron B (1977). The efficiency of Cox's likelihood function for censored data.
#'   *Journal of the American Statistical Association* 72, 557-565.
#'
#'   Smyth GK (2004). Linear models and empirical Bayes methods for assessing differential
#'   expression in microarray experiments. *Statistical Applications in Genetics and Molecular
#'   Biology* 3, 3.
#'
#'   van Elteren PH (1960). On the combination of independent two sample tests of Wilcoxon.
#'   *Bulletin of the Institute of International Statistics* 37, 351-361.
#' @family selectors
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' head(score_features(x, mcl_sll$MCL, selector_filter("welch")))
#' selector_filter("spearman")
#' if (requireNamespace("survival", quietly = TRUE)) {
#'   time <- exp(rnorm(nrow(x)) - scale(x[, 2]))
#'   head(score_features(x, survival::Surv(time, time < 3), selector_filter("cox")))
#' }
#' @export
selector_filter <- function(statistic = c(
                              "t", "welch", "anova", "wilcoxon", "pearson", "spearman", "cox",
                              "variance", "mutual_information", "moderated_t"
                            ),
                            discretise = NULL, n_bins = NULL, estimator = NULL) {
  statistic <- check_choice(statistic, c(names(filter_labels), "mutual_information", "moderated_t"))
  own <- list(discretise = discretise, n_bins = n_bins, estimator = estimator)
  if (statistic == "mutual_information") {
    return(information_filter(own))
  }
  own <- names(Filter(Negate(is.null), own))
  refuse(length(own) > 0L,
    "{.arg {own}} {?is/are} for {.val mutual_information}, not for {.val {statistic}}."
  )
  if (statistic == "moderated_t") {
    return(moderated_selector())
  }
  responses <- switch(statistic,
    anova = c("binary", "multiclass"), pearson = c("binary", "numeric"),
    spearman = c("binary", "ordered", "numeric"),
    cox = "survival", variance = c("binary", "multiclass", "numeric", "survival"), "binary"
  )
  filter_selector(
    statistic, filter_labels[[statistic]], responses,
    min_class = if (statistic == "welch") 2L else 1L
  )
}

filter_labels <- c(
  t = "two-sample t", welch = "Welch's t", anova = "analysis of variance F",
  wilcoxon = "Wilcoxon z", pearson = "Pearson correlation", spearman = "Spearman correlation",
  cox = "Cox score z", variance = "variance"
)
