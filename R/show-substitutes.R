# Pictures of features that replace each other.

#' @rdname substitutes
#' @param n (whole number >= 1) number of features to draw, those with substitutes.
#' @param ... Not used.
#' @section Picture:
#' A panel for each feature with substitutes. The line of a substitute goes from its share of the
#' runs with the feature (ring) to its share of the runs without it (dot). The longer the line, the
#' clearer the exchange.
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_substitutes <- function(object, n = 6, ...) {
  open_picture(...)
  n <- check_count(n)
  shown <- utils::head(object$features$feature[object$features$n_substitutes > 0L], n)
  if (length(shown) == 0L) {
    return(empty_picture("Substitutes of selected features", paste(
      "No substitutes were found. A lower threshold or a larger max_p may find some."
    )))
  }
  table <- bind_rows_of(shown, function(name) {
    utils::head(object$table[object$table$feature == name, ], 6L)
  })
  names <- shorten(with_copies(shown, object$study))
  table$panel <- factor(match(table$feature, shown), labels = make.unique(names))
  # A substitute has its own row in each panel.
  table$row <- factor(rev(seq_len(nrow(table))))
  names <- shorten(with_copies(table$substitute, object$study), name_width)
  names <- sprintf("%s (r %.2f)", names, table$correlation)
  picture(table, ggplot2::aes(y = .data$row),
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$share_with, xend = .data$share_without, yend = .data$row),
      colour = path_grey
    ),
    ggplot2::geom_point(
      ggplot2::aes(.data$share_with), colour = path_colours[1], shape = 21, fill = "white", size = 2
    ),
    ggplot2::geom_point(ggplot2::aes(.data$share_without), colour = path_colours[1], size = 2.2),
    ggplot2::facet_wrap("panel", scales = "free_y"),
    ggplot2::scale_y_discrete(labels = stats::setNames(names, table$row)),
    ggplot2::expand_limits(x = 0),
    x = sprintf("Share of the runs with the %s (ring) and without it (dot)", object$unit),
    y = NULL, title = sprintf("What is selected instead of a %s", object$unit),
    subtitle = sprintf(
      "correlated by %s or more; %s", figure(object$asked$threshold),
      count_of(object$n_runs, "run")
    )
  )
}
