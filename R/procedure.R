# A procedure is a record: what a verb does to a study, with its checked settings. Permutations,
# stages, halves, parts, simulated responses, trade-offs and merging know this record, and no verb.

# @param name (string) its results have the class "stabilect_<name>".
# @param asked (list) the settings, the field `asked` of its results.
# @param plan (stabilect_resampling, or NULL: it draws nothing, or nothing that can be drawn again).
# @param job function(study, draws, asked, control): new_job(); NULL if it cannot be repeated.
#   `control` is a run_control() with the field `seed`.
# @param read function(runs, asked, study, record, control): the result; `study` may be NULL.
# @param takes,store of open_study().
# @param seed (integer, or NULL) of what the runs draw besides the resamples.
# @param lean function(asked, error): the settings of a repeat, which needs only the list or, with
#   `error`, also its out-of-bag error.
# @param part function(asked, study): the settings for fewer samples, which form `study`.
# @param entries function(asked, fit): what permutations measure on paths; NULL for the score.
# @param later (number) time of a permutation that measures only this, over that of a whole one.
# @param join function(parts, draws): list(runs, asked) of several results; NULL: no merging.
# @param settle function(asked, fit): the settings with what the fit found, for its runs on other
#   values of the same samples.
# @param may_differ,found (character) settings that may differ in merged results; fields of the
#   result that must agree.
# @param votes (string) "selected" or "score": what each run adds to the list, in the selection.
# @param least (number) of samples that it needs.
# @param tied (string, or NULL) what ties it to these features.
# @param key (of new_key(), or NULL) its identity, for checkpoints, if name, settings and plan do
#   not say it.
# @return (stabilect_procedure) these, and `once` (string, or NULL): the reason why it cannot be
#   repeated on other samples: "job", the value of `tied`, or "resamples".
new_procedure <- function(name, asked, plan, job, read, takes, store = check_x, seed = NULL,
                          lean = all_settings, part = all_settings, entries = NULL,
                          later = 1, join = join_runs, may_differ = character(),
                          found = character(), least = 1, tied = NULL, votes = "selected",
                          key = NULL, settle = all_settings) {
  once <- c(
    if (is.null(job)) "job", tied, if (identical(plan$scheme, "custom")) "resamples"
  )
  of_class("stabilect_procedure",
    name = name, asked = asked, plan = plan, job = job, read = read, takes = takes,
    store = store, seed = seed, lean = lean, part = part, entries = entries,
    later = later, join = join, may_differ = may_differ, found = found, least = least,
    votes = votes, key = key, settle = settle, once = if (length(once) > 0L) once[1]
  )
}

all_settings <- function(asked, ...) asked

# The identity of a procedure, for checkpoints.
key_of <- function(procedure) {
  if (!is.null(procedure$key)) {
    return(procedure$key)
  }
  new_key(paste0("stabilect_", procedure$name), list(procedure$asked, format(procedure$plan)))
}

# The one way to carry out a procedure: by its verb, with the record that the result keeps, or
# again.
# @param failed function(e), or NULL for an error: the value if no run succeeded.
carry_out <- function(procedure, study, draws, control, record = bare_record(study),
                      failed = NULL) {
  began <- proc.time()[["elapsed"]]
  control["seed"] <- list(procedure$seed)
  begin <- function() procedure$job(study, draws, procedure$asked, control)
  job <- if (is.null(failed)) begin() else attempt(begin(), failed)
  if (!inherits(job, "stabilect_job")) {
    return(job)
  }
  # No handler is on the stack: work reports failed runs by its status.
  done <- run_job(draws, job, control, record$hash)
  read <- function() {
    with_memory({
      runs <- runs_of_job(job, done, record$hash)
      procedure$read(runs, procedure$asked, study, record, control)
    })
  }
  result <- if (is.null(failed)) read() else attempt(read(), failed)
  if (!is.null(study$imputed) && !is.null(record$hash) && !is.null(job$look)) {
    procedure$asked <- procedure$settle(procedure$asked, result)
    result <- know_drawn(result, drawn_selection(procedure, study, done$draws, control))
  }
  if (!is.null(record$hash)) result <- know_interchangeable(result, study)
  # Runs from a checkpoint are not timed.
  if (!is.null(record$hash) && is.null(control$checkpoint)) remember_seconds(result, began)
  result
}

# Filled in values vary too little, and runs of them agree too much. The same resamples, a share of
# them on each of the draws of the missing values, say how much.
# @return (stabilect_selection, or NULL where there are several, or too few runs).
drawn_selection <- function(procedure, study, draws, control) {
  most <- min(study$imputed$n_draws, draws$n_runs %/% 4L)
  if (most < 2L) {
    return(NULL)
  }
  control["checkpoint"] <- list(NULL)
  asked <- procedure$lean(procedure$asked, FALSE)
  # Pairs stay whole.
  runs <- seq_len(draws$n_runs)
  shares <- split(runs, cut(runs + runs %% 2L, most, labels = FALSE))
  values <- list()
  for (k in seq_len(most)) {
    job <- procedure$job(study_of_draw(study, k), draws, asked, control)
    for (kind in seq_along(job$works)) {
      work <- job$works[[kind]]
      own <- function(index, report) work(shares[[k]][index], report)
      parts <- run_chunks(length(shares[[k]]), own, job$label, control$progress, NULL)
      values[kind] <- list(c(if (k > 1L) values[[kind]], lapply(parts, `[[`, "value")))
    }
  }
  selections <- job$look(runs_of_job(job, list(values = values, draws = draws), NULL))
  if (length(selections) == 1L) selections[[1]]
}

# The result with `drawn`, and the frequencies of its features there.
know_drawn <- function(result, drawn) {
  if (!inherits(result, "stabilect_result") || is.null(drawn)) {
    return(result)
  }
  result$drawn <- drawn
  if (!is.null(result$table$frequency)) {
    at <- match(result$table$feature, drawn$feature_names)
    result$table$frequency_drawn <- unname(mean_selected(drawn))[at]
  }
  result
}

# The same of a merged result: of all parts, where all have it.
join_drawn <- function(merged, parts) {
  drawn <- lapply(parts, `[[`, "drawn")
  if (any(vapply(drawn, is.null, NA))) merged else know_drawn(merged, bind_selections(drawn))
}

attempt <- function(code, failed) {
  tryCatch(code, stabilect_error_runs = failed, stabilect_error_bound = failed)
}

# The record of a study whose result is not kept: no hash and no directions.
bare_record <- function(study) {
  roles <- roles_of(study)
  c(
    unclass(study)[c("n", "p", "feature_names")],
    list(
      direction = rep(NA_character_, study$p), type = study$response$type,
      levels = study$response$levels
    ),
    record_constant(study), if (length(roles) > 0L) list(roles = roles)
  )
}

# The procedure on some samples; their resamples are drawn by the plan, with its blocks.
# @return see carry_out().
carry_out_on <- function(procedure, study, rows, seed, n_threads, failed = NULL,
                         error = FALSE) {
  absent <- setdiff(names(procedure$roles), study$given)
  if (length(absent) > 0L) study <- with_roles(study, procedure$roles[absent])
  part <- part_of_study(study, rows)
  draws <- list(seed = seed, n_runs = 0L)
  if (!is.null(procedure$plan)) {
    unblocked <- part
    unblocked$response$blocks <- NULL
    draws <- study_draws(unblocked, plan_for_rows(procedure$plan, rows), seed, part = TRUE)
  }
  procedure$seed <- seed
  asked <- procedure$part(procedure$lean(procedure$asked, error), part)
  if (!is.null(asked$likelihood)) {
    # Plain least squares has its own engine.
    plain <- is_plain(asked$likelihood, part$response)
    if (plain) asked["likelihood"] <- list(NULL) else check_half_free(part)
  }
  procedure$asked <- asked
  control <- check_run(n_threads, FALSE)
  without_size_warning(carry_out(procedure, part, draws, control, failed = failed))
}

# Classes of parts are small by design.
without_size_warning <- function(code) {
  muffle <- function(warning) invokeRestart("muffleWarning")
  withCallingHandlers(
    code, stabilect_warning_small_class = muffle, stabilect_warning_separated = muffle
  )
}

# Some samples of a study, without opening it again.
# @param rows (integer) each once, and among all samples where there are as many.
part_of_study <- function(study, rows) {
  if (length(rows) == study$n) {
    return(study)
  }
  study <- impute_again(study[rows, ])
  check_varying(study$x)
  z <- study$response$covariates
  if (!is.null(z)) {
    # A level without samples has no column.
    z <- without_leaning(z)
    study$response$covariates <- if (ncol(z) > 0L) z
    if (ncol(z) > 0L) check_covariates_leave(z, study$response)
  }
  study
}

# Several results as the runs of one.
join_runs <- function(parts, draws) {
  selection <- bind_selections(lapply(parts, `[[`, "selection"))
  selection$method <- paste0(sub(":.*", "", selection$method), ": ", format(draws$plan))
  selection["seed"] <- list(draws$seed)
  runs <- list(
    selection = selection, status = selection$status, hash = selection$data_hash, draws = draws
  )
  if (!is.null(parts[[1]]$paths)) runs$paths <- join_paths(lapply(parts, `[[`, "paths"))
  list(runs = runs, asked = parts[[1]]$asked)
}

seeds_of_result <- function(part) {
  if (is.null(part$made$merged)) part$made$seed else part$made$merged$seeds
}
