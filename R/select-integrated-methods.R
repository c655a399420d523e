# What stability selection says where a rate was asked for.

describe_rate <- function(asked) {
  if (is.null(asked$fdr)) {
    return(sprintf("`efp` of at most %s", figure(asked$efp)))
  }
  sprintf("`fdr` of at most %s", figure(asked$fdr))
}

# The verdict: how many features, and what is promised of lists that are made so. The theorem is
# about a rate that is fixed beforehand, not about the efp of the last feature.
describe_integrated <- function(x) {
  m <- length(x$features)
  if (m == 0L) {
    return(sprintf("No feature is selected: none has an %s.", describe_rate(x$asked)))
  }
  promise <- if (is.null(x$asked$fdr)) {
    sprintf(
      "such lists hold at most %s false %s on average", figure(x$asked$efp),
      if (x$asked$efp == 1) "one" else "ones"
    )
  } else {
    sprintf(
      "about %s of such lists are false at most (where there is any signal: see `permute`)",
      figure(x$asked$fdr)
    )
  }
  sprintf(
    "%s with an %s: %s, if all noise features are equally likely to be selected.",
    count_of(m, "feature"), describe_rate(x$asked), promise
  )
}

#' @export
print.stabilect_integral_bound <- function(x, ...) {
  refuse_dots(...)
  print_text(sprintf(
    "Shares of runs over penalties from %s down to %s, where models have %s of %s features on %s",
    figure(x$lambda[2], digits = 3), figure(x$lambda[1], digits = 3), figure(x$size, digits = 3),
    figure(x$n_total, big.mark = ","),
    sprintf("average (q = %s); %d complementary pairs", figure(x$q), x$n_pairs)
  ))
  other <- x$sensitivity
  if (all(other$best_efp >= x$n_total)) {
    return(invisible(x))
  }
  print_text(sprintf(
    "With q = %s / %s / %s: efp of the best feature %s; %s selected",
    figure(other$q[1]), figure(other$q[2]), figure(other$q[3]),
    paste(format_each(other$best_efp), collapse = " / "),
    paste(other$n_selected, collapse = " / ")
  ))
  invisible(x)
}

format_each <- function(values) vapply(values, figure, "", digits = 2)

# Why no feature meets the rate, and which one would.
explain_rate <- function(x) {
  best <- x$table[1, ]
  if (best$score == 0) {
    most <- x$table[which.max(x$table$frequency), ]
    return(sprintf(
      paste(
        "No feature is in more than half of the models at any penalty; the largest frequency is %s",
        "(%s)."
      ),
      figure(most$frequency, digits = 2), most$feature
    ))
  }
  c(
    sprintf(
      "The best, %s, has an efp of %s; the smallest fdr is %s.", best$feature,
      figure(best$efp, digits = 2), figure(min(x$table$fdr), digits = 2)
    ),
    sprintf(
      "With so many features and pairs, one in all models of all runs would have %s.",
      figure(x$bound$integral, digits = 2)
    )
  )
}
