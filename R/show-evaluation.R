# Picture of evaluated selectors: error against stability.

#' Plot of prediction error against stability
#'
#' Each point is a selector with an aggregation (and a size), with bars of one standard error;
#' better is down and to the right. Lines join the points of a selector with its single selection.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_evaluation`) result of [evaluate_selectors()].
#' @param index (string, or `NULL`) one of the evaluated indices; `NULL` takes `"nogueira"`, as the
#'   print does, or the first if it was not evaluated.
#' @return A `ggplot`; [plot()] draws it and returns it invisibly.
#' @section Errors:
#' Class `stabilect_error_input` for an index that was not evaluated.
#' @family aggregation
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' result <- evaluate_selectors(
#'   x, mcl_sll$MCL, list(selector_filter("t"), selector_filter("wilcoxon")), n_features = 5,
#'   n_repeats = 4, resampling = resample_bootstrap(10), seed = 1
#' )
#' plot(result)
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_evaluation <- function(object, index = NULL, ...) {
  open_picture(...)
  if (is.null(index)) index <- leading_index(object)
  index <- check_choice(index, object$asked$index)
  table <- plane_table(object$table, index)
  panels <- c("n_features", "learner")
  panels <- panels[lengths(lapply(table[panels], unique)) > 1L]
  sizes <- sort(unique(table$n_features))
  table$n_features <- factor(
    table$n_features, sizes, vapply(sizes, count_of, "", noun = "feature")
  )
  picture(table,
    ggplot2::aes(.data$stability, .data$error, colour = .data$selector, shape = .data$aggregation),
    ggplot2::geom_segment(
      ggplot2::aes(xend = .data$stability_single, yend = .data$error_single),
      linewidth = 0.3, alpha = 0.5
    ),
    ggplot2::geom_errorbar(
      ggplot2::aes(ymin = .data$error - .data$error_se, ymax = .data$error + .data$error_se),
      width = 0, alpha = 0.5
    ),
    ggplot2::geom_errorbar(
      ggplot2::aes(
        xmin = .data$stability - .data$stability_se, xmax = .data$stability + .data$stability_se
      ),
      orientation = "y", width = 0, alpha = 0.5
    ),
    ggplot2::geom_point(size = 2.5),
    ggplot2::scale_shape_manual(values = rep_len(c(16, 17, 15, 18, 3, 4, 8, 7), 20)),
    ggplot2::scale_colour_manual(values = rep_len(path_colours, length(unique(table$selector)))),
    if (length(panels) > 0L) {
      list(ggplot2::facet_wrap(panels), few_ticks())
    },
    x = paste0("Stability (", index, ")"), y = "Error", colour = "Selector",
    shape = "Aggregation",
    title = "Error against stability", subtitle = "Bars: one standard error"
  )
}

# The points of the plane, each with the place of the same selector's single selection.
plane_table <- function(table, index) {
  single <- table[table$aggregation == "single", ]
  key <- function(table) paste(table$selector, table$n_features, table$learner, sep = "\r")
  at <- match(key(table), key(single))
  data.frame(
    table[c("selector", "aggregation", "n_features", "learner", "error", "error_se")],
    stability = table[[index]], stability_se = table[[paste0(index, "_se")]],
    stability_single = single[[index]][at], error_single = single$error[at]
  )
}
