# Pictures of the Bolasso.

#' @rdname bolasso
#' @param type (string) kind of plot: `"frequency"` (of the best features), or `"strength"` (how
#'   strong and how steady features are, see [plot_strength]).
#' @param n (whole number >= 1) number of features to draw; of names in `"strength"`.
#' @param object (object of class `stabilect_bolasso`) result of `bolasso()`.
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_bolasso <- function(object, type = c("frequency", "strength"), n = 20, ...) {
  open_picture(...)
  type <- check_choice(type, c("frequency", "strength"))
  n <- check_count(n)
  if (type == "strength") {
    return(strength_picture(object, n))
  }
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
