# Elimination paths: what is fitted, and what is remembered of it.

# Importances of sets up to this size are kept along a path.
rfe_keep <- 1000L

# Runs a learner down falling sizes in several resamples at once.
# @return list with run(counts, sets, sizes, seeds, label): for each column of counts a list of
#   steps, each list(dropped (columns that this set lacks of the one before, the most important
#   first), features, importance (of this set, the most important first; may be empty in the middle
#   of a path), outcome (predictions for the samples that are not in the bag, see metric_value())).
new_rfe_runner <- function(x, response, learner, seed, n_threads, progress) {
  y <- plain_response(response)
  n_fits <- 0L
  run <- function(counts, sets, sizes, seeds, label = "Elimination") {
    n_fits <<- n_fits + length(sets) * length(sizes)
    if (!is.null(learner$path)) {
      return(run_linear_paths(x, response, learner, counts, sets, sizes, n_threads, progress))
    }
    map_tasks(
      length(sets), fits_task(x, y, learner, counts, sets, sizes, seeds), label, progress
    )
  }
  list(
    run = run, n_fits = function() n_fits, x = x, y = y, learner = learner, seed = seed,
    data_hash = hash_data(x, response)
  )
}

run_linear_paths <- function(x, response, learner, counts, sets, sizes, n_threads, progress) {
  path <- learner$path
  n_classes <- length(response$levels)
  paths <- cpp_rfe_paths(
    x, response$codes, n_classes, counts, sets, as.integer(sizes),
    factors_of(path$feature_weights, colnames(x)), factors_of(path$shrinkage_factors, colnames(x)),
    path, rfe_keep, n_threads, progress_reporter(progress, "Elimination")
  )
  lapply(paths, lapply, function(step) {
    step$outcome <- learner$read(step$decision, n_classes)
    step
  })
}

# A function that holds what it needs and no more: it may travel to a worker.
fits_task <- function(x, y, learner, counts, sets, sizes, seeds) {
  with_data(function(k) {
    with_seed(seeds[k], run_fits(x, y, learner, counts[, k], sets[[k]], sizes))
  }, x = x, y = y, learner = learner, counts = counts, sets = sets, sizes = sizes, seeds = seeds)
}

# One fit a size, by the functions of any learner.
run_fits <- function(x, y, learner, count, set, sizes) {
  rows <- rep(seq_len(nrow(x)), count)
  out <- which(count == 0L)
  lapply(seq_along(sizes), function(s) {
    dropped <- if (s == 1L) integer() else set[-seq_len(sizes[s])]
    set <- set[seq_len(sizes[s])]
    # In the order of x: what ties and draws make of a set must not depend on how it came about.
    columns <- sort(set)
    part <- x[, columns, drop = FALSE]
    model <- learner$fit(part[rows, , drop = FALSE], y[rows])
    importance <- check_importance(learner$importance(model), length(columns), learner)
    order <- order(-importance, columns)
    set <<- columns[order]
    list(
      dropped = dropped, features = columns[order], importance = importance[order],
      outcome = outcome_of(learner, model, part[out, , drop = FALSE], levels(y))
    )
  })
}

check_importance <- function(importance, p, learner) {
  importance <- as.double(importance)
  if (length(importance) != p || anyNA(importance)) {
    abort("The importance of the learner {.val {learner$name}} must be {p} number{?s} without
      missing values, not {describe_value(importance)}.", class = "learner", call = NULL)
  }
  importance
}

outcome_of <- function(learner, model, newx, levels) {
  if (nrow(newx) == 0L) {
    return(NULL)
  }
  # Most learners derive classes from probabilities: asked once.
  values <- function(what) if (!is.null(learner[[what]])) learner[[what]](model, newx)
  probability <- values("probability")
  shared <- identical(learner$decision, learner$probability)
  decision <- if (shared) probability else values("decision")
  class <- match(as.character(learner$predict(model, newx)), levels)
  if (length(class) != nrow(newx) || anyNA(class)) {
    abort("The learner {.val {learner$name}} must predict one of the classes {.val {levels}} for
      each of {nrow(newx)} sample{?s}.", class = "learner", call = NULL)
  }
  list(
    class = class, probability = columns_of_classes(probability, levels, 0),
    decision = columns_of_classes(decision, levels, -Inf)
  )
}

# What was evaluated: a tree of sizes, the same in all runs, with sets of their own.
new_rfe_tree <- function(runner, resamples, metric) {
  ok <- which(resamples$status == "ok")
  counts <- resamples$counts[, ok, drop = FALSE]
  codes <- as.integer(runner$y)
  truth <- lapply(seq_along(ok), function(k) codes[counts[, k] == 0L])
  seeds <- child_seeds(runner$seed, resamples$n_runs)[ok]
  p <- ncol(runner$x)
  nodes <- list()
  add <- function(sizes) {
    larger <- evaluated_sizes(nodes)
    larger <- larger[larger > sizes[1]]
    parent <- if (length(larger) > 0L) min(larger)
    sets <- lapply(seq_along(ok), function(k) {
      if (is.null(parent)) seq_len(p) else members_of(nodes, parent, k)
    })
    kept <- lapply(sets, function(set) set[seq_len(sizes[1])])
    paths <- runner$run(counts, kept, sizes, seeds)
    for (s in seq_along(sizes)) {
      steps <- lapply(paths, `[[`, s)
      nodes[[as.character(sizes[s])]] <<- list(
        parent = if (s == 1L) parent else sizes[s - 1L],
        dropped = if (s == 1L) {
          lapply(sets, function(set) set[-seq_len(sizes[1])])
        } else {
          lapply(steps, `[[`, "dropped")
        },
        features = lapply(steps, `[[`, "features"), importance = lapply(steps, `[[`, "importance"),
        scores = score_steps(steps, truth, metric)
      )
    }
  }
  evaluate <- function(sizes) {
    # A size that is evaluated already ends a path: the next one starts from its ranking.
    known <- evaluated_sizes(nodes)
    above <- vapply(sizes, function(size) sum(known > size), 0L)
    for (part in split(sizes, -above)) add(part)
    metric_sign(metric) * vapply(sizes, function(size) mean_score(node_of(nodes, size)), 0)
  }
  list(
    evaluate = evaluate, nodes = function() nodes, runs = ok, counts = counts, seeds = seeds
  )
}

evaluated_sizes <- function(nodes) as.integer(names(nodes))

node_of <- function(nodes, size) nodes[[as.character(size)]]

score_steps <- function(steps, truth, metric) {
  scores <- vapply(seq_along(steps), function(k) {
    metric_value(metric, truth[[k]], steps[[k]]$outcome)
  }, 0)
  if (all(is.na(scores))) {
    abort("The metric {.val {metric}} is not defined in any run.", class = "learner", call = NULL)
  }
  scores
}

# The features of a node in run k. Where their order was not kept, those that the node's largest
# child lacks still come last in it, which is all that a size between the two asks for.
members_of <- function(nodes, size, k) {
  features <- node_of(nodes, size)$features[[k]]
  if (length(features) > 0L) {
    return(features)
  }
  elimination_order(nodes, size, k)[seq_len(size)]
}

mean_score <- function(node) mean(node$scores, na.rm = TRUE)

# All features of run k, the last to go first: down to `size`, and further along the largest sets
# that came out of it.
elimination_order <- function(nodes, size, k) {
  parents <- vapply(nodes, function(node) if (is.null(node$parent)) NA else node$parent, 0)
  sizes <- evaluated_sizes(nodes)
  leaf <- size
  repeat {
    children <- sizes[which(parents == leaf)]
    if (length(children) == 0L) break
    leaf <- max(children)
  }
  order <- node_of(nodes, leaf)$features[[k]]
  while (!is.na(leaf)) {
    order <- c(order, node_of(nodes, leaf)$dropped[[k]])
    leaf <- parents[[as.character(leaf)]]
  }
  order
}
