#' Plot of a Pareto front
#'
#' Shows all points; steps join the points of the front, the corners of the hull are circled, the
#' knee is marked.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_pareto`) result of [pareto_front()].
#' @return A `ggplot`; [plot()] draws it and returns it invisibly. The second objective is
#'   on the horizontal axis.
#' @family trade-off
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' points <- data.frame(accuracy = c(0.9, 0.88, 0.8, 0.7), stability = c(0.3, 0.5, 0.6, 0.55))
#' plot(pareto_front(points))
#' @importFrom rlang .data
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_pareto <- function(object, ...) {
  open_picture(...)
  objectives <- object$asked$objectives
  plain <- function(table) {
    data.frame(first = table[[objectives[1]]], second = table[[objectives[2]]])
  }
  points <- plain(object$points)
  points <- points[stats::complete.cases(points), ]
  front <- cbind(plain(object$table), object$table[c("hull", "knee")])
  aes <- ggplot2::aes(.data$second, .data$first)
  picture(points, aes,
    ggplot2::geom_point(colour = "grey75", size = 1.4),
    if (nrow(front) > 1L) {
      ggplot2::geom_step(
        data = front, direction = step_direction(object$asked$direction), colour = "#0072B2"
      )
    },
    ggplot2::geom_point(data = front, colour = "#0072B2", size = 1.8),
    ggplot2::geom_point(
      data = front[front$hull, ], shape = 21, size = 4, colour = "#0072B2", fill = NA
    ),
    ggplot2::geom_point(data = front[front$knee, ], shape = 8, size = 4, colour = "#D55E00"),
    x = objectives[2], y = objectives[1], title = "Pareto front",
    subtitle = paste0(
      sprintf("%d of %d points; circles: corners of the hull", nrow(front), nrow(points)),
      if (any(front$knee)) "; star: knee"
    )
  )
}

# Steps from left to right along the border of the dominated area.
step_direction <- function(direction) if (direction[2] == "max") "vh" else "hv"
