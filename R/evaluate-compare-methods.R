#' @exportS3Method
facts_of.stabilect_comparison <- function(x, n = 10L) {
  asked <- x$asked
  missing <- sum(x$table$n_missing)
  omitted <- utils::head(x$omitted, 8L)
  new_facts(
    "Mean ranks of methods on data sets",
    sprintf(
      "%d methods on %d data sets, %s is better", ncol(x$ranks), nrow(x$ranks),
      if (asked$direction == "max") "higher" else "lower"
    ),
    c(
      if (length(omitted) > 0L) {
        sprintf(
          "left out for missing values: %s%s", toString(omitted),
          if (length(x$omitted) > 8L) sprintf(" and %d more", length(x$omitted) - 8L) else ""
        )
      },
      if (missing > 0L) {
        sprintf("%s ranked last, tied", count_of(missing, "missing value"))
      }
    ),
    list(Signal = describe_difference(x), Best = describe_best_rank(x)),
    list(new_section(x$table, Inf, below = sprintf(
      "letters: methods that share one do not differ significantly; %s %.3f (Nemenyi, level %s)",
      "critical difference of mean ranks", x$critical_difference, figure(1 - asked$conf_level)
    ))),
    next_of(x)
  )
}

# Of the two overall tests, the more powerful one comes last.
describe_difference <- function(x) {
  test <- x$friedman[nrow(x$friedman), ]
  tests <- vapply(seq_len(nrow(x$friedman)), function(i) {
    row <- x$friedman[i, ]
    freedom <- if (i == 1L) figure(row$df1) else paste(figure(row$df1), "and", figure(row$df2))
    sprintf(
      "%s: %s = %.3f on %s, p = %s", row$test, if (i == 1L) "chi-squared" else "F",
      row$statistic, freedom, figure(row$p_value, digits = 3)
    )
  }, "")
  c(
    if (isTRUE(test$p_value <= 1 - x$asked$conf_level)) {
      "yes: the methods differ"
    } else {
      "no evidence that the methods differ"
    },
    tests
  )
}

describe_best_rank <- function(x) {
  best <- x$table[which.min(x$table$mean_rank), ]
  sprintf(
    "%s with mean rank %s; %s by chance", best$method, figure(best$mean_rank, digits = 3),
    figure((ncol(x$ranks) + 1) / 2)
  )
}

#' @rdname compare_methods
#' @param object (object of class `stabilect_comparison`) result of `compare_methods()`.
#' @param ... Not used.
#' @export
summary.stabilect_comparison <- function(object, ...) {
  refuse_dots(...)
  object$wilcoxon
}
