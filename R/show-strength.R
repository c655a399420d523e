# Strength against frequency: which features are strong, which are steady.

#' Strength against frequency
#'
#' `plot(fit, type = "strength")` shows which features are strong and which are steady. The
#' horizontal axis is the share of the runs that select a feature (steady: at the right). The
#' vertical axis is its strength in these runs (strong: at the top). A feature at the top left is
#' strong in a few runs: another one may replace it in the others, or it needs a few special
#' samples. A feature at the bottom right is always there and never matters much.
#'
#' The strength is computed from the runs that the result contains; nothing is fitted again. It is
#' the median, over the runs that select the feature, of
#' * for [fealect()] and [select_ensemble()]: its score in the run, from 0 (or the lowest score, if
#'   that is negative) to 1, the best feature of the run;
#' * for [stability_selection()] and [bolasso()]: the penalty at which it enters the path of the
#'   run, divided by the penalty at which the first feature enters. With a `selector` it is 1
#'   divided by the rank.
#'
#' Strength compares features within runs. Sizes in units of the outcome, corrected for the luck of
#' selection, need the data: `plot(feature_effects(fit, x, y), type = "frequency")` shows these
#' against the frequency.
#'
#' Blue features are in the list, and the first of them are named, at most ten. The shape is the
#' direction of a feature, as in the table of the result.
#'
#' [bolasso()] with a `family` has one penalty per run, at which all features of a run enter
#' together; it has no such picture.
#' @family selection
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, seed = 1)
#' plot(fit, type = "strength", n_labels = 5)
#' plot(feature_effects(fit, x, mcl_sll$MCL), type = "frequency")
#' @name plot_strength
NULL

# @param object (result with runs). @param n_labels (integer) of the list.
strength_picture <- function(object, n_labels) {
  unit <- unit_word(object$study)
  title <- sprintf("Which %ss are strong, which are steady", unit)
  table <- object$table[!is.na(object$table$frequency) & object$table$frequency > 0, ]
  found <- run_strengths(object)
  if (is.null(found)) {
    return(empty_picture(title, sprintf(
      "The runs have one penalty, at which all their %ss enter together.", unit
    )))
  }
  table$strength <- found[match(table$feature, object$selection$feature_names)]
  table <- table[!is.na(table$strength), ]
  if (nrow(table) == 0L) {
    return(empty_picture(title, sprintf("No run selected any %s.", unit)))
  }
  table$listed <- table$feature %in% object$features
  # Lines to more than ten names would cross. Without a list the first ones show what there is.
  named <- if (any(table$listed)) table[table$listed, ] else table[seq_len(min(3L, nrow(table))), ]
  named <- utils::head(named, min(n_labels, 10L))
  against_frequency(table, "strength", named, object$study) + picture_labels(
    y = if (has_scores(object)) {
      "Score, relative to the best of the run"
    } else if (is.null(object$asked$selector)) {
      "Penalty at entry, relative to the first of the run"
    } else {
      "1 / rank in the run"
    },
    title = title,
    subtitle = sprintf(
      "%s, of which %d in the list (blue); medians of the runs with the %s",
      count_of(nrow(table), unit), sum(table$listed), unit
    )
  )
}

# Points at their frequencies, with names in a column to the right.
# @param table (data frame) frequency, `value`, direction, listed. @param named (data frame) rows of
#   the table. @param limits (list) layers behind the points. @param span (numeric) of the vertical
#   axis.
against_frequency <- function(table, value, named, study, limits = NULL, span = table[[value]]) {
  named$label <- shorten(with_copies(named$feature, study), name_width)
  named$height <- spread_labels(named[[value]], 0.045 * diff(range(0, span, na.rm = TRUE)))
  table$shape <- direction_of_shape(table$direction, study)
  picture(table, ggplot2::aes(.data$frequency, .data[[value]], colour = .data$listed),
    limits,
    ggplot2::geom_segment(
      ggplot2::aes(xend = 1.05, yend = .data$height), data = named, colour = "grey75",
      linewidth = 0.25
    ),
    if (is.null(table$shape)) {
      ggplot2::geom_point(size = 2)
    } else {
      ggplot2::geom_point(ggplot2::aes(shape = .data$shape), size = 2)
    },
    ggplot2::geom_text(
      ggplot2::aes(1.05, .data$height, label = .data$label), data = named, hjust = -0.04,
      size = 3.2, colour = ifelse(named$listed, path_colours[1], "grey35")
    ),
    selected_colours(),
    ggplot2::scale_shape_manual(values = c(17, 16, 15, 18, 3, 4, 8)),
    ggplot2::scale_x_continuous(breaks = seq(0, 1, 0.25), minor_breaks = NULL),
    ggplot2::expand_limits(x = c(0, room_for(named$label)), y = 0),
    x = sprintf("Share of runs that select the %s", unit_word(study)),
    shape = outcome_of(study)$direction, legend = "bottom"
  )
}

# Directions as a factor in the words of tables; NULL for too many classes, or without directions.
direction_of_shape <- function(direction, study) {
  signs <- outcome_of(study)$signs
  known <- if (is.null(signs)) study$levels else names(signs)
  if (length(known) > 6L || all(is.na(direction))) {
    return(NULL)
  }
  words <- if (is.null(signs)) known else unname(signs[known])
  code <- match(direction, known, nomatch = length(known) + 1L)
  droplevels(factor(c(shorten(words), "no direction")[code], c(shorten(words), "no direction")))
}
