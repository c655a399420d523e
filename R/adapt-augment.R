# Predictions beside the data, for the generic of broom.

#' @rdname tidiers
#' @param newdata (numeric matrix, or data frame) samples to predict, as in
#'   [predict.stabilect_model()]; results keep no data.
#' @exportS3Method generics::augment
augment.stabilect_model <- function(x, newdata, covariates = NULL, ...) {
  refuse_dots(...)
  predicted <- stats::predict(x, newdata, covariates = covariates)
  table <- as.data.frame(as.matrix(newdata))
  if (is.data.frame(newdata)) table <- as.data.frame(newdata)
  table$.fitted <- unname(predicted)
  if (!is.null(final_model_record(x)$probability)) {
    odds <- stats::predict(x, newdata, type = "probability", covariates = covariates)
    if (!is.matrix(odds)) odds <- cbind(1 - odds, odds)
    for (i in seq_along(x$study$levels)) {
      table[[paste0(".probability_", x$study$levels[i])]] <- unname(odds[, i])
    }
  }
  as_tidy(table)
}

#' @rdname tidiers
#' @exportS3Method generics::augment
augment.stabilect_fealect <- function(x, newdata, ...) {
  augment.stabilect_model(final_model(x), newdata, ...)
}
