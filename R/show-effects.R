# The picture of effect sizes: a line for each feature.

#' @rdname effects-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_effects <- function(object, type = c("intervals", "frequency"), n = 20, ...) {
  open_picture(...)
  type <- check_choice(type, c("intervals", "frequency"))
  table <- utils::head(object$table, check_count(n))
  if (type == "frequency") {
    return(effects_by_frequency(object, table))
  }
  table <- with_labels(table, object$study)
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
    x = effect_axis(object), y = NULL, colour = NULL, shape = NULL, size = NULL,
    title = "Effects without the luck of selection",
    subtitle = sprintf(
      "Corrected effect with %s interval; dashed: no effect",
      paste0(figure(100 * object$asked$conf_level), "\u00a0%")
    ),
    legend = "bottom"
  )
}

# "Effect (hazard ratio)".
effect_axis <- function(object) sprintf("Effect (%s)", in_words(object$effect$name))

# Corrected effects against the frequency in the runs.
effects_by_frequency <- function(object, table) {
  none <- object$effect$none
  table <- table[!is.na(table$effect), ]
  title <- "Corrected effects, and how steadily features are selected"
  if (nrow(table) == 0L) {
    return(empty_picture(title, "No feature has an effect in these samples."))
  }
  table$listed <- table$lower > none | table$upper < none
  # Ratios are drawn as logarithms, around which they are symmetric.
  scale <- if (none == 1) log else identity
  for (name in c("effect", "lower", "upper")) table[[name]] <- scale(table[[name]])
  # Intervals of about the same frequency stand side by side.
  place <- spread_labels(table$frequency, 0.008)
  table$frequency <- place - max(0, place - 1)
  intervals <- list(
    # Names stand to the right of it.
    ggplot2::annotate(
      "segment", x = 0, xend = 1, y = 0, yend = 0, linetype = "dashed", colour = "grey50"
    ),
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$lower, ymax = .data$upper), linewidth = 0.3, alpha = 0.6
    )
  )
  span <- c(table$lower, table$upper, table$effect)
  against_frequency(table, "effect", table, object$study, intervals, span) +
    (if (none == 1) {
      ggplot2::scale_y_continuous(
        breaks = ratio_ticks, labels = function(value) figures(exp(value), digits = 2)
      )
    }) +
    picture_labels(
      y = effect_axis(object), title = title,
      subtitle = sprintf(
        "with %s intervals; blue: the interval excludes no effect",
        as_percent(object$asked$conf_level)
      )
    )
}

# Logarithms of round ratios, three to eight of them.
ratio_ticks <- function(limits) {
  within <- function(round) {
    ticks <- log(round %o% 10^(-6:6))
    ticks[ticks >= limits[1] & ticks <= limits[2]]
  }
  ticks <- within(c(1, 2, 5))
  if (length(ticks) < 4L) within(c(1, 1.5, 2, 3, 5, 7)) else ticks
}
