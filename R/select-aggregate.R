#' Rank features by many runs
#'
#' Applies an aggregation rule to a selection: one score, one rank per feature. The runs may come
#' from [select_ensemble()], from [fealect()], or from elsewhere, through [as_selection()].
#'
#' @param selection (`stabilect_selection`, or what [as_selection()] takes) the runs. A result of
#'   [select_ensemble()] is returned with a new ranking.
#' @param aggregation (`stabilect_aggregation`) such as [aggregate_score()].
#' @param n_features (whole number >= 1, or `NULL`) how many features to select; `NULL`: as many as
#'   the ensemble did, or else the runs in the median. Not used by `aggregate_frequency(cutoff =)`.
#' @param n_threads (whole number >= 1) threads; the result is the same for any number.
#' @param x,object (object of class `stabilect_ranking`)
#' @param ... Not used.
#'
#' @details
#' Features with equal scores are ordered by the share of runs that selected them, then by their
#' mean score over runs, then by column. So exact copies of a feature come in column order. Features
#' without a score come last.
#'
#' Ranking an ensemble again only takes the time of the rule. Rankings of several selectors are
#' combined as before, by the `aggregation_across` of the ensemble.
#' @return For an ensemble, the ensemble with another `ranking`, `table` and `features`; its `oob`
#'   is `NULL`, as the data are needed for the out-of-bag error. Else an object of class
#'   `stabilect_ranking`, a list with
#' \describe{
#'   \item{table}{(data frame, p rows, best first) `feature`, `score` (of the aggregation; `NA` when
#'     no run looked at the feature), `rank` (1 to p), `selected` (flag), `frequency` (share of runs
#'     that selected it), `mean_score` (over runs).}
#'   \item{features}{(character) the selected features, best first.}
#'   \item{aggregation}{(`stabilect_aggregation`)}
#'   \item{n_features, n_runs, n_failed}{(integer) features selected; runs; failed ones of these.}
#'   \item{method}{(string) of the selection.}
#' }
#' `as.data.frame()` gives `table`; `summary()` a list with the fields `ranking`, `best` (its first
#' rows) and `gap` (data frame, one row: `last`, the score of the last selected feature, and `next`,
#' that of the first one not selected; a large gap is a clear choice).
#' @section Errors:
#' Class `stabilect_error_input` for more features than there are, and `stabilect_error_runs` when
#' all runs failed.
#' @family aggregation
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, seed = 1)
#' ranking <- aggregate_runs(fit$selection, aggregate_rank("mean"), n_features = 5)
#' ranking
#' head(as.data.frame(ranking))
#' @export
aggregate_runs <- function(selection, aggregation = aggregate_score(), n_features = NULL,
                           n_threads = 1) {
  check_given()
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
    "{.arg {name}} must be made by an {.code aggregate_*()} function, such as
      {.code aggregate_score()}, not be {describe_value(aggregation)}."
  )
  invisible(aggregation)
}

#' @exportS3Method
facts_of.stabilect_ranking <- function(x, n = 10L) {
  new_facts(
    "Ranking of features over runs",
    design = sprintf(
      "%s%s", count_of(x$n_runs, "run"),
      if (x$n_failed > 0L) sprintf(", %d failed", x$n_failed) else ""
    ),
    verdict = list(List = sprintf(
      "%d of %s by %s", x$n_features, count_of(nrow(x$table), "feature"), x$aggregation$label
    )),
    sections = list(row_section(
      x$table, c("rank", "feature", "score", "frequency", "selected"), n
    )),
    calls = next_of(x)
  )
}

#' @rdname aggregate_runs
#' @param n (whole number >= 1) how many features the summary has.
#' @export
summary.stabilect_ranking <- function(object, n = 20, ...) {
  refuse_dots(...)
  n <- check_count(n)
  score <- object$table$score
  last <- object$n_features
  of_class("summary_stabilect_ranking",
    ranking = object, best = utils::head(object$table, n),
    gap = data.frame(
      last = if (last > 0L) score[last] else NA_real_, `next` = score[last + 1L],
      check.names = FALSE
    )
  )
}

#' @exportS3Method
facts_of.summary_stabilect_ranking <- function(x, n = 10L) {
  summary_facts(x$ranking, list(
    new_section(x$best, nrow(x$best), below = sprintf(
      "score of the last selected feature: %s; of the next: %s", figure(x$gap$last, digits = 3),
      figure(x$gap[["next"]], digits = 3)
    ))
  ))
}

#' @rdname aggregate_runs
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_ranking <- function(x, row.names = NULL, optional = FALSE, ...) {
  x$table
}
