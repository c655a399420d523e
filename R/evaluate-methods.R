#' Paired comparisons of evaluated selections
#'
#' Differences within the same splits (or training sets), so that what makes a split hard or easy
#' cancels out.
#'
#' @param evaluation (object of class `stabilect_evaluation`) Made by [evaluate_selectors()] or
#'   [evaluate_generated()].
#' @param reference (string) aggregation that the others of the same selector and size are compared
#'   with.
#' @return Data frame with a row for each selector, aggregation, size and measure: `selector`,
#'   `aggregation`, `n_features`, `measure` (`"error"` or the name of an index), `difference` (mean
#'   over splits of the value minus that of `reference`), `se` and `n` (splits with both values).
#'   For generated data, stability is not by training set and only the error is compared.
#' @section Errors:
#' Class `stabilect_error_input` for a `reference` that was not evaluated.
#' @family aggregation
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' result <- evaluate_selectors(
#'   x, mcl_sll$MCL, selector_wilcoxon(), n_features = 5, n_splits = 4,
#'   resampling = resample_bootstrap(10), seed = 1
#' )
#' compare_evaluated(result)
#' @export
compare_evaluated <- function(evaluation, reference = "single") {
  if (!inherits(evaluation, "stabilect_evaluation")) {
    abort("{.arg evaluation} must be made by {.fn evaluate_selectors} or
      {.fn evaluate_generated}, not be {describe_value(evaluation)}.")
  }
  reference <- check_choice(reference, "reference", unique(evaluation$table$aggregation))
  errors <- evaluation$errors
  long <- rbind(
    cbind(errors[1:4], measure = rep("error", nrow(errors)), value = errors$error),
    stats::setNames(evaluation$stabilities, c(names(errors)[1:4], "measure", "value"))
  )
  key <- function(table) {
    paste(table$unit, table$selector, table$n_features, table$measure, sep = "\r")
  }
  base <- long[long$aggregation == reference, ]
  others <- long[long$aggregation != reference, ]
  others$difference <- others$value - base$value[match(key(others), key(base))]
  id <- paste(others$selector, others$aggregation, others$n_features, others$measure, sep = "\r")
  by_measure <- order(match(others$measure, unique(long$measure)))
  groups <- split(others, factor(id, unique(id[by_measure])))
  rows <- lapply(groups, function(group) {
    known <- !is.na(group$difference)
    cbind(
      group[1, c("selector", "aggregation", "n_features", "measure")],
      difference = mean(group$difference[known]), se = standard_error(group$difference),
      n = sum(known)
    )
  })
  table <- do.call(rbind, c(rows, list(make.row.names = FALSE)))
  if (is.null(table)) {
    table <- data.frame(
      selector = character(), aggregation = character(), n_features = integer(),
      measure = character(), difference = double(), se = double(), n = integer()
    )
  }
  table
}

#' @rdname evaluate_selectors
#' @param object (object of class `stabilect_evaluation`)
#' @param ... Not used.
#' @export
print.stabilect_evaluation <- function(x, ...) {
  settings <- x$settings
  what <- if (settings$protocol == "halves") {
    sprintf("%d splits of %d samples into halves", settings$n_units, settings$n)
  } else {
    sprintf(
      "%d generated training sets of %d samples (Bayes error %s)", settings$n_units, settings$n,
      format(settings$bayes_error, digits = 3)
    )
  }
  cat(sprintf("Error and stability of feature selections: %s\n", what))
  cat(sprintf(
    "%d features; classifier: %s; ensembles: %s; seed %s\n", settings$p,
    settings$classifier$label, format(settings$resampling), format(settings$seed)
  ))
  print_input_notes(x)
  if (nrow(x$failures) > 0L) {
    cat(sprintf("%d selections failed and are left out, see `failures`\n", nrow(x$failures)))
  }
  cat("\n")
  print(x$table, row.names = FALSE, digits = 3)
  invisible(x)
}

#' @rdname evaluate_selectors
#' @export
summary.stabilect_evaluation <- function(object, ...) {
  structure(
    list(evaluation = object, comparisons = compare_evaluated(object)),
    class = "summary_stabilect_evaluation"
  )
}

#' @export
print.summary_stabilect_evaluation <- function(x, ...) {
  print(x$evaluation)
  if (nrow(x$comparisons) > 0L) {
    cat("\npaired differences to no ensemble (\"single\")\n")
    print(x$comparisons, row.names = FALSE, digits = 3)
  }
  invisible(x)
}

#' @rdname evaluate_selectors
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_evaluation <- function(x, row.names = NULL, optional = FALSE, ...) {
  x$table
}

#' Plot error against stability
#'
#' Each point is a selector with an aggregation (and a size), with bars of one standard error;
#' better is down and to the right. Lines join the points of a selector with its single selection.
#'
#' @param x,object (object of class `stabilect_evaluation`) Made by [evaluate_selectors()] or
#'   [evaluate_generated()].
#' @param index (string, or `NULL`) one of the evaluated indices; `NULL` takes the first.
#' @param ... Not used.
#' @return `autoplot()`: a `ggplot`; `plot()` draws it and returns `x` invisibly.
#' @section Errors:
#' Class `stabilect_error_input` for an index that was not evaluated.
#' @family aggregation
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' result <- evaluate_selectors(
#'   x, mcl_sll$MCL, list(selector_t(), selector_wilcoxon()), n_features = 5, n_splits = 4,
#'   resampling = resample_bootstrap(10), seed = 1
#' )
#' plot(result)
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_evaluation <- function(object, index = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot an evaluation.")
  if (is.null(index)) index <- object$settings$index[1]
  index <- check_choice(index, "index", object$settings$index)
  table <- plane_table(object$table, index)
  picture <- ggplot2::ggplot(
    table,
    ggplot2::aes(.data$stability, .data$error, colour = .data$selector, shape = .data$aggregation)
  ) +
    ggplot2::geom_segment(
      ggplot2::aes(xend = .data$stability_single, yend = .data$error_single),
      linewidth = 0.3, alpha = 0.5
    ) +
    ggplot2::geom_errorbar(
      ggplot2::aes(ymin = .data$error - .data$error_se, ymax = .data$error + .data$error_se),
      width = 0, alpha = 0.5
    ) +
    ggplot2::geom_errorbar(
      ggplot2::aes(
        xmin = .data$stability - .data$stability_se, xmax = .data$stability + .data$stability_se
      ),
      orientation = "y", width = 0, alpha = 0.5
    ) +
    ggplot2::geom_point(size = 2.5) +
    ggplot2::scale_shape_manual(values = rep_len(c(16, 17, 15, 18, 3, 4, 8, 7), 20)) +
    ggplot2::scale_colour_manual(values = rep_len(path_colours, length(unique(table$selector)))) +
    ggplot2::labs(
      x = paste0("Stability (", index, ")"), y = "Error", colour = "Selector",
      shape = "Aggregation",
      title = "Error against stability", subtitle = "Bars: one standard error"
    ) +
    ggplot2::theme_minimal() +
    ggplot2::theme(plot.title.position = "plot")
  if (length(unique(table$n_features)) > 1L) {
    picture <- picture + ggplot2::facet_wrap("n_features", labeller = "label_both")
  }
  picture
}

# The points of the plane, each with the place of the same selector's single selection.
plane_table <- function(table, index) {
  single <- table[table$aggregation == "single", ]
  at <- match(
    paste(table$selector, table$n_features), paste(single$selector, single$n_features)
  )
  data.frame(
    table[c("selector", "aggregation", "n_features", "error", "error_se")],
    stability = table[[index]], stability_se = table[[paste0(index, "_se")]],
    stability_single = single[[index]][at], error_single = single$error[at]
  )
}

#' @rdname autoplot.stabilect_evaluation
#' @export
plot.stabilect_evaluation <- function(x, index = NULL, ...) {
  print(autoplot.stabilect_evaluation(x, index = index))
  invisible(x)
}
