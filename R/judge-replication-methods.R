#' Look at a replication
#'
#' `print()` says how many of the best features came again, and how far predictions of single
#' samples differ between models of halves. The picture has a line for every sample: where 95 % of
#' the predictions lie that were made without it, against the prediction of the model of all
#' samples. On the diagonal both agree; a line that crosses the middle belongs to a sample whose
#' class depends on who else was in the study.
#'
#' @param x,object (object of class `stabilect_replication`) made by [evaluate_replication()].
#' @param n (whole number >= 1) how many features to print.
#' @param ... Not used.
#' @return `print()` returns `x`, invisibly; `autoplot()` a ggplot object, which `plot()` draws.
#' @section Errors: `autoplot()`: class `stabilect_error_input` where results held no model.
#' @family evidence
#' @name replication-methods
NULL

#' @rdname replication-methods
#' @export
print.stabilect_replication <- function(x, n = 10, ...) {
  n <- check_count(n)
  first <- x$table[1, ]
  number <- function(value) figure(value, digits = 2)
  verdict <- c(
    sprintf(
      "Of the %s best features, %s came again in the other half of the samples (%d each; %s by",
      number(first$n_features), number(first$n_again), x$made$n_half,
      number(first$by_chance * first$n_features)
    ),
    sprintf(
      "chance). A new study of %d samples would bring back roughly %s (extrapolated; off by one of",
      x$study$n, number(first$extrapolated * first$n_features)
    ),
    "ten either way in simulations)."
  )
  print_verdict(verdict)
  print_head(x, "Replication of a list", sprintf("%d pairs of disjoint halves", x$asked$n_pairs))
  cat("\n")
  print(dash_missing(x$table), row.names = FALSE)
  cat("\nshare of the halves with each feature in their list:\n")
  print_rows(x$again, names(x$again), n)
  writeLines(describe_instability(x))
  print_next(x)
}

# Lines about the predictions of single samples, where there are any.
describe_instability <- function(x) {
  table <- x$predictions
  if (is.null(table)) {
    return(character())
  }
  what <- if (is.null(x$study$levels)) {
    sprintf("(their sd between samples: %s)", figure(stats::sd(table$predicted), digits = 2))
  } else {
    unsure <- sum(table$other_class > 1 / 4, na.rm = TRUE)
    sprintf(
      "(in the %s); for %d of %s more than a quarter of these models name the other class",
      x$made$predicts, unsure, count_of(nrow(table), "sample")
    )
  }
  text <- sprintf(
    "Models of halves that had not seen a sample differ from the model of all by %s on average %s.",
    figure(mean(table$distance, na.rm = TRUE), digits = 2), what
  )
  c("", strwrap(text, width = 80))
}
