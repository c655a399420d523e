# The pictures of a replication: lists of halves, and predictions of single samples.

#' @rdname replication-methods
#' @param type (string) `"overlap"` (features that recur) or `"predictions"` (of single samples).
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_replication <- function(object, type = c("overlap", "predictions"), ...) {
  open_picture(...)
  type <- check_choice(type, c("overlap", "predictions"))
  switch(type,
    overlap = overlap_picture(object),
    predictions = prediction_picture(object)
  )
}

# Shares of lists that recur, against their size.
overlap_picture <- function(object) {
  kinds <- c(
    overlap = sprintf("other half (%d samples)", object$made$n_half),
    extrapolated = sprintf("new study of %d samples (extrapolated)", object$study$n),
    by_chance = "by chance"
  )
  # Own lists that are mostly empty have no place on a logarithmic axis.
  table <- object$table[!is.na(object$table$overlap) & object$table$n_features >= 1, ]
  if (nrow(table) == 0L) {
    return(empty_picture(overlap_title(object), "All lists of the halves are empty."))
  }
  long <- data.frame(
    size = table$n_features, own = table$list == "own set",
    share = unlist(table[names(kinds)], use.names = FALSE),
    kind = factor(rep(kinds, each = nrow(table)), kinds)
  )
  sizes <- table$n_features[table$list != "own set"]
  picture(long, ggplot2::aes(.data$size, .data$share, colour = .data$kind),
    # One size has no line.
    if (length(sizes) > 1L) {
      ggplot2::geom_line(ggplot2::aes(linetype = .data$kind), data = long[!long$own, ])
    },
    ggplot2::geom_point(ggplot2::aes(shape = .data$own), size = 2.4),
    ggplot2::scale_colour_manual(
      values = stats::setNames(c(path_colours[1:2], "grey60"), kinds), name = NULL
    ),
    ggplot2::scale_linetype_manual(
      values = stats::setNames(c("solid", "dashed", "dotted"), kinds), name = NULL
    ),
    ggplot2::scale_shape_manual(values = c(`FALSE` = 16, `TRUE` = 5), guide = "none"),
    ggplot2::scale_x_log10(
      breaks = sizes, minor_breaks = NULL, labels = function(size) figures(size, digits = 3)
    ),
    ggplot2::scale_y_continuous(
      limits = c(0, 1), labels = function(share) paste0(100 * share, "\u00a0%")
    ),
    ggplot2::guides(
      colour = ggplot2::guide_legend(ncol = 1L), linetype = ggplot2::guide_legend(ncol = 1L)
    ),
    ggplot2::theme(legend.key.height = ggplot2::unit(11, "pt")),
    x = "Features in the list", y = "Share of the list that recurs", title = overlap_title(object),
    subtitle = paste0(
      count_of(object$asked$n_pairs, "pair"), " of disjoint halves",
      if (any(long$own)) sprintf("; diamond: the own list (%s)", mean_size(table))
    ),
    legend = "bottom"
  )
}

# The sizes of the halves' own lists differ.
mean_size <- function(table) {
  size <- table$n_features[table$list == "own set"]
  sprintf("%s on average", count_of(round(size, if (size < 10) 1L else 0L), "feature"))
}

overlap_title <- function(object) {
  first <- object$table[1, ]
  again <- figure(first$n_again, digits = 2)
  if (first$n_features == 1) {
    return(sprintf(
      "Both halves have the same best feature in %s of the pairs", as_percent(first$n_again)
    ))
  }
  sprintf(
    "Of the %s best features of one half, %s recur%s in the other",
    figure(first$n_features, digits = 2), again, if (again == "1") "s" else ""
  )
}

prediction_picture <- function(object) {
  table <- object$predictions
  if (is.null(table)) {
    return(empty_picture(prediction_title, "The results of the halves contain no model."))
  }
  what <- switch(object$made$predicts,
    probability = sprintf("Probability of \"%s\"", shorten(object$study$levels[2])),
    risk = "Risk", "Fitted value"
  )
  table$changes <- !is.na(table$other_class) & table$other_class > 1 / 4
  words <- c("FALSE" = "at most a quarter", "TRUE" = "more")
  shown <- if (any(table$changes)) "legend" else "none"
  picture(table, ggplot2::aes(.data$predicted, .data$mean, colour = .data$changes,
    shape = .data$changes
  ),
    ggplot2::geom_abline(slope = 1, intercept = 0, colour = "grey70"),
    ggplot2::geom_linerange(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), alpha = 0.6),
    ggplot2::geom_point(),
    ggplot2::scale_colour_manual(
      values = c("FALSE" = "#0072B2", "TRUE" = "#D55E00"), guide = shown, labels = words
    ),
    ggplot2::scale_shape_manual(
      values = c("FALSE" = 16, "TRUE" = 17), guide = shown, labels = words
    ),
    x = paste(what, "by the model of all samples"),
    y = "The same by models of halves without it",
    colour = "Models that predict the other class", shape = "Models that predict the other class",
    title = prediction_title,
    subtitle = sprintf(
      "Mean, and 95 %% intervals for a new study of half the size; %d pairs", object$asked$n_pairs
    ), legend = "bottom"
  )
}

prediction_title <- "Would the same sample get the same prediction?"
