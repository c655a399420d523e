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
#' With in-bag counts \eqn{w_i}, class sizes \eqn{n_g = \sum_{i \in g} w_i}, \eqn{N = \sum_g n_g},
#' class means \eqn{m_g} and sums of squares \eqn{Q_g = \sum_{i \in g} w_i (x_i - m_g)^2}, the
#' scores are
#'
#' * `"t"`: \eqn{|m_2 - m_1| / \sqrt{(1/n_1 + 1/n_2) (Q_1 + Q_2) / (N - 2)}}, the pooled t
#'   statistic of [stats::t.test()] with `var.equal = TRUE`;
#' * `"welch"`: \eqn{|m_2 - m_1| / \sqrt{\sum_g Q_g / (n_g (n_g - 1))}}; a run needs two
#'   samples of each class;
#' * `"anova"`: \eqn{F = (\sum_g n_g (m_g - m)^2 / (G - 1)) / (\sum_g Q_g / (N - G))} over
#'   the G classes that are in the run; for two classes the square of the pooled t;
#' * `"wilcoxon"`: \eqn{|z|} of the rank sum test, with the correction of its variance for
#'   ties and without a continuity correction: the p-value of [stats::wilcox.test()] with
#'   `exact = FALSE, correct = FALSE` is 2 * pnorm(-score);
#' * `"pearson"`, `"spearman"`: \eqn{|r|} with the response, of values or of midranks in the run;
#'   two classes are -1 and 1; ordered classes have ranks but no values: only
#'   `"spearman"`;
#' * `"cox"`, for survival times (`survival::Surv(time, event)`): \eqn{|z|} of the score test of
#'   the feature alone in a Cox model (Cox 1972), ties as in Efron (1977). With
#'   \eqn{R_k = \sum_{t_i \ge t_k} w_i} samples at risk at the k-th time, \eqn{d_k} events there and
#'   \eqn{\bar x_k}, \eqn{v_k} the mean and the variance (divisor \eqn{R_k}) of the feature over
#'   those at risk, \eqn{z = \sum_k \sum_{i \in D_k} w_i (x_i - \bar x_k) / \sqrt{\sum_k d_k v_k}},
#'   \eqn{D_k} the samples with the event. If these are m, \eqn{R_k}, \eqn{\bar x_k} and
#'   \eqn{v_k} are computed m times, with their weights times \eqn{1 - l / m}, l = 0, ..., m - 1,
#'   and the terms of \eqn{\bar x_k} and \eqn{v_k} are means of these. Its square is the score test
#'   of `survival::coxph()`; for a feature of two values without tied times it is the log-rank
#'   statistic. A run needs two events;
#' * `"variance"`: \eqn{\sum_i w_i (x_i - m)^2 / (N - 1)}, whatever the response;
#' * `"mutual_information"` of the discretised feature with the classes or the discretised numbers:
#'   \eqn{\sum_{ab} (n_{ab} / N) \log (n_{ab} N / (n_a n_b))}, in nats, over the cells of their
#'   table;
#' * `"moderated_t"`: |t| of classes or of the slope on numbers, F of several classes, in which
#'   \eqn{(d s^2 + d_0 s_0^2) / (d + d_0)} replaces the residual variance \eqn{s^2} with d degrees
#'   of freedom. \eqn{d_0} and \eqn{s_0^2} are estimated from all features of x in the run (Smyth
#'   2004): the values of `eBayes()` of limma, which a test compares. It needs x in memory.
#'
#' A feature that is constant in a run scores 0, the lowest value. A feature that differs between
#' the classes but has no spread within them has an infinite t or F. It gets the largest finite
#' score of its run (at least 1), since an infinite score would outweigh everything in a mean over
#' runs. Equal columns have equal scores.
#'
#' **Given covariates** (argument `covariates` of [score_features()], [select_ensemble()] and
#' [evaluate_selectors()]) a score says what the feature adds to them:
#'
#' * `"t"`, `"anova"`: analysis of covariance, the t or F statistic of the classes in a linear model
#'   of the feature on classes and covariates, as in `anova(lm(x ~ z), lm(x ~ z + y))`;
#' * `"pearson"`, `"spearman"`: the absolute partial correlation, of values or of midranks of all
#'   variables;
#' * `"wilcoxon"`, for factors: \eqn{|z|} of van Elteren's test (1960). Rank sums within strata of
#'   equal covariates, \eqn{\sum_s (W_s - E W_s) / (N_s + 1)}, are divided by their standard
#'   deviation;
#' * `"cox"`: \eqn{|z|} of the score test in the Cox model of the covariates, \eqn{U_x /
#'   \sqrt{I_{xx} - I_{xz} I_{zz}^{-1} I_{zx}}}.
#'
#' A feature that the covariates explain scores 0. `"welch"`, `"variance"`, `"mutual_information"`
#' and `"moderated_t"` cannot adjust for covariates.
#'
#' For several classes, `"anova"` and `"moderated_t"` test all of them together; the two-sample
#' statistics do not support more than two classes.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_input` for an unknown `statistic`. A run without enough samples, with one
#' class, or with fewer than two events is marked as failed.
#' @references Cox DR (1972). Regression models and life-tables. *Journal of the Royal Statistical
#'   Society B* 34(2), 187-220.
#'
#'   Efron B (1977). The efficiency of Cox's likelihood function for censored data. *Journal of the
#'   American Statistical Association* 72, 557-565.
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
