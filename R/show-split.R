# Pictures of tests on many splits.

#' @rdname split_test-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_split_test <- function(object, n = 20, ...) {
  refuse_dots(...)
  check_package("ggplot2", "picture")
  n <- check_count(n)
  mirror <- object$asked$method == "mirror"
  table <- utils::head(object$table, n)
  value_dots(table, if (mirror) "inclusion" else "p_fwer", from_zero = mirror) +
    (if (!mirror) {
      list(
        ggplot2::geom_vline(
          xintercept = object$asked$fwer, linetype = "dashed", colour = "grey50"
        ),
        ggplot2::scale_x_log10()
      )
    }) +
    ggplot2::labs(
      x = if (mirror) "Inclusion rate" else "Family-wise p value (dashed: level)",
      y = NULL, title = selected_title(object),
      subtitle = sprintf(
        "%s, %d samples for least squares", count_of(object$made$n_runs, "split"),
        object$splits$n_tested[1]
      )
    )
}
