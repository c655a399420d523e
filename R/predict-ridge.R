# Ridge regression for numbers and for survival times.

#' @rdname learners
#' @export
learner_ridge <- function(lambda = NULL) {
  if (!is.null(lambda)) lambda <- check_number(lambda, min = 0)
  ridge_learner(lambda)
}

# @param k (integer) number of first columns of x that are covariates.
ridge_learner <- function(lambda, k = 0L) {
  covariates <- seq_len(k)
  params <- c(list(lambda = lambda), if (k > 0L) list(covariates = k))
  new_learner(
    "ridge", "ridge regression", params,
    function(x, y) fit_ridge_beside(x, y, lambda, covariates),
    drawn = function(x, y, rows) fit_ridge_beside(x, y, lambda, covariates, rows),
    function(model, newdata) drop(newdata %*% model$coefficients) - model$offset,
    importance = function(model) {
      (model$coefficients * model$scale)[setdiff(seq_along(model$coefficients), covariates)]^2
    },
    survival = function(model, newdata, times) {
      risk <- drop(newdata %*% model$coefficients) - model$offset
      curves_of_risk(model$baseline, risk, times)
    },
    squared_importance = TRUE, responses = c("numeric", "survival"),
    held = function(k) ridge_learner(lambda, k)
  )
}

# @param rows (integer, or NULL) the sample of each row: a run may have drawn it twice.
fit_ridge_beside <- function(x, y, lambda, covariates, rows = NULL) {
  z <- x[, covariates, drop = FALSE]
  features <- x[, setdiff(seq_len(ncol(x)), covariates), drop = FALSE]
  survival <- is_survival(y)
  kind <- if (survival) "ridge_cox" else "least_squares"
  values <- if (survival) surv_matrix(y) else cbind(y)
  event <- if (survival) values[, 2L]
  fit <- fit_ridge(features, z, kind, values[, 1L], event, lambda, rows = rows)
  fit$coefficients <- c(fit$covariates, fit$coefficients)
  fit$scale <- c(numeric(length(covariates)), fit$scale)
  if (!survival) fit$offset <- -fit$intercept
  if (survival) {
    fit$baseline <- baseline_of_fit(x, list(y = values[, 1L], event = event), fit, rows)
  }
  fit
}
