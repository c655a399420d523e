# The best k: the list of an ensemble, the first features of the ranking that its runs make
# together.

register_rule("best", function() {
  new_list_rule(
    "best", read = function(runs, asked, n_threads) rank_ensemble(runs, asked, n_threads),
    verdict = describe_best,
    measures = function(table) c("score", "frequency")
  )
})

describe_best <- function(x) {
  m <- length(x$features)
  sprintf(
    "%s selected by %s", if (m == 0L) "none: no feature is" else count_of(m, "feature"),
    x$ranking$aggregation$label
  )
}
