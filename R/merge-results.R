#' Merge the results of separate seeds or machines
#'
#' Makes one result of several that were made with the same data and settings, but with other runs:
#' another seed, another machine, or another part of one draw. It is the result that one call with
#' all the runs would give.
#'
#' @param ... (objects of one class: `stabilect_fealect`, `stabilect_ensemble` or
#'   `stabilect_stability_selection`) results that belong together, in the order in which their runs
#'   are to follow each other; or one list of them.
#' @param x,y the data, as they were given to the verb; or `NULL`. They are needed for what does not
#'   follow from the runs alone: the final model of [fealect()], and out-of-bag errors.
#' @param n_threads (whole number >= 1) threads; the result is the same for any number.
#'
#' @details
#' `c()` of such results does the same without the data.
#'
#' **What is checked.** The same features in the same order; the same values of `x` and `y` (by a
#' hash that the results keep); the same selectors, settings and kind of resampling; and that no run
#' is there twice. A run is known by the seed of its draw and its number in it. So two calls with
#' the same seed are refused, also if one has more runs than the other; equal resamples by chance,
#' as small samples give them, are not. Leave-one-out and custom runs are the same for every seed,
#' and therefore known by their number.
#'
#' **What comes out.** Runs follow each other in the order of the arguments (for an ensemble of
#' several selectors: one selector after the other, each in the order of the arguments). Scores,
#' frequencies, threshold, intervals, ranking and stability are made anew from all runs. They equal,
#' bit for bit, those of a call with the joined resamples, `resampling = c(draws1, draws2)`, unless
#' the selector itself draws at random (a forest, `subspace`, `parameters`, `weakness`): there the
#' draws of each part stay what they were. Another order of the arguments gives the same runs in
#' another order, so sums may differ in the last bits, and intervals by resampling of runs a little.
#'
#' The error bound of [stability_selection()] is that of all pairs. When `cutoff` and `pfer` were
#' asked for, q follows from the number of pairs; the paths only hold the q of the parts, so no
#' larger one is taken.
#'
#' Results that stopped early (`until`, see [until_stable()]) can be merged like others; their field
#' `until` is not kept.
#' @return An object of the class of the arguments, with `settings$merged`, a list with `n_results`
#'   (how many results) and `seeds` (integer). `settings$seed` is `NA` unless the seeds are equal.
#'   Without `x` and `y`, `oob` is `NULL`, and so is `model` of a `stabilect_fealect`. With them,
#'   `oob` is there when one of the parts has it.
#' @section Errors:
#' Class `stabilect_error_merge`, with the number of the argument and what is wrong with it: another
#' class, other data, other settings, runs that are there already. Class `stabilect_error_input`:
#' other features, or `x` without `y`.
#' @family selection
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' one <- fealect(x, mcl_sll$MCL, n_runs = 50, seed = 1)
#' two <- fealect(x, mcl_sll$MCL, n_runs = 50, seed = 2)
#' c(one, two)
#' merge_runs(one, two, x = x, y = mcl_sll$MCL)$oob
#' try(c(one, one))
#' @export
merge_runs <- function(..., x = NULL, y = NULL, n_threads = 1) {
  parts <- list(...)
  if (length(parts) == 1L && is.list(parts[[1]]) && !is.object(parts[[1]])) parts <- parts[[1]]
  n_threads <- check_threads(n_threads)
  prepared <- inherits(x, "stabilect_data")
  if (is.null(x) != is.null(y) && !prepared) {
    abort("Give both {.arg x} and {.arg y}, or neither.")
  }
  # Prepared data have a response of their own.
  input <- if (is.null(y) && prepared) read_input(x) else if (!is.null(x)) read_input(x, y)
  merge_results(parts, input$x, input$y, n_threads)
}

#' @rdname merge_runs
#' @export
c.stabilect_fealect <- function(...) merge_results(list(...)) # nolint: object_name_linter.

#' @rdname merge_runs
#' @export
c.stabilect_ensemble <- function(...) merge_results(list(...)) # nolint: object_name_linter.

#' @rdname merge_runs
#' @export
c.stabilect_stability_selection <- function(...) { # nolint: object_name_linter.
  merge_results(list(...))
}

merge_results <- function(parts, x = NULL, y = NULL, n_threads = 1L, call = rlang::caller_env()) {
  parts <- unname(parts)
  kind <- check_merged_kind(parts, call)
  if (length(parts) == 1L && is.null(x)) {
    return(parts[[1]])
  }
  selections <- lapply(parts, `[[`, "selection")
  for (i in seq_along(parts)[-1]) {
    check_same_features(selections[[1]], selections[[i]], i, call)
  }
  check_same_data(lapply(selections, `[[`, "data_hash"), call)
  check_same_settings(parts, kind, call)
  check_new_runs(lapply(parts, function(part) {
    if (!is.null(part$resamples$run_id)) name_runs(part$resamples)
  }), call)
  resamples <- as_whole_plan(do.call(c, lapply(parts, `[[`, "resamples")))
  merge <- switch(kind,
    stabilect_fealect = merge_fealect,
    stabilect_ensemble = merge_ensembles,
    stabilect_stability_selection = merge_stable
  )
  merged <- merge(parts, resamples, x, y, n_threads, call)
  merged$settings$until <- NULL
  merged$settings$seed <- common_seed(parts)
  merged$settings$merged <- list(
    n_results = sum(vapply(parts, count_results, 0L)),
    seeds = unique(unlist(lapply(parts, seeds_of_result)))
  )
  merged
}

check_merged_kind <- function(parts, call) {
  kinds <- c("stabilect_fealect", "stabilect_ensemble", "stabilect_stability_selection")
  found <- vapply(parts, function(part) class(part)[1], "")
  if (length(parts) == 0L || !found[1] %in% kinds) {
    what <- if (length(parts) == 0L) "nothing" else describe_value(parts[[1]])
    abort(
      c("Results of {.fn fealect}, {.fn select_ensemble} or {.fn stability_selection} can be
         merged, not {what}.",
        i = "Selections and resamples are put side by side by {.fn c}."
      ),
      class = "merge", call = call
    )
  }
  other <- which(found != found[1])
  if (length(other) > 0L) {
    abort("Argument {other[1]} is {describe_value(parts[[other[1]]])}, the first a
      <{found[1]}>: only results of the same verb can be merged.", class = "merge", call = call)
  }
  found[1]
}

check_same_settings <- function(parts, kind, call) {
  first <- decisive_settings(parts[[1]], kind)
  for (i in seq_along(parts)[-1]) {
    other <- decisive_settings(parts[[i]], kind)
    differs <- which(!mapply(identical, first, other))
    if (length(differs) > 0L) {
      abort_settings(names(first)[differs[1]], first, other, i, call)
    }
  }
}

abort_settings <- function(name, first, other, i, call) {
  what <- switch(name,
    selector_hash = "Argument {i} was made with other settings of its selectors than the first.",
    blocks = "Argument {i} was made with other {.arg blocks} of samples than the first.",
    c("Argument {i} was made with another {.arg {name}} than the first.",
      x = "It is {describe_value(other[[name]])} there, {describe_value(first[[name]])} in the
           first."
    )
  )
  abort(c(what, i = "Only the runs of merged results may differ."), class = "merge", call = call)
}

# What makes results comparable, under the names of the arguments.
decisive_settings <- function(part, kind) {
  plan <- part$resamples$plan
  settings <- part$settings
  kept <- switch(kind,
    stabilect_fealect = c(
      settings[c("max_features", "score_rule", "min_segment", "n_boot", "conf_level")],
      final_model_settings(part)
    ),
    stabilect_ensemble = c(
      settings[c("n_features", "subspace")],
      list(
        selector = settings$selectors, selector_hash = settings$selector_hash,
        aggregation = describe_aggregation(part$aggregation),
        combine = describe_aggregation(part$combine)
      )
    ),
    stabilect_stability_selection = c(
      settings[c("rule", "weakness")], part$bound["assumption"], asked_of_bound(part$bound)
    )
  )
  c(kept, list(
    resampling = if (plan$scheme != "custom") format(one_unit(plan)) else "custom",
    blocks = if (!is.null(plan$blocks)) rlang::hash(as.integer(factor(plan$blocks)))
  ))
}

# The name of an aggregation for messages, with its identity.
describe_aggregation <- function(aggregation) {
  if (!is.null(aggregation)) structure(aggregation$label, identity = hash_identity(aggregation))
}

# The kind of a plan, whatever its number of runs.
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
  if (is.null(part$settings$merged)) 1L else part$settings$merged$n_results
}

common_seed <- function(parts) {
  seeds <- unique(vapply(parts, function(part) as.integer(part$settings$seed), 0L))
  if (length(seeds) == 1L) seeds else NA_integer_
}
