# The picture of effect sizes: a line for each feature.

#' @rdname effects-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_effects <- function(object, n = 20, ...) {
  open_picture(...)
  table <- with_labels(utils::head(object$table, check_count(n)), object$study)
  kinds <- c(effect = "corrected", left_out = "left-out samples", in_sample = "all samples")
  table$place <- factor(seq_len(nrow(table)), rev(seq_len(nrow(table))))
  long <- data.frame(
    place = rep(table$place, length(kinds)), value = unlist(table[names(kinds)]),
    kind = factor(rep(kinds, each = nrow(table)), kinds)
  )
  limits <- table[!is.na(table$lower), ]
  picture(long[!is.na(long$value), ], ggplot2::aes(.data$value, .data$place),
    ggplot2::geom_vline(
      xintercept = object$effect$none, linetype = "dashed", colour = "grey50"
    ),
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$lower, xend = .data$upper, yend = .data$place), data = limits,
      colour = path_colours[1], linewidth = 0.8
    ),
    ggplot2::geom_point(
      ggplot2::aes(colour = .data$kind, shape = .data$kind, size = .data$kind)
    ),
    ggplot2::scale_colour_manual(
      values = stats::setNames(c(path_colours[1], "grey35", path_colours[2]), kinds), drop = FALSE
    ),
    ggplot2::scale_shape_manual(values = stats::setNames(c(16, 4, 1), kinds), drop = FALSE),
    ggplot2::scale_size_manual(values = stats::setNames(c(2.6, 1.8, 2.2), kinds), drop = FALSE),
    if (object$effect$none == 1) ggplot2::scale_x_log10(),
    ggplot2::scale_y_discrete(labels = rev(shorten(table$feature))),
    x = capitalised(in_words(object$effect$name)), y = NULL, colour = NULL, shape = NULL,
    size = NULL, title = "Effects without the luck of selection",
    subtitle = sprintf(
      "Corrected effect with %s interval; dashed: no effect",
      paste0(figure(100 * object$asked$conf_level), "\u00a0%")
    ),
    legend = "bottom"
  )
}
