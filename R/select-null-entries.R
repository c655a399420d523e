# The statistic of lasso paths under permutation: mean over runs of lambda at first entry over the
# norm of the outcome of the run; by likelihood over the root of its weight, which gives the lambda
# of lasso_path().

# For several responses at once.
# @param size (integer) only models of at most this number of features count.
# @param likelihood (list of ask_likelihood(), or NULL for plain least squares).
# @param unit (of unit_of()) what the statistics are of.
# @return units x length(studies) matrix.
entry_statistics <- function(studies, draws, size, weakness, control, likelihood = NULL,
                             unit = unit_of(studies[[1]])) {
  own_x <- !is.null(seen_in_runs(studies[[1]], draws[[1]]))
  if (!is.null(likelihood) || own_x) {
    each <- Map(function(study, draws) {
      work <- path_work(
        study, draws, control$n_threads, "size", size, weakness, likelihood, units = unit$engine
      )
      out <- status_of_paths(work(seq_len(draws$n_runs), NULL), draws)
      norms <- run_norms(study, draws, likelihood)
      mean_entries(
        out$paths, out$status == "ok", norms, rep(1L, draws$n_runs), size, unit
      )
    }, studies, draws)
    return(do.call(cbind, each))
  }
  if (weakness < 1 && length(studies) > 1L) {
    # The random weights of a run depend on its number.
    each <- Map(function(study, draws) {
      entry_statistics(list(study), list(draws), size, weakness, control, unit = unit)
    }, studies, draws)
    return(do.call(cbind, each))
  }
  counts <- do.call(cbind, lapply(draws, `[[`, "counts"))
  storage.mode(counts) <- "double"
  which_study <- rep(seq_along(studies), each = draws[[1]]$n_runs)
  y <- vapply(studies, function(study) study$response$y, studies[[1]]$response$y)
  y <- y[, which_study, drop = FALSE]
  options <- list(
    rule = "size", limit = size, keep_paths = TRUE, weakness = weakness, seed = draws[[1]]$seed,
    tie_names = cpp_name_numbers(studies[[1]]$feature_names),
    tie_seeds = unlist(lapply(draws, tie_seeds))
  )
  options$clusters <- unit$engine
  penalty <- studies[[1]]$features$penalty
  weights <- if (is.factor(penalty)) do.call(cbind, Map(function(study, draws) {
    weights_inside(study$x, study$response, penalty, draws$counts)
  }, studies, draws))
  if (!is.null(penalty)) options <- c(options, penalty_factors(penalty, weights))
  out <- cpp_score_paths(studies[[1]]$x, y, counts, options, control$n_threads, NULL)
  ok <- out$status %in% c("complete", "max_features") &
    unlist(lapply(draws, `[[`, "status")) == "ok"
  norms <- response_norms(y, counts)
  mean_entries(out$paths, ok, norms, which_study, size, unit)
}

# The same from the paths of a result, which may be longer.
entries_of_fit <- function(fit, study, draws, size, likelihood = NULL,
                           unit = unit_of(study)) {
  if (is.null(fit)) {
    return(matrix(0, unit$n, 1L))
  }
  # A pair with a failed run does not count in a result; here each run counts by itself.
  ok <- path_ends(fit$paths)$n_steps > 0L & draws$status == "ok"
  norms <- run_norms(study, draws, likelihood)
  mean_entries(fit$paths, ok, norms, rep(1L, draws$n_runs), size, unit)
}

# The divisor of the penalties of every run.
run_norms <- function(study, draws, likelihood) {
  if (!is.null(likelihood)) {
    return(run_scales(draws, study$response$weights))
  }
  response_norms(matrix(study$response$y, study$n, draws$n_runs), draws$counts)
}

mean_entries <- function(paths, ok, norms, which_study, size, unit) {
  p <- unit$n
  value <- first_entries(unit$paths(paths), norms, size)
  value <- value[ok[value$run], ]
  total <- matrix(0, p, max(which_study))
  sums <- rowsum(value$lambda, value$feature + p * (which_study[value$run] - 1))
  total[as.numeric(rownames(sums))] <- sums
  n_ok <- pmax(1, drop(rowsum(as.numeric(ok), which_study)))
  total / rep(n_ok, each = p)
}

# Norm of the outcome of every run, centred and weighted.
response_norms <- function(y, counts) {
  mean <- colSums(counts * y) / colSums(counts)
  sqrt(colSums(counts * (y - rep(mean, each = nrow(y)))^2))
}

# @return data frame, one row per feature that entered a run: run, feature, lambda (relative).
first_entries <- function(paths, norms, size) {
  steps <- path_steps(paths)
  # From the first larger model on, a run does not count.
  past <- c(0L, cumsum(steps$size > size))
  counts <- past[-1] == past[match(steps$run, steps$run)]
  events <- path_events(paths)
  data.frame(
    run = events$run, feature = events$feature, lambda = events$lambda / norms[events$run]
  )[counts[events$step] & is_first_entry(events), ]
}
