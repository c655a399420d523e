# Learners as selectors: weights of linear classifiers, with or without recursive elimination, and
# importances of trees.

#' Selectors by linear weights, recursive elimination or tree importance
#'
#' Scores features by the size of their weight in a linear support vector machine or a
#' ridge-penalised logistic regression on all features, or by their importance in a random forest or
#' in boosted trees. With `step`, a linear classifier eliminates features recursively: fit, drop the
#' smallest weights, fit again (Guyon et al. 2002; SVM-RFE).
#'
#' @param learner (`stabilect_learner`) [learner_svm()], [learner_logistic()], [learner_forest()] or
#'   [learner_boosting()], with its settings. `scaling = "sd"` centres the features and divides them
#'   by their standard deviation (divisor N), computed in every run; with `"none"`, weights are
#'   comparable only if all features are on the same scale.
#' @param step (number in (0, 1), `"one"`, or `NULL`) for linear classifiers: share of the remaining
#'   features to drop after each fit, rounded down but at least one; `"one"` drops one at a time;
#'   `NULL` eliminates nothing.
#' @details
#' With classes \eqn{y_i = \pm 1} and in-bag counts \eqn{c_i}, the machines minimise
#' \deqn{\frac{1}{2} |w|^2 + C \sum_i c_i \max(0, 1 - y_i (w'z_i + w_0))^q}
#' with q = 2 (`"l2"`) or 1 (`"l1"`) and a free intercept \eqn{w_0}. The logistic regression
#' minimises \eqn{\sum_i c_i \log(1 + \exp(-y_i f_i)) + \lambda |w|^2 / 2}, like ridge regression in
#' glmnet with `lambda / sum(c)`. With `intercept = "penalised"`, \eqn{w_0^2 / 2} joins the penalty
#' as in LIBLINEAR, whose types 1, 3 and 0 (with `bias = 1`) then give the same weights. [learners]
#' describes the effect on unequal classes.
#'
#' If there are far fewer samples than features, all models are solved with the n x n matrix of
#' inner products; elimination subtracts the products of the eliminated features. Newton's method
#' solves the squared hinge loss and the logistic loss up to rounding; for the hinge loss see
#' [learners].
#'
#' **Scores.** \eqn{|w_j|}. For elimination the score is the order in which features leave: 1 for
#' the first eliminated feature, p for the last one. Features eliminated together are ordered by
#' their weights. A feature that is constant in the run has weight 0. Equal columns have equal
#' weights; elimination drops the later one first.
#'
#' **Trees.** Each run is one call of ranger or gbm with the rows of the run, repeated rows as often
#' as they are in the bag. The run's seed comes from the seed and the number of the run, and each
#' package works in one thread. Results therefore do not depend on `n_threads`.
#'
#' The forest takes two classes, several (in the package's own way), numbers and survival times
#' (splits by the log-rank statistic). Its score is the unscaled importance: impurity (mean decrease
#' of the Gini index or the variance) or permutation (mean increase of the out-of-bag error).
#' Repeated rows can be in and out of the bag of a tree at once. Permutation importance in bootstrap
#' runs is therefore optimistic; subsamples do not have this flaw.
#'
#' Boosting takes two classes (logistic loss) or numbers. Its score is the reduction of the loss by
#' the splits at a feature, as a share of all features; features that no tree uses score 0. All rows
#' and features go into every tree.
#'
#' **Several classes.** One machine for each class against the rest; features are scored, and
#' eliminated, by \eqn{\sqrt{\sum_g w_{gj}^2}}.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_input` for parameters out of range, and for an outcome that the learner
#' does not support. An error inside a package fails that run, with its message.
#' @references Guyon I, Weston J, Barnhill S, Vapnik V (2002). Gene selection for cancer
#'   classification using support vector machines. *Machine Learning* 46, 389-422.
#'   \doi{10.1023/A:1012487302797}
#'
#'   Chapelle O (2007). Training a support vector machine in the primal. *Neural Computation* 19(5),
#'   1155-1178. \doi{10.1162/neco.2007.19.5.1155}
#' @family selectors
#' @concept SVM-RFE
#' @concept random forest
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' head(score_features(x, mcl_sll$MCL, selector_learner(learner_svm())))
#' rfe <- score_features(x, mcl_sll$MCL, selector_learner(learner_svm(), step = 0.2))
#' head(rfe[order(rfe$rank), ])
#' @export
selector_learner <- function(learner = learner_svm(), step = NULL) {
  check_learner(learner, "learner")
  trees <- list(forest = forest_selector, boosting = boosting_selector)[[learner$name]]
  if (!is.null(trees)) {
    refuse(!is.null(step), "{.arg step} is for linear classifiers, not for {learner$label}.")
    return(trees(learner$params))
  }
  check_linear_learner(learner)
  share <- check_step(step, null_ok = TRUE)
  path <- learner$path
  name <- if (is.null(step)) learner$name else paste0(learner$name, "_rfe")
  score <- function(x, y, weights, control) {
    value <- cpp_score_linear(
      x, y$codes, length(y$levels), weights, path, share, colnames(x), control$ties,
      control$n_threads, control$report
    )
    new_runs(value, status_of_runs(y, weights, 2L), colnames(x))
  }
  new_selector(
    name, paste(if (is.null(step)) "weights of" else "recursive elimination by", learner$label),
    c(learner$params, list(step = step)), c("binary", "multiclass"), score,
    key = new_key("linear", list(step = step), list(learner)), min_rows = 2L
  )
}

# Factors of single features are for elimination alone.
check_linear_learner <- function(learner) {
  path <- learner$path
  refuse(is.null(path),
    "{.arg learner} must be linear with one coefficient for each feature, made by
      {.fn learner_svm} or {.fn learner_logistic} for two classes, or be made by
      {.fn learner_forest} or {.fn learner_boosting}, not {.val {learner$name}}."
  )
  refuse(!is.null(path$feature_weights) || !is.null(path$penalty_factors),
    c("{.arg learner} has settings that {.fn selector_learner} does not know: factors of single
       features.",
      i = "{.fn eliminate_features} takes them."
    )
  )
}
