# A picture of the required ensemble size.

#' @rdname estimate_ensemble_size
#' @param ... Not used.
#' @param object (object of class `stabilect_ensemble_size`) result of `estimate_ensemble_size()`.
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_ensemble_size <- function(object, ...) {
  open_picture(...)
  table <- object$table
  table$source <- "model"
  regrouped <- object$regrouped
  if (!is.null(regrouped)) {
    regrouped$source <- "real runs, regrouped"
    columns <- c("n_weak", "stability", "source")
    table <- rbind(table[columns], regrouped[columns])
  }
  target <- object$asked$target_stability
  picture(table, ggplot2::aes(.data$n_weak, .data$stability, colour = .data$source),
    ggplot2::geom_hline(yintercept = target, linetype = "dashed", colour = "grey50"),
    ggplot2::geom_line(),
    ggplot2::geom_point(),
    ggplot2::scale_x_log10(),
    ggplot2::scale_colour_manual(values = path_colours[1:2], name = NULL),
    ggplot2::expand_limits(y = 0),
    x = "Members of the ensemble", y = sprintf("Stability (%s)", object$asked$index),
    title = if (is.na(object$n_weak)) {
      sprintf("A stability of %s is not reached", figure(target))
    } else {
      sprintf("%s for a stability of %s", count_of(object$n_weak, "member"), figure(target))
    },
    subtitle = "dashed: the stability that is wanted",
    legend = if (is.null(regrouped)) "none" else "top"
  )
}
