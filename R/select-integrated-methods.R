# Prints of stability selection with a rate.

describe_rate <- function(asked) {
  if (is.null(asked$fdr)) {
    return(sprintf("`efp` of at most %s", figure(asked$efp)))
  }
  sprintf("`fdr` of at most %s", figure(asked$fdr))
}

# The number of features, and the promise for lists made like this. The theorem is about a rate
# fixed beforehand, not about the efp of the last feature.
describe_integrated <- function(x) {
  m <- length(x$features)
  if (m == 0L) {
    return(sprintf("none: no feature has an %s", describe_rate(x$asked)))
  }
  if (is.null(x$asked$fdr)) {
    return(sprintf(
      "%s; at most %s expected %s (efp <= %s)", count_of(m, "feature"), figure(x$asked$efp),
      if (x$asked$efp == 1) "false positive" else "false positives", figure(x$asked$efp)
    ))
  }
  sprintf(
    "%s; about %s of them are false positives at most (fdr <= %s), where there is any signal",
    count_of(m, "feature"), as_percent(x$asked$fdr), figure(x$asked$fdr)
  )
}

#' @exportS3Method
facts_of.stabilect_integral_bound <- function(x, n = 10L) {
  new_facts("Bound of integrated stability selection", design = describe_bound(x), sections = list(
    new_section(x$sensitivity, Inf)
  ))
}

# Dependence of one list on q.
describe_sensitivity <- function(x) {
  other <- x$sensitivity
  if (all(other$best_efp >= x$n_total)) {
    return(NULL)
  }
  sprintf(
    "with q = %s: efp of the best feature %s; %s selected",
    paste(figures(other$q), collapse = " / "), paste(format_each(other$best_efp), collapse = " / "),
    paste(other$n_selected, collapse = " / ")
  )
}

format_each <- function(values) vapply(values, figure, "", digits = 2)

# Why no feature reaches the rate, and which rate one would reach.
explain_rate <- function(x) {
  best <- x$table[1, ]
  if (best$score == 0) {
    most <- x$table[which.max(x$table$frequency), ]
    return(sprintf(
      "no feature is in more than half of the models at any penalty; largest frequency %s (%s)",
      figure(most$frequency, digits = 2), most$feature
    ))
  }
  c(
    sprintf(
      "the best, %s, has an efp of %s; the smallest fdr is %s", best$feature,
      figure(best$efp, digits = 2), figure(min(x$table$fdr), digits = 2)
    ),
    sprintf(
      "with so many features and pairs, one in all models of all runs would have an efp of %s",
      figure(x$bound$integral, digits = 2)
    )
  )
}
