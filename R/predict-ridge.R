# Ridge regression for numbers and for survival times.

#' @rdname learners
#' @export
learner_ridge <- function(lambda = NULL) {
  if (!is.null(lambda)) lambda <- check_number(lambda, "lambda", min = 0)
  new_learner(
    "ridge", "ridge regression", list(lambda = lambda),
    function(x, y) fit_ridge(x, y, lambda),
    function(model, newdata) drop(newdata %*% model$coefficients) - model$offset,
    importance = function(model) (model$coefficients * model$scale)^2,
    survival = function(model, newdata, times) {
      risk <- drop(newdata %*% model$coefficients) - model$offset
      curves_of_risk(model$baseline, risk, times)
    },
    squared_importance = TRUE, responses = c("numeric", "survival")
  )
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
