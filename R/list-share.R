# A share of the runs: Bolasso's list, the features in every run (a share of 1) or in most runs.

register_rule("share", function() {
  new_list_rule(
    "share", read = function(rows, selection, asked) {
      frequency_table(rows, selection, asked$cutoff)
    },
    title = function(x) if (x$asked$cutoff < 1) "Bolasso-S" else "Bolasso",
    verdict = describe_share, caution = function(x) {
      "Bolasso has no error rate: how many of its features are false is not known"
    },
    by_frequency = TRUE
  )
})

describe_share <- function(x) {
  m <- length(x$features)
  sprintf(
    "%s in %s runs", if (m == 0L) "no feature" else count_of(m, "feature"),
    if (x$asked$cutoff < 1) sprintf("at least %s of the", as_percent(x$asked$cutoff)) else "all"
  )
}
