#' Coefficient plot of a likelihood path
#'
#' Shows one line per feature that ever enters, from the model without features on the left to the
#' end of the path on the right. The features with the largest final coefficients are coloured and
#' named; all others are grey.
#'
#' @param object (`stabilect_lasso_path`) result of [lasso_path()].
#' @param n_labels (whole number >= 0) number of features to name; at most 8 get a colour of their
#'   own.
#' @param ... Not used.
#' @return `autoplot()`: a `ggplot`; `plot()` draws it and returns it invisibly. Both need the
#'   package ggplot2. The vertical axis has the coefficients on the scale of `x`, for several
#'   classes the Euclidean norm of a feature's coefficients. The horizontal axis has lambda on a
#'   logarithmic scale, falling.
#' @family lasso paths
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' plot(lasso_path(x, mcl_sll$MCL, family = "binomial"), n_labels = 4)
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_lasso_path <- function(object, n_labels = 8, ...) {
  open_picture(...)
  n_labels <- check_count(n_labels, min = 0)
  lines <- lasso_path_lines(object)
  labels <- path_labels(lines, n_labels)
  lines$coefficient <- hide_zeros(lines)
  draw_profiles(lines, labels) +
    ggplot2::scale_x_continuous(
      labels = function(x) figures(10^(-x), digits = 2), expand = ggplot2::expansion(mult = 0.02)
    ) +
    picture_labels(
      title = lasso_path_title(object$asked),
      subtitle = sprintf(
        "%d x %d, %s, %s enter", object$study$n, object$study$p,
        count_of(length(object$lambda), "point"),
        count_of(length(unique(lines$index)), "feature")
      ),
      x = "Lambda",
      y = if (is.list(object$coefficients)) "Norm of the coefficients" else "Coefficient"
    ) +
    path_theme(labels$feature)
}

# As path_profiles(), without points at lambda = 0, which have no logarithm.
lasso_path_lines <- function(path) {
  shown <- path$lambda > 0
  used <- features_used(path)
  parts <- lapply(path_parts(path), function(part) {
    as.matrix(part$coefficients[used, shown, drop = FALSE])
  })
  b <- if (length(parts) == 1L) parts[[1]] else sqrt(Reduce(`+`, lapply(parts, `^`, 2)))
  data.frame(
    x = rep(-log10(path$lambda[shown]), each = length(used)), coefficient = as.vector(b),
    index = rep(used, sum(shown)), feature = rep(names(used), sum(shown))
  )
}
