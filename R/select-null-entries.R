# The statistic of lasso paths under permutation, read off many paths at once.

# The statistic of the lasso paths for several responses at once: mean over runs of lambda at first
# entry over the norm of the response of the run.
# @return p x length(studies) matrix.
entry_statistics <- function(studies, draws, size, weakness, control) {
  if (weakness < 1 && length(studies) > 1L) {
    # The random weights of a run belong to its number.
    each <- Map(function(study, draws) {
      entry_statistics(list(study), list(draws), size, weakness, control)
    }, studies, draws)
    return(do.call(cbind, each))
  }
  n_runs <- draws[[1]]$n_runs
  counts <- do.call(cbind, lapply(draws, `[[`, "counts"))
  storage.mode(counts) <- "double"
  which_study <- rep(seq_along(studies), each = n_runs)
  y <- vapply(studies, function(study) study$response$y, studies[[1]]$response$y)
  y <- y[, which_study, drop = FALSE]
  out <- cpp_score_paths(studies[[1]]$x, y, counts, list(
    rule = "size", limit = size, keep_paths = TRUE, weakness = weakness, seed = draws[[1]]$seed
  ), control$n_threads, NULL)
  ok <- out$status %in% c("complete", "max_features") &
    unlist(lapply(draws, `[[`, "status")) == "ok"
  value <- first_entries(out$paths, response_norms(y, counts))
  value <- value[ok[value$run], ]
  total <- matrix(0, studies[[1]]$p, length(studies))
  sums <- rowsum(value$lambda, value$feature + nrow(total) * (which_study[value$run] - 1L))
  total[as.integer(rownames(sums))] <- sums
  n_ok <- pmax(1, drop(rowsum(as.numeric(ok), which_study)))
  total / rep(n_ok, each = nrow(total))
}

# Norm of the response of every run, centred and weighted.
response_norms <- function(y, counts) {
  mean <- colSums(counts * y) / colSums(counts)
  sqrt(colSums(counts * (y - rep(mean, each = nrow(y)))^2))
}

# @return data frame, one row per feature that entered a run: run, feature, lambda (relative).
first_entries <- function(paths, norms) {
  runs <- seq_along(paths$run_steps)
  run_of_step <- rep(runs, diff(c(0L, paths$run_steps)))
  run_of_event <- rep(runs, diff(c(0L, paths$run_events)))
  # Ends of steps count within the run.
  first_step <- !duplicated(run_of_step)
  before <- c(0L, utils::head(paths$event_end, -1L))
  events_of_step <- paths$event_end - ifelse(first_step, 0L, before[seq_along(first_step)])
  step <- rep(seq_along(run_of_step), events_of_step)
  lambda <- paths$lambda[step + run_of_event - 1L] / norms[run_of_event]
  enters <- paths$event > 0L
  first <- enters & !duplicated(cbind(run_of_event, abs(paths$event)))
  data.frame(run = run_of_event, feature = paths$event, lambda = lambda)[first, ]
}
