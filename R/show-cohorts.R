# The picture of several cohorts: features in rows, cohorts in columns.

#' @rdname cohorts-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_cohorts <- function(object, n = 20, ...) {
  open_picture(...)
  features <- utils::head(object$table$feature, check_count(n))
  cohorts <- object$cohorts$cohort
  at <- seq_along(features)
  tiles <- data.frame(
    place = factor(rep(at, length(cohorts)), rev(at)),
    cohort = factor(rep(cohorts, each = length(at)), cohorts),
    correlation = as.vector(object$by_cohort$correlation[at, ]),
    named = as.vector(object$by_cohort$named[at, ])
  )
  found <- data.frame(
    place = factor(at, rev(at)), cohort = length(cohorts) + 0.6,
    text = sprintf("%d of %d", object$table$n_found[at], length(cohorts))
  )
  picture(tiles, ggplot2::aes(as.integer(.data$cohort), .data$place),
    ggplot2::geom_tile(ggplot2::aes(fill = .data$correlation), colour = "white", linewidth = 1),
    ggplot2::geom_point(data = tiles[tiles$named, ], size = 1.6),
    ggplot2::geom_text(
      ggplot2::aes(x = .data$cohort, label = .data$text), data = found, hjust = 0, size = 3.3
    ),
    ggplot2::scale_fill_gradient2(
      low = path_colours[1], mid = "grey95", high = path_colours[2], limits = c(-1, 1)
    ),
    ggplot2::scale_x_continuous(
      breaks = seq_along(cohorts),
      labels = sprintf(
        "%s\n(%d)", shorten(cohorts, max(10L, 56L %/% length(cohorts))), object$cohorts$n
      ),
      guide = ggplot2::guide_axis(n.dodge = if (length(cohorts) > 5L) 2L else 1L),
      limits = c(0.5, 1.17 * length(cohorts) + 0.6), position = "top",
      expand = ggplot2::expansion(0)
    ),
    ggplot2::scale_y_discrete(labels = rev(shorten(with_copies(features, object$study)))),
    ggplot2::theme(panel.grid = ggplot2::element_blank()),
    x = NULL, y = NULL, fill = "Correlation with outcome", legend = "bottom",
    title = "In how many cohorts is a feature found?",
    subtitle = paste0(
      "Dots: in the list of the cohort (samples); right: found in at least r of ", length(cohorts)
    )
  )
}
