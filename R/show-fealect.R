#' Plots of a FeaLect result: scores, frequencies, strength, convergence
#'
#' * `"scores"`: the highest scores, in descending order, with the names of the best features of the
#'   list. With permutations, a shaded band contains 90 % of the permuted scores of the same rank,
#'   and features with a `p_fwer` of at most 0.05 have a mark of their own, see [permutations]. The
#'   curve of all scores with its cut is `plot(fit$three_segment)`.
#' * `"strength"`: how strong and how steady features are, see [plot_strength].
#' * `"frequency"`: for the best features, the share of runs in which they are in the model with k
#'   features, against k. Important features enter early and in many runs; where a line falls, other
#'   features replace this one.
#' * `"convergence"`: agreement between the scores of the first runs and of the others.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_fealect`) result of [fealect()].
#' @param type (string) which picture.
#' @param n_labels (whole number >= 0) number of features to name; at most eight are coloured in
#'   `"frequency"`.
#' @param n (whole number >= 1) number of scores in `"scores"`.
#' @return `autoplot()`: a `ggplot`; `plot()` draws it and returns it invisibly.
#' @section Errors:
#' Class `stabilect_error_input` for an unknown `type`.
#' @family fealect
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 50, seed = 1)
#' plot(fit)
#' plot(fit, type = "frequency")
#' plot(fit, type = "strength")
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_fealect <- function(object,
                                       type = c("scores", "strength", "frequency", "convergence"),
                                       n_labels = 8, n = 50, ...) {
  open_picture(...)
  type <- check_choice(type, c("scores", "strength", "frequency", "convergence"))
  n_labels <- check_count(n_labels, min = 0)
  n <- check_count(n)
  switch(type,
    scores = score_picture(object, n, n_labels),
    strength = strength_picture(object, n_labels),
    frequency = frequency_picture(object, n_labels),
    convergence = convergence_picture(object)
  )
}

frequency_picture <- function(object, n_labels, n_lines = 40, max_size = 30) {
  unit <- unit_word(object$study)
  title <- sprintf("How early, and how often, the best %ss enter", unit)
  if (!any(object$table$score > 0)) {
    return(empty_picture(title, sprintf("No %s was in any model.", unit)))
  }
  table <- with_labels(frequency_by_size(object, n_lines, max_size), object$study)
  named <- unique(table$feature)[seq_len(min(n_labels, length(path_colours), nrow(table)))]
  named <- named[!is.na(named)]
  table$colour <- c(path_colours[seq_along(named)], path_grey)[
    match(table$feature, named, nomatch = length(named) + 1L)
  ]
  grey <- table[!table$feature %in% named, ]
  ends <- frequency_labels(table[table$feature %in% named, ])
  aes <- ggplot2::aes(.data$size, .data$frequency, group = .data$feature, colour = .data$colour)
  picture(table, aes,
    ggplot2::geom_line(data = grey, linewidth = 0.3),
    ggplot2::geom_line(data = table[table$feature %in% named, ], linewidth = 0.8),
    ggplot2::geom_text(
      ggplot2::aes(.data$size, .data$label_height, label = shorten(.data$feature, name_width)),
      data = ends, hjust = 0, nudge_x = 0.02 * max(table$size), size = 3.2
    ),
    ggplot2::expand_limits(x = room_for(shorten(named, name_width)) * max(table$size)),
    ggplot2::scale_x_continuous(breaks = rank_ticks(max(table$size))),
    ggplot2::scale_y_continuous(limits = c(0, 1), breaks = seq(0, 1, 0.25)),
    ggplot2::scale_colour_identity(),
    x = sprintf("%ss in the model (k)", capitalised(unit)),
    y = sprintf("Share of runs with the %s in the model", unit),
    title = title,
    subtitle = sprintf(
      "%d runs; the %d best %ss, of which %d named", length(ok_runs(object$selection)),
      length(unique(table$feature)), unit, length(named)
    )
  )
}

# Share of runs with each of the best features in the model of size k, in long form, best first.
frequency_by_size <- function(object, n_lines, max_size) {
  scores <- object$table[object$table$score > 0, ]
  best <- utils::head(scores$feature, n_lines)
  paths <- unit_of(object$study)$paths(object$paths)
  max_size <- min(max_size, max(1, stats::median(largest_models(paths))))
  index <- match(best, object$selection$feature_names)
  share <- cpp_frequency_by_size(paths, index, max_size, object$asked$score_rule)
  # Failed runs have no path; shares refer to the successful runs.
  share <- share * object$selection$n_runs / length(ok_runs(object$selection))
  data.frame(
    feature = rep(best, max_size), size = rep(seq_len(max_size), each = length(best)),
    frequency = pmin(as.vector(share), 1)
  )
}

# The size of the largest model of every path. Beyond their median, fewer than half of the runs have
# a model at all, and shares fall for this reason alone.
largest_models <- function(paths) {
  vapply(run_sizes(paths), function(size) max(0, size), 0)
}

# Names at the right ends of the lines, moved apart to avoid overlaps.
frequency_labels <- function(lines, gap = 0.045) {
  ends <- lines[lines$size == max(lines$size), ]
  ends <- ends[order(-ends$frequency, method = "radix"), ]
  ladder <- seq_len(nrow(ends)) * gap
  height <- cummin(ends$frequency + ladder) - ladder
  # A column pushed below zero moves up as a whole.
  ends$label_height <- height + max(0, -min(c(0, height)))
  ends
}

convergence_picture <- function(object) {
  table <- object$convergence
  long <- data.frame(
    n_runs = rep(table$n_runs, 2), value = c(table$correlation, table$overlap),
    measure = rep(
      c("correlation of the scores", "overlap of the best features"), each = nrow(table)
    )
  )
  picture(long[!is.na(long$value), ],
    ggplot2::aes(.data$n_runs, .data$value, colour = .data$measure, shape = .data$measure),
    ggplot2::geom_line(),
    ggplot2::geom_point(size = 2),
    ggplot2::scale_x_continuous(breaks = table$n_runs, trans = "log2"),
    ggplot2::scale_y_continuous(limits = c(0, 1)),
    ggplot2::scale_colour_manual(values = path_colours[1:2]),
    x = "First runs, compared with all others", y = NULL, colour = NULL, shape = NULL,
    title = "Do the scores settle?", legend = "bottom"
  )
}
