# The runs of an ensemble: which selector sees which resample, features and settings.

# All runs of one selector. Runs that differ in their resample only go to it in one call.
# @param index (integer) number of the selector, so that several do not draw the same.
# @return list(score (p x B, dense or sparse), selected, importance, status, values (data frame or
#   NULL)).
run_selector <- function(x, response, selector, resamples, settings, parameters, index,
                         call = rlang::caller_env()) {
  n_runs <- resamples$n_runs
  seeds <- child_seeds(child_seeds(settings$seed, index)[index], n_runs)
  drawn <- draw_diversity(seeds, ncol(x), settings$subspace, parameters)
  counts <- resamples$counts
  task <- list(
    x = x, response = response, counts = counts, selector = selector, parameters = parameters,
    drawn = drawn, control = selector_control(seeds, settings$n_features, settings$n_threads)
  )
  work <- with_data(function(runs, report) {
    batches <- Filter(length, lapply(task$drawn$batches, intersect, runs))
    # Many small calls are counted here, a large one counts its runs.
    within <- if (length(batches) == 1L) report
    done <- 0L
    lapply(batches, function(batch) {
      part <- score_batch(task, batch, within)
      done <<- done + length(batch)
      if (is.null(within) && !is.null(report)) report(done, length(runs))
      part
    })
  }, task = task)
  store <- open_checkpoint(
    numbered_file(settings$checkpoint, index), list(
      data = hash_data(x, response), resamples = resamples$fingerprint, seed = settings$seed,
      settings = list(selector, settings$n_features, settings$subspace, parameters)
    ), call
  )
  blocks <- run_blocks(n_runs, work, "Runs", settings$progress, store, call = call)
  parts <- unlist(lapply(blocks, `[[`, "value"), recursive = FALSE)
  result <- collect_parts(parts, colnames(x), n_runs)
  result$status <- first_problem(resamples$status, result$status)
  if (all(result$status != "ok")) abort_no_run(result$status, call)
  result$selected <- select_in_runs(result, settings, call)
  if (!is.null(result$importance)) {
    result$importance <- methods::as(result$importance * result$selected, "CsparseMatrix")
  }
  result$values <- drawn_values(drawn, parameters)
  result
}

# Runs that share their selector and their features, in one call of the selector.
# @param task (list) what is the same for all batches, see run_selector(). @param report (function,
#   or NULL) told of runs done.
score_batch <- function(task, runs, report) {
  one <- task$selector
  if (!is.null(task$parameters)) one <- make_selector(one, task$parameters, task$drawn, runs)
  columns <- if (is.null(task$drawn$columns)) TRUE else task$drawn$columns[[runs[1]]]
  control <- task$control
  control$seeds <- control$seeds[runs]
  control$progress <- report
  weights <- task$counts[, runs, drop = FALSE]
  part <- score_all_features(one, task$x, columns, task$response, weights, control)
  c(part[c("score", "selected", "importance", "status")], list(runs = runs, columns = columns))
}

# Run b draws from seeds[b] alone: the same for 10 runs or 1,000.
draw_diversity <- function(seeds, p, subspace, parameters) {
  runs <- seq_along(seeds)
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
  } else if (is.null(parameters)) {
    list(runs)
  } else {
    unname(split(runs, do.call(paste, as.data.frame(choice))))
  }
  list(
    batches = batches, choice = choice,
    columns = if (!is.null(size)) lapply(drawn, function(one) one$columns)
  )
}

make_selector <- function(make, parameters, drawn, runs) {
  chosen <- drawn$choice[runs[1], ]
  do.call(make, Map(function(values, at) values[[at]], parameters, chosen))
}

# What each run drew, as text where it is not a single number or string.
drawn_values <- function(drawn, parameters) {
  if (is.null(parameters)) {
    return(NULL)
  }
  columns <- Map(function(values, at) {
    plain <- vapply(values, function(one) is.atomic(one) && length(one) == 1L, NA)
    if (all(plain)) unlist(values)[at] else vapply(values[at], describe_value, "")
  }, parameters, as.data.frame(drawn$choice))
  as.data.frame(columns)
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

# What each run selects: its best features, out of its own set where the selector makes sets.
select_in_runs <- function(result, settings, call) {
  own <- result$selected
  failed <- which(result$status != "ok")
  if (is.null(settings$n_features)) {
    if (is.null(own)) {
      abort(
        c("{.code n_features = NULL} is for selectors that make sets.",
          i = "Say how many features each run is to select."
        ),
        call = call
      )
    }
    selected <- methods::as(own, "nMatrix")
  } else {
    selected <- best_of_runs(result$score, settings$n_features, settings$n_threads, own)
  }
  empty_runs(selected, failed)
}

# A failed run has selected nothing.
empty_runs <- function(selected, failed) {
  if (length(failed) > 0L) selected[, failed] <- FALSE
  methods::as(methods::as(selected, "CsparseMatrix"), "nMatrix")
}

# The `size` best features of each run, ties in column order, as a pattern matrix. `own` (pattern
# matrix or NULL): out of these only.
best_of_runs <- function(score, size, n_threads = 1L, own = NULL) {
  parts <- score_parts(list(score = score), seq_len(ncol(score)))
  if (!is.null(own)) {
    own <- methods::as(own, "CsparseMatrix")
    columns <- rep(seq_len(ncol(own)), diff(own@p))
    parts <- list(
      values = as.double(score[cbind(own@i + 1L, columns)]), feature = own@i, start = own@p
    )
  }
  best <- cpp_best_features(
    parts$values, parts$feature, parts$start, nrow(score), size, n_threads
  )
  methods::new("ngCMatrix",
    i = best$i, p = best$p, Dim = dim(score), Dimnames = list(rownames(score), NULL)
  )
}

# The runs of all selectors, one selector after the other, as one selection.
combine_runs <- function(runs, resamples, labels, data_hash = NULL) {
  # A single matrix is not bound, which would copy it.
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
    method = paste0("ensemble of ", paste(labels, collapse = ", "), ": ", format(resamples$plan)),
    resamples = list(
      run_id = rep(resamples$run_id, length(runs)), run_hash = run_hash,
      fingerprint = if (length(runs) == 1L) resamples$fingerprint else rlang::hash(run_hash)
    ),
    seed = resamples$seed, importance = if (has_importance) bind("importance"),
    data_hash = data_hash
  )
}

# The runs of all selectors, on as many resamples as they need.
run_selectors <- function(x, response, selectors, resamples, settings, parameters, until,
                          call = rlang::caller_env()) {
  run_until(until, resamples, settings$checkpoint, function(resamples, checkpoint) {
    settings$checkpoint <- checkpoint
    lapply(seq_along(selectors), function(s) {
      run_selector(x, response, selectors[[s]], resamples, settings, parameters, s, call)
    })
  }, function(runs) {
    lapply(runs, function(one) new_selection(one$score, one$selected, one$status, "runs"))
  }, call = call)
}
