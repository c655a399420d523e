#' Importance of features in a fitted model
#'
#' Computes how much each feature contributes to a fitted model, by permutation, by the change that
#' flips a decision, or from a support vector machine. Weighted stability indices and
#' [stability_map]s use the importance in the model of each run, in addition to the set of selected
#' features. Permutation works with any model that predicts. Flipping makes importances of different
#' kinds of models comparable. [as_selection()] attaches importances to a selection by its argument
#' `importance`.
#'
#' @param model (depends on `method`)
#'   * `"permutation"`: anything that `predict` takes.
#'   * `"flip"`: the same. A linear `stabilect_model` of two classes needs no `predict`. `NULL` for
#'     a model given by its `coefficients`.
#'   * `"svm"`: for a linear machine, the solution of the dual problem (numeric >= 0, n), 0 for
#'     samples that are not support vectors. For another kernel, a list of this solution, `dual`,
#'     and one of `gamma` (number > 0, of the radial kernel \eqn{\exp(-\gamma |a - b|^2)}) and
#'     `kernel` (function of two matrices of samples in rows; returns the matrix of all their
#'     products). The field `coefs` of `e1071::svm()` contains \eqn{\alpha_k y_k} of the support
#'     vectors: `dual <- numeric(n); dual[fit$index] <- abs(fit$coefs)`.
#' @param x (numeric matrix, n x p, or data frame) samples in the form that `predict` takes:
#'   held-out samples for `"permutation"`, or samples whose decisions are flipped. For `"svm"` the
#'   samples as the machine saw them (scaled, if it scales).
#' @param y (n values) outcome of these samples: classes, numbers or survival times for
#'   `"permutation"`, two classes for `"svm"`; not needed for `"flip"`.
#' @param method (string) kind of importance, see Details.
#' @param ... settings of the method, by name:
#'   * `predict` (function; `"permutation"`, `"flip"`): `predict(model, x)` returns n classes,
#'     numbers, or for `"permutation"` a matrix of class probabilities with named columns. By
#'     default [predict()], or its field `predictions` if there is one (ranger);
#'   * `features` (character or whole numbers; `"permutation"`, `"flip"`): columns of `x` to look
#'     at, by default all; others have importance 0;
#'   * `loss` (function; `"permutation"`): `loss(y, predicted)` returns one number. By default the
#'     misclassification rate for classes, the mean squared error for numbers, the discordance for
#'     survival times (1 minus Harrell's concordance; predictions are larger for a higher risk);
#'   * `n_repeats` (whole number >= 1; `"permutation"`): permutations per feature, 5;
#'   * `seed` (whole number from 0 to 2^31 - 1; `"permutation"`): by default one integer from R's
#'     generator;
#'   * `coefficients` (named numeric, or matrix of one column, for example from [coef()] of glmnet;
#'     `"flip"`): coefficients of a linear model, for the closed form. `"(Intercept)"` is ignored;
#'   * `max_change` (number > 0; `"flip"`): largest change to try, in standard deviations of the
#'     feature, 1000;
#'   * `tolerance` (number in (0, 1); `"flip"`): relative accuracy of a change, 1e-6.
#'
#' @details
#' For a linear model of features on one scale, Eq. 7 of Hamer and Dupont (2021) is
#' \deqn{I(f, w) = \|w\|_0 \, |w_f| / \|w\|_1.}
#' The importances of a model add up to its number of features. Verbs with linear models use this
#' importance; `"flip"` gives it for `coefficients`.
#'
#' `"svm"` is Eq. 8, the change of the squared margin's inverse without the feature,
#' \deqn{I(f, \alpha) \propto |W^2(\alpha) - W^2_{(-f)}(\alpha)|, \quad
#'      W^2_{(-f)}(\alpha) = \sum_{k,l} \alpha_k \alpha_l y_k y_l K(x_k^{-f}, x_l^{-f}),}
#' scaled to add up to the number of features that are not 0. For the linear kernel it is
#' proportional to \eqn{w_f^2}. It ranks features like \eqn{|w_f|}, but is a different importance.
#'
#' `"permutation"` is the mean increase of the loss when a feature's values are permuted
#' (Breiman 2001); negative means become 0. All features use the same `n_repeats` permutations: an
#' importance does not depend on the other features in `features`. On training samples, overfitted
#' features get too much importance.
#'
#' `"flip"` changes one feature of one sample until the decision of the model changes: the smaller
#' the necessary change, the more important the feature. \eqn{\delta_{i,f}} is the smallest additive
#' change (in absolute value) of feature f that changes the decision on sample i, and \eqn{\sigma_f}
#' is the standard deviation of the feature in `x`. Eq. 9 of Hamer and Dupont (2021) is
#' \deqn{I_n(f) = \frac{1}{n} \sum_{i=1}^n \frac{k \, I(f, i)}{\sum_{f'} I(f', i)}, \quad
#'       I(f, i) = \sigma_f / \delta_{i,f},}
#' with k the number of features that flip any decision. The importances add up to k. Samples that
#' no feature flips are left out of the mean.
#'
#' **Search.** Changes of both signs grow by a factor \eqn{\sqrt 2} from 1/64 (or `max_change`, if
#' smaller) to `max_change` standard deviations. The first that flips the decision is narrowed down
#' by bisection. All samples are predicted together: some 50 calls of `predict` per feature, on up
#' to `2 n` rows. If the decision along a feature flips and flips back between two tried changes, a
#' smaller change than the one found may exist.
#'
#' **Linear models.** With D the decision value, \eqn{\delta_{i,f} = |D(x_i)| / |w_f|}. The
#' importance is then \eqn{k |w_f| \sigma_f / \sum_{f'} |w_{f'}| \sigma_{f'}} on every sample. For
#' features of unit variance this is Eq. 7 (Theorem 1).
#'
#' @return (numeric, p, >= 0) importances, named as the features. Those of `"flip"` add up to the
#'   number of features that flip any decision.
#' @section Errors:
#' Class `stabilect_error_input`: lengths that disagree, missing or negative values, predictions of
#' the wrong kind.
#' @references Hamer V, Dupont P (2021). An importance weighted feature selection stability measure.
#'   *Journal of Machine Learning Research* 22(116), 1-57.
#'
#'   Guyon I, Weston J, Barnhill S, Vapnik V (2002). Gene selection for cancer classification using
#'   support vector machines. *Machine Learning* 46, 389-422.
#'
#'   Breiman L (2001). Random forests. *Machine Learning* 45, 5-32.
#' @concept feature importance
#' @concept variable importance
#' @family selection
#' @concept importance flip
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' y <- factor(mcl_sll$MCL)
#' held_out <- seq(2, nrow(x), by = 2)
#' model <- fit_model(x[-held_out, ], y[-held_out], features = 1:5)
#' feature_importance(model, x[held_out, ], y[held_out], features = 1:5, seed = 1)[1:5]
#' feature_importance(model, x, method = "flip")[1:5]
#'
#' runs <- as_selection(list(c("a", "b"), "b"), feature_names = c("a", "b", "c"))
#' as_selection(runs, importance = list(c(a = 2, b = 1), c(b = 1)))$importance
#' @rdname importance
#' @export
feature_importance <- function(model, x, y, method = c("permutation", "flip", "svm"), ...) {
  check_given(except = "y")
  method <- check_choice(method, c("permutation", "flip", "svm"))
  compute <- switch(method,
    permutation = importance_permutation, flip = importance_flip, svm = importance_svm
  )
  refuse_unknown(list(...), setdiff(names(formals(compute)), c("model", "x", "y")))
  # Our models would fill in what is missing.
  if (inherits(model, "stabilect") && (is.matrix(x) || is.data.frame(x))) {
    refuse_cells(list(x = x), missing_cells(x))
  }
  if (method == "flip") compute(model, x, ...) else compute(model, x, y, ...)
}

# Eq. 7 of Hamer and Dupont (2021) for one model, or for each column of a sparse matrix.
importance_linear <- function(w) {
  w <- abs(w)
  if (!methods::is(w, "Matrix")) {
    return(share_importance(w))
  }
  total <- Matrix::colSums(w)
  factor <- ifelse(total > 0, Matrix::colSums(w > 0) / total, 0)
  w@x <- w@x * rep(factor, diff(w@p))
  w
}

# Importances scaled to add up to the number of features with any.
share_importance <- function(v) {
  total <- sum(v)
  if (total > 0) v * (sum(v > 0) / total) else v
}

check_all_finite <- function(v, name) {
  refuse_at(!is.finite(v), "{.arg {name}} has {figure(v[at])} at position {at}.")
  invisible(v)
}

importance_svm <- function(model, x, y) {
  parts <- if (is.list(model)) model else list(dual = model)
  refuse_unknown(parts, c("dual", "gamma", "kernel"))
  study <- open_study(x, y, "binary", "a support vector machine", merge = FALSE)
  dual <- parts$dual
  refuse(!is.numeric(dual) || length(dual) != study$n,
    "The dual solution in {.arg model} must be {study$n} numbers, one per row of {.arg x}, not
      {describe_value(dual)}."
  )
  check_samples(dual, samples_of_study(study), "dual")
  dual <- check_all_finite(as.double(dual), "dual")
  refuse(any(dual < 0),
    c("{.arg dual} has {figure(dual[dual < 0][1])} at position {which(dual < 0)[1]}; it
      must not be negative.", i = "If these are products with the labels, take {.fn abs}.")
  )
  refuse(!is.null(parts$gamma) && !is.null(parts$kernel),
    "Give either {.arg gamma} or {.arg kernel} in {.arg model}, not both."
  )
  gamma <- check_number(parts$gamma, min = 0, null_ok = TRUE, name = "gamma")
  refuse(identical(gamma, 0), "{.arg gamma} must be > 0: with 0 all samples are alike.")
  kernel <- check_function(parts$kernel, "kernel", NULL)
  # Other samples have no part in any of the sums.
  used <- dual > 0
  x_used <- study$x[used, , drop = FALSE]
  signed <- dual[used] * study$response$y[used]
  v <- if (!is.null(kernel)) {
    svm_changes_kernel(signed, x_used, kernel)
  } else if (!is.null(gamma)) {
    svm_changes_radial(signed, x_used, gamma)
  } else {
    # Shares do not depend on the unit; in this unit no square overflows or vanishes.
    to_common_unit(drop(crossprod(to_common_unit(x_used), to_common_unit(signed))))^2
  }
  refuse_at(!is.finite(v),
    "The importance of {.val {study$feature_names[at]}} is no number: values of {.arg x},
      {.arg dual} or of the kernel are too large to be multiplied."
  )
  share_importance(stats::setNames(v, study$feature_names))
}

# Divided by a power of two near the largest size, which changes no digit.
to_common_unit <- function(v) {
  size <- if (length(v) > 0L) max(abs(v)) else 0
  if (size > 0) v / 2^floor(log2(size)) else v
}

svm_changes_kernel <- function(signed, x, kernel) {
  norm_of <- function(z) {
    k <- as.matrix(kernel(z, z))
    refuse(!is.numeric(k) || !identical(dim(k), c(nrow(z), nrow(z))) || anyNA(k),
      "{.arg kernel} must return a {nrow(z)} x {nrow(z)} matrix of numbers for {nrow(z)}
        samples."
    )
    sum(signed * (k %*% signed))
  }
  full <- norm_of(x)
  vapply(seq_len(ncol(x)), function(f) abs(full - norm_of(x[, -f, drop = FALSE])), 0)
}

# Without a feature, the kernel lacks its factor exp(-gamma (a_f - b_f)^2). The rest is computed
# from the other features: no product of 0 and infinity for a large gamma.
svm_changes_radial <- function(signed, x, gamma) {
  distance <- as.matrix(stats::dist(x))^2
  pairs <- outer(signed, signed)
  vapply(seq_len(ncol(x)), function(f) {
    own <- outer(x[, f], x[, f], "-")^2
    abs(sum(pairs * exp(-gamma * pmax(distance - own, 0)) * -expm1(-gamma * own)))
  }, 0)
}
