# Pictures of stability selection by error rate.

# The pfer of the best features. A feature that is never in more than half of the models has a pfer
# of p and is left out; if all are, frequencies are drawn instead.
pfer_picture <- function(object, n) {
  words <- words_of_runs(object$asked)
  table <- object$table[object$table$score > 0, ]
  table <- with_labels(utils::head(table, n), object$study)
  if (nrow(table) == 0L) {
    return(frequency_dots(
      with_labels(object$table, object$study), n, 0.5, selected_title(object),
      sprintf(
        "%s; no feature is in more than half of the %ss at any %s (dashed)",
        gsub("`", "", describe_promise(object$asked)), words$model, words$scale
      )
    ))
  }
  asked <- object$asked$pfer
  value_dots(table, "pfer", from_zero = FALSE) +
    (if (!is.null(asked)) {
      ggplot2::geom_vline(xintercept = asked, linetype = "dashed", colour = "grey50")
    }) +
    ggplot2::scale_x_log10() +
    picture_labels(
      x = "Expected false positives up to the feature (pfer)", y = NULL,
      title = selected_title(object), subtitle = integrated_subtitle(object)
    )
}

# Shares of runs against the penalty, for the best features.
integrated_paths_picture <- function(object) {
  best <- utils::head(object$table[object$table$frequency > 0, ], 40L)
  if (nrow(best) == 0L) {
    return(empty_picture(selected_title(object), "No feature was in any model."))
  }
  index <- match(best$feature, object$selection$feature_names)
  changes <- changes_of_result(object)
  lines <- do.call(rbind, lapply(seq_along(index), function(k) {
    own <- which(changes$feature == index[k] & changes$lambda > object$bound$lambda[1])
    share <- cumsum(changes$change[own]) / length(changes$ends)
    data.frame(
      feature = best$feature[k], selected = best$selected[k],
      lambda = c(object$bound$lambda[2], changes$lambda[own], object$bound$lambda[1]),
      share = c(0, share, c(0, share)[length(own) + 1L])
    )
  }))
  ranked <- object$bound$ranked
  # Falling to the right, in the direction of the path.
  ggplot2::ggplot(lines, ggplot2::aes(
    -log10(.data$lambda), .data$share, group = .data$feature, colour = .data$selected
  )) +
    ggplot2::geom_hline(yintercept = 0.5, linetype = "dashed", colour = "grey50") +
    ggplot2::geom_step() +
    ggplot2::scale_colour_manual(
      values = c(`FALSE` = path_grey, `TRUE` = path_colours[1]), guide = "none"
    ) +
    ggplot2::scale_x_continuous(
      breaks = if (ranked) log10(rank_ticks(object$bound$q)) else ggplot2::waiver(),
      labels = function(at) signif(10^(if (ranked) at else -at), 2)
    ) +
    ggplot2::scale_y_continuous(limits = c(0, 1)) +
    picture_labels(
      x = if (ranked) "Features in the list (k)" else "Penalty (falling)",
      y = sprintf("Share of runs with the feature in the %s", words_of_runs(object$asked)$model),
      title = selected_title(object), subtitle = integrated_subtitle(object)
    ) +
    plain_theme()
}

integrated_subtitle <- function(object) {
  sprintf(
    "%s; %ss of at most %s features%s", gsub("`", "", describe_promise(object$asked)),
    words_of_runs(object$asked)$model, figure(object$bound$q),
    if (object$bound$ranked) "" else " on average"
  )
}
