# Sets of features read off stored lasso paths: what stability selection, Bolasso and FeaLect share,
# so that one pass over the resamples answers for all of them.

# Paths on drawn resamples with the status of every run. `limit` (integer, -1 for none) ends them.
run_lasso_paths <- function(data, resamples, rule, limit, n_threads, progress, weakness = 1,
                            label = "Lasso paths") {
  counts <- resamples$counts
  storage.mode(counts) <- "double"
  out <- cpp_score_paths(
    data$x, data$y, counts, "lasso", rule, limit, TRUE, n_threads,
    progress_reporter(progress, label), 0L, weakness, resamples$seed
  )
  # What the draw could not mend comes first, then what the path met.
  status <- ifelse(resamples$status != "ok", resamples$status,
    ifelse(out$status %in% c("no_signal", "one_response"), gsub("_", " ", out$status), "ok")
  )
  list(paths = out$paths, scores = out$scores, status = status)
}

# One set per run: the model of the step that choose(size, lambda) picks (a step number, or 0 for
# the empty model), where size and lambda are those of every step of the run.
path_sets <- function(paths, choose) {
  n_runs <- length(paths$run_events)
  event_start <- c(0L, paths$run_events)
  step_start <- c(0L, paths$run_steps)
  lapply(seq_len(n_runs), function(b) {
    steps <- step_start[b] + seq_len(step_start[b + 1L] - step_start[b])
    if (length(steps) == 0L) {
      return(integer())
    }
    event <- paths$event[event_start[b] + seq_len(event_start[b + 1L] - event_start[b])]
    end <- paths$event_end[steps]
    # One lambda more than steps in every run: that at which the path ended.
    lambda <- paths$lambda[steps + b - 1L]
    step <- choose(cumsum(sign(event))[end], lambda)
    if (step == 0L) integer() else active_after(event[seq_len(end[step])])
  })
}

# Features, ascending, whose last event was an entry.
active_after <- function(event) {
  feature <- abs(event)
  last <- !duplicated(feature, fromLast = TRUE)
  sort.int(feature[last & event > 0], method = "radix")
}

# The first model with q features, or the largest smaller one ("size"); the model after q steps
# ("step").
choose_first <- function(q, rule) {
  function(size, lambda) {
    if (rule == "step") {
      return(min(q, length(size)))
    }
    fits <- which(size <= q)
    if (length(fits) == 0L) 0L else fits[which.max(size[fits])]
  }
}

# The model at a value of lambda: that of the last knot at or above it.
choose_lambda <- function(value) {
  function(size, lambda) sum(lambda >= value * (1 - 1e-12))
}

sets_to_selection <- function(sets, data, status, method, resamples) {
  sets[status != "ok"] <- list(integer())
  selected <- Matrix::sparseMatrix(
    i = as.integer(unlist(sets)), p = c(0L, cumsum(lengths(sets))),
    dims = c(ncol(data$x), length(sets)), dimnames = list(data$feature_names, NULL)
  )
  new_selection(
    score = methods::as(selected, "dMatrix"), selected = selected, status = status,
    method = method, resamples = resamples, seed = resamples$seed
  )
}

abort_no_run <- function(status, call = rlang::caller_env()) {
  abort(
    c("None of the {length(status)} runs succeeded: {unique(status)}.",
      i = "Look at the response and the resamples: {.code table(y)}, {.fun draw_resamples}."
    ),
    class = "runs", call = call
  )
}
