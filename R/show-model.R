# Pictures of final models.

#' Plot of the coefficients of a final model
#'
#' Shows the standardised coefficients, which are comparable between features, the largest on top.
#' Positive coefficients favour the second of two classes, large numbers or early events. Several
#' classes have a panel each.
#'
#' @inheritParams arguments
#' @param object (`stabilect_model`) result of [fit_model()].
#' @param n (whole number >= 1) number of features to draw.
#' @return `autoplot()`: a ggplot object. `plot()` draws it and returns it invisibly.
#' @section Errors:
#' Class `stabilect_error_input` for a model without features, `stabilect_error_package` without
#' ggplot2.
#' @family fealect
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' plot(fit_model(x, mcl_sll$MCL, features = 1:5))
#' @name plot_model
NULL

#' @rdname plot_model
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_model <- function(object, n = 20, ...) {
  open_picture(...)
  n <- check_count(n)
  k <- length(object$features)
  if (k == 0L) {
    return(empty_picture(capitalised(describe_method(object)), "The model has no features."))
  }
  values <- as.matrix(object$standardised)
  best <- utils::head(order(-apply(abs(values), 1L, max)), n)
  value_dots(with_labels(coefficient_table(object, best), object$study), "standardised",
    ggplot2::geom_vline(xintercept = 0, colour = "grey50"),
    if (is.matrix(object$standardised)) list(ggplot2::facet_wrap("class"), few_ticks()),
    x = "Coefficient per standard deviation of the feature",
    title = capitalised(describe_method(object)),
    subtitle = paste0(
      if (k > length(best)) sprintf("the %d largest of ", length(best)), count_of(k, "feature"),
      "; ", model_direction(object)
    )
  )
}

# @param best (integer) places of features.
# @return (data frame) feature, class (of several), standardised, selected (all), a row for each
#   feature, class by class.
coefficient_table <- function(model, best) {
  values <- as.matrix(model$standardised)[best, , drop = FALSE]
  data.frame(
    feature = model$features[best], standardised = as.vector(values), selected = TRUE,
    place = seq_along(best),
    class = rep(c(colnames(values), "")[seq_len(ncol(values))], each = length(best))
  )
}

model_direction <- function(model) {
  paste("to the right: for", say_towards(outcome_of(model$study), model$study$levels))
}
