#' Importance of features in a model
#'
#' Computes how much each feature contributes to a fitted model. Besides the set of selected
#' features, this is the information on a run that weighted stability indices and [stability_map]s
#' use. `importance_linear()` is for linear models, `importance_svm()` for support vector machines
#' with any kernel, `importance_permutation()` for forests and whatever else predicts;
#' [importance_flip()] makes importances of different kinds of models comparable. `set_importance()`
#' attaches them to a selection.
#'
#' @param coefficients (numeric vector, or matrix p x B, or sparse Matrix) weights without the
#'   intercept; in a matrix each column is one model. The features should have been on one scale.
#' @param dual (numeric >= 0, n) solution of the dual problem, 0 for samples that are no support
#'   vectors. `e1071::svm()` keeps \eqn{\alpha_k y_k} of the support vectors in `coefs`:
#'   `dual <- numeric(n); dual[fit$index] <- abs(fit$coefs)`.
#' @param x (numeric matrix, n x p, or data frame) for `importance_svm()` the samples as the machine
#'   saw them (scaled, if it scales); for `importance_permutation()` held-out samples, in the form
#'   that `predict` takes.
#' @param y (n values) response of these samples: two classes for `importance_svm()`, classes or
#'   numbers for `importance_permutation()`.
#' @param rbf_gamma (number > 0, or `NULL`) of the radial kernel \eqn{\exp(-\gamma |a - b|^2)}.
#' @param kernel (function, or `NULL`) `kernel(a, b)` takes two matrices of samples in rows and
#'   returns the matrix of all their products. The kernel is linear when neither is given.
#' @param model (any) what `predict` takes first.
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
#' @param selection (`stabilect_selection`, or what [as_selection()] takes)
#' @param importance (numeric matrix p x B, sparse Matrix, or list of B named vectors; none
#'   negative) importance of each feature in the model of each run; 0 or absent where the run did
#'   not select it.
#'
#' @details
#' `importance_linear()` is Eq. 7 of Hamer and Dupont (2021),
#' \deqn{I(f, w) = \|w\|_0 \, |w_f| / \|w\|_1,}
#' so that importances of a model add up to its number of features; all are 0 when all weights are.
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
#' @return (numeric, p, >= 0) named as the features; `importance_linear()` keeps the form of
#'   `coefficients`. `set_importance()`: the selection with its field `importance`.
#' @section Errors:
#' Class `stabilect_error_input`: lengths that disagree, missing or negative values, predictions of
#' the wrong kind, importance of a feature that its run did not select.
#' @references Hamer V, Dupont P (2021). An importance weighted feature selection stability measure.
#'   *Journal of Machine Learning Research* 22(116), 1-57.
#'
#'   Guyon I, Weston J, Barnhill S, Vapnik V (2002). Gene selection for cancer classification using
#'   support vector machines. *Machine Learning* 46, 389-422.
#'
#'   Breiman L (2001). Random forests. *Machine Learning* 45, 5-32.
#' @family selection
#' @examples
#' importance_linear(c(a = 2, b = -1, c = 0))
#'
#' x <- as.matrix(mcl_sll[, -1])
#' y <- factor(mcl_sll$MCL)
#' held_out <- seq(2, nrow(x), by = 2)
#' model <- fit_model(x[-held_out, ], y[-held_out], features = 1:5)
#' importance_permutation(model, x[held_out, ], y[held_out], features = 1:5, seed = 1)[1:5]
#'
#' runs <- as_selection(list(c("a", "b"), "b"), feature_names = c("a", "b", "c"))
#' set_importance(runs, list(c(a = 2, b = 1), c(b = 1)))$importance
#' @name importance
NULL

#' @rdname importance
#' @export
importance_linear <- function(coefficients) {
  check_given()
  w <- coefficients
  is_table <- is.matrix(w) || methods::is(w, "Matrix")
  refuse(!methods::is(w, "Matrix") && !(is.numeric(w) && (is_table || is.null(dim(w)))),
    "{.arg coefficients} must be a vector or a matrix of weights, not {describe_value(w)}."
  )
  if (methods::is(w, "Matrix")) {
    w <- if (methods::is(w, "sparseMatrix")) as_dgc(w) else as.matrix(w)
  }
  check_all_finite(if (is_table && !is.matrix(w)) w@x else w, "coefficients")
  w <- abs(w)
  if (!is_table) {
    return(share_importance(w))
  }
  total <- Matrix::colSums(w)
  factor <- ifelse(total > 0, Matrix::colSums(w > 0) / total, 0)
  if (is.matrix(w)) {
    return(w * rep(factor, each = nrow(w)))
  }
  w@x <- w@x * rep(factor, diff(w@p))
  w
}

# Importances that add up to the number of features that have any.
share_importance <- function(v) {
  total <- sum(v)
  if (total > 0) v * (sum(v > 0) / total) else v
}

check_all_finite <- function(v, name) {
  refuse_at(!is.finite(v), "{.arg {name}} has {figure(v[at])} at position {at}.")
  invisible(v)
}

#' @rdname importance
#' @export
importance_svm <- function(dual, x, y, rbf_gamma = NULL, kernel = NULL) {
  check_given(except = "y")
  study <- open_study(x, y, "binary", "a support vector machine")
  refuse(!is.numeric(dual) || length(dual) != study$n,
    "{.arg dual} must be {study$n} numbers, one per row of {.arg x}, not
      {describe_value(dual)}."
  )
  dual <- check_all_finite(as.double(dual), "dual")
  refuse(any(dual < 0),
    c("{.arg dual} has {figure(dual[dual < 0][1])} at position {which(dual < 0)[1]}; it
      must not be negative.", i = "If these are products with the labels, take {.fn abs}.")
  )
  refuse(!is.null(rbf_gamma) && !is.null(kernel),
    "Give either {.arg rbf_gamma} or {.arg kernel}, not both."
  )
  rbf_gamma <- check_number(rbf_gamma, min = 0, null_ok = TRUE)
  refuse(identical(rbf_gamma, 0), "{.arg rbf_gamma} must be > 0: with 0 all samples are alike.")
  kernel <- check_function(kernel, "kernel", NULL)
  # Other samples have no part in any of the sums.
  used <- dual > 0
  x_used <- study$x[used, , drop = FALSE]
  signed <- dual[used] * study$response$y[used]
  v <- if (!is.null(kernel)) {
    svm_changes_kernel(signed, x_used, kernel)
  } else if (!is.null(rbf_gamma)) {
    svm_changes_radial(signed, x_used, rbf_gamma)
  } else {
    # Shares do not change with the unit, and in this one no square overflows or vanishes.
    to_common_unit(drop(crossprod(to_common_unit(x_used), to_common_unit(signed))))^2
  }
  refuse_at(!is.finite(v),
    "The importance of {.val {study$feature_names[at]}} is no number: values of {.arg x},
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

#' @rdname importance
#' @export
set_importance <- function(selection, importance) {
  check_given()
  selection <- as_selection(selection)
  if (is.list(importance) && !is.data.frame(importance)) {
    importance <- importance_from_list(importance, selection)
  } else if (is.matrix(importance) && is.numeric(importance)) {
    importance <- methods::as(importance, "CsparseMatrix")
  } else if (!methods::is(importance, "Matrix")) {
    abort("{.arg importance} must be a matrix (features x runs) or a list of named vectors, one per
      run, not {describe_value(importance)}.")
  }
  importance <- as_dgc(importance)
  if (!identical(dim(importance), dim(selection$selected))) {
    turned <- identical(rev(dim(importance)), dim(selection$selected))
    abort(c("{.arg importance} is {nrow(importance)} x {ncol(importance)}, but the selection has
      {selection$n_total} feature{?s} (rows) and {selection$n_runs} run{?s} (columns).",
      i = if (turned) "Use {.code t(importance)}."
    ))
  }
  refuse_at(rownames(importance) != selection$feature_names,
    "Row {at} of {.arg importance} is {.val {rownames(importance)[at]}}, but feature
      {at} of the selection is {.val {selection$feature_names[at]}}."
  )
  dimnames(importance) <- list(selection$feature_names, NULL)
  refuse_importance(importance, selection$selected)
  selection$importance <- importance
  selection
}

refuse_importance <- function(importance, selected) {
  run <- rep(seq_len(ncol(importance)), diff(importance@p))
  name_at <- function(at) rownames(importance)[importance@i[at] + 1L]
  bad <- which(!(is.finite(importance@x) & importance@x >= 0))[1]
  refuse(!is.na(bad), "{.arg importance} has {figure(importance@x[bad])} in run {run[bad]}, feature
    {.val {name_at(bad)}}; it must be a number >= 0.")
  p <- nrow(selected)
  key <- (rep(seq_len(ncol(selected)), diff(selected@p)) - 1) * p + selected@i
  bad <- which(!((run - 1) * p + importance@i) %in% key)[1]
  refuse(!is.na(bad),
    c("{.arg importance} has {figure(importance@x[bad])} for feature {.val {name_at(bad)}} in
      run {run[bad]}, which did not select it.",
      i = "Importance is that in the model of the selected features; set it to 0 elsewhere."
    )
  )
}

importance_from_list <- function(importance, selection) {
  refuse(length(importance) != selection$n_runs,
    "{.arg importance} has {length(importance)} element{?s}, but there
      {cli::qty(selection$n_runs)}{?is/are} {selection$n_runs} run{?s}."
  )
  for (b in seq_along(importance)) {
    v <- importance[[b]]
    unknown <- setdiff(names(v), selection$feature_names)
    fine <- is.numeric(v) && !is.null(names(v)) && !anyNA(v) && anyDuplicated(names(v)) == 0L
    refuse(length(v) > 0L && !fine,
      "Run {b} of {.arg importance} must be numbers with the names of the features, each
        once."
    )
    refuse(length(unknown) > 0L,
      "Run {b} of {.arg importance} has feature {.val {unknown[1]}}, which the selection does
        not have."
    )
  }
  runs_to_matrix(importance, selection$feature_names)
}
