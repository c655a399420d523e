# How much the prediction of a sample changes with the samples that the model was made from.

# Predictions of the samples that are not in `rows`; NA for those that are.
# @param model (stabilect_model, or NULL) made from these rows.
# @return list(predicted (numeric, n), predicts (string: what these are)), or NULL without a model.
predict_rest <- function(model, study, rows) {
  if (!inherits(model, "stabilect_model")) {
    return(NULL)
  }
  predicted <- rep(NA_real_, study$n)
  predicted[-rows] <- predict_values(model, study$x[-rows, , drop = FALSE])
  list(predicted = predicted, predicts = predicted_by(model))
}

# What a model says of a sample: probabilities where it has them.
predicted_by <- function(model) {
  switch(model$asked$model, ridge_logistic = "probability", ridge_cox = "risk", "fitted value")
}

predict_values <- function(model, x) {
  type <- switch(predicted_by(model),
    probability = "probability", "fitted value" = if (!is.null(model$study$levels)) "link"
  )
  unname(stats::predict(model, x, type = type))
}

# @param rankings (list) of rank_half(), for each half.
# @param object (result, or a function) whose procedure was repeated.
prediction_instability <- function(rankings, object, study) {
  predicted <- lapply(rankings, `[[`, "predicted")
  if (any(vapply(predicted, is.null, NA))) {
    return(NULL)
  }
  values <- matrix(unlist(predicted), study$n)
  center <- rowMeans(values, na.rm = TRUE)
  model <- if (!is.function(object)) object$model
  whole <- if (is.null(model)) center else predict_values(model, study$x)
  other <- rep(NA_real_, study$n)
  if (!is.null(study$response$levels)) {
    middle <- if (rankings[[1]]$predicts == "probability") 0.5 else 0
    other <- rowMeans((values > middle) != (whole > middle), na.rm = TRUE)
  }
  limits <- apply(values, 1, stats::quantile, c(0.025, 0.975), na.rm = TRUE, names = FALSE)
  data.frame(
    sample = sample_labels(study), predicted = whole, n_models = rowSums(!is.na(values)),
    mean = center, lower = limits[1, ], upper = limits[2, ],
    distance = rowMeans(abs(values - whole), na.rm = TRUE), other_class = other
  )
}
