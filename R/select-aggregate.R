#' Aggregated ranking of the features over many runs
#'
#' Applies an aggregation rule to a selection and gives every feature one score and one rank. The
#' runs may come from [select_ensemble()], [fealect()], or from other sources through
#' [as_selection()].
#'
#' @inheritParams arguments
#' @param x (`stabilect_selection`, or a result with one) the runs; [as_selection()] imports others.
#'   For a result of [select_ensemble()], the result is returned with a new ranking. For the methods
#'   of a ranking: object of class `stabilect_ranking`.
#' @param aggregation (`stabilect_aggregation`) the rule, see [aggregate_by()].
#' @param n_features (whole number >= 1, or `NULL`) number of features to select; `NULL` takes the
#'   number of the ensemble, otherwise the median of the runs. A rule with a `cutoff` ignores it.
#' @param ... Not used.
#'
#' @details
#' Features with equal scores are ordered by the share of runs that selected them, then by their
#' mean score over runs, then at random. This order follows from the names of the features and from
#' the values: the same data give the same order, for any order of the columns. Features without a
#' score in any run come last and are never selected.
#'
#' A new ranking of an ensemble takes only the time of the rule. Rankings of several selectors are
#' combined as before, by the `aggregation_across` of the ensemble.
#' @return For an ensemble, the ensemble with another `ranking`, `table` and `features`; its `oob`
#'   is `NULL`, because the out-of-bag error needs the data. Otherwise an object of class
#'   `stabilect_ranking`, a list with
#' \describe{
#'   \item{table}{(data frame, p rows, best first) `feature`, `score` (of the aggregation; `NA` if
#'   no run looked at the feature), `rank` (1 to p), `selected` (flag), `frequency` (share of runs
#'   that selected it), `mean_score` (over runs).}
#'   \item{features}{(character) the selected features, best first.}
#'   \item{aggregation}{(`stabilect_aggregation`) the rule.}
#'   \item{n_features, n_runs, n_failed}{(integer) number of selected features, of runs, and of
#'   failed runs among these.}
#'   \item{method}{(string) method of the selection.}
#' }
#' `as.data.frame()` and `summary()` give `table`. A large gap between the scores of the last
#' selected feature and of the next one is a clear choice.
#' @section Errors:
#' Class `stabilect_error_input` for more features than there are, and `stabilect_error_runs` if all
#' runs failed.
#' @family aggregation
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, seed = 1)
#' ranking <- aggregate(fit$selection, aggregate_by("mean_rank"), n_features = 5)
#' ranking
#' head(as.data.frame(ranking))
#' @importFrom stats aggregate
#' @export
aggregate.stabilect_selection <- function(x, aggregation = aggregate_by(), n_features = NULL,
                                          n_threads = getOption("stabilect.n_threads", 1), ...) {
  refuse_dots(...)
  aggregate_runs(x, aggregation, n_features, n_threads)
}

#' @rdname aggregate.stabilect_selection
#' @export
aggregate.stabilect_result <- aggregate.stabilect_selection

aggregate_runs <- function(selection, aggregation, n_features = NULL, n_threads = 1) {
  check_aggregation(aggregation)
  n_threads <- check_threads(n_threads)
  if (inherits(selection, "stabilect_ensemble")) {
    return(rank_again(selection, aggregation, n_features, n_threads))
  }
  selection <- as_selection(selection)
  n_features <- check_ranking_size(n_features, selection)
  refuse(length(ok_runs(selection)) == 0L,
    "None of the {selection$n_runs} runs succeeded; there is nothing to aggregate.",
      class = "runs"
  )
  rank_runs(selection, aggregation, n_features, n_threads)
}

check_aggregation <- function(aggregation, name = "aggregation") {
  refuse(!inherits(aggregation, "stabilect_aggregation"),
    "{.arg {name}} must be made by {.fn aggregate_by}, not be {describe_value(aggregation)}."
  )
  invisible(aggregation)
}

#' @exportS3Method
facts_of.stabilect_ranking <- function(x, n = 10L) {
  new_facts(
    "Ranking of features over runs", describe_copies(x$study),
    design = sprintf(
      "%s%s", count_of(x$n_runs, "run"),
      if (x$n_failed > 0L) sprintf(", %d failed", x$n_failed) else ""
    ),
    verdict = list(List = sprintf(
      "%d of %s by %s", x$n_features, count_of(nrow(x$table), "feature"), x$aggregation$label
    )),
    sections = list(label_section(row_section(
      x$table, c("rank", "feature", "score", "frequency", "selected"), n
    ), x$study)),
    calls = next_of(x)
  )
}
