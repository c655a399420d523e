# Tasks that are not runs on resamples, done as runs are.

# @param task function(k): the value of task k. It draws from its own seed (child_seeds()),
#   independent of the current state of R's generator.
# @param seed,fingerprint (of resamples, or NULL) what decides the tasks, besides `identity`.
# @return list of task(1), ..., task(n).
run_tasks <- function(n, task, control, label, identity = NULL, seed = NULL, fingerprint = NULL) {
  tasks <- list(n_runs = n, seed = seed, fingerprint = fingerprint, plan = list(scheme = "tasks"))
  done <- run_plan(tasks, list(one_by_one(task)), control, list(identity), label)
  unlist(done$values[[1]], recursive = FALSE)
}
