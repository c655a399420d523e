# Pictures of stability indices and of their convergence.

#' @rdname stability_convergence
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_convergence <- function(object, ...) {
  open_picture(...)
  picture(object$table, ggplot2::aes(.data$n_runs, .data$estimate),
    ggplot2::geom_ribbon(
      ggplot2::aes(ymin = .data$lower, ymax = .data$upper),
      fill = path_colours[1], alpha = 0.2
    ),
    ggplot2::geom_line(colour = path_colours[1]),
    ggplot2::geom_point(colour = path_colours[1]),
    ggplot2::scale_x_log10(breaks = object$table$n_runs, minor_breaks = NULL),
    x = "Number of runs", y = sprintf("Stability (%s)", object$index),
    title = "Does the stability settle?"
  )
}

#' @rdname stability-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_stability <- function(object, ...) {
  open_picture(...)
  table <- object$table[!is.na(object$table$estimate), ]
  if (nrow(table) == 0L) {
    return(empty_picture("Stability", "No index is defined for these runs."))
  }
  intervals_picture(table, table$index,
    x = "Stability", title = sprintf("Stability of %d runs", object$n_runs),
    subtitle = sprintf("with %s%% intervals", figure(100 * object$conf_level))
  )
}

# Estimates with their intervals, one a line.
# @param table (data frame) estimate, lower, upper. @param lines (character) their names.
intervals_picture <- function(table, lines, x, title, subtitle) {
  table$line <- factor(lines, rev(lines))
  picture(table, ggplot2::aes(.data$estimate, .data$line),
    ggplot2::geom_vline(xintercept = 0, colour = "grey80"),
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$lower, xend = .data$upper, yend = .data$line),
      data = table[!is.na(table$lower), ], colour = path_colours[1], linewidth = 0.8
    ),
    ggplot2::geom_point(size = 2.4, colour = path_colours[1]),
    ggplot2::expand_limits(x = c(0, 1)),
    x = x, y = NULL, title = title, subtitle = subtitle
  )
}

#' @rdname test_stability
#' @param object (object of class `stabilect_stability_comparison`) the result for several
#'   selections, for the picture of their stabilities.
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_stability_comparison <- function(object, ...) {
  open_picture(...)
  table <- object$stabilities
  intervals_picture(table, table$selection,
    x = sprintf("Stability (%s)", object$asked$index), title = "Stability of selections",
    subtitle = "of more runs on these samples"
  )
}
