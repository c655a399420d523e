#' Merge results from several seeds or machines
#'
#' Makes one result of several that were made with the same data and settings, but with other runs:
#' another seed, another machine, or another part of one draw. It is the result that one call with
#' all the runs would give.
#'
#' @param ... (objects of one class: `stabilect_fealect`, `stabilect_ensemble`,
#'   `stabilect_stability_selection` or `stabilect_bolasso`) results that belong together, in the
#'   order in which their runs are to follow each other; or one list of them.
#' @param x,y the data, as they were given to the verb; or `NULL`. They are needed for results that
#'   the stored runs do not determine: the final model of [fealect()], and out-of-bag errors.
#' @param n_threads (whole number >= 1) threads; the result is the same for any number.
#'
#' @details
#' `c()` of such results does the same without the data.
#'
#' **What is checked.** The same features in the same order; the same values of `x` and `y` (by a
#' hash that the results keep); the same arguments (their field `asked`, see [results]), selectors,
#' kind of plan and blocks; and that no run is there twice. [bolasso()] needs the same `lambda`, so
#' specify it in all calls. A run is identified by the seed of its draw and its number. So two calls
#' with the same seed are refused, even if one has more runs than the other. Resamples that are
#' equal by chance, as happens with few samples, are accepted. Leave-one-out and custom runs are the
#' same for every seed, and are therefore identified by their number.
#'
#' **What comes out.** Runs follow each other in the order of the arguments (for an ensemble of
#' several selectors: one selector after the other, each in the order of the arguments). Scores,
#' frequencies, threshold, intervals, ranking and stability are computed again from all runs. They
#' equal, bit for bit, those of a call with the joined resamples, `resampling = c(draws1, draws2)`,
#' unless the selector itself draws at random (a forest, `subspace`, `parameters`, `weakness`):
#' in that case each part keeps its own draws. Another order of the arguments gives the same runs in
#' another order, so sums may differ in the last bits, and intervals by resampling of runs a little.
#'
#' The error bound of [stability_selection()] is that of all pairs. When `cutoff` and `pfer` were
#' asked for, q follows from the number of pairs; the paths only hold the q of the parts, so no
#' larger one is taken.
#'
#' Results of different versions of the package (`made$version`) are merged with a warning of class
#' `stabilect_warning_versions`: a version may have changed what a run does.
#'
#' Results that stopped early (`until`, see [until_stable()]) can be merged like others; their field
#' `made$until` is not kept.
#' @return An object of the class of the arguments, with `made$merged`, a list with `n_results` (how
#'   many results) and `seeds` (integer). `made$seed` is `NA` unless the seeds are equal. Without
#'   `x` and `y`, `oob` is `NULL`, and so is `model` of a `stabilect_fealect`. With them, `oob` is
#'   there when it was asked for in one of the parts.
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
  refuse(is.null(x) != is.null(y) && !prepared, "Give both {.arg x} and {.arg y}, or neither.")
  procedure <- find_mergeable(parts)
  study <- if (is.null(y) && prepared) {
    # Prepared data have a response of their own.
    open_study(x, takes = procedure$takes, store = procedure$store, covariates = NULL)
  } else if (!is.null(x)) {
    open_study(x, y, procedure$takes, store = procedure$store, covariates = NULL)
  }
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
    study <- with_covariates(study, covariates_of_asked(parts[[1]]$asked))
  }
  draws <- as_whole_plan(do.call(c, lapply(parts, `[[`, "resamples")))
  joined <- procedure$join(parts, draws)
  control <- check_run(n_threads, FALSE)
  merged <- procedure$read(joined$runs, joined$asked, study, parts[[1]]$study, control)
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
    differs <- which(!mapply(function(a, b) hash_identity(a) == hash_identity(b), first, other))
    if (length(differs) > 0L) {
      abort_asked(names(first)[differs[1]], first, other, i)
    }
  }
}

# The settings that must be equal in merged results, under the names of the arguments.
decisive <- function(part, procedure) {
  plan <- part$resamples$plan
  c(
    part$asked[setdiff(names(part$asked), procedure$may_differ)], part[procedure$found],
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

# Another version may have made other runs of the same settings.
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
    c("{.arg x} and {.arg y} are other data than those of the results.",
        i = "Give the same features and samples in the same order, or neither."
      ),
      class = "merge"
  )
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
  if (is.null(part$made$merged)) 1L else part$made$merged$n_results
}

common_seed <- function(parts) {
  seeds <- unique(vapply(parts, function(part) as.integer(part$made$seed), 0L))
  if (length(seeds) == 1L) seeds else NA_integer_
}
