#' Classifiers that judge a selection
#'
#' What [evaluate_selectors()] and [select_ensemble()] train on the selected features.
#'
#' @param shrinkage (number in \[0, 1\]) share of the diagonal in the within-class correlation
#'   matrix: 0 is plain linear discriminant analysis, 1 ignores correlations (diagonal discriminant
#'   analysis).
#' @param lambda (number > 0) strength of the ridge penalty, see [fit_model()].
#' @param cost (number > 0) C: cost of a sample inside the margin, against \eqn{|w|^2 / 2}.
#' @param loss (string) `"l2"`, squared hinge loss, or `"l1"`, hinge loss.
#' @param standardise (flag) centre the features and divide them by their standard deviation
#'   (divisor N) in the training samples?
#' @param fit (function) of (`x`, `y`): numeric matrix with column names, and factor; returns a
#'   model.
#' @param predict (function) of (`model`, `newx`): returns the classes of the rows of `newx`, as
#'   factor or text.
#' @param name (string) for print and plots.
#'
#' @details
#' **`learner_lda()`**: features are divided by their within-class standard deviation, and a sample
#' is given to the class with the nearest mean in the metric of the pooled within-class covariance,
#' with the class shares as prior probabilities. With `shrinkage = 0`, directions in which the
#' standardised within-class data have a singular value up to 1e-4 are left out, as in
#' `MASS::lda()`, whose predictions these are: with as many features as samples or more, the
#' covariance matrix is singular, and the classes are compared in its range only. That is a poor
#' classifier near n features; `shrinkage` > 0 is defined for any number. Features that are constant
#' within classes are left out (`MASS::lda()` refuses them).
#'
#' **`learner_ridge_logistic()`**: [fit_model()], for two classes.
#'
#' **`learner_svm()`**: the linear support vector machine of [selector_svm()] with its bias, which
#' is penalised, as in LIBLINEAR. For several classes, one machine for each against the rest; the
#' largest decision value wins, the first class of equals. With `standardise`, a constant feature
#' plays no part. The n x n matrix of inner products is formed: meant for small n.
#' @return An object of class `stabilect_learner`: a list with `name`, `label` (strings), `params`
#'   (list), `fit` and `predict` (functions, as above).
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range. A warning of class
#' `stabilect_warning_convergence` when hinge loss needs more than 20,000 sweeps.
#' @family aggregation
#' @examples
#' x <- as.matrix(mcl_sll[, 2:6])
#' y <- factor(mcl_sll$MCL)
#' lda <- learner_lda()
#' table(y, lda$predict(lda$fit(x, y), x))
#' @export
learner_lda <- function(shrinkage = 0) {
  shrinkage <- check_number(shrinkage, "shrinkage", min = 0, max = 1)
  new_learner(
    "lda",
    paste0("discriminant analysis", if (shrinkage > 0) paste(", shrinkage", format(shrinkage))),
    list(shrinkage = shrinkage), function(x, y) fit_lda(x, y, shrinkage), predict_linear
  )
}

#' @rdname learner_lda
#' @export
learner_ridge_logistic <- function(lambda = 3) {
  lambda <- check_positive(lambda, "lambda")
  new_learner(
    "ridge_logistic", "ridge-logistic regression", list(lambda = lambda),
    function(x, y) fit_model(x, y, method = "ridge_logistic", lambda = lambda),
    function(model, newx) stats::predict(model, newx, type = "class")
  )
}

#' @rdname learner_lda
#' @export
learner_custom <- function(fit, predict, name = "custom") {
  if (!is.function(fit) || !is.function(predict)) {
    abort("{.arg fit} and {.arg predict} must be functions, not {describe_value(fit)} and
      {describe_value(predict)}.")
  }
  if (!checkmate::test_string(name, min.chars = 1L)) {
    abort("{.arg name} must be a string, not {describe_value(name)}.")
  }
  new_learner(name, name, list(), fit, predict)
}

new_learner <- function(name, label, params, fit, predict) {
  structure(
    list(name = name, label = label, params = params, fit = fit, predict = predict),
    class = "stabilect_learner"
  )
}

check_learner <- function(learner, name, call = rlang::caller_env()) {
  if (!inherits(learner, "stabilect_learner")) {
    abort("{.arg {name}} must be made by a {.code learner_*()} function, such as
      {.code learner_lda()}, not be {describe_value(learner)}.", call = call)
  }
  invisible(learner)
}

#' @rdname learner_lda
#' @param x (object of class `stabilect_learner`)
#' @param ... Not used.
#' @export
print.stabilect_learner <- function(x, ...) {
  cat(sprintf("<stabilect_learner> %s: %s\n", x$name, x$label))
  invisible(x)
}

# Discriminant functions: newx %*% weights + constants, one column per class.
fit_lda <- function(x, y, shrinkage, tol = 1e-4) {
  y <- droplevels(y)
  n_class <- tabulate(y)
  means <- rowsum(x, as.integer(y)) / n_class
  within <- x - means[as.integer(y), , drop = FALSE]
  # The divisor is that of stats::var(); it only decides what is below `tol`.
  scale <- sqrt(colSums(within^2) / (nrow(x) - 1))
  live <- which(scale > 1e-12 * apply(abs(x), 2L, max))
  within <- within[, live, drop = FALSE] / rep(scale[live], each = nrow(x))
  within <- within / sqrt(max(nrow(x) - nlevels(y), 1))
  standardised <- means[, live, drop = FALSE] / rep(scale[live], each = nlevels(y))
  metric <- if (shrinkage == 0) {
    solve_in_range(within, standardised, tol)
  } else {
    solve_shrunk(within, standardised, shrinkage)
  }
  weights <- matrix(0, ncol(x), nlevels(y))
  weights[live, ] <- metric / scale[live]
  list(
    weights = weights, levels = levels(y),
    constants = log(n_class / nrow(x)) - 0.5 * colSums(metric * t(standardised))
  )
}

# The pseudo-inverse of crossprod(within) times the class means.
solve_in_range <- function(within, means, tol) {
  if (ncol(within) == 0L) {
    return(t(means))
  }
  parts <- svd(within, nu = 0)
  keep <- parts$d > tol
  v <- parts$v[, keep, drop = FALSE]
  v %*% (crossprod(v, t(means)) / parts$d[keep]^2)
}

solve_shrunk <- function(within, means, shrinkage) {
  if (ncol(within) == 0L) {
    return(t(means))
  }
  covariance <- crossprod(within)
  variance <- diag(covariance)
  covariance <- (1 - shrinkage) * covariance
  diag(covariance) <- variance
  solve(covariance, t(means))
}

# The class with the largest value of newx %*% weights + constants, the first one of equals.
predict_linear <- function(model, newx) {
  score <- newx %*% model$weights + rep(model$constants, each = nrow(newx))
  factor(model$levels[max.col(score, ties.method = "first")], model$levels)
}
