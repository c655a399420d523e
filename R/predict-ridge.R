# Ridge regression for numbers and for survival times.

#' @rdname learners
#' @export
learner_ridge <- function(lambda = NULL) {
  if (!is.null(lambda)) lambda <- check_number(lambda, min = 0)
  ridge_learner(lambda)
}

# @param k (integer) so many columns of x, the first ones, are covariates.
ridge_learner <- function(lambda, k = 0L) {
  covariates <- seq_len(k)
  params <- c(list(lambda = lambda), if (k > 0L) list(covariates = k))
  new_learner(
    "ridge", "ridge regression", params,
    function(x, y) {
      if (k > 0L) fit_ridge_beside(x, y, lambda, covariates) else fit_ridge(x, y, lambda)
    },
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

fit_ridge_beside <- function(x, y, lambda, covariates) {
  z <- x[, covariates, drop = FALSE]
  features <- x[, setdiff(seq_len(ncol(x)), covariates), drop = FALSE]
  fit <- if (is_survival(y)) {
    values <- surv_matrix(y)
    fit_held_ridge(features, z, "ridge_cox", values[, 1L], values[, 2L], lambda)
  } else {
    fit_held_ridge(features, z, "least_squares", y, NULL, lambda)
  }
  fit$coefficients <- c(fit$covariates, fit$coefficients)
  fit$scale <- c(numeric(length(covariates)), fit$scale)
  if (is.null(fit$offset)) fit$offset <- -fit$intercept
  if (is_survival(y)) {
    fit$baseline <- baseline_of_fit(x, list(y = values[, 1L], event = values[, 2L]), fit)
  }
  fit
}

fit_ridge <- function(x, y, lambda) {
  if (is_survival(y)) {
    values <- surv_matrix(y)
    fit <- fit_cox_ridge(x, values[, 1L], values[, 2L], lambda)
    fit$baseline <- baseline_of_fit(x, list(y = values[, 1L], event = values[, 2L]), fit)
    return(fit)
  }
  fit <- cpp_fit_ridge(x, y, lambda)
  fit$offset <- -fit$intercept
  fit
}
