# Tasks that are not runs on resamples, carried out like runs.

# @param task function(k): the value of task k. It draws from its own seed (child_seeds()),
#   independent of the current state of R's generator.
# @param seed,fingerprint (of resamples, or NULL) what decides the tasks besides `identity`.
# @return list of task(1), ..., task(n).
run_tasks <- function(n, task, control, label, identity = NULL, seed = NULL, fingerprint = NULL) {
  tasks <- list(n_runs = n, seed = seed, fingerprint = fingerprint, plan = list(scheme = "tasks"))
  job <- new_job(list(one_by_one(task)), label, list(identity$settings))
  done <- run_job(tasks, job, control, identity$data)
  unlist(done$values[[1]], recursive = FALSE)
}
