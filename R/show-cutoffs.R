# The calibration score of every pair of q and cutoff as a heat map.

cutoffs_picture <- function(object) {
  found <- score_cutoffs(object)
  table <- found$scores
  if (all(is.na(table$z))) {
    return(empty_picture(
      "Calibration of q and cutoff", "At no pair of q and cutoff is a feature selected."
    ))
  }
  best <- utils::head(found$peaks, 1L)
  limits <- stats::aggregate(cutoff ~ q, table[table$allowed, ], min)
  ggplot2::ggplot(table, ggplot2::aes(.data$q, .data$cutoff)) +
    ggplot2::geom_raster(ggplot2::aes(fill = .data$z), na.rm = TRUE) +
    ggplot2::geom_segment(
      ggplot2::aes(
        x = .data$q - 0.5, xend = .data$q + 0.5, y = .data$cutoff - 0.005,
        yend = .data$cutoff - 0.005
      ),
      data = limits
    ) +
    ggplot2::geom_point(data = best, colour = path_colours[2], size = 2.6) +
    ggplot2::scale_fill_gradientn(colours = similarity_colours, na.value = "grey88") +
    ggplot2::scale_x_continuous(breaks = rank_ticks(max(table$q)), expand = c(0, 0)) +
    ggplot2::scale_y_continuous(expand = c(0, 0)) +
    # The best may lie on the edge.
    ggplot2::coord_cartesian(clip = "off") +
    picture_labels(
      x = sprintf("%ss that each run selects (q)", capitalised(unit_word(object$study))),
      y = "Cutoff", fill = "z",
      title = sprintf("How clearly pairs of q and cutoff part the %ss", unit_word(object$study)),
      subtitle = paste0(describe_point(best, object), "\n", describe_allowed(object))
    ) +
    plain_theme()
}

describe_point <- function(best, object) {
  unit <- unit_word(object$study)
  if (nrow(best) == 0L) {
    return(sprintf("no %s is selected above the lines", unit))
  }
  sprintf(
    "largest at q = %d and cutoff %s (%s); a rule of thumb without an error rate", best$q,
    figure(best$cutoff), count_of(best$n_selected, unit)
  )
}

describe_allowed <- function(object) {
  pfer <- object$asked$pfer
  if (is.null(pfer)) {
    return("above the lines: where a bound holds")
  }
  sprintf("above the lines: where the bound is at most %s", figure(pfer))
}
