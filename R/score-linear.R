# Linear classifiers as selectors: their weights, or recursive elimination by them.

linear_selector <- function(name, label, loss, penalty, standardise, step, params) {
  score <- function(x, y, weights, control) {
    value <- cpp_score_linear(
      x, y$codes, length(y$levels), weights, loss, penalty, standardise, step, control$n_threads,
      progress_reporter(control$progress, label)
    )
    new_runs(value, status_of_runs(y, weights, 2L), colnames(x))
  }
  new_selector(name, label, params, c("binary", "multiclass"), score, min_rows = 2L)
}

# 0 stands for one feature at a time.
check_step <- function(step, call = rlang::caller_env()) {
  if (identical(step, "one")) {
    return(0)
  }
  if (!checkmate::test_number(step, lower = 0, upper = 1) || step <= 0 || step >= 1) {
    abort("{.arg step} must be {.val one} or a number in (0, 1), not {describe_value(step)}.",
      call = call
    )
  }
  as.double(step)
}

#' Selectors by linear classifiers
#'
#' `selector_svm()` and `selector_ridge_logistic()` score features by the size of their weight in a
#' linear support vector machine or a ridge-penalised logistic regression on all features.
#' `selector_svm_rfe()` and `selector_logistic_rfe()` eliminate features recursively: fit, drop
#' those with the smallest weights, fit again (Guyon et al. 2002).
#'
#' @param cost (number > 0) C: cost of a sample inside the margin, against \eqn{|w|^2 / 2}.
#' @param loss (string) `"l2"`, squared hinge loss, or `"l1"`, hinge loss.
#' @param standardise (flag) centre the features and divide them by their standard deviation
#'   (divisor N), in every run anew? With `FALSE` the features enter as they are, and weights
#'   compare only features on one scale.
#' @param step (number in (0, 1), or `"one"`) share of the remaining features that goes after each
#'   fit, rounded down but at least one; `"one"` drops one at a time.
#' @param lambda (number > 0) precision of the normal prior on each standardised weight, as in
#'   [fit_model()].
#' @details
#' With classes \eqn{y_i = \pm 1} and in-bag counts \eqn{c_i}, the machines minimise
#' \deqn{\frac{1}{2} |w|^2 + C \sum_i c_i \max(0, 1 - y_i (w'z_i + w_0))^q}
#' with q = 2 (`"l2"`) or 1 (`"l1"`). The bias \eqn{w_0} is penalised with the weights, as in
#' LIBLINEAR, whose types 1 and 3 (with `bias = 1`) give the same weights. The logistic regression
#' minimises \eqn{\sum_i c_i \log(1 + \exp(-y_i f_i)) + \lambda |w|^2 / 2} with a free intercept on
#' standardised features, as ridge regression in glmnet does with `lambda / sum(c)`.
#'
#' With far fewer samples than features everything is solved with the n x n matrix of inner
#' products; elimination subtracts the products of the features that go. Squared hinge loss and
#' logistic loss are solved by Newton's method up to rounding, the hinge loss by coordinate ascent
#' until no projected gradient exceeds 1e-9, at most 20,000 sweeps.
#'
#' **Scores.** \eqn{|w_j|}; for elimination the order of leaving: the first feature out scores 1,
#' the last one p. Features that go at once are ordered by their weights. A feature that is
#' constant in the run has weight 0. Equal columns have equal weights; elimination drops the later
#' one first.
#'
#' **Several classes.** One machine for each class against the rest; features are scored, and
#' eliminated, by \eqn{\sqrt{\sum_g w_{gj}^2}}.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_input` for parameters out of range, and for a response of numbers.
#' @references Guyon I, Weston J, Barnhill S, Vapnik V (2002). Gene selection for cancer
#'   classification using support vector machines. *Machine Learning* 46, 389-422.
#'   \doi{10.1023/A:1012487302797}
#'
#'   Chapelle O (2007). Training a support vector machine in the primal. *Neural Computation* 19(5),
#'   1155-1178. \doi{10.1162/neco.2007.19.5.1155}
#' @family selectors
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' head(score_features(x, mcl_sll$MCL, selector_svm()))
#' rfe <- score_features(x, mcl_sll$MCL, selector_svm_rfe(step = 0.2))
#' head(rfe[order(rfe$rank), ])
#' @export
selector_svm <- function(cost = 1, loss = c("l2", "l1"), standardise = TRUE) {
  cost <- check_positive(cost, "cost")
  loss <- check_choice(loss, "loss", c("l2", "l1"))
  standardise <- check_flag(standardise, "standardise")
  linear_selector("svm", "linear SVM weights", loss, cost, standardise, -1,
    params = list(cost = cost, loss = loss, standardise = standardise)
  )
}

#' @rdname selector_svm
#' @export
selector_svm_rfe <- function(cost = 1, step = 0.2, loss = c("l2", "l1"), standardise = TRUE) {
  cost <- check_positive(cost, "cost")
  share <- check_step(step)
  loss <- check_choice(loss, "loss", c("l2", "l1"))
  standardise <- check_flag(standardise, "standardise")
  linear_selector("svm_rfe", "SVM-RFE", loss, cost, standardise, share,
    params = list(cost = cost, step = step, loss = loss, standardise = standardise)
  )
}

#' @rdname selector_svm
#' @export
selector_ridge_logistic <- function(lambda = 3) {
  lambda <- check_positive(lambda, "lambda")
  linear_selector("ridge_logistic", "ridge-logistic weights", "logistic", lambda, TRUE, -1,
    params = list(lambda = lambda)
  )
}

#' @rdname selector_svm
#' @export
selector_logistic_rfe <- function(lambda = 3, step = 0.2) {
  lambda <- check_positive(lambda, "lambda")
  share <- check_step(step)
  linear_selector("logistic_rfe", "logistic RFE", "logistic", lambda, TRUE, share,
    params = list(lambda = lambda, step = step)
  )
}
