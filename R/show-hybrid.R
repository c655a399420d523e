#' Plots of a hybrid elimination
#'
#' `type = "frequency"`: selection frequency of each feature against its mean frequency score over
#' the runs that selected it (Hamer and Dupont 2021, Figure 10). The frequency score predicts from a
#' single run how often a feature is selected. `type = "map"`: the stability map of the runs.
#'
#' @param object (object of class `stabilect_hybrid_rfe`) result of [hybrid_rfe()].
#' @param type (string) which picture.
#' @param ... For `type = "map"`: options of the map, see [plot_selection]; otherwise not used.
#' @return A ggplot, which `plot()` draws.
#' @family trade-off
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- hybrid_rfe(x, mcl_sll$MCL, n_features = 8, n_stable = 4, seed = 1)
#' plot(fit)
#' plot(fit, type = "map")
#' @importFrom rlang .data
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_hybrid_rfe <- function(object, type = c("frequency", "map"), ...) {
  check_package("ggplot2", "picture")
  type <- check_choice(type, c("frequency", "map"))
  if (type == "map") {
    return(map_picture(object$selection, ...))
  }
  refuse_dots(...)
  table <- object$table
  table$kind <- ifelse(table$stable > 0, "stable in some run", "never stable")
  related <- if (nrow(table) > 2L && stats::sd(table$frequency) > 0) {
    sprintf("Pearson correlation %.2f; ", stats::cor(table$frequency, table$frequency_score))
  }
  picture(table,
    ggplot2::aes(
      .data$frequency, .data$frequency_score, colour = .data$kind, shape = .data$kind
    ),
    ggplot2::geom_point(size = 1.8, alpha = 0.8),
    ggplot2::scale_colour_manual(
      values = c("stable in some run" = "#0072B2", "never stable" = "#D55E00")
    ),
    ggplot2::scale_x_continuous(limits = c(0, 1), labels = function(v) paste0(100 * v, " %")),
    x = "Share of the runs with the feature", y = "Mean frequency score", colour = NULL,
    shape = NULL,
    title = "Frequency scores and selection frequencies",
    subtitle = sprintf(
      "%s%d features selected in %d runs", if (is.null(related)) "" else related, nrow(table),
      length(ok_runs(object$selection))
    ), legend = "bottom"
  )
}
