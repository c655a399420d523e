# A picture of the sources of instability.

#' @rdname explain_stability
#' @param object (object of class `stabilect_explanation`) result of `explain_stability()`.
#' @param n (whole number >= 1) number of features to draw.
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_explanation <- function(object, n = 20, ...) {
  open_picture(...)
  n <- check_count(n)
  if (nrow(object$features) == 0L) {
    return(empty_picture("Sources of instability", "All runs selected the same features."))
  }
  table <- utils::head(object$features, n)
  swapping <- unlist(strsplit(as.character(object$swaps$features), ", ", fixed = TRUE))
  table$selected <- table$feature %in% swapping
  value_dots(with_labels(table, object$study), "contribution",
    x = "Contribution to 1 - stability",
    title = sprintf(
      "%s of the instability comes from %s", percent(sum(table$share)),
      count_of(nrow(table), "feature")
    ),
    subtitle = if (any(table$selected)) "blue: those that swap with features like them"
  )
}
