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
# @param part function(asked, study, rows): the settings for these samples, which form `study`.
# @param entries function(asked, fit): what permutations measure on paths; NULL for the score.
# @param held function(asked, study): list(family, covariates, strata) that permutations keep.
# @param join function(parts, draws): list(runs, asked) of several results; NULL: no merging.
# @param may_differ,found (character) settings that may differ in merged results; fields of the
#   result that must agree.
# @param votes (string) "selected" or "score": what each run adds to the list, in the selection.
# @param least (number) of samples that it needs.
# @param tied (string, or NULL) what ties it to these features.
# @param key (of new_key()) its identity, for checkpoints.
# @return (stabilect_procedure) these, and `once` (string, or NULL): the reason why it cannot be
#   repeated on other samples: "job", the value of `tied`, or "resamples".
new_procedure <- function(name, asked, plan, job, read, takes, store = check_x, seed = NULL,
                          lean = all_settings, part = part_of_asked, entries = NULL,
                          held = held_by_likelihood, join = join_runs,
                          may_differ = character(), found = character(), least = 1, tied = NULL,
                          votes = "selected",
                          key = new_key(paste0("stabilect_", name), list(asked, format(plan)))) {
  once <- c(
    if (is.null(job)) "job", tied, if (identical(plan$scheme, "custom")) "resamples"
  )
  of_class("stabilect_procedure",
    name = name, asked = asked, plan = plan, job = job, read = read, takes = takes,
    store = store, seed = seed, lean = lean, part = part, entries = entries, held = held,
    join = join, may_differ = may_differ, found = found, least = least, votes = votes, key = key,
    once = if (length(once) > 0L) once[1]
  )
}

all_settings <- function(asked, error) asked

held_by_likelihood <- function(asked, study) asked$likelihood

# The one way to carry out a procedure: by its verb, with the record that the result keeps, or
# again.
# @param failed function(e), or NULL for an error: the value if no run succeeded.
carry_out <- function(procedure, study, draws, control, record = bare_record(study),
                      failed = NULL) {
  began <- proc.time()[["elapsed"]]
  study <- with_penalty(study, procedure$asked)
  control["seed"] <- list(procedure$seed)
  job <- attempt(procedure$job(study, draws, procedure$asked, control), failed)
  if (!inherits(job, "stabilect_job")) {
    return(job)
  }
  # No handler is on the stack: work reports failed runs by its status.
  done <- run_job(draws, job, control, record$hash)
  result <- attempt(read_done(procedure, study, job, done, record, control), failed)
  # Runs from a checkpoint are not timed.
  if (!is.null(record$hash) && is.null(control$checkpoint)) remember_seconds(result, began)
  result
}

attempt <- function(code, failed) {
  if (is.null(failed)) {
    return(code)
  }
  tryCatch(code, stabilect_error_runs = failed, stabilect_error_bound = failed)
}

read_done <- function(procedure, study, job, done, record, control) {
  runs <- runs_of_job(job, done, record$hash)
  procedure$read(runs, procedure$asked, study, record, control)
}

# The record of a study whose result is not kept: no hash and no directions.
bare_record <- function(study) {
  c(
    study[c("n", "p", "feature_names")],
    list(
      direction = rep(NA_character_, study$p), type = study$response$type,
      levels = study$response$levels
    )
  )
}

# The procedure on some samples; their resamples are drawn by the plan, with its blocks.
# @return see carry_out().
carry_out_on <- function(procedure, study, rows, seed, n_threads, failed = NULL,
                         error = FALSE) {
  part <- part_of_study(study, rows)
  draws <- list(seed = seed, n_runs = 0L)
  if (!is.null(procedure$plan)) {
    unblocked <- replace(part, "blocks", list(NULL))
    draws <- study_draws(unblocked, plan_for_rows(procedure$plan, rows), seed)
  }
  procedure$seed <- seed
  procedure$asked <- procedure$part(procedure$lean(procedure$asked, error), part, rows)
  part <- with_covariates(part, covariates_of_asked(procedure$asked))
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

# Data that were opened before, as a study.
study_of <- function(x, response, blocks = NULL) {
  of_class("stabilect_study",
    x = x, n = nrow(x), p = ncol(x), feature_names = colnames(x), sample_names = rownames(x),
    response = response, blocks = blocks
  )
}

# Some samples of a study, without opening it again.
# @param rows (integer) each once, and among all samples where there are as many.
part_of_study <- function(study, rows) {
  if (length(rows) == study$n) {
    return(study)
  }
  z <- study$response$covariates
  study$x <- study$x[rows, , drop = FALSE]
  study$n <- length(rows)
  study["sample_names"] <- list(study$sample_names[rows])
  study$response <- response_rows(study$response, rows)
  study$response["covariates"] <- NULL
  if (!is.null(z)) study <- with_covariates(study, covariates_of_part(z, rows))
  study["blocks"] <- list(study$blocks[rows])
  # Covariates in use are part of the response.
  study["covariates"] <- list(NULL)
  check_varying(study$x)
  check_covariates_leave(study$response)
  study
}

# The covariates that a procedure adjusts for.
covariates_of_asked <- function(asked) {
  if (is.null(asked$likelihood)) asked$covariates else asked$likelihood$covariates
}

# @param study of part_of_study().
part_of_asked <- function(asked, study, rows) {
  if (!is.null(asked$covariates)) {
    asked$covariates <- covariates_of_part(asked$covariates, rows)
  }
  likelihood <- asked$likelihood
  if (is.null(likelihood)) {
    return(asked)
  }
  likelihood$covariates <- covariates_of_part(likelihood$covariates, rows)
  strata <- likelihood$strata[rows]
  if (!is.null(strata)) likelihood$strata <- match(strata, sort(unique(strata), method = "radix"))
  likelihood$weights <- likelihood$weights[rows]
  likelihood$offset <- values_of_rows(likelihood$offset, rows)
  # Plain least squares has its own engine.
  plain <- is_plain(likelihood)
  if (!plain) check_free(ncol(likelihood$covariates), floor(study$n / 2))
  asked["likelihood"] <- list(if (!plain) likelihood)
  asked
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
