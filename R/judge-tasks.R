# Tasks that are not runs on resamples, in the form that run_plan() takes.

# @param n (integer) tasks. @param seed,fingerprint (of resamples, or NULL) what decides them.
task_plan <- function(n, seed, fingerprint = NULL) {
  list(n_runs = n, seed = seed, fingerprint = fingerprint, plan = list(scheme = "tasks"))
}

# @param why (string) what keeps the tasks from stopping early.
refuse_until <- function(until, why, call = rlang::caller_env()) {
  if (!is.null(until)) {
    abort(c("{.arg until} must be NULL here.", i = why), call = call)
  }
}
