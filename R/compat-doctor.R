# nolint start: object_name_linter.
# The models of FeaLect 1.20 ("doctors"). One call of cpp_train_doctors() computes all numbers.

#' Models of the R package FeaLect
#'
#' Computes, for one subset of the samples, the same as the R package FeaLect 1.20, under the same
#' names; see [FeaLect()]. FeaLect calls the models of a subset a *doctor*.
#'
#' @param F_ (numeric matrix, n samples x p features with names) features.
#' @param L_ (n values, named as the rows) labels as in [FeaLect()].
#' @param training.samples,validating.samples (character) names of rows.
#' @param considered.features (character) names of columns.
#' @param maximum.features.num (whole number >= 1) number of steps of the path that count.
#' @param balance (flag) balance the classes, with R's generator?
#' @param return_linear.models (flag) keep the path?
#' @param report.fitting.failure (flag) not used: failures are errors with a message.
#' @param linear.scores (numeric, one per label) values of the predictor.
#' @param true.labels,predictions (numeric, of equal length, with the same names) labels and
#'   predictions; values > 0 are positive.
#' @param object,x (`stabilect_doctor_path`) field `linear.models` of a doctor.
#' @param newx (numeric matrix, m x p) rows to predict.
#' @param s (numeric, or `NULL`) points on the path; `NULL` takes every step.
#' @param mode (string) unit of `s`: `"step"` (from 1, the empty model), `"fraction"`, `"norm"` or
#'   `"lambda"`.
#' @param type (string) `"fit"` or `"coefficients"`.
#' @param name (string) name of a field.
#' @param xvar (string) horizontal axis: `"norm"` (share of the final L1 norm), `"df"` (degrees of
#'   freedom) or `"step"`.
#' @param n_labels (whole number >= 0) number of features to name.
#' @param ... Not used.
#'
#' @details
#' **Logistic fit.** This is `rms::lrm()` up to rms 6, which FeaLect applies to the linear scores of
#' *all* samples: Newton's method, which stops once the deviance has changed by at most 0.025. The
#' coefficients are therefore not quite maximum likelihood, and for separated classes they are
#' finite but arbitrary. If the information matrix becomes singular (to 1e-7) during the iterations,
#' the fit has no coefficients. If it is singular at the end, this is an error, and the subset is
#' drawn again. Later versions of rms fit differently.
#'
#' **Path.** `linear.models` is not an object of class `lars` but a compact one, some 25 times
#' smaller. `coef()` and `predict()` take the arguments of the lars methods and return the same
#' shape. `summary()` has the degrees of freedom, residual sum of squares and Cp of each step, and
#' `plot()` draws the coefficients of the scaled columns (needs ggplot2). `$beta`, `$lambda`,
#' `$RSS`, `$R2`, `$Cp`, `$mu`, `$actions`, `$df` and `$type` are as in lars; any other field is an
#' error. [lars_path()] gives all the details of one path.
#'
#' @return
#' `train.doctor()`: a list of
#' * `linear.models` (`stabilect_doctor_path`);
#' * `best.number.of.features`: the *last* step with a positive F-measure, see [FeaLect()];
#' * `probabilities` of the validating samples at that step, and `accuracy`, their F-measure;
#' * `best.logistic.cof`, `contribution.to.feature.scores` and `contribution.to.features.frequency`
#'   (named, one per considered feature);
#' * `training.samples`, `validating.samples`;
#' * `precision` and `recall` of the validating samples at the last step;
#' * `selected.features.sequence` (list of names, step by step);
#' * `global.errors` of every step of the path, and `features.with.best.global.error`.
#'
#' `compute.logistic.score()`: list of `logistic.scores` and `logistic.cofs`; no values and `NULL`
#' if the information matrix is singular.
#'
#' `doctor.validate()`: list of `f.measure`, `mislabeled` (names), `precision` and `recall`.
#' @section Errors:
#' Class `stabilect_error_input`; `stabilect_error_fit` if the path has no step or the logistic fit
#' failed.
#' @family FeaLect
#' @examples
#' F <- as.matrix(mcl_sll[, -1])
#' L <- setNames(mcl_sll$MCL, rownames(F))
#' set.seed(1)
#' tested <- seq(1, 22, by = 3)
#' doctor <- train.doctor(F, L,
#'   training.samples = rownames(F)[-tested], validating.samples = rownames(F)[tested],
#'   considered.features = colnames(ignore.redundant(F[-tested, ])), maximum.features.num = 5
#' )
#' doctor$selected.features.sequence[[5]]
#' doctor$probabilities
#' @name train.doctor
NULL

#' @rdname train.doctor
#' @export
train.doctor <- function(F_, L_, training.samples, validating.samples, considered.features,
                         maximum.features.num, balance = TRUE, return_linear.models = TRUE,
                         report.fitting.failure = FALSE) {
  check_given()
  check_feature_matrix(F_)
  labels <- code_labels(L_, length(L_))[rownames(F_)]
  check_known(training.samples, rownames(F_), "training.samples")
  check_known(validating.samples, rownames(F_), "validating.samples")
  check_known(considered.features, colnames(F_), "considered.features")
  steps <- check_count(maximum.features.num)
  rows <- match(unique(training.samples), rownames(F_))
  refuse(anyNA(labels) || length(unique(labels[rows])) < 2L,
    "The labels of {.arg training.samples} must be of two classes, and all rows of {.arg F_}
      must have one."
  )
  weights <- row_weights(rows, labels, check_flag(balance))
  fit <- train_doctors(
    F_[, considered.features, drop = FALSE], labels, weights, steps, TRUE,
    check_flag(return_linear.models), times_in(validating.samples, rownames(F_))
  )[[1]]
  refuse(is.null(fit),
    "The model of these samples cannot be fitted: the path has no step, or the logistic
      regression failed.", class = "fit"
  )
  new_doctor(fit, rownames(F_), training.samples, validating.samples)
}

check_known <- function(x, names, name) {
  unknown <- which(!x %in% names)
  if (!is.character(x) || length(unknown) > 0L) {
    what <- if (is.character(x)) x[unknown[1]] else describe_value(x)
    abort("{.arg {name}} must be names of {.arg F_}; {.val {what}} is not one.")
  }
}

# How often each sample is in the balanced training set.
row_weights <- function(rows, labels, balance) {
  again <- if (balance) rows[draw_balance(labels[rows])]
  as.double(tabulate(c(rows, again), length(labels)))
}

times_in <- function(samples, names) as.double(tabulate(match(samples, names), length(names)))

# Without `validating` (how often each sample does) the samples that were not drawn validate.
train_doctors <- function(values, labels, weights, steps, consider_all, keep_paths,
                          validating = NULL) {
  storage.mode(values) <- "double"
  weights <- as.matrix(weights)
  validating <- if (is.null(validating)) weights[, 0L, drop = FALSE] else as.matrix(validating)
  fits <- cpp_train_doctors(
    values, unname(labels), as.integer(labels >= 1), weights, validating, colnames(values), steps,
    consider_all, keep_paths, check_threads(getOption("stabilect.n_threads", 1))
  )
  Map(function(fit, n) if (!is.null(fit)) c(fit, list(n = n)), fits, colSums(weights))
}

new_doctor <- function(fit, samples, training.samples, validating.samples) {
  errors <- stats::setNames(fit$global_errors, seq_along(fit$global_errors))
  probabilities <- numeric(length(validating.samples))
  if (fit$best > 0L) probabilities <- fit$probabilities[match(validating.samples, samples)]
  list(
    linear.models = if (is.null(fit$path)) {
      "return_linear.models is set to FALSE"
    } else {
      new_doctor_path(fit$path, fit$features, fit$n)
    },
    best.number.of.features = fit$best,
    probabilities = stats::setNames(probabilities, validating.samples),
    accuracy = if (fit$best > 0L) fit$accuracy else numeric(),
    best.logistic.cof = if (fit$best > 0L) {
      c(Intercept = fit$logistic[1], linear.scores = fit$logistic[2])
    } else {
      0
    },
    contribution.to.feature.scores = fit$contribution,
    contribution.to.features.frequency = fit$frequency,
    training.samples = training.samples, validating.samples = validating.samples,
    precision = fit$precision, recall = fit$recall,
    selected.features.sequence = fit$sets, global.errors = errors,
    features.with.best.global.error = fit$sets[[which.min(errors[seq_along(fit$sets)])]]
  )
}

#' @rdname train.doctor
#' @export
compute.logistic.score <- function(F_, L_, considered.features, training.samples,
                                   validating.samples, linear.scores,
                                   report.fitting.failure = TRUE) {
  # FeaLect takes these three but ignores them.
  check_given(except = c("considered.features", "training.samples", "validating.samples"))
  labels <- code_labels(L_, length(L_))
  refuse(!is.numeric(linear.scores) || length(linear.scores) != length(labels) ||
    !all(is.finite(linear.scores)),
    "{.arg linear.scores} must be {length(labels)} finite numbers, one for each label, not
      {describe_value(linear.scores)}."
  )
  fit <- cpp_fit_lrm(as.double(linear.scores), as.integer(labels >= 1))
  refuse(is.null(fit), "The logistic regression failed: its information matrix is singular.",
    class = "fit")
  if (length(fit) == 0L) {
    return(list(logistic.scores = numeric(), logistic.cofs = NULL))
  }
  list(
    logistic.scores = 1 / (1 + exp(-(fit[1] + linear.scores * fit[2]))),
    logistic.cofs = c(Intercept = fit[1], linear.scores = fit[2])
  )
}

#' @rdname train.doctor
#' @export
doctor.validate <- function(true.labels, predictions) {
  check_given()
  refuse(length(true.labels) != length(predictions) ||
    !identical(names(true.labels), names(predictions)),
    "{.arg predictions} ({length(predictions)}) must be as many as {.arg true.labels}
      ({length(true.labels)}), with the same names in the same order."
  )
  positive <- true.labels > 0
  predicted <- predictions > 0
  share <- function(hits, of) if (of > 0) hits / of else 0
  precision <- share(sum(positive & predicted), sum(predicted))
  recall <- share(sum(positive & predicted), sum(positive))
  samples <- names(predictions)
  list(
    f.measure = share(2 * precision * recall, precision + recall),
    mislabeled = c(samples[predicted & !positive], samples[!predicted & positive]),
    precision = precision, recall = recall
  )
}

# nolint end
