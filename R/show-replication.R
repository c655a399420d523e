# The picture of a replication: predictions of single samples.

#' @rdname replication-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_replication <- function(object, ...) {
  open_picture(...)
  table <- object$predictions
  if (is.null(table)) {
    return(empty_picture(replication_title, "The results of the halves hold no model."))
  }
  what <- switch(object$made$predicts,
    probability = sprintf("Probability of \"%s\"", object$study$levels[2]),
    risk = "Risk", "Fitted value"
  )
  table$changes <- !is.na(table$other_class) & table$other_class > 1 / 4
  picture(table, ggplot2::aes(.data$predicted, .data$mean, colour = .data$changes,
    shape = .data$changes
  ),
    ggplot2::geom_abline(slope = 1, intercept = 0, colour = "grey70"),
    ggplot2::geom_linerange(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), alpha = 0.6),
    ggplot2::geom_point(),
    ggplot2::scale_colour_manual(
      values = c("FALSE" = "#0072B2", "TRUE" = "#D55E00"),
      guide = if (any(table$changes)) "legend" else "none",
      labels = c("FALSE" = "at most a quarter", "TRUE" = "more")
    ),
    ggplot2::scale_shape_manual(
      values = c("FALSE" = 16, "TRUE" = 17),
      guide = if (any(table$changes)) "legend" else "none",
      labels = c("FALSE" = "at most a quarter", "TRUE" = "more")
    ),
    x = paste(what, "by the model of all samples"),
    y = "The same by models of halves without it",
    colour = "Models that name the other class", shape = "Models that name the other class",
    title = replication_title,
    subtitle = sprintf(
      "Mean, and 95 %% intervals for a new study of half the size; %d pairs", object$asked$n_pairs
    ), legend = "bottom"
  )
}

replication_title <- "Would the same sample get the same prediction?"
