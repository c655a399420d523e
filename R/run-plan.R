# The one way to run: in chunks, here or on workers, with a checkpoint, at once or in stages until a
# rule is satisfied. A verb gives its work as a function of run numbers, and its data. This code
# does not affect any bit of a result.

# Describes the work of every run and how values become runs. Only run_job() carries it out and
# decides where, when and how often.
# @param works (list of functions(index, report)) the value of runs `index`, as for run_chunks();
#   one function for each kind of work, for example each selector of an ensemble.
# @param label (string) name of the work, for progress.
# @param settings (list, one entry per work) all that decides its values besides data and resamples,
#   for checkpoints.
# @param bind function(values, draws): makes the runs, a list, from the values of run_job(). Called
#   at each look of a rule `until`.
# @param look function(runs): the selections that the rule judges, from bound runs with their
#   `draws` and `hash`; NULL for verbs without `until`.
# @param cutoff function(draws): the verb's own cutoff for these runs; NULL if it has none, NA if
#   there are too few runs for one.
new_job <- function(works, label, settings, bind = NULL, look = NULL,
                    cutoff = function(draws) NULL) {
  of_class("stabilect_job",
    works = works, label = label, settings = settings, bind = bind, look = look, cutoff = cutoff
  )
}

# @param draws (stabilect_resamples) all runs that may be needed.
# @param control of run_control().
# @param hash (string, or NULL) of the data, for checkpoints.
# @return list(values (per work, list of the values of chunks in the order of the runs), draws
#   (those used), until (NULL, or the outcome of the rule)).
run_job <- function(draws, job, control, hash) {
  rule <- control$until
  if (!is.null(rule)) check_until(rule, draws, job$cutoff(draws))
  stores <- vector("list", length(job$works))
  kept <- !is.null(rule) || !is.null(control$checkpoint)
  if (kept) on.exit(close_stores(stores))
  for (k in seq_along(job$works)[kept]) {
    identity <- list(data = hash, settings = job$settings[[k]])
    stores[k] <- list(open_store(control$checkpoint, k, identity, draws, rule))
  }
  sizes <- if (is.null(rule)) draws$n_runs else look_sizes(draws)
  values <- vector("list", length(job$works))
  n_works <- length(job$works)
  if (n_works > 1L) expect_stages(stats::setNames(rep(1, n_works), rep(job$label, n_works)))
  looks <- NULL
  for (n in sizes) {
    used <- if (n < draws$n_runs) as_whole_plan(draws[seq_len(n)]) else draws
    for (k in seq_along(job$works)) {
      parts <- run_chunks(n, job$works[[k]], job$label, control$progress, stores[[k]])
      values[[k]] <- lapply(parts, `[[`, "value")
    }
    if (is.null(rule)) break
    done <- list(values = values, draws = used)
    selections <- job$look(runs_of_job(job, done, hash))
    look <- take_look(rule, selections, used, job$cutoff(used), length(sizes))
    looks <- rbind(looks, look$row)
    if (look$row$reached) break
  }
  list(
    values = values, draws = used,
    until = if (!is.null(rule)) {
      list(
        rule = rule, reached = look$row$reached, n_runs = n, max_runs = draws$n_runs,
        looks = looks, undecided = look$undecided
      )
    }
  )
}

# The runs of a job, as `look` and `read` of a procedure see them.
# @param done of run_job().
# @return (list) what `bind` returns, the resamples used, the outcome of the rule, the hash.
runs_of_job <- function(job, done, hash) {
  runs <- job$bind(done$values, done$draws)
  runs[c("draws", "hash", "until")] <- list(done$draws, hash, done$until)
  runs
}

do_job <- function(draws, job, control, hash) {
  done <- run_job(draws, job, control, hash)
  runs_of_job(job, done, hash)
}

# Each rule brings its own method: running knows nothing of stability.
# @return list(value, reached, undecided (column numbers, or NULL)).
judge_runs <- function(rule, selections, n_looks, cutoff, seed) UseMethod("judge_runs")

# @param own (number, NA or NULL) the verb's cutoff; the rule's own cutoff takes precedence.
take_look <- function(rule, selections, draws, own, n_looks) {
  used <- if (is.null(rule$cutoff)) own else rule$cutoff
  seed <- if (is.na(draws$seed)) 0L else draws$seed
  judged <- judge_runs(rule, selections, n_looks, used, seed)
  list(
    row = data.frame(
      n_runs = draws$n_runs, value = judged$value, target = rule$target,
      reached = judged$reached && !anyNA(own)
    ),
    undecided = if (rule$name == "decided") selections[[1]]$feature_names[judged$undecided]
  )
}

check_until <- function(until, draws, cutoff) {
  refuse(!inherits(until, "stabilect_until"),
    "{.arg until} must be made by {.fn until_stable} or {.fn until_decided}, or be NULL, not
      {describe_value(until)}."
  )
  scheme <- draws$plan$scheme
  if (!scheme %in% c("subsample", "bootstrap", "pairs")) {
    what <- switch(scheme, folds = "folds", loo = "leave-one-out", custom = "custom runs")
    abort(
      c("With {.arg until}, runs may stop early, but a plan of {what} must be done as a whole.",
        i = "Use {.fn resample_subsample}, {.fn resample_bootstrap} or {.fn resample_pairs}, or
             leave {.arg until} out."
      )
    )
  }
  refuse(until$name == "decided" && is.null(until$cutoff) && is.null(cutoff),
    "{.fn until_decided} needs a {.arg cutoff} here; only {.fn stability_selection} and
      {.fn bolasso} have one of their own."
  )
}

# Numbers of runs at which to look: half as many more each time, whole pairs, and finally all.
look_sizes <- function(draws) {
  last <- draws$n_runs
  sizes <- 50L
  while (sizes[length(sizes)] < last) {
    sizes <- c(sizes, as.integer(floor(1.5 * sizes[length(sizes)])))
  }
  if (!is.null(draws$pair)) sizes <- sizes - sizes %% 2L
  c(sizes[sizes < last], last)
}

# Where finished chunks are kept: in the user's file, in memory if a later stage needs them, or
# nowhere. A file belongs to the resamples of the whole plan and to the rule that may end it.
open_store <- function(file, index, identity, draws, rule) {
  if (is.null(file)) {
    return(if (!is.null(rule)) memory_store())
  }
  open_checkpoint(numbered_file(file, index), list(
    data = identity$data, resamples = draws$fingerprint, seed = draws$seed,
    settings = if (is.null(rule)) {
      identity$settings
    } else {
      list(identity$settings, rule)
    }
  ), draws$n_runs)
}

memory_store <- function() {
  parts <- list()
  list(
    parts = function() parts, add = function(part) parts <<- c(parts, list(part)), save = FALSE,
    close = function() NULL
  )
}

close_stores <- function(stores) for (store in stores) if (!is.null(store)) store$close()
