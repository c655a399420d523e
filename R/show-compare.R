#' Critical-difference diagram
#'
#' Shows methods at their mean ranks, the best at the left. Thick lines join methods that do not
#' differ by Nemenyi's test (Demsar 2006, Figure 1). The bar at the top is the critical difference.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_comparison`) result of [compare_methods()].
#' @return A `ggplot`; [plot()] draws it and returns it invisibly.
#' @references Demsar J (2006). Statistical comparisons of classifiers over multiple data sets.
#'   *Journal of Machine Learning Research* 7, 1-30.
#' @family comparison
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' sizes <- cbind(
#'   fibonacci = c(9, 12, 30, 44, 8, 61), plain = c(20, 18, 70, 90, 8, 120),
#'   subsect = c(7, 11, 35, 40, 9, 50)
#' )
#' plot(compare_methods(sizes, direction = "min"))
#' @importFrom rlang .data
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_comparison <- function(object, ...) {
  open_picture(...)
  k <- ncol(object$ranks)
  bars <- group_bars(object)
  labels <- diagram_labels(object, if (nrow(bars) > 0L) min(bars$y) else 0)
  ticks <- data.frame(x = seq_len(k))
  critical <- object$critical_difference
  lines <- function(data, ...) {
    ggplot2::geom_segment(
      data = data,
      ggplot2::aes(x = .data$x, xend = .data$xend, y = .data$y, yend = .data$yend), ...
    )
  }
  axis <- data.frame(x = 1, xend = k, y = 0, yend = 0)
  bar <- data.frame(x = 1, xend = 1 + critical, y = 1.1, yend = 1.1)
  ends <- data.frame(x = c(bar$x, bar$xend), xend = c(bar$x, bar$xend), y = 1, yend = 1.2)
  ggplot2::ggplot() +
    lines(axis, linewidth = 0.5) +
    lines(data.frame(x = ticks$x, xend = ticks$x, y = 0, yend = 0.15), linewidth = 0.5) +
    ggplot2::geom_text(
      data = ticks, ggplot2::aes(.data$x, 0.45, label = .data$x), size = 3.4
    ) +
    lines(rbind(bar, ends), linewidth = 0.5) +
    ggplot2::annotate("text", 1 + critical / 2, 1.5, size = 3.4,
      label = sprintf("CD = %.2f", critical)
    ) +
    lines(data.frame(x = labels$rank, xend = labels$rank, y = 0, yend = labels$y),
      linewidth = 0.35, colour = "grey40"
    ) +
    lines(data.frame(x = labels$rank, xend = labels$end, y = labels$y, yend = labels$y),
      linewidth = 0.35, colour = "grey40"
    ) +
    lines(bars, linewidth = 1.8) +
    diagram_frame(object, labels)
}

# One bar for each group of at least two, under the axis; lower where bars would touch.
group_bars <- function(object) {
  sorted <- object$table$mean_rank
  groups <- rank_groups(sorted, object$critical_difference)
  groups <- groups[groups[, "to"] > groups[, "from"], , drop = FALSE]
  if (nrow(groups) == 0L) {
    return(data.frame(x = double(), xend = double(), y = double(), yend = double()))
  }
  level <- -0.3 - 0.3 * (seq_len(nrow(groups)) - 1)
  # A bar extends a little beyond its ends: it visibly includes them.
  data.frame(
    x = sorted[groups[, "from"]] - 0.04, xend = sorted[groups[, "to"]] + 0.04, y = level,
    yend = level
  )
}

# The better half is labelled at the left, the others at the right, the outermost highest.
diagram_labels <- function(object, lowest_bar) {
  sorted <- object$table$mean_rank
  k <- length(sorted)
  left <- seq_len(k) <= ceiling(k / 2)
  depth <- ifelse(left, seq_len(k), k + 1L - seq_len(k))
  names <- shorten(object$table$method, 13L)
  # Ranks are below long names: most of a small picture is for the axis.
  between <- if (max(nchar(names)) > 10L) "\n" else " "
  data.frame(
    rank = sorted, y = lowest_bar - 0.1 - 0.5 * depth, left = left,
    end = ifelse(left, 1, k) + (k - 1) * ifelse(left, -0.03, 0.03),
    text = sprintf("%s%s(%.2f)", names, between, sorted)
  )
}

diagram_frame <- function(object, labels) {
  k <- ncol(object$ranks)
  right <- labels[!labels$left, ]
  labels <- labels[labels$left, ]
  list(
    ggplot2::coord_cartesian(ylim = c(min(labels$y) - 0.3, 1.8), expand = FALSE, clip = "off"),
    # The names are axis labels, which get as much room as they need.
    ggplot2::scale_y_continuous(
      breaks = labels$y, labels = labels$text,
      sec.axis = ggplot2::dup_axis(breaks = right$y, labels = right$text)
    ),
    picture_labels(
      title = "Mean ranks and critical difference",
      subtitle = sprintf(
        "%d methods, %d data sets; Friedman p %s; joined: not different (Nemenyi, %s)",
        k, nrow(object$ranks), p_text(object$friedman$p_value[1]),
        figure(1 - object$asked$conf_level)
      )
    ),
    ggplot2::theme_void(),
    ggplot2::theme(
      axis.text.y.left = ggplot2::element_text(hjust = 1, margin = ggplot2::margin(r = 3)),
      axis.text.y.right = ggplot2::element_text(hjust = 0, margin = ggplot2::margin(l = 3)),
      plot.title.position = "plot", plot.margin = ggplot2::margin(6, 10, 6, 10),
      plot.subtitle = ggplot2::element_text(margin = ggplot2::margin(3, 0, 6, 0))
    )
  )
}

p_text <- function(p) {
  if (is.nan(p)) "not defined" else if (p < 1e-4) "< 0.0001" else paste("=", figure(p, digits = 2))
}
