#' @export
predict.stabilect_result <- function(object, ...) { # nolint: object_name_linter.
  advice <- if (is.character(object$features)) {
    "For a model of its features: {.code fit_model(x, y, selected(object))}, then {.fn predict}."
  }
  abort(c("{.arg object} is a <{class(object)[1]}>, which has no model to predict with.",
    i = "Results of {.fn fealect}, {.fn eliminate_features}, {.fn hybrid_rfe} and {.fn fit_model}
      have one, and so have {.fn lars_path} and {.fn lasso_path}.",
    i = advice
  ))
}
