# How much the prediction of a sample changes with the training samples.

# Predictions of the samples outside `rows`; NA for those inside.
# @param model (stabilect_model, or NULL) made from these rows.
# @return list(link (numeric, n), predicts (string: what its values are), model (string: its
#   record)), or NULL without a model, and for several classes, which have no single number.
predict_rest <- function(model, study, rows) {
  # A user's procedure may adjust for covariates that are unknown here.
  z <- study$response$covariates
  if (!inherits(model, "stabilect_model") || !all(model$covariates %in% colnames(z)) ||
        is.null(final_model_record(model)$one)) {
    return(NULL)
  }
  # Samples that lack a class may have a model of fewer classes.
  if (!model$asked$model %in% outcome_of(study$response)$models) {
    return(NULL)
  }
  link <- rep(NA_real_, study$n)
  link[-rows] <- predict_links(model, study, -rows)
  if (!is.null(z)) link[beyond_covariates(z, rows, model$covariates)] <- NA
  list(link = link, predicts = final_model_record(model)$one$words, model = model$asked$model)
}

# @param rows (integer) samples of the study.
predict_links <- function(model, study, rows = seq_len(study$n)) {
  x <- study$x[rows, model$features, drop = FALSE]
  z <- study$response$covariates[rows, model$covariates, drop = FALSE]
  unname(link_of_model(model, x, z))
}

# @param rankings (list) of rank_part(), for each half.
# @param object (result, or a function) whose procedure was repeated.
prediction_instability <- function(rankings, object, study) {
  links <- lapply(rankings, `[[`, "link")
  if (any(vapply(links, is.null, NA))) {
    return(NULL)
  }
  value <- final_model_record(rankings[[1]]$model)$one$value
  links <- matrix(unlist(links), study$n)
  values <- value(links)
  center <- rowMeans(values, na.rm = TRUE)
  model <- if (!is.function(object)) object$model
  whole <- if (is.null(model)) center else value(predict_links(model, study))
  other <- rep(NA_real_, study$n)
  if (!is.null(study$response$levels)) {
    middle <- if (rankings[[1]]$predicts == "probability") 0.5 else 0
    other <- rowMeans((values > middle) != (whole > middle), na.rm = TRUE)
  }
  # Samples that no model could predict, since none had seen their level of a covariate.
  center[is.nan(center)] <- NA
  other[is.nan(other)] <- NA
  distance <- rowMeans(abs(values - whole), na.rm = TRUE)
  distance[is.nan(distance)] <- NA
  data.frame(
    sample = sample_labels(study), predicted = whole, n_models = rowSums(!is.na(values)),
    mean = center, lower = value(new_link(links, -1)), upper = value(new_link(links, 1)),
    distance = distance, other_class = other
  )
}

# Limit of a prediction in a new study of half the size. The variance v of models of halves is that
# of a model of all samples (the delete-half jackknife, Shao & Wu 1989), and so of their mean. A
# model of other samples, half as many, has twice v and differs from this mean by 3 v.
# @param links (numeric matrix) samples x models; @param side -1 or 1.
new_link <- function(links, side) {
  n <- rowSums(!is.na(links))
  s <- apply(links, 1L, stats::sd, na.rm = TRUE)
  far <- stats::qt(0.975, pmax(n - 1, 1)) * s * sqrt(3 + 1 / pmax(n, 1))
  replace(rowMeans(links, na.rm = TRUE) + side * far, is.na(far), NA)
}

# Samples with values that no row of the model had: a level without samples, or a new combination of
# collinear columns.
# @param z (matrix) of all samples; kept (character) columns of the model.
beyond_covariates <- function(z, rows, kept) {
  left_out <- z[, setdiff(colnames(z), kept), drop = FALSE]
  base <- cbind(1, z[, kept, drop = FALSE])
  coefficients <- qr.coef(qr(base[rows, , drop = FALSE]), left_out[rows, , drop = FALSE])
  off <- abs(left_out - base %*% coefficients)
  rowSums(off > 1e-8 * max(1, abs(left_out))) > 0
}
