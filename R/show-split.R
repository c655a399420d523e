# Pictures of tests on many splits.

#' @rdname split_test-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_split_test <- function(object, n = 20, ...) {
  open_picture(...)
  n <- check_count(n)
  mirror <- object$asked$method == "mirror"
  table <- with_labels(utils::head(object$table, n), object$study)
  value_dots(table, if (mirror) "inclusion" else "p_fwer",
    if (!mirror) list(dashed_at(object$asked$fwer), ggplot2::scale_x_log10()),
    x = if (mirror) "Inclusion rate" else "Family-wise p value (dashed: level)",
    title = selected_title(object),
    subtitle = sprintf(
      "%s, %d samples for least squares", count_of(object$made$n_runs, "split"),
      object$splits$n_tested[1]
    ), from_zero = mirror
  )
}
