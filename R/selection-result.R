# The structure that all results share. A result is a list with the class of its verb and
# `stabilect_result`: `table` (data frame, one row per feature, size or setting: the answer),
# `features` (character: what is selected, where something is), `asked` (list: the arguments that
# decided it), `study` (list: the record of the data), `made` (list: `seed`, `n_runs`, `n_failed`,
# `until`, `merged`, `version`, `call`: how it came about), and fields of its own. Printing, tables,
# plots, tidying and merging are written for these.

new_result <- function(class, table, ..., asked, study, made) {
  structure(
    list(
      table = table, ..., asked = asked, study = study, made = c(made, origin_of_result(class))
    ),
    class = c(class, "stabilect_result")
  )
}

# How the runs came about. @param n_dropped of runs that succeeded but do not count.
run_account <- function(selection, draws, until = NULL, ...) {
  list(
    seed = draws$seed, n_runs = selection$n_runs, n_failed = sum(selection$status != "ok"),
    until = until, ...
  )
}

#' What all results have in common
#'
#' @description
#' Every verb returns a list of class `stabilect_<verb>` and `stabilect_result` with these fields:
#'
#' * `table` (data frame): the answer, one row per feature, size or setting; `as.data.frame()` gives
#'   it. Where features are selected, the column `selected` (flag) says which.
#' * `features` (character): the selected features, best first; [selected()] gives them.
#' * `asked` (list): the arguments that decided the result, with defaults filled in.
#' * `study` (list): the properties of the data: `n`, `p`, `feature_names`, `direction`
#'   (character, p: the class in which a feature is highest, or the sign of its correlation with
#'   numbers), `type` of the response
#'   (`"binary"`, `"multiclass"`, `"ordered"`, `"numeric"`, `"survival"` or `"count"`),
#'   `levels`, `class_sizes`, `notes` (what was done to the data), `coding` (of factors),
#'   `hash` (string, of the values).
#' * `made` (list): `seed`, `n_runs`, `n_failed` (runs that failed; they are kept with their reason
#'   and left out of averages), `until` (the outcome of a rule by which to stop, see
#'   [until_stable()]) and `merged` (`n_results` and `seeds`, see [merge_runs()]); for whoever finds
#'   the result years later `version` (string: of this package) and `call` (string: the call of the
#'   user that made it, without `n_threads`, `progress` and `checkpoint`, which change no result).
#'   Neither version nor call plays a part in merging and checkpoints.
#'
#' All print in the same layout, see [prints].
#'
#' `plot()` draws it, or `ggplot2::autoplot()`, which returns a ggplot object that can be modified.
#'
#' A result holds functions (of selectors, learners and aggregations, also your own), which merging,
#' `predict()` and [aggregate_runs()] call. A result that another person saved can therefore run any
#' code: read only files of people whom you trust. Checkpoints hold no functions.
#' @family results
#' @name results
NULL

#' The selected features of a result
#'
#' Returns the features that a result selected, for every kind of result.
#'
#' @param object (result of a verb, such as [fealect()], [stability_selection()] or
#'   [select_ensemble()]).
#' @param ... Not used.
#' @return (character) names of the selected features, in the order of the result; of length 0 when
#'   none is selected.
#' @section Errors:
#' Class `stabilect_error_input` for an object that selects nothing, such as a stability index.
#' @family results
#' @examples
#' fit <- fealect(as.matrix(mcl_sll[, -1]), mcl_sll$MCL, n_runs = 50, seed = 1)
#' selected(fit)
#' @export
selected <- function(object, ...) {
  check_given()
  UseMethod("selected")
}

#' @rdname selected
#' @exportS3Method
#' @rawNamespace S3method(stabs::selected,stabilect_result)
selected.stabilect_result <- function(object, ...) {
  refuse_dots(...)
  refuse(!is.character(object$features),
    "{.arg object} is {describe_value(object)}, which selects no features."
  )
  object$features
}

#' @exportS3Method
selected.default <- function(object, ...) {
  # The package stabs has a generic of this name, which ours may hide.
  if (isNamespaceLoaded("stabs") && inherits(object, "stabsel")) {
    return(stabs::selected(object, ...))
  }
  abort("{.arg object} must be a result of this package, not {describe_value(object)}.")
}

#' @export
as.data.frame.stabilect_result <- function(x, row.names = NULL, # nolint: object_name_linter.
                                           optional = FALSE, ...) {
  x$table
}

#' @export
plot.stabilect_result <- function(x, ...) {
  check_package("ggplot2", "picture")
  draw_picture(ggplot2::autoplot(x, ...))
  invisible(x)
}

# The facts of a result: what was run, on what, how often, and its verdict.
# @param runs (character) such as "100 subsamples of 3/4 of the samples"; design (character)
#   further lines.
result_facts <- function(x, title, runs = NULL, verdict = list(), sections = list(),
                         design = NULL) {
  new_facts(
    title, describe_data(x$study), c(describe_design(x$made, runs), design), verdict, sections,
    next_of(x)
  )
}

# A summary has the head of the result and tables of its own.
summary_facts <- function(x, sections) {
  facts <- facts_of(x)
  new_facts(paste(facts$title, "(summary)"), facts$data, facts$design, sections = sections)
}

# The first rows of a table, with how many more there are.
row_section <- function(table, columns, n, ...) {
  if (nrow(table) > 0L) new_section(table[columns], n, ...)
}
