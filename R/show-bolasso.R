# Pictures of the Bolasso.

#' @rdname bolasso
#' @param n (whole number >= 1) number of features to draw.
#' @param object (object of class `stabilect_bolasso`) result of `bolasso()`.
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_bolasso <- function(object, n = 20, ...) {
  open_picture(...)
  n <- check_count(n)
  m <- length(object$features)
  frequency_dots(
    with_labels(object$table, object$study), n, object$asked$cutoff,
    sprintf("%s selected by the Bolasso", if (m == 0L) "No feature" else count_of(m, "feature")),
    sprintf(
      "in the lasso model at lambda %s of %s %d runs (dashed)",
      figure(object$lambda, digits = 3),
      if (object$asked$cutoff < 1) {
        sprintf("at least %s%% of", figure(100 * object$asked$cutoff))
      } else {
        "all"
      },
      object$selection$n_runs
    )
  )
}
