# Pictures of models on samples that they had not seen.

#' @rdname validate_model
#' @section Picture:
#' A panel for each measure: the estimate with its interval, and a dashed line at the reference.
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_validation <- function(object, ...) {
  open_picture(...)
  table <- object$table
  table$measure <- factor(in_words(table$measure), unique(in_words(table$measure)))
  picture(table, ggplot2::aes(.data$estimate, 0),
    ggplot2::geom_vline(
      ggplot2::aes(xintercept = .data$reference), data = table[!is.na(table$reference), ],
      linetype = "dashed", colour = "grey50"
    ),
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$lower, xend = .data$upper, yend = 0),
      data = table[!is.na(table$lower), ], colour = path_colours[1], linewidth = 0.8
    ),
    ggplot2::geom_point(
      data = table[!is.na(table$estimate), ], size = 2.4, colour = path_colours[1]
    ),
    ggplot2::facet_wrap(ggplot2::vars(.data$measure), scales = "free_x", ncol = 2),
    few_ticks(),
    ggplot2::scale_y_continuous(breaks = NULL, limits = c(-1, 1)),
    x = NULL, y = NULL, title = sprintf("The model on %s", count_of(object$made$n, "new sample")),
    subtitle = "Estimate and interval; dashed: without features, or the ideal"
  )
}

#' @rdname evaluate_elimination
#' @section Picture:
#' A point for each run: the size that its search chose, and the metric on the samples that it had
#' not seen.
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_elimination_evaluation <- function(object, # nolint: object_length_linter.
                                                      ...) {
  open_picture(...)
  metric <- object$asked$metric
  table <- data.frame(size = object$table$n_features, value = object$table[[metric]])
  table <- table[!is.na(table$value), ]
  title <- "Samples that the search had not seen"
  if (nrow(table) == 0L) {
    return(empty_picture(title, "No run could be judged."))
  }
  mean <- mean(table$value)
  picture(table, ggplot2::aes(.data$size, .data$value),
    ggplot2::geom_hline(yintercept = mean, linetype = "dashed", colour = "grey50"),
    ggplot2::geom_point(size = 2, alpha = 0.6, colour = path_colours[1]),
    ggplot2::scale_x_log10(),
    x = "Number of features that the search chose", y = capitalised(in_words(metric)),
    title = title, subtitle = sprintf(
      "%s; dashed: mean %s", count_of(nrow(table), "run"), figure(mean, digits = 3)
    )
  )
}
