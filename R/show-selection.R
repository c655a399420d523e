#' Plots of a selection: frequencies, stability map, similarity of runs
#'
#' Three pictures of the runs' selections: selection frequency of each feature, sets and importances
#' of each run, and similarity of the runs.
#'
#' @param object (`stabilect_selection`) runs.
#' @param type (string) which picture.
#'   * `"frequency"`: the number of runs that selected each feature, the most frequent first.
#'   * `"map"`: the stability map of Hamer and Dupont (2021), see [stability_map].
#'   * `"similarity"`: the overlap of any two runs (Jaccard index: shared features divided by
#'     features in either).
#' @param ... options of the picture:
#'   * `max_features` (whole number >= 1; `"frequency"`, `"map"`): number of features to draw one by
#'     one, 30 in bars (above 60 without their names) and 200 in the map;
#'   * `colours` (named character, or list of selections; `"frequency"`, `"map"`): colours of
#'     features by name, or the selections whose pictures should share their colours; bars have one
#'     colour without;
#'   * `n_colours` (whole number from 0 to 12; `"map"`): number of features with a colour of their
#'     own;
#'   * `order_runs` (string; `"similarity"`): `"given"`, or `"cluster"`, which puts similar runs
#'     next to each other by hierarchical clustering (average linkage).
#' @return A ggplot; `plot()` draws it and returns it invisibly. Failed runs are left out. The
#'   similarity of a run with itself, and of two runs that selected nothing, is grey.
#' @section Errors:
#' Class `stabilect_error_input` if there are less than two or more than 1000 runs to compare.
#' @family selection
#' @concept stability map
#' @concept feature stability map
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' fit <- fealect(as.matrix(mcl_sll[, -1]), mcl_sll$MCL, n_runs = 20, max_features = 5, seed = 1)
#' plot(fit$selection)
#' plot(fit$selection, type = "similarity", order_runs = "cluster")
#' @name plot_selection
NULL

# The most often selected features as bars.
frequency_bars <- function(selection, max_features = 30, colours = NULL, ...) {
  open_picture(...)
  selection <- as_selection(selection)
  max_features <- check_count(max_features)
  ranked <- rank_features(selection)
  if (length(ranked) == 0L) {
    return(empty_picture("How often each feature was selected", "No run selected any feature."))
  }
  # Sorted bars need no colours to be told apart; a map beside them may.
  colours <- if (!is.null(colours)) picture_colours(colours, selection)
  shown <- utils::head(ranked, max_features)
  table <- data.frame(
    place = seq_along(shown), name = selection$feature_names[shown],
    frequency = drawn_frequency(selection)[shown]
  )
  table$colour <- if (is.null(colours)) path_colours[1] else unname(colours[table$name])
  table$colour[is.na(table$colour)] <- "grey70"
  is_named <- nrow(table) <= 60L
  names <- shorten(with_copies(table$name, selection$study))
  aes <- ggplot2::aes(
    .data$frequency, .data$place, fill = .data$colour, colour = .data$colour
  )
  picture(table, aes,
    # Without an outline, gaps between adjacent bars are visible.
    ggplot2::geom_col(
      orientation = "y", width = if (is_named) 0.75 else 1, linewidth = if (is_named) 0 else 0.3
    ),
    ggplot2::scale_fill_identity(aesthetics = c("fill", "colour")),
    ggplot2::scale_x_continuous(
      limits = c(0, 1), labels = function(v) paste0(100 * v, " %"),
      expand = ggplot2::expansion(c(0, 0.02))
    ),
    ggplot2::scale_y_reverse(
      breaks = if (is_named) table$place else run_breaks(nrow(table)),
      labels = if (is_named) names else ggplot2::waiver(),
      expand = ggplot2::expansion(add = 0.6), minor_breaks = NULL
    ),
    frequency_titles(selection, nrow(table), length(ranked), is_named),
    ggplot2::theme(panel.grid.major.y = ggplot2::element_blank())
  )
}

frequency_titles <- function(selection, n_shown, n_ever, is_named) {
  sizes <- Matrix::colSums(selection$selected)[ok_runs(selection)]
  picture_labels(
    x = "Share of the runs with the feature",
    y = if (is_named) NULL else "Rank of the feature",
    title = if (n_shown < n_ever) {
      sprintf("The %d most often selected features", n_shown)
    } else {
      "How often each feature was selected"
    },
    subtitle = sprintf(
      "%d runs of %s features on average; %d of %d ever selected", length(sizes),
      figure(round(mean(sizes), 1)), n_ever, selection$n_total
    )
  )
}

# A heat map of the Jaccard indices of all pairs of runs.
similarity_picture <- function(selection, order_runs = c("given", "cluster"), ...) {
  open_picture(...)
  selection <- as_selection(selection)
  order_runs <- check_choice(order_runs, c("given", "cluster"))
  runs <- ok_runs(selection)
  refuse(length(runs) < 2L || length(runs) > 1000L,
    c("{.arg selection} has {length(runs)} successful run{?s}; 2 to 1000 can be compared.",
      i = if (length(runs) > 1000L) "Draw a part of them: {.code selection[1:200]}."
    )
  )
  jaccard <- run_jaccard(selection)
  order <- if (order_runs == "cluster") cluster_order(jaccard) else seq_along(runs)
  table <- data.frame(
    first = rep(seq_along(order), length(order)),
    second = rep(seq_along(order), each = length(order)), value = as.vector(jaccard[order, order])
  )
  off <- jaccard[upper.tri(jaccard)]
  # In quarters: few maps differ in scale, but low values remain distinguishable.
  top <- max(0.25, ceiling(4 * c(off, 0)) / 4, na.rm = TRUE)
  # After clustering, run numbers have no order, and axis labels are left out.
  breaks <- if (order_runs == "given" || length(order) <= 12L) run_breaks(length(order))
  labels <- runs[order][breaks]
  ggplot2::ggplot(table, ggplot2::aes(.data$first, .data$second, fill = .data$value)) +
    ggplot2::geom_raster() +
    ggplot2::scale_fill_gradientn(
      colours = similarity_colours, limits = c(0, top), na.value = "grey88"
    ) +
    ggplot2::scale_x_continuous(name = "Run", breaks = breaks, labels = labels) +
    ggplot2::scale_y_reverse(breaks = breaks, labels = labels) +
    ggplot2::coord_equal(expand = FALSE) +
    picture_labels(
      y = "Run", fill = "Jaccard\nindex", title = "How much any two runs have in common",
      subtitle = sprintf(
        "%d runs%s; mean %s", length(runs),
        if (order_runs == "cluster") ", similar ones side by side" else " in the given order",
        if (all(is.na(off))) "not defined" else figure(round(mean(off, na.rm = TRUE), 3))
      )
    ) +
    map_theme()
}

# Light to dark in even steps of lightness, readable with any colour vision and in grey.
similarity_colours <- c("#F7FBFF", "#C6DBEF", "#6BAED6", "#2171B5", "#08306B")

run_jaccard <- function(selection) {
  jaccard <- pair_matrix(index_runs(selection), index_records()$jaccard$pairs)
  jaccard[is.nan(jaccard)] <- NA_real_
  diag(jaccard) <- NA_real_
  jaccard
}

cluster_order <- function(jaccard) {
  # Runs that selected nothing are equal.
  distance <- 1 - ifelse(is.na(jaccard), 1, jaccard)
  stats::hclust(stats::as.dist(distance), "average")$order
}

#' @rdname plot_selection
#' @importFrom rlang .data
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_selection <- function(object, # nolint: object_name_linter.
                                         type = c("frequency", "map", "similarity"), ...) {
  type <- check_choice(type, c("frequency", "map", "similarity"))
  switch(type,
    frequency = frequency_bars(object, ...),
    map = map_picture(object, ...),
    similarity = similarity_picture(object, ...)
  )
}
