# Pictures of stability selection.

stable_picture <- function(object, n) {
  picture <- frequency_dots(
    with_labels(object$table, object$study), n, object$bound$cutoff, stable_title(object),
    stable_subtitle(object)
  )
  picture + picture_labels(x = sprintf("Share of runs that select the %s", unit_word(object$study)))
}

stable_paths_picture <- function(object) {
  best <- utils::head(object$table[object$table$frequency > 0, ], 40L)
  if (nrow(best) == 0L) {
    return(empty_picture(stable_title(object), "No feature was in any model."))
  }
  index <- match(best$feature, object$selection$feature_names)
  q <- object$bound$q
  unit <- unit_of(object$study)
  model <- words_of_runs(object$asked)$model
  paths <- unit$paths(object$paths)
  share <- cpp_frequency_by_size(paths, index, q, object$asked$score_rule)
  table <- data.frame(
    feature = rep(best$feature, q), size = rep(seq_len(q), each = nrow(best)),
    # Sums of shares may be a little above 1, where the axis ends.
    frequency = pmin(as.vector(share), 1), selected = rep(best$selected, q)
  )
  ggplot2::ggplot(table, ggplot2::aes(
    .data$size, .data$frequency, group = .data$feature, colour = .data$selected
  )) +
    ggplot2::geom_hline(
      yintercept = object$bound$cutoff, linetype = "dashed", colour = "grey50"
    ) +
    ggplot2::geom_line() +
    ggplot2::scale_colour_manual(
      values = c(`FALSE` = path_grey, `TRUE` = path_colours[1]), guide = "none"
    ) +
    ggplot2::scale_x_continuous(breaks = rank_ticks(q), minor_breaks = NULL) +
    ggplot2::scale_y_continuous(limits = c(0, 1)) +
    picture_labels(
      x = sprintf("%ss in the %s (k)", capitalised(unit$word), model),
      y = sprintf("Share of runs with the %s in the %s", unit$word, model),
      title = stable_title(object), subtitle = stable_subtitle(object)
    ) +
    plain_theme()
}

stable_title <- function(object) {
  m <- length(object$features)
  unit <- unit_word(object$study)
  sprintf("%s stable %s%s", if (m == 0L) "No" else m, unit, if (m == 1L) "" else "s")
}

stable_subtitle <- function(object) {
  sprintf(
    "cutoff %s (dashed), q = %d; at most %s expected false positives", figure(object$bound$cutoff),
    object$bound$q, figure(object$bound$pfer, digits = 2)
  )
}

selected_title <- function(object) {
  m <- length(object$features)
  sprintf("%s feature%s selected", if (m == 0L) "No" else m, if (m == 1L) "" else "s")
}
