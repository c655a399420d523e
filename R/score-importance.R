#' Importance of features in a model
#'
#' Computes how much each feature contributes to a fitted model. Besides the set of selected
#' features, this is the information on a run that weighted stability indices and [stability_map]s
#' use. `importance_svm()` is for support vector machines with any kernel,
#' `importance_permutation()` for forests and whatever else predicts;
#' [importance_flip()] makes importances of different kinds of models comparable. [as_selection()]
#' attaches them to a selection by its argument `importance`.
#'
#' @param x (numeric matrix, n x p, or data frame) for `importance_svm()` the samples as the machine
#'   saw them (scaled, if it scales); for `importance_permutation()` held-out samples, in the form
#'   that `predict` takes.
#' @param y (n values) response of these samples: two classes for `importance_svm()`, classes or
#'   numbers for `importance_permutation()`.
#' @param model for `importance_permutation()` (any) what `predict` takes first. For
#'   `importance_svm()` (numeric >= 0, n) the solution of the dual problem of a linear machine, 0
#'   for samples that are no support vectors; for another kernel a list with this solution, `dual`,
#'   and either `gamma` (number > 0, of the radial kernel \eqn{\exp(-\gamma |a - b|^2)}) or `kernel`
#'   (function of two matrices of samples in rows that returns the matrix of all their products).
#'   `e1071::svm()` keeps \eqn{\alpha_k y_k} of the support vectors in `coefs`:
#'   `dual <- numeric(n); dual[fit$index] <- abs(fit$coefs)`.
#' @param predict (function, or `NULL`) `predict(model, x)` returns n classes, numbers, or a
#'   matrix of class probabilities with named columns. `NULL` calls [predict()], and reads the
#'   field `predictions` if there is one (ranger).
#' @param loss (function, or `NULL`) `loss(y, predicted)` returns one number. `NULL`: the
#'   misclassification rate for classes, the mean squared error for numbers, the discordance for
#'   survival times (1 minus Harrell's concordance; predictions are larger for a higher risk).
#' @param features (character or whole numbers, or `NULL`) columns of `x` to look at; others have
#'   importance 0. `NULL` for all.
#' @param n_repeats (whole number >= 1) permutations per feature.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) `NULL` takes one integer from R's
#'   generator.
#'
#' @details
#' For a linear model of features on one scale, Eq. 7 of Hamer and Dupont (2021) is
#' \deqn{I(f, w) = \|w\|_0 \, |w_f| / \|w\|_1.}
#' The importances of a model add up to its number of features. Verbs with linear models use it;
#' [importance_flip()] gives it for `coefficients`.
#'
#' `importance_svm()` is Eq. 8, the change of the squared margin's inverse without the feature,
#' \deqn{I(f, \alpha) \propto |W^2(\alpha) - W^2_{(-f)}(\alpha)|, \quad
#'       W^2_{(-f)}(\alpha) = \sum_{k,l} \alpha_k \alpha_l y_k y_l K(x_k^{-f}, x_l^{-f}),}
#' here made to add up to the number of features that are not 0. For the linear kernel it is
#' proportional to \eqn{w_f^2}, which ranks as \eqn{|w_f|} does but is not the same importance.
#'
#' `importance_permutation()` is the mean increase of the loss when a feature's values are permuted
#' (Breiman 2001), cut at 0. The same `n_repeats` permutations are used for all features, so that an
#' importance does not depend on which other features are looked at. On samples that the model was
#' fitted to, features that it overfits get too much importance.
#'
#' @return (numeric, p, >= 0) named as the features.
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
#' @family selection
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' y <- factor(mcl_sll$MCL)
#' held_out <- seq(2, nrow(x), by = 2)
#' model <- fit_model(x[-held_out, ], y[-held_out], features = 1:5)
#' importance_permutation(model, x[held_out, ], y[held_out], features = 1:5, seed = 1)[1:5]
#'
#' runs <- as_selection(list(c("a", "b"), "b"), feature_names = c("a", "b", "c"))
#' as_selection(runs, importance = list(c(a = 2, b = 1), c(b = 1)))$importance
#' @name importance
NULL

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

# Importances that add up to the number of features that have any.
share_importance <- function(v) {
  total <- sum(v)
  if (total > 0) v * (sum(v > 0) / total) else v
}

check_all_finite <- function(v, name) {
  bad <- which(!is.finite(v))
  refuse(length(bad) > 0L, "{.arg {name}} has {figure(v[bad[1]])} at position {bad[1]}.")
  invisible(v)
}

#' @rdname importance
#' @export
importance_svm <- function(model, x, y) {
  check_given(except = "y")
  parts <- if (is.list(model)) model else list(dual = model)
  refuse_unknown(parts, c("dual", "gamma", "kernel"))
  study <- open_study(x, y, "binary", "a support vector machine")
  dual <- parts$dual
  refuse(!is.numeric(dual) || length(dual) != study$n,
    "The dual solution in {.arg model} must be {study$n} numbers, one per row of {.arg x}, not
      {describe_value(dual)}."
  )
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
    # Shares do not change with the unit, and in this one no square overflows or vanishes.
    to_common_unit(drop(crossprod(to_common_unit(x_used), to_common_unit(signed))))^2
  }
  bad <- which(!is.finite(v))
  refuse(length(bad) > 0L,
    "The importance of {.val {study$feature_names[bad[1]]}} is no number: values of {.arg x},
      {.arg dual} or of the kernel are too large to be multiplied."
  )
  share_importance(stats::setNames(v, study$feature_names))
}

# Divided by the power of two next to the largest size, which changes no digit.
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

# Leaving a feature out takes its factor exp(-gamma (a_f - b_f)^2) from the kernel. What is left is
# computed from the other features: no product of 0 and infinity for a large gamma.
svm_changes_radial <- function(signed, x, gamma) {
  distance <- as.matrix(stats::dist(x))^2
  pairs <- outer(signed, signed)
  vapply(seq_len(ncol(x)), function(f) {
    own <- outer(x[, f], x[, f], "-")^2
    abs(sum(pairs * exp(-gamma * pmax(distance - own, 0)) * -expm1(-gamma * own)))
  }, 0)
}
