# Filters: one score per feature, computed without the other features. All runs of all of them are
# scored in one call of the core.

filter_selector <- function(filter, label, responses, min_class = 1L) {
  raw <- function(x, y, weights, n_threads, report) {
    target <- if (filter == "wilcoxon") y$codes - 1 else as.double(y$y)
    cpp_score_filter(
      x, as.integer(y$codes), length(y$levels), target, weights, filter, n_threads, report
    )
  }
  status <- function(y, weights) {
    if (filter == "variance") {
      return(ifelse(colSums(weights) < 3L, "fewer than 3 samples", "ok"))
    }
    status_of_runs(y, weights, 3L, min_class)
  }
  column_selector(
    filter, label, list(), responses, raw, status, cpp_largest_score(filter), factor_filter(filter)
  )
}

#' Selectors that look at one feature at a time
#'
#' Classical test statistics and correlations, computed for all features in all resamples at once.
#' In-bag counts are repeated rows.
#'
#' @param statistic (string) the score of a feature: `"t"`, `"welch"`, `"anova"`, `"wilcoxon"`,
#'   `"pearson"`, `"spearman"` or `"variance"`, see Details.
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
#'   two classes are -1 and 1;
#' * `"variance"`: \eqn{\sum_i w_i (x_i - m)^2 / (N - 1)}, whatever the response.
#'
#' A feature that is constant in a run scores 0, the lowest value. One that differs between the
#' classes without any spread inside them has an infinite t or F: it gets the largest finite one of
#' its run (at least 1), since it would outweigh everything in a mean over runs. Equal columns have
#' equal scores.
#'
#' Several classes: `"anova"` is the natural form for all of them together; the two-sample
#' statistics refuse more than two classes.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_input` for a `statistic` that is not known. A run without enough samples,
#' or with one class, is marked as failed.
#' @family selectors
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' head(score_features(x, mcl_sll$MCL, selector_filter("welch")))
#' selector_filter("spearman")
#' @export
selector_filter <- function(statistic = c(
                              "t", "welch", "anova", "wilcoxon", "pearson", "spearman", "variance"
                            )) {
  statistic <- check_choice(statistic, "statistic", names(filter_labels))
  responses <- switch(statistic,
    anova = c("binary", "multiclass"), pearson = , spearman = c("binary", "numeric"),
    variance = c("binary", "multiclass", "numeric"), "binary"
  )
  filter_selector(
    statistic, filter_labels[[statistic]], responses,
    min_class = if (statistic == "welch") 2L else 1L
  )
}

filter_labels <- c(
  t = "two-sample t", welch = "Welch's t", anova = "analysis of variance F",
  wilcoxon = "Wilcoxon z", pearson = "Pearson correlation", spearman = "Spearman correlation",
  variance = "variance"
)
