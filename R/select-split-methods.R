#' Methods of tests on many splits
#'
#' @param object (object of class `stabilect_split_test`) made by [split_test()].
#' @param n (whole number >= 1) number of features to draw.
#' @param ... Not used.
#' @return `summary()`: the data frame `table`. `autoplot()`: a ggplot object, which `plot()` draws,
#'   of the p-values or inclusion rates of the best features.
#' @family evidence
#' @name split_test-methods
NULL

#' @exportS3Method
facts_of.stabilect_split_test <- function(x, n = 10L) {
  mirror <- x$asked$method == "mirror"
  sizes <- x$splits$size
  m <- length(x$features)
  shown <- if (m > 0L) x$table[x$table$selected, ] else x$table
  columns <- c(
    "feature", "direction", if (mirror) "inclusion" else "p_fwer",
    if (!all(is.na(x$table$coefficient))) "coefficient", "frequency"
  )
  title <- if (mirror) "Mirror statistics of" else "P values of"
  result_facts(
    x, sprintf("%s %s", title, count_of(x$made$n_runs, "split")), format(x$resamples$plan),
    list(List = describe_split_list(x), Caution = caution_of_split(x)),
    list(
      new_section(name_direction(shown[columns], x$study), n, below = explain_split(x, shown, n)),
      if (!is.null(x$groups)) {
        group_section(x, n)
      }
    ),
    c(
      sprintf(
        "%s features a split by the lasso%s; tests on the other %s samples",
        describe_sizes(sizes[x$selection$status == "ok"]),
        if (is.null(x$asked$n_features)) " (cross-validated)" else "", x$splits$n_tested[1]
      ),
      describe_adds(x)
    )
  )
}

# Near copies share the splits that select them.
explain_split <- function(x, shown, n) {
  p <- utils::head(shown, n)$p_fwer
  if (is.null(x$asked$fdr) && any(p > 0.5)) {
    paste(
      "p_fwer: of what a feature adds to the others that were selected; near copies may all",
      "have 1, and their group less", if (is.null(x$groups)) "(give `groups`)"
    )
  }
}

describe_split_list <- function(x) {
  m <- length(x$features)
  asked <- x$asked
  if (is.null(asked$fdr)) {
    promise <- sprintf("at family-wise %s", figure(asked$fwer))
  } else {
    promise <- sprintf(
      "at a false discovery rate of %s (the share of false positives in such lists on average)",
      figure(asked$fdr)
    )
  }
  if (m == 0L) {
    return(paste("no feature is significant", promise))
  }
  paste(count_of(m, "significant feature"), promise)
}

caution_of_split <- function(x) {
  n <- x$splits$n_tested[1]
  c(
    "the guarantee needs first halves that select all true features",
    if (n < 100L) sprintf("each test has only %d samples: expect few discoveries", n)
  )
}

group_section <- function(x, n) {
  columns <- c("group", "size", "p_fwer", "frequency")
  groups <- x$groups
  if (is.null(groups$above)) {
    found <- groups[groups$selected, ]
    above <- sprintf(
      "%s of %s significant%s", nrow(found), count_of(nrow(groups), "group"),
      if (nrow(found) > 0L) "" else "; the best"
    )
    return(new_section((if (nrow(found) > 0L) found else groups)[columns], n, above))
  }
  # The smallest significant branches are the findings; their parents follow.
  found <- groups[groups$smallest, ]
  if (nrow(found) == 0L) {
    return(new_section(above = sprintf(
      "No group of the tree is significant: all %d features together have the p value %s",
      x$study$p, figure(groups$p_fwer[1], digits = 2)
    )))
  }
  new_section(found[columns], n, sprintf(
    "%s, of %d of the tree that were tested; the smallest",
    count_of(sum(groups$selected), "significant group"), nrow(groups)
  ))
}

#' @exportS3Method
has_rank.stabilect_split_test <- function(result) { # nolint: object_name_linter.
  result$table$frequency > 0
}
