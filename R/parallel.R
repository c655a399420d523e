# Work that is a list of independent tasks.

# Results of fn(1), ..., fn(n), in order. A task draws from its own seed (child_seeds()) and not
# from R's generator as it finds it, so that the results do not depend on who runs it, nor when.
map_tasks <- function(n, fn, label, progress = FALSE) {
  report <- progress_reporter(progress, label)
  lapply(seq_len(n), function(i) {
    result <- fn(i)
    if (!is.null(report)) report(i, n)
    result
  })
}
