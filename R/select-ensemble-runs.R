# The runs of an ensemble: resample, features and settings of every selector.

# @param selectors (list) under their labels; with `parameters`, of one function.
# @param asked (list) `n_features`, `subspace` and `parameters` are used.
# @param control with `seed` (integer) of the selectors' draws; drawn resamples have another.
# @return new_job(), whose runs are list(runs (per selector: list(score (p x B, dense or sparse),
#   selected, importance, status, values (data frame or NULL))), seed).
selectors_job <- function(study, selectors, draws, asked, control) {
  seed <- control$seed
  # Selectors that draw random numbers get their own seeds.
  drawn <- lapply(child_seeds(seed, length(selectors)), function(own) {
    draw_diversity(child_seeds(own, draws$n_runs), study$p, asked$subspace, asked$parameters)
  })
  works <- Map(selector_work, selectors, drawn, MoreArgs = list(study, draws, asked, control))
  settings <- lapply(selectors, function(one) {
    own <- asked[c("n_features", "subspace", "parameters")]
    list(one, own, seed, roles_of(study))
  })
  bind <- function(values, draws) {
    runs <- Map(collect_runs, values, drawn, MoreArgs = list(draws, study, asked, control))
    list(runs = stats::setNames(runs, names(selectors)), seed = seed)
  }
  look <- function(runs) {
    lapply(unname(runs$runs), function(one) {
      new_selection(one$score, one$selected, one$status, "runs")
    })
  }
  new_job(unname(works), "Runs", unname(settings), bind, look)
}

# The work of a selector on a chunk of runs; only these values are sent to workers. Runs that differ
# only in their resample reach the selector in one call.
selector_work <- function(selector, drawn, study, draws, asked, control) {
  counts <- draws$counts
  parameters <- asked$parameters
  size <- set_size(asked)
  ties <- tie_seeds(draws)
  n_threads <- control$n_threads
  with_data(function(runs, report) {
    batches <- Filter(length, lapply(drawn$batches, intersect, runs))
    done <- cumsum(lengths(batches))
    # With many small calls progress counts the calls; a single large call counts its own runs.
    few <- length(batches) == 1L
    lapply(seq_along(batches), function(k) {
      batch <- batches[[k]]
      one <- if (is.null(parameters)) {
        selector
      } else {
        make_selector(selector, parameters, drawn$choice[batch[1], ])
      }
      columns <- if (is.null(drawn$columns)) TRUE else drawn$columns[[batch[1]]]
      control <- selector_control(
        drawn$seeds[batch], size, n_threads, if (few) report, ties[batch]
      )
      part <- score_all_features(one, study, columns, counts[, batch, drop = FALSE], control)
      if (!few && !is.null(report)) report(done[k], length(runs))
      c(part[c("score", "selected", "importance", "status")], list(runs = batch, columns = columns))
    })
  }, selector = selector, drawn = drawn, study = study, counts = counts, parameters = parameters,
  size = size, n_threads = n_threads, ties = ties)
}

# Run b draws only from its own seed: the same for 10 runs or 1,000.
# @return list(seeds, batches (list of runs that share settings and features), choice (matrix: index
#   of the value of each parameter), columns (list, or NULL: all features)).
draw_diversity <- function(seeds, p, subspace, parameters) {
  runs <- seq_along(seeds)
  if (is.null(subspace) && is.null(parameters)) {
    return(list(seeds = seeds, batches = list(runs), choice = matrix(0L, length(runs), 0L)))
  }
  size <- if (!is.null(subspace)) ceiling(subspace * p - 1e-9)
  drawn <- lapply(seeds, function(seed) {
    with_seed(seed, list(
      choice = vapply(parameters, function(values) sample.int(length(values), 1L), 1L),
      columns = if (!is.null(size)) sort(sample.int(p, size))
    ))
  })
  choice <- do.call(rbind, lapply(drawn, function(one) one$choice))
  batches <- if (!is.null(size)) {
    as.list(runs)
  } else {
    unname(split(runs, do.call(paste, as.data.frame(choice))))
  }
  list(
    seeds = seeds, batches = batches, choice = choice,
    columns = if (!is.null(size)) lapply(drawn, function(one) one$columns)
  )
}

make_selector <- function(make, parameters, chosen) {
  do.call(make, Map(function(values, at) values[[at]], parameters, chosen))
}

# The value drawn by each run, as text unless it is a single number or string.
drawn_values <- function(choice, parameters) {
  if (is.null(parameters)) {
    return(NULL)
  }
  columns <- Map(function(values, at) {
    plain <- vapply(values, function(one) is.atomic(one) && length(one) == 1L, NA)
    if (all(plain)) unlist(values)[at] else vapply(values[at], describe_value, "")
  }, parameters, as.data.frame(choice))
  as.data.frame(columns)
}

# The runs of one selector in order, and the selection of each.
# @param values (list) of the chunks of runs, as run_job() returns them.
collect_runs <- function(values, drawn, draws, study, asked, control) {
  parts <- unlist(values, recursive = FALSE)
  runs <- collect_parts(parts, study$feature_names, draws$n_runs)
  runs$status <- first_problem(draws$status, runs$status)
  if (all(runs$status != "ok")) abort_no_run(runs$status)
  runs$makes_sets <- !is.null(runs$selected)
  runs$selected <- select_in_runs(runs, set_size(asked), control$n_threads, tie_seeds(draws))
  if (!is.null(runs$importance)) {
    runs$importance <- methods::as(runs$importance * runs$selected, "CsparseMatrix")
  }
  choice <- drawn$choice[seq_len(draws$n_runs), , drop = FALSE]
  runs["values"] <- list(drawn_values(choice, asked$parameters))
  runs
}

# Puts the batches in the order of the runs. Features outside of a run's subspace have the score NA.
collect_parts <- function(parts, feature_names, n_runs) {
  status <- character(n_runs)
  for (part in parts) status[part$runs] <- part$status
  if (length(parts) == 1L && isTRUE(parts[[1]]$columns)) {
    return(c(parts[[1]][c("score", "selected", "importance")], list(status = status)))
  }
  p <- length(feature_names)
  sparse <- vapply(parts, function(part) {
    isTRUE(part$columns) && methods::is(part$score, "sparseMatrix")
  }, NA)
  score <- if (all(sparse)) {
    spread_sparse(parts, "score", p, n_runs, feature_names)
  } else {
    matrix(NA_real_, p, n_runs, dimnames = list(feature_names, NULL))
  }
  if (!all(sparse)) {
    for (part in parts) score[part$columns, part$runs] <- as.matrix(part$score)
  }
  list(
    score = score, selected = spread_sparse(parts, "selected", p, n_runs, feature_names),
    importance = spread_sparse(parts, "importance", p, n_runs, feature_names), status = status
  )
}

# The selection of each run: the `size` best, out of its own set if the selector makes sets; without
# a size its own set.
select_in_runs <- function(runs, size, n_threads, seeds) {
  own <- runs$selected
  refuse(is.null(size) && is.null(own),
    c("{.code n_features = \"own\"} is for selectors that make sets.",
      i = "Say how many features each run is to select."
    )
  )
  selected <- if (is.null(size)) {
    methods::as(own, "nMatrix")
  } else {
    best_of_runs(runs$score, size, n_threads, own, seeds)
  }
  empty_runs(selected, which(runs$status != "ok"))
}

# A failed run has selected nothing.
empty_runs <- function(selected, failed) {
  if (length(failed) == 0L && inherits(selected, "ngCMatrix")) {
    return(selected)
  }
  if (length(failed) > 0L) selected[, failed] <- FALSE
  methods::as(methods::as(selected, "CsparseMatrix"), "nMatrix")
}

# The `size` best features of each run, see order_best() and has_score(), as a pattern matrix; only
# from `own` (pattern matrix) unless it is NULL.
# @param seeds (integer) one per run.
best_of_runs <- function(score, size, n_threads = 1L, own = NULL, seeds = seq_len(ncol(score))) {
  parts <- score_parts(list(score = score), seq_len(ncol(score)))
  if (!is.null(own)) {
    own <- methods::as(own, "CsparseMatrix")
    columns <- rep(seq_len(ncol(own)), diff(own@p))
    parts <- list(
      values = as.double(score[cbind(own@i + 1L, columns)]), feature = own@i, start = own@p
    )
  }
  best <- cpp_best_features(
    parts$values, parts$feature, parts$start, rownames(score), seeds, size, n_threads
  )
  new_sparse(best$i, best$p, rownames(score), n_rows = nrow(score))
}

# The runs of all selectors, one selector after the other, as one selection.
# @param done list(runs, draws, until, hash, seed) of selectors_job().
# @return list(selection, table (data frame, one row per run), draws, until, hash, seed).
join_selectors <- function(done) {
  runs <- done$runs
  table <- do.call(rbind, Map(function(one, label) {
    n_runs <- done$draws$n_runs
    rows <- list2DF(list(
      selector = rep(label, n_runs), resample = seq_len(n_runs), status = one$status
    ))
    if (is.null(one$values)) rows else cbind(rows, one$values)
  }, unname(runs), names(runs)))
  c(
    list(
      selection = bind_selectors(runs, done$draws, done$hash),
      table = list2DF(c(list(run = seq_len(nrow(table))), table))
    ),
    done[c("draws", "until", "hash", "seed")]
  )
}

bind_selectors <- function(runs, resamples, data_hash) {
  labels <- names(runs)
  runs <- unname(runs)
  # A single matrix is not bound, to avoid a copy.
  bind <- function(field) {
    if (length(runs) == 1L) runs[[1]][[field]] else do.call(cbind, lapply(runs, `[[`, field))
  }
  sparse <- vapply(runs, function(one) methods::is(one$score, "Matrix"), NA)
  if (any(sparse) && !all(sparse)) {
    runs[sparse] <- lapply(runs[sparse], function(one) {
      one$score <- as.matrix(one$score)
      one
    })
  }
  has_importance <- !any(vapply(runs, function(one) is.null(one$importance), NA))
  run_hash <- rep(resamples$run_hash, length(runs))
  new_selection(
    score = bind("score"), selected = bind("selected"),
    status = unlist(lapply(runs, function(one) one$status)),
    method = method_of_ensemble(labels, resamples),
    resamples = list(
      run_id = rep(resamples$run_id, length(runs)), run_hash = run_hash,
      fingerprint = if (length(runs) == 1L) resamples$fingerprint else hash_plain(run_hash)
    ),
    seed = resamples$seed, importance = if (has_importance) bind("importance"),
    data_hash = data_hash
  )
}

method_of_ensemble <- function(labels, draws) {
  paste0("ensemble of ", paste(labels, collapse = ", "), ": ", format(draws$plan))
}

# Number of features that a run selects; NULL for its own set.
set_size <- function(asked) if (is.numeric(asked$n_features)) asked$n_features
