# The picture of permutations: is there any signal?

#' @rdname permutations
#' @param object (`stabilect_null`) the field `null` of a result.
#' @param ... Not used.
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_null <- function(object, ...) {
  open_picture(...)
  observed <- max(object$observed)
  maxima <- object$maxima
  # Equal bins, so that heights are numbers of permutations.
  range <- range(maxima, observed)
  width <- max(diff(range), abs(observed), 1e-12) / 40
  bins <- floor((maxima - range[1]) / width)
  table <- data.frame(value = range[1] + (bins + 0.5) * width)
  reach <- sum(maxima >= observed - 1e-9 * abs(observed))
  picture(table, ggplot2::aes(.data$value),
    ggplot2::geom_bar(width = 0.9 * width, fill = "grey65"),
    ggplot2::geom_vline(xintercept = observed, colour = path_colours[2], linewidth = 0.9),
    ggplot2::scale_y_continuous(
      breaks = function(limits) unique(round(pretty(limits))), minor_breaks = NULL
    ),
    x = sprintf("Largest %s of a feature", object$statistic), y = "Permutations",
    title = sprintf(
      "%s of %s reach%s the observed value", if (reach == 0L) "None" else reach,
      count_of(object$n_permutations, "permutation"), if (reach <= 1L) "es" else ""
    ),
    subtitle = sprintf("Line: the real outcome; bars: permuted outcomes; %s", describe_p(object$p))
  )
}
