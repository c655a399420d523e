#' Plot of a feature ranking
#'
#' Shows the scores of the best features, best on top. The size of a point is the share of runs that
#' selected the feature; features that are not selected are grey.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_ranking` or `stabilect_ensemble`) result of
#'   [aggregate()][aggregate.stabilect_selection] or [select_ensemble()].
#' @param type (string) which picture of an ensemble: `"scores"`, or `"strength"` (how strong and
#'   how steady features are, see [plot_strength]).
#' @param n (whole number >= 1) number of features to show; of names in `"strength"`.
#' @return `autoplot()`: a `ggplot`; `plot()` draws it and returns it invisibly.
#' @family aggregation
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, seed = 1)
#' plot(aggregate(fit$selection, n_features = 5), n = 12)
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_ranking <- function(object, n = 25, ...) {
  open_picture(...)
  n <- check_count(n)
  best <- utils::head(object$table[!is.na(object$table$score), ], n)
  best <- with_labels(best, object$study)
  best$place <- factor(seq_len(nrow(best)), rev(seq_len(nrow(best))))
  picture(best,
    ggplot2::aes(.data$score, .data$place, size = .data$frequency, colour = .data$selected),
    ggplot2::geom_point(),
    selected_colours(),
    ggplot2::scale_size(
      range = c(1, 4), limits = c(0, 1), breaks = c(0, 0.5, 1), name = "Share of runs"
    ),
    names_of_rows(rev(shorten(best$feature))),
    x = paste0("Score (", object$aggregation$label, ")"), y = NULL,
    title = sprintf("The %d best features", nrow(best)),
    subtitle = sprintf("%d runs; %d features selected", object$n_runs, object$n_features),
    legend = "bottom"
  )
}

#' @rdname autoplot.stabilect_ranking
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_ensemble <- function(object, type = c("scores", "strength"), n = 25, ...) {
  open_picture(...)
  type <- check_choice(type, c("scores", "strength"))
  if (type == "strength") {
    return(strength_picture(object, min(check_count(n), 20L)))
  }
  autoplot.stabilect_ranking(object$ranking, n = n)
}
