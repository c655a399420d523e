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
    squared_importance = TRUE, responses = c("numeric", "survival")
  )
}

fit_ridge <- function(x, y, lambda) {
  if (is_survival(y)) {
    values <- surv_matrix(y)
    return(fit_cox_ridge(x, values[, 1L], values[, 2L], lambda))
  }
  fit <- cpp_fit_ridge(x, y, lambda)
  fit$offset <- -fit$intercept
  fit
}
