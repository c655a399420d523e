#' Look at stabilities
#'
#' @param x,object (object of class `stabilect_stability`) Made by [stability()].
#' @param digits (whole number >= 1) significant digits to print.
#' @param ... Not used.
#' @return `print()` and `plot()` return `x`, invisibly; `autoplot()` a ggplot object with one
#'   interval per index; `as.data.frame()` and `summary()` the data frame `table`, see
#'   [stability()].
#' @family stability
#' @examples
#' runs <- as_selection(list(c("a", "b"), c("a", "c"), c("a", "b")), n_features = 20)
#' stability(runs, c("nogueira", "jaccard"))
#' @name stability-methods
NULL

#' @rdname stability-methods
#' @export
print.stabilect_stability <- function(x, digits = 3, ...) {
  digits <- check_count(digits, "digits")
  sizes <- x$sizes
  cat(sprintf(
    "Stability of %d runs over %s features; %s features a run%s\n", x$n_runs,
    format(x$n_features, big.mark = ","), describe_sizes(sizes),
    if (x$n_failed > 0L) sprintf("; %d failed runs left out", x$n_failed) else ""
  ))
  cat(x$label, "\n\n", sep = "")
  table <- x$table
  notes <- table$note
  table$note <- ifelse(nzchar(notes), paste0("[", cumsum(nzchar(notes)), "]"), "")
  if (!any(nzchar(notes))) table$note <- NULL
  print(table, row.names = FALSE, digits = digits)
  for (i in which(nzchar(notes))) {
    cat(sprintf("[%d] %s: %s\n", sum(nzchar(notes[seq_len(i)])), table$index[i], notes[i]))
  }
  if (x$corrected) cat("\nindices corrected for chance where they can be")
  cat(sprintf(
    "\n%s%% intervals: about more runs on resamples of the same data, not about new data\n",
    format(100 * x$conf_level)
  ))
  invisible(x)
}

describe_sizes <- function(sizes) {
  if (length(unique(sizes)) == 1L) {
    return(format(sizes[1]))
  }
  sprintf("%d to %d (median %s)", min(sizes), max(sizes), format(stats::median(sizes)))
}

#' @rdname stability-methods
#' @export
summary.stabilect_stability <- function(object, ...) object$table

#' @rdname stability-methods
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_stability <- function(x, row.names = NULL, optional = FALSE, ...) x$table

#' @rdname stability-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_stability <- function(object, ...) {
  rlang::check_installed("ggplot2", "to plot stabilities.")
  table <- object$table[!is.na(object$table$estimate), ]
  if (nrow(table) == 0L) {
    abort("There is nothing to plot: no index is defined for these runs.")
  }
  table$index <- factor(table$index, rev(table$index))
  ggplot2::ggplot(table, ggplot2::aes(.data$estimate, .data$index)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey80") +
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$lower, xend = .data$upper, yend = .data$index),
      data = table[!is.na(table$lower), ], colour = path_colours[1], linewidth = 0.8
    ) +
    ggplot2::geom_point(size = 2.4, colour = path_colours[1]) +
    ggplot2::expand_limits(x = c(0, 1)) +
    ggplot2::labs(
      x = "Stability", y = NULL,
      title = sprintf("Stability of %d runs", object$n_runs),
      subtitle = sprintf("with %s%% intervals", format(100 * object$conf_level))
    ) +
    ggplot2::theme_minimal() +
    ggplot2::theme(plot.title.position = "plot")
}

#' @rdname stability-methods
#' @export
plot.stabilect_stability <- function(x, ...) {
  print(autoplot.stabilect_stability(x))
  invisible(x)
}
