#' Plot of a score curve with three segments
#'
#' Shows scores in ascending order on a logarithmic axis, the fitted curve in three colours, its
#' knots (dashed), and the names of the best informative features.
#'
#' @inheritParams arguments
#' @param object (`stabilect_three_segment`) result of [three_segment()].
#' @param n_labels (whole number >= 0) largest number of informative features to name, best first;
#'   some 20 names fit.
#' @return `autoplot()`: a ggplot object, which `plot()` draws.
#' @family fealect
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' rank <- 1:200
#' scores <- exp(rank / 50 - 0.001 * pmax(40 - rank, 0)^2 + 0.002 * pmax(rank - 180, 0)^2)
#' scores <- scores * exp(sin(rank) / 20)
#' names(scores) <- paste0("gene", rank)
#' plot(three_segment(scores))
#' @name plot_three_segment
NULL

#' @rdname plot_three_segment
#' @importFrom rlang .data
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_three_segment <- function(object, # nolint: object_name_linter.
                                             n_labels = 10, ...) {
  open_picture(...)
  n_labels <- check_count(n_labels, min = 0)
  if (length(object$scores) == 0L) {
    return(empty_picture(curve_title(object), curve_subtitle(object)))
  }
  points <- picture(as.data.frame(object), ggplot2::aes(.data$rank, .data$score),
    ggplot2::geom_point(size = 0.9, colour = "grey45"),
    ggplot2::scale_x_continuous(breaks = rank_ticks(length(object$scores)), minor_breaks = NULL),
    ggplot2::scale_y_log10(),
    x = "Rank (ascending score)", y = "Score (log scale)", colour = "Segment",
    title = curve_title(object), subtitle = curve_subtitle(object), legend = "bottom"
  )
  if (anyNA(object$knots)) {
    return(points)
  }
  points +
    ggplot2::geom_vline(xintercept = unname(object$knots), linetype = "dashed", colour = "grey60") +
    ggplot2::geom_line(
      ggplot2::aes(y = .data$fitted, group = 1, colour = .data$segment),
      linewidth = 1.1
    ) +
    ggplot2::scale_colour_manual(values = segment_colours) +
    label_layers(curve_labels(object, n_labels))
}

# The names stand in a column to the right of the curve, where nothing else is drawn.
label_layers <- function(labels) {
  if (nrow(labels) == 0L) {
    return(NULL)
  }
  list(
    ggplot2::geom_segment(
      ggplot2::aes(
        x = .data$rank, y = .data$score, xend = .data$label_rank, yend = .data$label_score
      ),
      data = labels, colour = "grey70", linewidth = 0.3
    ),
    ggplot2::geom_text(
      ggplot2::aes(x = .data$label_rank, y = .data$label_score, label = .data$feature),
      data = labels, hjust = 0, size = 3
    ),
    ggplot2::expand_limits(x = max(labels$rank) * room_for(labels$feature))
  )
}

curve_title <- function(x) {
  m <- length(x$scores)
  if (x$bends_up) {
    sprintf("%d of %s above the cut", x$n_features, count_of(m, "positive score"))
  } else {
    sprintf("No cut among %s", count_of(m, "positive score"))
  }
}

curve_subtitle <- function(x) {
  if (x$bends_up) {
    threshold <- figure(x$threshold, digits = 3)
    sprintf("Threshold score %s, where the curve starts to bend up", threshold)
  } else {
    capitalised(x$reason)
  }
}

# Positions of the names of the best features: beside their points, moved down until no two are
# closer than `gap` (as a share of the axis).
curve_labels <- function(x, n_labels, gap = 0.045) {
  shown <- utils::head(x$features, n_labels)
  m <- length(x$scores)
  rank <- m + 1L - seq_along(shown)
  height <- log(unname(x$scores[rank]))
  step <- gap * diff(range(log(x$scores), x$fitted, na.rm = TRUE, finite = TRUE))
  # with s_i = height_i + i step, label i is at min(s_1..s_i) - i step
  ladder <- seq_along(shown) * step
  label_height <- cummin(height + ladder) - ladder
  data.frame(
    feature = shorten(shown, name_width), rank = rank,
    score = unname(x$scores[rank]),
    label_rank = rep(m * 1.06, length(shown)), label_score = exp(label_height)
  )
}
