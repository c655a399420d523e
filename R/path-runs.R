# Sets of features read off stored lasso paths, for stability selection, Bolasso and FeaLect: one
# pass over the resamples serves all of them.

# The lasso paths of the runs of a study.
# @param rule (string) "size" or "step": which model counts; limit (integer, -1 for none) ends
#   paths.
# @param look,cutoff of new_job().
# @param likelihood (list of ask_likelihood(), or NULL for plain least squares).
# @param lambda (number, or NULL) last penalty, as in lasso_path().
# @param units (integer of length p, or none): `limit` counts these instead of features.
# @return new_job(), whose runs are list(paths, scores, status).
path_job <- function(study, draws, control, rule, limit, weakness = 1, label = "Lasso paths",
                     look = NULL, cutoff = function(draws) NULL, likelihood = NULL,
                     lambda = NULL, units = integer()) {
  work <- path_work(
    study, draws, control$n_threads, rule, limit, weakness, likelihood, lambda, units
  )
  roles <- if (length(study$given) > 0L) roles_of(study)
  settings <- list(label, rule, limit, weakness, units, likelihood, lambda, roles)
  bind <- function(values, draws) {
    parts <- values[[1]]
    status_of_paths(if (length(parts) == 1L) parts[[1]] else bind_paths(parts), draws)
  }
  new_job(list(work), label, list(settings), bind, look, cutoff)
}

# The work on a chunk of runs; only these values are sent to workers.
path_work <- function(study, draws, n_threads, rule, limit, weakness, likelihood = NULL,
                      lambda = NULL, units = integer()) {
  x <- study$x
  response <- study$response
  penalty <- study$features$penalty
  counts <- draws$counts
  options <- list(
    weakness = weakness, seed = draws$seed, tie_names = cpp_name_numbers(study$feature_names)
  )
  options$clusters <- units
  ties <- tie_seeds(draws)
  options <- c(options, if (is.null(likelihood)) {
    c(
      list(rule = rule, limit = limit, keep_paths = TRUE),
      if (!is.null(lambda)) list(least = least_penalty(lambda, draws, response$weights))
    )
  } else {
    c(
      list(alpha = likelihood$alpha, max_features = limit, each_size = is.null(lambda)),
      lambda_options(lambda, x)
    )
  })
  outcomes <- if (!is.null(likelihood)) {
    likelihood_response(response, likelihood$family, likelihood$ties)
  }
  seen <- if (length(study$given) > 0L) seen_in_runs(study, draws)
  with_data(function(runs, report) {
    if (!is.null(seen)) {
      if (length(runs) > 1L) {
        each <- vector("list", length(runs))
        for (k in seq_along(runs)) each[[k]] <- Recall(runs[k], NULL)
        return(bind_paths(each))
      }
      x <- seen(x, runs)
    }
    chunk <- counts[, runs, drop = FALSE]
    if (!is.null(response$weights)) chunk <- chunk * response$weights
    storage.mode(chunk) <- "double"
    options$first_run <- runs[1] - 1L
    options$tie_seeds <- ties[runs]
    if (!is.null(penalty)) {
      weights <- if (is.factor(penalty)) weights_inside(x, response, penalty, chunk)
      options <- c(options, penalty_factors(penalty, weights))
    }
    out <- if (is.null(outcomes)) {
      cpp_score_paths(x, response$y, chunk, options, n_threads, report)
    } else {
      z <- held_columns(response)
      cpp_likelihood_scores(x, outcomes, z, chunk, options, n_threads, report)
    }
    if (is.factor(penalty)) out$paths$weights <- weights
    out
  },
  x = x, response = response, outcomes = outcomes, penalty = penalty, counts = counts,
  options = options, ties = ties, n_threads = n_threads, seen = seen)
}

# The penalties of the core over those of lasso_path(), for every run: its columns have weighted
# norm one, glmnet's a weighted mean square of one.
# @param weights (numeric, n, or NULL) of samples.
run_scales <- function(draws, weights = NULL) {
  sqrt(colSums(if (is.null(weights)) draws$counts else draws$counts * weights))
}

# At or below `lambda` in every run, whatever rounding does.
least_penalty <- function(lambda, draws, weights = NULL) {
  lambda * min(run_scales(draws, weights)) * (1 - 1e-9)
}

# The ends of a path that mean a failed run.
failed_path <- c("no_signal", "one_response", "class_absent", "separated", "no_convergence")

# Paths with the status of every run: problems of the draw take precedence over the path's.
status_of_paths <- function(out, draws) {
  failed <- out$status %in% failed_path
  out$status <- first_problem(draws$status, ifelse(failed, gsub("_", " ", out$status), "ok"))
  out
}

# Joins results of cpp_score_paths() for consecutive chunks of runs, as if from one call.
bind_paths <- function(parts) {
  gather <- function(...) unlist(lapply(parts, function(part) part[[c(...)]]))
  sizes <- unlist(lapply(parts, function(part) diff(part$scores$p)))
  list(
    scores = list(
      i = gather("scores", "i"), p = c(0L, cumsum(sizes)), x = gather("scores", "x")
    ),
    paths = join_paths(lapply(parts, `[[`, "paths")), status = gather("status")
  )
}

# One set per run: the model of the step that choose(size, lambda, b) picks (a step number, or 0 for
# the empty model), from the size and lambda of every step of run b.
path_sets <- function(paths, choose) {
  steps <- path_steps(paths)
  runs <- seq_along(paths$run_steps)
  before <- c(0L, paths$run_steps)
  n_events <- vapply(runs, function(b) {
    at <- seq_len(paths$run_steps[b] - before[b]) + before[b]
    step <- if (length(at) > 0L) choose(steps$size[at], steps$lambda[at], b) else 0L
    if (step == 0L) 0L else paths$event_end[at[step]]
  }, 0L)
  event <- paths$event[sequence(n_events, c(0L, paths$run_events)[runs] + 1L)]
  feature <- abs(event)
  # Features whose last event was an entry, ascending.
  at <- rep(runs, n_events) * (max(0, feature) + 1) + feature
  kept <- which(!duplicated(at, fromLast = TRUE) & event > 0)
  kept <- kept[order(at[kept], method = "radix")]
  split_by_code(feature[kept], rep(runs, n_events)[kept], length(runs))
}

# The first model with q features, or the largest smaller one ("size"); the model after q steps
# ("step").
choose_first <- function(q, rule) {
  function(size, lambda, b) {
    if (rule == "step") {
      return(min(q, length(size)))
    }
    fits <- which(size <= q)
    if (length(fits) == 0L) 0L else fits[which.max(size[fits])]
  }
}

# The model at a value of lambda for each run: the model at the last knot at or above it.
choose_lambda <- function(values) {
  function(size, lambda, b) sum(lambda >= values[b] * (1 - 1e-12))
}

# @param record (list) of study_record(): p, feature_names and hash are used.
sets_to_selection <- function(sets, record, status, method, draws = NULL) {
  sets[status != "ok"] <- list(integer())
  at <- as.integer(unlist(sets)) - 1L
  ends <- c(0L, cumsum(lengths(sets)))
  new_selection(
    score = new_sparse(at, ends, record$feature_names, rep(1, length(at))),
    selected = new_sparse(at, ends, record$feature_names), status = status,
    method = method, resamples = draws, seed = draws$seed, data_hash = record$hash
  )
}
