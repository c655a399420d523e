# The picture of alternative lists: their errors, step by step.

#' @rdname alternatives-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_alternatives <- function(object, ...) {
  open_picture(...)
  table <- object$table
  table$good <- factor(table$as_good, c(TRUE, FALSE), c("as good as the first", "worse"))
  picture(table, ggplot2::aes(.data$step, .data$error),
    ggplot2::geom_hline(yintercept = object$baseline, linetype = "dashed", colour = "grey50"),
    ggplot2::geom_line(colour = "grey70"),
    ggplot2::geom_point(ggplot2::aes(colour = .data$good, shape = .data$good), size = 2.5),
    ggplot2::scale_colour_manual(
      values = c("as good as the first" = "#0072B2", worse = "#D55E00"), drop = FALSE
    ),
    ggplot2::scale_shape_manual(
      values = c("as good as the first" = 16, worse = 17), drop = FALSE
    ),
    ggplot2::scale_x_continuous(breaks = table$step),
    ggplot2::expand_limits(y = 0),
    x = "List, without the features of all lists before", y = error_axis(object$measure),
    colour = NULL, shape = NULL, title = "Is this list the only one?",
    subtitle = "Dashed: the error without features", legend = "bottom"
  )
}
