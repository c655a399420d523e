# The picture of find_signals().

#' @rdname signals-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_signals <- function(object, n = 500, ...) {
  open_picture(...)
  n <- check_count(n)
  table <- ranked_correlations(object)
  named <- table[table$feature %in% object$features, ]
  # Where nothing is named, the strongest marks show what the signal is of.
  none <- nrow(named) == 0L
  if (none) named <- utils::head(table[table$p <= 0.05, ], 3L)
  n <- max(n, named$rank)
  # Also told apart from features beside them that have no name in the picture.
  labels <- with_copies(utils::head(table$feature, n), object$study)
  named$label <- shorten(labels, if (none) 24L else name_width)[named$rank]
  # Names in the right half are to the left of their points, below the falling line.
  right <- log(named$rank) > log(min(n, nrow(table))) / 2
  named$side <- ifelse(right, 1.1, -0.15)
  named$height <- ifelse(right, 1.5, -0.5)
  band <- object$null$band[object$null$band$rank <= n, ]
  top <- min(1, 1.15 * max(table$size, band$upper))
  colour <- if (none) "grey25" else path_colours[2]
  picture(utils::head(table, n), ggplot2::aes(.data$rank, .data$size),
    ggplot2::geom_ribbon(
      ggplot2::aes(.data$rank, ymin = .data$lower, ymax = .data$upper),
      data = band, inherit.aes = FALSE, fill = "grey85"
    ),
    ggplot2::geom_point(size = 0.9, colour = "grey45"),
    ggplot2::geom_point(data = named, size = if (none) 1.4 else 2.6, colour = colour),
    if (none) {
      names_beside(named, sqrt(min(n, nrow(table))), top)
    } else {
      ggplot2::geom_text(
        ggplot2::aes(label = .data$label, hjust = .data$side, vjust = .data$height),
        data = named, size = 3.2, colour = colour
      )
    },
    ggplot2::scale_x_log10(
      breaks = ranks_by_size(min(n, nrow(table))), minor_breaks = NULL,
      expand = ggplot2::expansion(mult = c(0.05, 0.2))
    ),
    ggplot2::scale_y_continuous(limits = c(0, top)),
    x = sprintf("Rank of the %s", unit_word(object$study)),
    y = "Absolute correlation with the outcome",
    title = signals_title(object), subtitle = signals_subtitle(object)
  )
}

# Names of neighbouring points, one above the other at rank `at`, where a falling line leaves room.
names_beside <- function(named, at, top) {
  named$height <- top * (1 - 0.09 * (seq_len(nrow(named)) - 0.5))
  list(
    ggplot2::geom_segment(
      ggplot2::aes(xend = at, yend = .data$height), data = named, colour = "grey70",
      linewidth = 0.3
    ),
    ggplot2::geom_text(
      ggplot2::aes(at, .data$height, label = .data$label), data = named, hjust = -0.03, size = 3.2
    )
  )
}

ranked_correlations <- function(object) {
  table <- object$marginal
  table$size <- abs(table$correlation)
  table <- table[order(-table$size, method = "radix"), ]
  table$rank <- seq_len(nrow(table))
  table
}

signals_title <- function(object) {
  m <- length(object$features)
  unit <- unit_word(object$study)
  if (m > 0L) {
    paste(count_of(m, unit), "can be named")
  } else if (object$p_value <= 0.05) {
    sprintf("The data show signal, and cannot say which %s carries it", unit)
  } else {
    sprintf("No %s can be named", unit)
  }
}

signals_subtitle <- function(object) {
  sprintf(
    "any signal: p = %s; grey: 90 %% of %ss without signal", figure(object$p_value, digits = 2),
    object$null$kind
  )
}
