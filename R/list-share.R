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
    methods = methods_share, by_frequency = TRUE
  )
})

describe_share <- function(x) {
  m <- length(x$features)
  sprintf(
    "%s in %s runs", if (m == 0L) "no feature" else count_of(m, "feature"),
    if (x$asked$cutoff < 1) sprintf("at least %s of the", as_percent(x$asked$cutoff)) else "all"
  )
}

methods_share <- function(x) {
  words <- model_in_words(x)
  list(
    sprintf(
      paste(
        "Features were selected by the Bolasso (Bach 2008): the lasso%s at lambda = %s on",
        "resamples (%s); selected are the features in at least %s of the runs."
      ),
      if (nzchar(words)) sprintf(" (%s)", words) else "",
      figure(x$lambda, digits = 3), format(x$resamples$plan), figure(x$asked$cutoff)
    ),
    c("bach", source_of_paths(x$asked))
  )
}
