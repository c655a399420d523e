#' Values of features by outcome
#'
#' Shows the data behind a list: the values of its first features, one panel each. For classes the
#' samples are points, and a bar marks the median of each class. For numbers and counts the outcome
#' is drawn against the feature, with the line of least squares. For survival times there are two
#' Kaplan-Meier curves: of the samples above the median of the feature, and of the others.
#'
#' The samples that chose the features are the ones that are drawn. Differences therefore look
#' larger than they would in new samples.
#'
#' @param object (result of a verb, for example [fealect()]; or character, names of features) the
#'   features to show, best first.
#' @param x,y (as in the call of `object`) the data.
#' @param n (whole number >= 1) number of features to show.
#' @return A ggplot object with one panel per feature. Without a selected feature it is empty and
#'   says this in a sentence.
#' @section Sources:
#' Kaplan EL, Meier P (1958). Nonparametric estimation from incomplete observations. *Journal of the
#' American Statistical Association* 53, 457-481.
#' @section Errors:
#' Class `stabilect_error_input` for data other than those of `object`, and for unknown names.
#' @concept boxplot
#' @concept Kaplan-Meier
#' @concept survival curves
#' @family evidence
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
#' fit <- fealect(x, y, n_runs = 50, seed = 1)
#' plot_values(fit, x, y, n = 4)
#' @export
plot_values <- function(object, x, y, n = 6) {
  check_given(except = "y")
  check_package("ggplot2", "picture")
  study <- open_again(
    x, y, object, names(outcome_records()), "a picture of values", store = store_any,
    family = family_of_result(object),
    merge = if (is.list(object)) object$features else object
  )
  features <- listed_features(object)
  if (!is.character(object)) check_data_of(object, hash_study(study))
  refuse_at(setdiff(features, study$feature_names),
    "{.arg object} names {.val {at}}, which is not a column of {.arg x}."
  )
  values_picture(study, utils::head(features, check_count(n)))
}

# @return (character) the features of a result, or the names themselves.
listed_features <- function(object) {
  if (is.character(object)) {
    return(unique(object))
  }
  refuse(!inherits(object, "stabilect_result") || !is.character(object$features),
    "{.arg object} must be a result that selects features, or their names, not
      {describe_value(object)}."
  )
  refuse(!all(object$features %in% object$study$feature_names),
    c("{.arg object} selects clusters, which have no values of their own.",
      i = "Name features of them, for example those of {.code object$members}."
    )
  )
  object$features
}

# The columns of some features, in their order.
values_of <- function(study, features) {
  at <- match(features, study$feature_names)
  x <- study$x
  values <- if (inherits(x, "stabilect_columns")) x$read(at) else x[, at, drop = FALSE]
  matrix(as.vector(values), nrow(values), dimnames = list(NULL, features))
}

values_picture <- function(study, features) {
  if (length(features) == 0L) {
    return(empty_picture("Values of selected features", "No feature is selected."))
  }
  values <- values_of(study, features)
  response <- study$response
  outcome <- outcome_of(response)
  drawn <- switch(outcome$panels,
    points = class_panels(values, response), curves = survival_panels(values, response),
    scatter = number_panels(values, response, outcome$axis)
  )
  drawn + ggplot2::facet_wrap(
    ggplot2::vars(.data$panel), ncol = value_columns(length(features)),
    scales = switch(outcome$panels, curves = "fixed", points = "free_y", "free"),
    labeller = ggplot2::labeller(panel = function(names) shorten(with_copies(names, study), 22L))
  ) + ggplot2::theme(strip.text = ggplot2::element_text(face = "bold", size = 8.5))
}

in_panels <- function(values, ...) {
  data.frame(
    panel = factor(rep(colnames(values), each = nrow(values)), colnames(values)),
    value = as.vector(values), ...
  )
}

class_panels <- function(values, response) {
  class <- factor(response$levels[response$codes], response$levels)
  table <- in_panels(values, class = rep(class, ncol(values)))
  table$at <- as.integer(table$class) + spread_points(table$value, table[c("panel", "class")])
  middle <- stats::aggregate(value ~ panel + class, table, stats::median)
  middle$at <- as.integer(middle$class)
  shapes <- rep(c(16, 17, 15, 18, 3, 4, 8), length.out = nlevels(class))
  picture(table, ggplot2::aes(.data$at, .data$value),
    ggplot2::geom_point(
      ggplot2::aes(colour = .data$class, shape = .data$class), size = 1.5, alpha = 0.7
    ),
    ggplot2::geom_segment(
      ggplot2::aes(.data$at - 0.3, .data$value, xend = .data$at + 0.3, yend = .data$value),
      data = middle, linewidth = 0.8
    ),
    ggplot2::scale_colour_manual(values = rep(path_colours, length.out = nlevels(class))),
    ggplot2::scale_shape_manual(values = shapes),
    class_axis(levels(class), value_columns(ncol(values))),
    ggplot2::theme(panel.grid.major.x = ggplot2::element_blank()),
    x = NULL, y = "Value", title = values_title(ncol(values)),
    subtitle = "One point per sample; bar: median of the class", legend = "none"
  )
}

# Two columns leave room for the names on narrow pictures.
value_columns <- function(m) if (m < 5L) 2L else 3L

# Names of classes side by side where a picture of 480 pixels has room for them, else on two lines
# in turn, else slanting; they are cut only where none of these helps.
class_axis <- function(levels, n_columns) {
  k <- length(levels)
  longest <- max(nchar(levels))
  room <- 74 / (n_columns * k)
  lines <- if (longest > room && longest <= 2 * room) 2L else 1L
  slanting <- longest > 2 * room
  list(
    ggplot2::scale_x_continuous(
      breaks = seq_len(k), labels = shorten(levels), limits = c(0.5, k + 0.5),
      minor_breaks = NULL, guide = ggplot2::guide_axis(n.dodge = lines)
    ),
    if (slanting) {
      ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 35, hjust = 1, vjust = 1))
    }
  )
}

# Points of about the same height stand side by side; no random numbers.
# @param by (data frame) points in the same groups must not overlap.
spread_points <- function(value, by, width = 0.32) {
  groups <- interaction(by, drop = TRUE)
  panels <- by[[1]]
  low <- stats::ave(value, panels, FUN = min)
  span <- stats::ave(value, panels, FUN = function(v) max(diff(range(v)), 1e-300))
  bin <- floor(24 * (value - low) / span)
  place <- stats::ave(seq_along(value), groups, bin, FUN = seq_along)
  size <- stats::ave(seq_along(value), groups, bin, FUN = length)
  offset <- place - (size + 1) / 2
  offset * pmin(0.09, 2 * width / pmax(size, 1))
}

number_panels <- function(values, response, axis) {
  table <- in_panels(values, outcome = rep(response$y, ncol(values)))
  picture(table, ggplot2::aes(.data$value, .data$outcome),
    ggplot2::geom_point(size = 1.4, alpha = 0.6, colour = "grey30"),
    ggplot2::geom_smooth(
      method = "lm", formula = y ~ x, se = FALSE, colour = path_colours[1], linewidth = 0.8
    ),
    ggplot2::scale_x_continuous(n.breaks = 3),
    x = "Value of the feature", y = axis,
    title = values_title(ncol(values)), subtitle = "One point per sample; line: least squares"
  )
}

survival_panels <- function(values, response) {
  table <- bind_rows_of(colnames(values), function(name) {
    half_curves(name, values[, name], response$y, response$event)
  })
  table$panel <- factor(table$panel, colnames(values))
  aes <- ggplot2::aes(
    .data$time, .data$survival, colour = .data$half, linetype = .data$half
  )
  picture(table, aes,
    ggplot2::geom_step(linewidth = 0.7),
    ggplot2::geom_point(data = table[table$censored, ], shape = 3, size = 1, show.legend = FALSE),
    ggplot2::scale_colour_manual(values = path_colours[2:1]),
    ggplot2::scale_y_continuous(limits = c(0, 1)), ggplot2::scale_x_continuous(n.breaks = 4),
    x = "Time", y = "Share without the event", colour = NULL, linetype = NULL,
    title = values_title(ncol(values)),
    subtitle = "Kaplan-Meier curves of two halves of the samples; +: censored", legend = "bottom"
  )
}

# Curves of the samples above the median and of the others; of the samples at the maximum if more
# than half have it.
half_curves <- function(name, value, time, event) {
  high <- value > stats::median(value)
  if (!any(high)) high <- value >= stats::median(value)
  halves <- list("above the median" = high, "up to the median" = !high)
  bind_rows_of(names(halves), function(half) {
    in_half <- halves[[half]]
    if (!any(in_half)) {
      return(NULL)
    }
    curve <- baseline_hazard(time[in_half], event[in_half], numeric(sum(in_half)))
    censored <- curve$time %in% time[in_half & event == 0]
    data.frame(
      panel = name, half = half, time = c(0, curve$time), survival = c(1, curve$survival),
      censored = c(FALSE, censored)
    )
  })
}

values_title <- function(m) {
  if (m == 1L) "Values of the first feature" else sprintf("Values of the first %d features", m)
}
