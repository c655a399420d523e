#' Plot of a recursive feature elimination
#'
#' Shows the mean score of every evaluated size with its standard error, and the order in which the
#' search evaluated the sizes (Figures 1 and 4 of Brzezinski 2020).
#'
#' @inheritParams arguments
#' @param object (`stabilect_elimination`) result of [eliminate_features()].
#' @param log (flag, or `NULL`) logarithmic axis of sizes? `NULL`: if there are more than 50.
#' @param n_labels (whole number >= 0) if there are at most so many sizes, each point shows the
#'   search step that requested it.
#' @return A `ggplot`, which `plot()` draws. The dashed line marks the chosen size, the band the
#'   sizes that may be better.
#' @family elimination
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- eliminate_features(x, mcl_sll$MCL, search = search_peak(3), seed = 1)
#' plot(fit)
#' @importFrom rlang .data
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_elimination <- function(object, log = NULL, n_labels = 40, ...) {
  open_picture(...)
  log <- if (is.null(log)) max(object$sizes$size) > 50 else check_flag(log)
  n_labels <- check_count(n_labels, min = 0)
  table <- object$sizes
  table$lower <- table$score - table$se
  table$upper <- table$score + table$se
  is_labelled <- nrow(table) <= n_labels && max(table$pass) > 1L
  ends <- object$interval + c(-0.5, 0.5)
  scale_x <- if (log) ggplot2::scale_x_log10 else ggplot2::scale_x_continuous
  picture(table, ggplot2::aes(.data$size, .data$score),
    ggplot2::annotate(
      "rect", xmin = ends[[1]], xmax = ends[[2]], ymin = -Inf, ymax = Inf, fill = path_colours[7],
      alpha = 0.25
    ),
    ggplot2::geom_vline(
      xintercept = object$n_features, linetype = "dashed", colour = path_colours[2]
    ),
    ggplot2::geom_line(colour = "grey75", linewidth = 0.3),
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$lower, ymax = .data$upper), colour = "grey60", linewidth = 0.3,
      na.rm = TRUE
    ),
    ggplot2::geom_point(
      colour = path_colours[1], size = if (nrow(table) > 100L) 0.6 else 1.8
    ),
    if (is_labelled) {
      ggplot2::geom_text(
        # The blanks separate neighbours.
        ggplot2::aes(label = sprintf(" %d ", .data$pass)), vjust = -0.9, size = 3,
        check_overlap = TRUE
      )
    },
    scale_x(expand = ggplot2::expansion(mult = 0.04)),
    elimination_titles(object, is_labelled),
    ggplot2::theme(panel.grid.minor = ggplot2::element_blank())
  )
}

elimination_titles <- function(object, is_labelled) {
  asked <- object$asked
  picture_labels(
    x = "Number of features", y = paste("Mean", in_words(asked$metric)),
    title = sprintf(
      "%d of %d features, by %s", object$n_features, object$study$p, asked$learner$label
    ),
    subtitle = sprintf(
      "%s: %d sizes, %d fits%s", asked$search$label, nrow(object$sizes), object$n_fits,
      if (is_labelled) "; numbers: step of the search" else ""
    ),
    caption = "Lines: standard error over runs"
  )
}
