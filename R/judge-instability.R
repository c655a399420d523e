# How much the prediction of a sample changes with the training samples.

# Predictions of the samples outside `rows`; NA for those inside.
# @param model (stabilect_model, or NULL) made from these rows.
# @return list(predicted (numeric, n), predicts (string: their kind)), or NULL without a model, and
#   for several classes, which have no single number.
predict_rest <- function(model, study, rows) {
  # A user's procedure may adjust for covariates that are unknown here.
  z <- study$response$covariates
  if (!inherits(model, "stabilect_model") || !all(model$covariates %in% colnames(z)) ||
        is.null(final_model_record(model)$one)) {
    return(NULL)
  }
  predicted <- rep(NA_real_, study$n)
  predicted[-rows] <- predict_values(model, study, -rows)
  if (!is.null(z)) predicted[beyond_covariates(z, rows, model$covariates)] <- NA
  list(predicted = predicted, predicts = final_model_record(model)$one$words)
}

# @param rows (integer) samples of the study.
predict_values <- function(model, study, rows = seq_len(study$n)) {
  x <- study$x[rows, model$features, drop = FALSE]
  z <- study$response$covariates[rows, model$covariates, drop = FALSE]
  final_model_record(model)$one$value(unname(link_of_model(model, x, z)))
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
  whole <- if (is.null(model)) center else predict_values(model, study)
  other <- rep(NA_real_, study$n)
  if (!is.null(study$response$levels)) {
    middle <- if (rankings[[1]]$predicts == "probability") 0.5 else 0
    other <- rowMeans((values > middle) != (whole > middle), na.rm = TRUE)
  }
  # Samples that no model could predict, since none had seen their level of a covariate.
  center[is.nan(center)] <- NA
  other[is.nan(other)] <- NA
  limits <- apply(values, 1, stats::quantile, c(0.025, 0.975), na.rm = TRUE, names = FALSE)
  distance <- rowMeans(abs(values - whole), na.rm = TRUE)
  distance[is.nan(distance)] <- NA
  data.frame(
    sample = sample_labels(study), predicted = whole, n_models = rowSums(!is.na(values)),
    mean = center, lower = limits[1, ], upper = limits[2, ], distance = distance,
    other_class = other
  )
}
