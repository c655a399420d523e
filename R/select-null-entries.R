# The statistic of lasso paths under permutation: mean over runs of lambda at first entry over the
# norm of the response of the run.

# For several responses at once.
# @param size (integer) only models of at most so many features count.
# @return p x length(studies) matrix.
entry_statistics <- function(studies, draws, size, weakness, control) {
  if (weakness < 1 && length(studies) > 1L) {
    # The random weights of a run belong to its number.
    each <- Map(function(study, draws) {
      entry_statistics(list(study), list(draws), size, weakness, control)
    }, studies, draws)
    return(do.call(cbind, each))
  }
  counts <- do.call(cbind, lapply(draws, `[[`, "counts"))
  storage.mode(counts) <- "double"
  which_study <- rep(seq_along(studies), each = draws[[1]]$n_runs)
  y <- vapply(studies, function(study) study$response$y, studies[[1]]$response$y)
  y <- y[, which_study, drop = FALSE]
  out <- cpp_score_paths(studies[[1]]$x, y, counts, list(
    rule = "size", limit = size, keep_paths = TRUE, weakness = weakness, seed = draws[[1]]$seed
  ), control$n_threads, NULL)
  ok <- out$status %in% c("complete", "max_features") &
    unlist(lapply(draws, `[[`, "status")) == "ok"
  mean_entries(out$paths, ok, y, counts, which_study, studies[[1]]$p, size)
}

# The same from the paths of a result, which may be longer.
entries_of_fit <- function(fit, study, draws, size) {
  if (is.null(fit)) {
    return(matrix(0, study$p, 1L))
  }
  y <- matrix(study$response$y, study$n, draws$n_runs)
  # A pair with a failed run does not count in a result; here each run counts by itself.
  ok <- diff(c(0L, fit$paths$run_steps)) > 0L & draws$status == "ok"
  mean_entries(fit$paths, ok, y, draws$counts, rep(1L, draws$n_runs), study$p, size)
}

mean_entries <- function(paths, ok, y, counts, which_study, p, size) {
  value <- first_entries(paths, response_norms(y, counts), size)
  value <- value[ok[value$run], ]
  total <- matrix(0, p, max(which_study))
  sums <- rowsum(value$lambda, value$feature + p * (which_study[value$run] - 1))
  total[as.numeric(rownames(sums))] <- sums
  n_ok <- pmax(1, drop(rowsum(as.numeric(ok), which_study)))
  total / rep(n_ok, each = p)
}

# Norm of the response of every run, centred and weighted.
response_norms <- function(y, counts) {
  mean <- colSums(counts * y) / colSums(counts)
  sqrt(colSums(counts * (y - rep(mean, each = nrow(y)))^2))
}

# @return data frame, one row per feature that entered a run: run, feature, lambda (relative).
first_entries <- function(paths, norms, size) {
  runs <- seq_along(paths$run_steps)
  run_of_step <- rep(runs, diff(c(0L, paths$run_steps)))
  run_of_event <- rep(runs, diff(c(0L, paths$run_events)))
  # Ends of steps count within the run.
  before <- c(0L, paths$run_events)[run_of_step]
  end <- before + paths$event_end
  events_of_step <- diff(c(0L, end))
  in_model <- cumsum(sign(paths$event))
  too_large <- in_model[end] - c(0, in_model)[before + 1L] > size
  # From the first model that is too large on, a run counts no more.
  past <- cumsum(too_large)
  counts <- past == c(0L, past)[c(0L, paths$run_steps)[run_of_step] + 1L]
  step <- rep(seq_along(run_of_step), events_of_step)
  feature <- abs(paths$event)
  first <- paths$event > 0L & counts[step] &
    !duplicated(run_of_event * (max(0, feature) + 1) + feature)
  data.frame(
    run = run_of_event, feature = feature,
    lambda = paths$lambda[step + run_of_event - 1L] / norms[run_of_event]
  )[first, ]
}
