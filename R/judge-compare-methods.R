#' @rdname compare_methods
#' @param x,object (object of class `stabilect_comparison`)
#' @param ... Not used.
#' @export
print.stabilect_comparison <- function(x, ...) {
  show_comparison(x)
  print_next(x)
}

show_comparison <- function(x) {
  asked <- x$asked
  print_verdict(describe_best_rank(x))
  cat(sprintf(
    "Mean ranks of %d methods on %d data sets, %s is better\n", ncol(x$ranks),
    nrow(x$ranks), if (asked$higher_is_better) "higher" else "lower"
  ))
  if (length(x$omitted) > 0L) {
    cat(sprintf(
      "left out for missing values: %s%s\n",
      paste(utils::head(x$omitted, 8L), collapse = ", "),
      if (length(x$omitted) > 8L) sprintf(" and %d more", length(x$omitted) - 8L) else ""
    ))
  }
  missing <- sum(x$table$n_missing)
  if (missing > 0L) {
    cat(sprintf(
      "%d missing value%s ranked last%s\n", missing, if (missing == 1L) "" else "s",
      if (asked$na == "last") ", in column order" else ", tied"
    ))
  }
  for (i in seq_len(nrow(x$friedman))) {
    row <- x$friedman[i, ]
    freedom <- if (i == 1L) figure(row$df1) else paste(figure(row$df1), "and", figure(row$df2))
    cat(sprintf(
      "%s: %s = %.3f on %s, p = %s\n", row$test, if (i == 1L) "chi-squared" else "F",
      row$statistic, freedom, figure(row$p_value, digits = 3)
    ))
  }
  cat(sprintf(
    "critical difference of mean ranks (Nemenyi, level %s): %.3f\n\n",
    figure(1 - asked$conf_level), x$critical_difference
  ))
  print_figures(x$table, digits = 3)
  cat("methods that share a letter do not differ significantly\n")
}

describe_best_rank <- function(x) {
  # Of the tests for any difference, the sharper one comes last.
  test <- x$friedman[nrow(x$friedman), ]
  best <- x$table[which.min(x$table$mean_rank), ]
  c(
    sprintf(
      "%s: p %s (%s).",
      if (isTRUE(test$p_value <= 1 - x$asked$conf_level)) {
        "The methods differ"
      } else {
        "No difference between the methods is shown"
      }, if (is.na(test$p_value)) "= NA" else format_p(test$p_value), test$test
    ),
    sprintf(
      "Best mean rank: %s with %s (by chance %s).", best$method,
      figure(best$mean_rank, digits = 3), figure((ncol(x$ranks) + 1) / 2)
    )
  )
}

#' @rdname compare_methods
#' @export
summary.stabilect_comparison <- function(object, ...) {
  refuse_dots(...)
  structure(
    list(comparison = object, pairs = object$wilcoxon),
    class = "summary_stabilect_comparison"
  )
}

#' @export
print.summary_stabilect_comparison <- function(x, ...) {
  show_comparison(x$comparison)
  asked <- x$comparison$asked
  cat(sprintf(
    "\nWilcoxon signed ranks, %s; p adjusted by \"%s\"\n",
    if (asked$alternative == "better") "first better than second" else "two-sided",
    asked$p_adjust
  ))
  print_figures(x$pairs, digits = 3)
  invisible(x)
}
