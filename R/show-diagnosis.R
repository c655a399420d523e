#' @rdname anova.stabilect_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_diagnosis <- function(object, ...) {
  open_picture(...)
  frequency <- object$frequency
  shown <- frequency$rank <= max(20, 2 * sum(frequency$real > 2 / object$made$n_runs))
  frequency <- frequency[shown, ]
  labels <- c(equal = "model", graded = "graded model")
  lines <- do.call(rbind, lapply(names(labels), function(name) {
    data.frame(rank = frequency$rank, value = frequency[[name]], model = labels[[name]])
  }))
  lines$model <- factor(lines$model, labels)
  picture(frequency, ggplot2::aes(.data$rank, .data$real),
    ggplot2::geom_point(colour = "grey35", size = 1.2),
    ggplot2::geom_step(
      ggplot2::aes(.data$rank, .data$value, colour = .data$model, linetype = .data$model),
      data = lines
    ),
    ggplot2::scale_linetype_discrete(name = NULL),
    ggplot2::scale_colour_manual(values = path_colours[1:2], name = NULL),
    ggplot2::scale_y_continuous(
      limits = c(0, 1), labels = function(v) paste0(100 * v, " %")
    ),
    x = "Rank of the feature", y = "Share of the runs with the feature",
    title = "Selection frequencies, real and modelled",
    subtitle = sprintf(
      "points: %d real runs; deviance %.0f, graded %.0f", object$made$n_runs,
      object$models$deviance[1], object$models$deviance[2]
    ), legend = "top"
  )
}
