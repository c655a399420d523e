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
#' runs <- as_selection(list(c("a", "b"), c("a", "c"), c("a", "b")), n_total = 20)
#' stability(runs, c("nogueira", "jaccard"))
#' @name stability-methods
NULL

#' @rdname stability-methods
#' @export
print.stabilect_stability <- function(x, digits = 3, ...) {
  digits <- check_count(digits)
  sizes <- x$sizes
  print_verdict(describe_agreement(x))
  cat(sprintf(
    "Stability of %d runs over %s features; %s features a run%s\n", x$n_runs,
    figure(x$n_total, big.mark = ","), describe_sizes(sizes),
    if (x$n_failed > 0L) sprintf("; %d failed runs left out", x$n_failed) else ""
  ))
  cat(x$label, "\n\n", sep = "")
  table <- x$table
  notes <- table$note
  table$note <- ifelse(nzchar(notes), paste0("[", cumsum(nzchar(notes)), "]"), "")
  if (!any(nzchar(notes))) table$note <- NULL
  print_figures(table, digits = digits)
  for (i in which(nzchar(notes))) {
    cat(sprintf("[%d] %s: %s\n", sum(nzchar(notes[seq_len(i)])), table$index[i], notes[i]))
  }
  if (x$corrected) cat("\nindices corrected for chance where they can be")
  cat(sprintf(
    "\n%s%% intervals: for more runs on resamples of the same data, not for new data\n",
    figure(100 * x$conf_level)
  ))
  if (isTRUE(x$about_result)) {
    cat("This is about single runs, not about the list of the result: evaluate_replication()\n")
  }
  print_next(x)
}

# The first index with its interval; those of Nogueira and of pairs of sets end at 1.
describe_agreement <- function(x) {
  first <- x$table[1, ]
  number <- function(value) figure(value, digits = 2)
  sprintf(
    "The stability of the runs is %s by %s%s%s.", number(first$estimate), first$index,
    if (is.na(first$lower)) {
      ""
    } else {
      sprintf(
        " (%s%% interval %s to %s)", figure(100 * x$conf_level), number(first$lower),
        number(first$upper)
      )
    },
    if (first$index == "nogueira") {
      ", where 0 is chance and 1 the same features in every run"
    } else {
      ""
    }
  )
}

describe_sizes <- function(sizes) {
  if (length(unique(sizes)) == 1L) {
    return(figure(sizes[1]))
  }
  sprintf("%d to %d (median %s)", min(sizes), max(sizes), figure(stats::median(sizes)))
}

#' @rdname stability-methods
#' @export
summary.stabilect_stability <- function(object, ...) {
  refuse_dots(...)
  object$table
}

#' @rdname stability-methods
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_stability <- function(x, row.names = NULL, optional = FALSE, ...) x$table
