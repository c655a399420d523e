# Sets of features read off stored lasso paths, for stability selection, Bolasso and FeaLect: one
# pass over the resamples serves all of them.

# The lasso paths of the runs of a study.
# @param rule (string) "size" or "step": which model counts; limit (integer, -1 for none) ends
#   paths.
# @param look,cutoff of new_job().
# @param likelihood (list of ask_likelihood(), or NULL for plain least squares).
# @param lambda (number, or NULL) last penalty of likelihood paths, as in lasso_path().
# @param units (integer of length p, or none): `limit` counts these instead of features.
# @return new_job(), whose runs are list(paths, scores, status).
path_job <- function(study, draws, control, rule, limit, weakness = 1, label = "Lasso paths",
                     look = NULL, cutoff = function(draws) NULL, likelihood = NULL,
                     lambda = NULL, units = integer()) {
  settings <- list(label, rule, limit, weakness, units)
  if (is.null(likelihood)) {
    work <- path_work(study, draws, control$n_threads, rule, limit, weakness, units)
  } else {
    work <- likelihood_work(
      study, draws, control$n_threads, likelihood, limit, weakness, lambda, units
    )
    settings <- c(settings, list(likelihood, lambda))
  }
  settings <- c(settings, study["penalty"[!is.null(study$penalty)]])
  bind <- function(values, draws) settle_paths(bind_paths(values[[1]]), draws)
  new_job(list(work), label, list(settings), bind, look, cutoff)
}

# The work on a block of runs; only these values are sent to workers.
path_work <- function(study, draws, n_threads, rule, limit, weakness, units = integer()) {
  x <- study$x
  response <- study$response
  penalty <- study$penalty
  counts <- draws$counts
  options <- list(
    rule = rule, limit = limit, keep_paths = TRUE, weakness = weakness, seed = draws$seed
  )
  options$clusters <- units
  with_data(function(runs, report) {
    block <- counts[, runs, drop = FALSE]
    storage.mode(block) <- "double"
    weights <- penalty_of_runs(x, response, penalty, NULL, block)
    options <- c(options, penalty_factors(penalty, weights), list(first_run = runs[1] - 1L))
    out <- cpp_score_paths(x, response$y, block, options, n_threads, report)
    out$paths$weights <- weights
    out
  },
  x = x, response = response, penalty = penalty, counts = counts, options = options,
  n_threads = n_threads)
}

# The same for likelihood paths.
likelihood_work <- function(study, draws, n_threads, likelihood, limit, weakness, lambda,
                            units = integer()) {
  x <- study$x
  response <- study$response
  penalty <- study$penalty
  counts <- draws$counts
  weights <- if (is.null(likelihood$weights)) 1 else likelihood$weights
  options <- c(
    list(
      alpha = likelihood$alpha, max_features = limit, each_size = is.null(lambda),
      weakness = weakness, seed = draws$seed
    ),
    lambda_options(lambda, x)
  )
  options$clusters <- units
  outcomes <- likelihood_response(
    response, likelihood$family, likelihood$strata, likelihood$offset, likelihood$ties
  )
  with_data(function(runs, report) {
    block <- counts[, runs, drop = FALSE] * weights
    storage.mode(block) <- "double"
    own <- penalty_of_runs(x, response, penalty, likelihood, block)
    options <- c(options, penalty_factors(penalty, own), list(first_run = runs[1] - 1L))
    out <- cpp_likelihood_scores(
      x, outcomes, likelihood$covariates, block, options, n_threads, report
    )
    out$paths$weights <- own
    out
  },
  x = x, weights = weights, response = response, outcomes = outcomes, likelihood = likelihood,
  penalty = penalty, counts = counts, options = options, n_threads = n_threads)
}

# Penalty weights that every run chooses, which its paths keep; NULL if all have the same.
penalty_of_runs <- function(x, response, penalty, likelihood, counts) {
  if (is.factor(penalty)) weights_inside(x, response, penalty, likelihood, counts)
}

# The penalties of the core over those of lasso_path(), for every run: its columns have weighted
# norm one, glmnet's a weighted mean square of one.
run_scales <- function(draws, likelihood = NULL) {
  weights <- likelihood$weights
  sqrt(colSums(if (is.null(weights)) draws$counts else draws$counts * weights))
}

# The ends of a path that mean a failed run.
failed_path <- c("no_signal", "one_response", "class_absent", "separated", "no_convergence")

# Paths with the status of every run: problems of the draw take precedence over the path's.
settle_paths <- function(out, draws) {
  failed <- out$status %in% failed_path
  out$status <- first_problem(draws$status, ifelse(failed, gsub("_", " ", out$status), "ok"))
  out
}

# Joins results of cpp_score_paths() for consecutive blocks of runs, as if from one call.
bind_paths <- function(parts) {
  if (length(parts) == 1L) {
    return(parts[[1]])
  }
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
  lapply(seq_along(paths$run_steps), function(b) {
    path <- path_of_run(paths, b)
    if (length(path$end) == 0L) {
      return(integer())
    }
    lambda <- path$lambda[seq_along(path$end)]
    step <- choose(cumsum(sign(path$event))[path$end], lambda, b)
    if (step == 0L) integer() else active_after(path$event[seq_len(path$end[step])])
  })
}

# Features whose last event was an entry, ascending.
active_after <- function(event) {
  feature <- abs(event)
  last <- !duplicated(feature, fromLast = TRUE)
  sort.int(feature[last & event > 0], method = "radix")
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
  selected <- Matrix::sparseMatrix(
    i = as.integer(unlist(sets)), p = c(0L, cumsum(lengths(sets))),
    dims = c(record$p, length(sets)), dimnames = list(record$feature_names, NULL)
  )
  new_selection(
    score = methods::as(selected, "dMatrix"), selected = selected, status = status,
    method = method, resamples = draws, seed = draws$seed, data_hash = record$hash
  )
}
