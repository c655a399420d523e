# How much the prediction of a sample changes with the samples that the model was made from.

# Predictions of the samples that are not in `rows`; NA for those that are.
# @param model (stabilect_model, or NULL) made from these rows.
# @return (numeric, n), or NULL without a model.
predict_rest <- function(model, study, rows) {
  if (!inherits(model, "stabilect_model")) {
    return(NULL)
  }
  predicted <- rep(NA_real_, study$n)
  predicted[-rows] <- predict_values(model, study$x[-rows, , drop = FALSE])
  predicted
}

# Probabilities where the model has them, else fitted values or risks.
predict_values <- function(model, x) {
  type <- switch(model$asked$model,
    ridge_logistic = "probability",
    least_squares = if (!is.null(model$study$levels)) "link"
  )
  unname(stats::predict(model, x, type = type))
}

# @param predicted (list of numeric, n) of predict_rest(), for each half.
# @param object (result, or a function) whose procedure was repeated.
prediction_instability <- function(predicted, object, study) {
  if (any(vapply(predicted, is.null, NA))) {
    return(NULL)
  }
  values <- matrix(unlist(predicted), study$n)
  center <- rowMeans(values, na.rm = TRUE)
  model <- if (!is.function(object)) object$model
  whole <- if (is.null(model)) center else predict_values(model, study$x)
  other <- rep(NA_real_, study$n)
  if (!is.null(study$response$levels)) {
    middle <- if (all(values >= 0 & values <= 1, na.rm = TRUE)) 0.5 else 0
    other <- rowMeans((values > middle) != (whole > middle), na.rm = TRUE)
  }
  limits <- apply(values, 1, stats::quantile, c(0.025, 0.975), na.rm = TRUE, names = FALSE)
  data.frame(
    sample = sample_labels(study), predicted = whole, n_models = rowSums(!is.na(values)),
    mean = center, lower = limits[1, ], upper = limits[2, ],
    distance = rowMeans(abs(values - whole), na.rm = TRUE), other_class = other
  )
}
