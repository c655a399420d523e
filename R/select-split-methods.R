#' Look at tests on many splits
#'
#' @param x,object (object of class `stabilect_split_test`) Made by [split_test()].
#' @param n (whole number >= 1) how many features to print or draw.
#' @param ... Not used.
#' @return `print()` returns `x`, invisibly; `summary()` the data frame `table`; `autoplot()` a
#'   ggplot object, which `plot()` draws: the p values, or inclusion rates, of the best features.
#' @family evidence
#' @name split_test-methods
NULL

#' @rdname split_test-methods
#' @export
print.stabilect_split_test <- function(x, n = 10, ...) {
  n <- check_count(n)
  print_verdict(describe_split_test(x))
  mirror <- x$asked$method == "mirror"
  title <- if (mirror) "Mirror statistics of" else "P values of"
  print_head(x, sprintf("%s %s", title, count_of(x$made$n_runs, "split")), format(x$resamples$plan))
  sizes <- x$splits$size
  print_verdict(sprintf(
    "%s features a split by the lasso%s; %s samples remain for least squares",
    describe_sizes(sizes[x$selection$status == "ok"]),
    if (is.null(x$asked$n_features)) " (cross-validated)" else "", x$splits$n_tested[1]
  ))
  m <- length(x$features)
  shown <- if (m > 0L) x$table[x$table$selected, ] else utils::head(x$table, n)
  measure <- if (mirror) "inclusion" else "p_fwer"
  print_rows(shown, c("feature", "direction", measure, "coefficient", "frequency"), n)
  if (!is.null(x$groups)) print_groups(x, n)
  print_next(x)
}

print_groups <- function(x, n) {
  if (!is.null(x$groups$above)) {
    return(print_branches(x, n))
  }
  found <- x$groups[x$groups$selected, ]
  cat(sprintf(
    "\n%s of %s significant%s\n", nrow(found), count_of(nrow(x$groups), "group"),
    if (nrow(found) > 0L) ":" else "; the best:"
  ))
  shown <- if (nrow(found) > 0L) found else utils::head(x$groups, n)
  print_rows(shown, c("group", "size", "p_fwer", "frequency"), n)
}

# The smallest significant branches are what is found; those above them follow.
print_branches <- function(x, n) {
  found <- x$groups[x$groups$smallest, ]
  if (nrow(found) == 0L) {
    cat(sprintf(
      "\nNo group of the tree is significant: all %d features together have the p value %s.\n",
      x$study$p, figure(x$groups$p_fwer[1], digits = 2)
    ))
    return(invisible())
  }
  cat(sprintf(
    "\n%s, of %d of the tree that were tested; the smallest:\n",
    count_of(sum(x$groups$selected), "significant group"), nrow(x$groups)
  ))
  print_rows(found, c("group", "size", "p_fwer", "frequency"), n)
}

describe_split_test <- function(x) {
  m <- length(x$features)
  asked <- x$asked
  promise <- if (is.null(asked$fdr)) {
    sprintf("the probability of any false one is at most %s", figure(asked$fwer))
  } else {
    sprintf("at most a share of %s of such lists is false", figure(asked$fdr))
  }
  few <- if (x$splits$n_tested[1] < 100L) {
    sprintf("With %d samples for the tests, few discoveries are to be expected.",
      x$splits$n_tested[1]
    )
  }
  c(
    sprintf(
      "%s: %s, if first halves select all true features.",
      if (m == 0L) "No feature is significant" else count_of(m, "significant feature"), promise
    ),
    few
  )
}

#' @rdname split_test-methods
#' @export
summary.stabilect_split_test <- function(object, ...) {
  refuse_dots(...)
  object$table
}
