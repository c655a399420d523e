# A picture of resamples.

#' Plot of resamples
#'
#' Shows which samples are in which runs: a column for each run, a row for each sample. White is out
#' of the bag; darker samples were drawn more often.
#'
#' @inheritParams arguments
#' @param x,object (`stabilect_resamples`) resamples from [draw_resamples()].
#' @param n (whole number >= 1) number of runs to draw, from the first on.
#' @return `autoplot()`: a ggplot object. `plot()` draws it and returns it invisibly.
#' @section Errors:
#' Class `stabilect_error_package` without ggplot2.
#' @family resampling
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(draw_resamples(resample_bootstrap(20), y = rep(0:1, c(10, 20)), seed = 1))
#' @name plot_resamples
NULL

#' @rdname plot_resamples
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_resamples <- function(object, n = 100, ...) {
  open_picture(...)
  shown <- seq_len(min(check_count(n), object$n_runs))
  counts <- object$counts[, shown, drop = FALSE]
  table <- data.frame(
    run = rep(shown, each = object$n), sample = rep(seq_len(object$n), length(shown)),
    count = factor(pmin(as.vector(counts), 3L), 0:3)
  )
  out <- mean(counts == 0L)
  times <- c(`0` = "no", `1` = "once", `2` = "twice", `3` = "more often")
  picture(table, ggplot2::aes(.data$run, .data$sample, fill = .data$count),
    ggplot2::geom_tile(),
    ggplot2::scale_fill_manual(
      values = c(`0` = "white", `1` = "#9ECAE1", `2` = "#3182BD", `3` = "#08306B"),
      labels = times, name = "drawn"
    ),
    ggplot2::scale_x_continuous(breaks = rank_ticks(length(shown)), expand = c(0, 0)),
    ggplot2::scale_y_reverse(breaks = rank_ticks(object$n), expand = c(0, 0)),
    ggplot2::theme(
      panel.grid = ggplot2::element_blank(),
      legend.key = ggplot2::element_rect(colour = "grey70")
    ),
    x = if (length(shown) < object$n_runs) {
      sprintf("Run (the first %d of %d)", length(shown), object$n_runs)
    } else {
      "Run"
    },
    y = "Sample", title = sprintf("%s out of the bag on average", percent(out)),
    subtitle = format(object$plan), legend = "bottom"
  )
}

#' @rdname plot_resamples
#' @export
plot.stabilect_resamples <- plot.stabilect
