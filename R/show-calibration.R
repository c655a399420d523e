# Predictions of new samples beside what was observed: calibration, and the distribution of the
# predictions.

# Probabilities of classes: in groups of samples against the observed shares; below, how often each
# was predicted.
# @param x (stabilect_validation) of classes.
class_calibration <- function(x) {
  shown <- probabilities_of(x)
  words <- c(sprintf("Share %s", shown$event), "New samples")
  groups <- calibration_groups(shown$probability, shown$happened, x$asked$conf_level)
  groups$panel <- factor(words[1], words)
  bars <- predictions_in_bins(shown)
  bars$panel <- factor(words[2], words)
  kinds <- levels(bars$kind)
  picture(groups, ggplot2::aes(.data$predicted, .data$observed),
    ggplot2::geom_segment(
      ggplot2::aes(x = 0, y = 0, xend = 1, yend = 1), data = groups[1, ], colour = "grey60",
      linetype = "dashed"
    ),
    ggplot2::geom_line(colour = path_colours[1]), points_with_limits(),
    ggplot2::geom_text(
      ggplot2::aes(y = -0.09, label = sprintf(" %d ", .data$n)), size = 3, colour = "grey35",
      check_overlap = TRUE
    ),
    ggplot2::geom_col(
      ggplot2::aes(.data$at, .data$n, fill = .data$kind), data = bars, width = 0.045
    ),
    ggplot2::facet_grid(ggplot2::vars(.data$panel), scales = "free_y", switch = "y"),
    ggplot2::scale_x_continuous(limits = c(-0.02, 1.02), breaks = seq(0, 1, 0.25)),
    ggplot2::scale_y_continuous(breaks = whole_or_quarters, minor_breaks = NULL),
    ggplot2::scale_fill_manual(
      values = stats::setNames(rep_len(path_colours, length(kinds)), kinds), name = shown$legend,
      labels = shorten(kinds)
    ),
    ggplot2::theme(
      strip.placement = "outside", strip.text.y.left = ggplot2::element_text(size = 11, angle = 90)
    ),
    x = shown$axis, y = NULL, title = validation_title(x), subtitle = slope_subtitle(x),
    caption = "Points: groups of samples with their number and interval; dashed: ideal",
    legend = "bottom"
  )
}

# Shares have quarters, numbers of samples are whole.
whole_or_quarters <- function(limits) {
  # Limits with their margins; below 0 stand the numbers of samples of the groups.
  if (limits[1] < -0.1 && limits[2] < 1.2) {
    return(seq(0, 1, 0.25))
  }
  ticks <- pretty(limits)
  ticks[ticks >= 0 & ticks == round(ticks)]
}

# @return list(probability (numeric, n), happened (flags, n), kind (factor, n), event, axis, legend
#   (strings)), or NULL for a model that predicts no probabilities.
probabilities_of <- function(x) {
  levels <- x$study$levels
  observed <- x$predictions$observed
  if (length(levels) == 2L) {
    if (!"brier" %in% x$table$measure) {
      return(NULL)
    }
    return(list(
      probability = stats::plogis(x$predictions$link), happened = observed == levels[2],
      kind = factor(as.character(observed), levels),
      event = sprintf("of \"%s\"", shorten(levels[2], 16L)),
      axis = sprintf("Predicted probability of \"%s\"", shorten(levels[2])), legend = "observed"
    ))
  }
  links <- as.matrix(x$predictions[startsWith(names(x$predictions), "link_")])
  each <- decision_of_link(outcome_of(x$study), unname(links))
  right <- observed == x$predictions$predicted
  list(
    probability = each[cbind(seq_along(right), as.integer(x$predictions$predicted))],
    happened = right, kind = factor(ifelse(right, "right", "wrong"), c("right", "wrong")),
    event = "that is right", axis = "Predicted probability of the predicted class", legend = NULL
  )
}

# @return (data frame, a row per group of similar predictions) predicted, observed (means), lower,
#   upper, n.
calibration_groups <- function(predicted, happened, conf_level) {
  group <- similar_predictions(predicted, min(10L, max(2L, length(predicted) %/% 10L)))
  bind_rows_of(sort(unique(group)), function(one) {
    own <- which(group == one)
    limits <- mean_limits(happened[own], conf_level)
    data.frame(
      predicted = mean(predicted[own]), observed = mean(happened[own]), lower = limits[1],
      upper = limits[2], n = length(own)
    )
  })
}

# Wilson's interval of a share, the t interval of a mean.
mean_limits <- function(values, conf_level) {
  if (is.logical(values)) {
    return(wilson_interval(mean(values), length(values), conf_level))
  }
  if (length(values) < 2L) {
    return(c(NA_real_, NA_real_))
  }
  mean(values) + c(-1, 1) * standard_error(values) *
    stats::qt((1 + conf_level) / 2, length(values) - 1)
}

# Groups of about equal size in the order of the predictions; equal predictions stay together.
similar_predictions <- function(predicted, n_groups) {
  inner <- stats::quantile(predicted, seq_len(n_groups - 1L) / n_groups, names = FALSE, type = 1)
  findInterval(predicted, unique(inner), left.open = TRUE)
}

predictions_in_bins <- function(shown, width = 0.05) {
  last <- round(1 / width) - 1
  bin <- pmin(floor(shown$probability / width + 1e-9), last)
  table <- as.data.frame(table(bin = factor(bin, 0:last), kind = shown$kind), responseName = "n")
  table$at <- (as.integer(table$bin) - 0.5) * width
  table[table$n > 0L, ]
}

points_with_limits <- function() {
  list(
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$lower, ymax = .data$upper), colour = path_colours[1], na.rm = TRUE
    ),
    ggplot2::geom_point(colour = path_colours[1], size = 2.2)
  )
}

# A model without probabilities: its values by class.
class_values <- function(x) {
  levels <- x$study$levels
  table <- data.frame(
    value = x$predictions$link, class = factor(as.character(x$predictions$observed), levels)
  )
  table$at <- as.integer(table$class) + spread_points(table$value, data.frame(one = 1, table$class))
  picture(table, ggplot2::aes(.data$value, .data$at),
    ggplot2::geom_vline(xintercept = 0, linetype = "dashed", colour = "grey50"),
    ggplot2::geom_point(
      ggplot2::aes(colour = .data$class, shape = .data$class), size = 1.8, alpha = 0.7
    ),
    ggplot2::scale_colour_manual(values = path_colours[1:2], guide = "none"),
    ggplot2::scale_shape_manual(values = c(16, 17), guide = "none"),
    ggplot2::scale_y_continuous(
      breaks = 1:2, labels = shorten(levels), limits = c(0.5, 2.5), minor_breaks = NULL
    ),
    x = sprintf("Prediction (above 0: %s)", shorten(levels[2])), y = NULL,
    title = validation_title(x),
    subtitle = "One point per new sample; this model has no probabilities"
  )
}

# Numbers and counts: observed against predicted.
number_calibration <- function(x) {
  table <- data.frame(predicted = x$predictions$predicted, observed = x$predictions$observed)
  groups <- calibration_groups(table$predicted, table$observed, x$asked$conf_level)
  picture(table, ggplot2::aes(.data$predicted, .data$observed),
    ggplot2::geom_abline(slope = 1, intercept = 0, colour = "grey60", linetype = "dashed"),
    ggplot2::geom_point(colour = "grey45", alpha = 0.6, size = 1.4),
    ggplot2::geom_line(data = groups, colour = path_colours[1]),
    lapply(points_with_limits(), function(layer) {
      layer$data <- groups
      layer
    }),
    x = "Predicted", y = "Observed", title = validation_title(x), subtitle = slope_subtitle(x),
    caption = "Grey: new samples; blue: means of groups with intervals; dashed: ideal"
  )
}

# The measure that the print leads with.
validation_title <- function(x) {
  first <- x$table[x$table$measure != "discordance", ][1, ]
  rate <- first$measure == "error"
  number <- if (rate) as_percent else format_two
  lower <- function(value) format_two(if (rate) 100 * value else value)
  sprintf(
    "%s %s on %s%s", capitalised(in_words(first$measure)), number(first$estimate),
    count_of(x$made$n, "new sample"),
    if (is.na(first$lower)) "" else sprintf(
      " (%s CI\u00a0%s to %s)", as_percent(x$asked$conf_level), lower(first$lower),
      number(first$upper)
    )
  )
}

slope_subtitle <- function(x) {
  slope <- x$table[x$table$measure %in% "calibration_slope" & !is.na(x$table$estimate), ]
  if (nrow(slope) == 0L) {
    return(NULL)
  }
  sprintf(
    "Calibration slope %s (%s CI\u00a0%s to %s); ideal: 1", format_two(slope$estimate),
    as_percent(x$asked$conf_level), format_two(slope$lower), format_two(slope$upper)
  )
}
