# Picture of simulated stability.

#' Plot of simulated stability
#'
#' Shows stability against the size of the ensemble, one line for each combination of parameters.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_simulation`) result of [simulate_stability()].
#' @return A `ggplot`; [plot()] draws it and returns it invisibly.
#' @family estimation
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(simulate_stability(500, 10, 30, p = c(0.3, 0.6, 0.9), method = "asymptotic"))
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_simulation <- function(object, ...) {
  open_picture(...)
  table <- object$table
  several <- length(unique(table$n_useful)) > 1L
  table$line <- factor(table$p)
  table$panel <- sprintf("%d useful features", table$n_useful)
  table$panel <- factor(table$panel, unique(table$panel))
  picture(table,
    ggplot2::aes(.data$n_weak, .data$stability, colour = .data$line, shape = .data$line),
    ggplot2::geom_errorbar(
      ggplot2::aes(ymin = .data$stability - 2 * .data$se, ymax = .data$stability + 2 * .data$se),
      width = 0
    ),
    ggplot2::geom_line(),
    ggplot2::geom_point(),
    ggplot2::scale_x_log10(breaks = unique(table$n_weak), minor_breaks = NULL),
    if (several) ggplot2::facet_wrap(ggplot2::vars(.data$panel)),
    ggplot2::scale_colour_viridis_d(name = "p", end = 0.75),
    ggplot2::scale_shape_manual(name = "p", values = rep_len(c(16, 17, 15, 18, 3, 4, 8, 7), 100)),
    x = "Members of the ensemble", y = sprintf("Stability (%s)", object$asked$index),
    title = "Stability of simulated ensembles",
    subtitle = sprintf("%d of %d features", object$asked$n_features, object$asked$n_total)
  )
}
