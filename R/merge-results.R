#' Merging of results from several seeds or machines
#'
#' Joins results with the same data and settings, but with different runs: another seed, another
#' machine, or another part of one draw. The result equals one call with all the runs.
#'
#' @inheritParams run_control
#' @param ... (objects of one class: `stabilect_fealect`, `stabilect_ensemble`,
#'   `stabilect_stability_selection` or `stabilect_bolasso`) results to join, in the order in which
#'   their runs should follow each other; or one list of them.
#' @param x,y (as in the verb, or `NULL`) the data. They are needed for parts that the stored runs
#'   do not determine: the final model of [fealect()], and out-of-bag errors.
#'
#' @details
#' `c()` of these results does the same without the data.
#'
#' **What is checked.** The features and their order, the values of `x` and `y` (by a hash in the
#' results), the arguments (the field `asked`, see [results]), selectors, the kind of plan and the
#' blocks must be the same. No run may occur twice. [bolasso()] needs the same `lambda`: specify it
#' in all calls. A run is identified by the seed of its draw and its number. Two calls with the same
#' seed are therefore an error, even if one has more runs than the other. Resamples that are equal
#' by chance are accepted; this happens with few samples. Leave-one-out and custom runs do not
#' depend on the seed, and are identified by their number.
#'
#' **What comes out.** Runs follow each other in the order of the arguments (for an ensemble of
#' several selectors: one selector after the other, each in the order of the arguments). Scores,
#' frequencies, threshold, intervals, ranking and stability are computed again from all runs. They
#' are bit for bit the results of a call with the joined resamples, `resampling = c(draws1,
#' draws2)`. If the selector itself draws at random (a forest, `subspace`, `parameters`,
#' `weakness`), each part keeps its own draws. Another order of the arguments gives the same runs in
#' another order. Sums may then differ in the last bits, and intervals from resampling of runs a
#' little.
#'
#' The error bound of [stability_selection()] is computed from all pairs. With `cutoff` and `pfer`,
#' q would grow with the number of pairs; but the paths only contain the q of the parts, so q stays.
#'
#' Results of different versions of the package (`made$version`) are merged with a warning of class
#' `stabilect_warning_versions`: a version may have changed what a run does.
#'
#' Results that stopped early (`until`, see [until_stable()]) can be merged like others; their field
#' `made$until` is not kept.
#' @return An object of the class of the arguments, with `made$merged`, a list with `n_results`
#'   (number of results) and `seeds` (integer). `made$seed` is `NA` unless the seeds are equal.
#'   Without `x` and `y`, `oob` is `NULL`, and so is `model` of a `stabilect_fealect`. With them,
#'   `oob` is computed if one of the parts had it.
#' @section Errors:
#' Class `stabilect_error_merge`, with the number of the argument and the problem: another class,
#' other data, other settings, or runs that occur twice. Class `stabilect_error_input` for other
#' features, or `x` without `y`.
#' @family selection
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' one <- fealect(x, mcl_sll$MCL, n_runs = 50, seed = 1)
#' two <- fealect(x, mcl_sll$MCL, n_runs = 50, seed = 2)
#' c(one, two)
#' merge_runs(one, two, x = x, y = mcl_sll$MCL)$oob
#' try(c(one, one))
#' @export
merge_runs <- function(..., x = NULL, y = NULL, n_threads = getOption("stabilect.n_threads", 1)) {
  parts <- list(...)
  if (length(parts) == 1L && is.list(parts[[1]]) && !is.object(parts[[1]])) parts <- parts[[1]]
  n_threads <- check_threads(n_threads)
  prepared <- inherits(x, "stabilect_data")
  refuse(is.null(x) != is.null(y) && !prepared, "Give both {.arg x} and {.arg y}, or neither.")
  procedure <- find_mergeable(parts)
  again <- function(...) {
    open_again(..., object = parts[[1]], takes = procedure$takes, what = "a merger",
      store = procedure$store, family = family_of_result(parts[[1]]))
  }
  # Prepared data have a response of their own.
  study <- if (is.null(y) && prepared) again(x) else if (!is.null(x)) again(x, y)
  merge_results(parts, study, n_threads, procedure)
}

#' @rdname merge_runs
#' @export
c.stabilect_result <- function(...) { # nolint: object_name_linter.
  if (is.null(procedure_of(..1)$join)) NextMethod() else merge_results(list(...))
}

# @param procedure (stabilect_procedure) of find_mergeable().
merge_results <- function(parts, study = NULL, n_threads = 1L,
                          procedure = find_mergeable(parts)) {
  force(procedure)
  parts <- unname(parts)
  if (length(parts) == 1L && is.null(study)) {
    return(parts[[1]])
  }
  selections <- lapply(parts, `[[`, "selection")
  for (i in seq_along(parts)[-1]) {
    check_same_features(selections[[1]], selections[[i]], i)
  }
  check_same_data(lapply(selections, `[[`, "data_hash"))
  check_same_asked(parts, procedure)
  warn_versions(parts)
  check_new_runs(lapply(parts, function(part) {
    if (!is.null(part$resamples$run_id)) name_runs(part$resamples)
  }))
  if (!is.null(study)) {
    check_given_data(hash_study(study), selections[[1]])
    roles <- roles_of_result(parts[[1]])
    check_same_roles(study, roles)
    study <- with_roles(study, roles)
  }
  draws <- as_whole_plan(do.call(c, lapply(parts, `[[`, "resamples")))
  joined <- procedure$join(parts, draws)
  control <- check_run(n_threads, FALSE)
  merged <- procedure$read(joined$runs, joined$asked, study, parts[[1]]$study, control)
  merged <- join_drawn(merged, parts)
  merged$made$seed <- common_seed(parts)
  merged$made$merged <- list(
    n_results = sum(vapply(parts, count_results, 0L)),
    seeds = unique(unlist(lapply(parts, seeds_of_result)))
  )
  merged
}

# The procedure that made these results.
find_mergeable <- function(parts) {
  procedure <- if (length(parts) > 0L) procedure_of(parts[[1]])
  found <- vapply(parts, function(part) class(part)[1], "")
  if (is.null(procedure$join)) {
    what <- if (length(parts) == 0L) "nothing" else describe_value(parts[[1]])
    abort(
      c("Results of {.fn fealect}, {.fn select_ensemble}, {.fn stability_selection} or
         {.fn bolasso} can be merged, not {what}.",
        i = "Selections and resamples are put side by side by {.fn c}."
      ),
      class = "merge"
    )
  }
  refuse_at(found != found[1],
    "Argument {at} is {describe_value(parts[[at]])}, the first a
      <{found[1]}>: only results of the same verb can be merged.", class = "merge"
  )
  procedure
}

check_same_asked <- function(parts, procedure) {
  first <- decisive(parts[[1]], procedure)
  for (i in seq_along(parts)[-1]) {
    other <- decisive(parts[[i]], procedure)
    # Rules have settings of their own.
    known <- union(names(first), names(other))
    same <- mapply(function(a, b) hash_identity(a) == hash_identity(b), first[known], other[known])
    if (!all(same)) abort_asked(known[!same][1], first, other, i)
  }
}

# The settings that must be equal in merged results, under the names of the arguments.
decisive <- function(part, procedure) {
  plan <- part$resamples$plan
  c(
    part$asked[setdiff(names(part$asked), procedure$may_differ)], part[procedure$found],
    part$study$roles,
    list(
      resampling = if (plan$scheme != "custom") format(one_unit(plan)) else "custom",
      blocks = if (!is.null(plan$blocks)) as.integer(factor(plan$blocks))
    )
  )
}

abort_asked <- function(name, first, other, i) {
  # Rules have a label.
  value <- function(asked) {
    one <- asked[[name]]
    describe_value(if (is.list(one) && is.character(one$label)) one$label else one)
  }
  what <- switch(name,
    selector_hash = "Argument {i} was made with other settings of its selectors than the first.",
    blocks = "Argument {i} was made with other {.arg blocks} of samples than the first.",
    c("Argument {i} was made with another {.arg {name}} than the first.",
      x = "It is {value(other)} there, {value(first)} in the first."
    )
  )
  abort(c(what, i = "Only the runs of merged results may differ."), class = "merge")
}

# Another version may have made other runs with the same settings.
warn_versions <- function(parts) {
  versions <- vapply(parts, function(part) part$made$version, "")
  other <- which(versions != versions[1])
  if (length(other) > 0L) {
    warn(
      c("Argument {other[1]} was made by {versions[other[1]]} of stabilect, the first by
         {versions[1]}.",
        i = "Their runs may differ in more than their draws: make all with one version."
      ),
      class = "versions"
    )
  }
}

check_given_data <- function(hash, selection) {
  refuse(!is.null(selection$data_hash) && hash != selection$data_hash,
    c("{.arg x} and {.arg y} are not the data of the results.",
        i = "Give the same features and samples in the same order, or neither."
      ),
      class = "merge"
  )
}

# The kind of a plan, for any number of runs.
one_unit <- function(plan) {
  plan$n_runs <- switch(plan$scheme,
    pairs = 2L,
    folds = plan$n_folds,
    loo = plan$n_runs,
    1L
  )
  if (plan$scheme == "folds") plan$n_repeats <- 1L
  plan
}

count_results <- function(part) {
  if (is.null(part$made$merged)) 1L else part$made$merged$n_results
}

common_seed <- function(parts) {
  seeds <- unique(vapply(parts, function(part) as.integer(part$made$seed), 0L))
  if (length(seeds) == 1L) seeds else NA_integer_
}
