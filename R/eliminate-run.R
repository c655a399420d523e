# Elimination paths: what is fitted, and what is kept of it.

# Importances of sets up to this size are kept along a path.
largest_kept <- 1000L

# The work of a path for run_job(): run k of `counts` goes from its set down the falling sizes. Its
# value is a list with a list of steps per run. Each step is list(dropped (columns of the previous
# set that are missing here, the most important first), features, importance (of this set, the most
# important first; may be empty in the middle of a path), prediction (for the out-of-bag samples,
# see metric_value())).
elimination_work <- function(study, learner, counts, sets, sizes, seeds, n_threads) {
  x <- study$x
  if (is.null(learner$path)) {
    y <- response_labels(study$response)
    z <- study$response$covariates
    return(one_by_one(with_data(function(k) {
      with_seed(seeds[k], fits_or_reason(
        x, y, learner, counts[, k], sets[[k]], sizes, seeds[k], z
      ))
    },
    x = x, y = y, z = z, learner = learner, counts = counts, sets = sets, sizes = sizes,
    seeds = seeds)))
  }
  codes <- study$response$codes
  n_classes <- length(study$response$levels)
  with_data(function(runs, report) {
    paths <- cpp_rfe_paths(
      x, codes, n_classes, counts[, runs, drop = FALSE], sets[runs], sizes,
      factors_of(learner$path$feature_weights, colnames(x)),
      factors_of(learner$path$penalty_factors, colnames(x)), learner$path, largest_kept,
      colnames(x), seeds[runs], n_threads, report
    )
    lapply(paths, lapply, read_step, learner = learner, n_classes = n_classes)
  },
  x = x, codes = codes, n_classes = n_classes, learner = learner, counts = counts, sets = sets,
  sizes = as.integer(sizes), seeds = seeds, n_threads = n_threads)
}

read_step <- function(step, learner, n_classes) {
  step$prediction <- learner$read(step$decision, n_classes)
  step
}

# An error of a library fails one run; an error of the user's function stops the call.
fits_or_reason <- function(...) {
  tryCatch(run_fits(...), stabilect_error_library = function(e) {
    sub("\n.*", "", cli::ansi_strip(conditionMessage(e)))
  })
}

# One fit a size, by the functions of any learner.
run_fits <- function(x, y, learner, count, set, sizes, seed, z = NULL) {
  one <- outcome_of_labels(y)
  train <- samples_at(x, y, z, rep(seq_len(nrow(x)), count))
  test <- samples_at(x, y, z, which(count == 0L))
  steps <- vector("list", length(sizes))
  for (s in seq_along(sizes)) {
    dropped <- if (s == 1L) integer() else set[-seq_len(sizes[s])]
    # Features in the order of x: ties and random draws must not depend on the path to the set.
    columns <- sort(set[seq_len(sizes[s])])
    made <- trial(learner, columns, train, test, c("importance", one$needs), y, one)
    importance <- check_importance(made$importance, colnames(x)[columns], learner)
    order <- order_best(colnames(x)[columns], importance, seed = seed)
    set <- columns[order]
    steps[[s]] <- list(
      dropped = dropped, features = set, importance = importance[order],
      prediction = made$prediction
    )
  }
  steps
}

# @param features (character) that the model was fitted to.
check_importance <- function(importance, features, learner) {
  p <- length(features)
  importance <- in_feature_order(importance, features)
  refuse(is.character(importance) && length(importance) == 1L,
    "The importance of the learner {.val {learner$name}} has {importance}.", class = "learner",
    call = NULL
  )
  importance <- as.double(importance)
  refuse(length(importance) != p || anyNA(importance),
    "The importance of the learner {.val {learner$name}} must be {p} number{?s} without
      missing values, not {describe_value(importance)}.", class = "learner", call = NULL
  )
  importance
}

# The sizes evaluated so far: a tree, the same in all runs, with different sets. It is an
# environment that only add_nodes() and fit_beside() change.
# @return (environment) the arguments; `draws` (the usable runs), `runs` (their numbers in
#   `resamples`), `seeds` and `truth` (codes of the left-out samples) of these; `nodes` (list, by
#   size), `n_paths`, `n_fits`.
new_tree <- function(study, resamples, asked, seed, control) {
  runs <- which(resamples$status == "ok")
  draws <- resamples[runs]
  y <- response_labels(study$response)
  truth <- true_values(outcome_of(study$response), y, y)
  list2env(list(
    study = study, hash = hash_study(study), resamples = resamples, asked = asked, seed = seed,
    control = control, runs = runs, draws = draws,
    seeds = child_seeds(seed, resamples$n_runs)[runs],
    truth = lapply(seq_along(runs), function(k) label_rows(truth, draws$counts[, k] == 0L)),
    nodes = list(), n_paths = 0L, n_fits = 0L
  ), parent = emptyenv())
}

# Fits new sizes (falling) in all runs. An evaluated size ends a path: the next path starts from its
# ranking.
# @return (numeric) their mean scores, larger being better.
evaluate_sizes <- function(sizes, tree) {
  for (part in paths_of_sizes(sizes, evaluated_sizes(tree$nodes))) {
    path <- start_path(tree, part)
    job <- new_job(list(path$work), "Elimination", list(path_settings(tree, path)))
    done <- run_job(tree$draws, job, path$control, tree$hash)
    add_nodes(tree, path, unlist(done$values[[1]], recursive = FALSE))
  }
  metric_sign(tree$asked$metric) *
    vapply(sizes, function(size) mean_score(node_of(tree$nodes, size)), 0)
}

# @param sizes (falling); known evaluated ones, each of which ends a path.
paths_of_sizes <- function(sizes, known) {
  split(sizes, -vapply(sizes, function(size) sum(known > size), 0L))
}

# Paths that the search will ask for if few features are best, for expect_stages(). The time of a
# forest grows as the root of the number of features, from a third of that of all of them.
costs_of_paths <- function(asked, p, n_runs) {
  cost <- numeric()
  known <- integer()
  cost_of <- function(size) sqrt(size) + sqrt(p) / 3
  found <- run_search(asked$search, p, function(sizes) {
    paths <- paths_of_sizes(sizes, known)
    cost <<- c(cost, vapply(paths, function(part) sum(cost_of(part)), 0))
    known <<- c(known, sizes)
    -sizes
  }, asked$tie)
  c(
    stats::setNames(cost, rep("Elimination", length(cost))),
    if (asked$refit) c("Final elimination" = sum(cost_of(found$sizes)) / n_runs)
  )
}

# A path through `sizes`: it starts from the next larger size, in each run from its own features.
start_path <- function(tree, sizes) {
  larger <- evaluated_sizes(tree$nodes)
  larger <- larger[larger > sizes[1]]
  parent <- if (length(larger) > 0L) min(larger)
  sets <- lapply(seq_along(tree$runs), function(k) {
    if (is.null(parent)) seq_len(tree$study$p) else members_of(tree$nodes, parent, k)
  })
  kept <- lapply(sets, function(set) set[seq_len(sizes[1])])
  control <- tree$control
  control["checkpoint"] <- list(numbered_file(control$checkpoint, tree$n_paths + 1L))
  list(
    parent = parent, sizes = sizes, kept = kept,
    left_out = lapply(sets, function(set) set[-seq_len(sizes[1])]), control = control,
    work = elimination_work(
      tree$study, tree$asked$learner, tree$draws$counts, kept, sizes, tree$seeds,
      control$n_threads
    )
  )
}

# All that decides the values of a path, for checkpoints.
path_settings <- function(tree, path) {
  c(
    list("elimination path", tree$asked$learner, path$kept, path$sizes, tree$seeds),
    list(tree$study$response$covariates)[!is.null(tree$study$response$covariates)]
  )
}

# @param runs (list) steps of each run, see elimination_work().
add_nodes <- function(tree, path, runs) {
  sizes <- path$sizes
  failed <- vapply(runs, is.character, NA)
  if (any(failed)) {
    drop_runs(tree, failed, unlist(runs[failed]))
    runs <- runs[!failed]
    path$left_out <- path$left_out[!failed]
  }
  for (s in seq_along(sizes)) {
    steps <- lapply(runs, `[[`, s)
    tree$nodes[[size_key(sizes[s])]] <- list(
      parent = if (s == 1L) path$parent else sizes[s - 1L],
      dropped = if (s == 1L) path$left_out else lapply(steps, `[[`, "dropped"),
      features = lapply(steps, `[[`, "features"), importance = lapply(steps, `[[`, "importance"),
      scores = score_steps(steps, tree$truth, tree$asked$metric)
    )
  }
  tree$n_paths <- tree$n_paths + 1L
  tree$n_fits <- tree$n_fits + length(runs) * length(sizes)
}

# A run that failed at some size leaves all sizes.
drop_runs <- function(tree, failed, reasons) {
  tree$resamples$status[tree$runs[failed]] <- reasons
  refuse(all(failed), "No run succeeded: {unique(reasons)}.", class = "runs")
  kept <- which(!failed)
  tree$draws <- tree$draws[kept]
  for (part in c("runs", "seeds", "truth")) tree[[part]] <- tree[[part]][kept]
  of_runs <- c("dropped", "features", "importance", "scores")
  tree$nodes <- lapply(tree$nodes, function(node) {
    node[of_runs] <- lapply(node[of_runs], `[`, kept)
    node
  })
}

evaluated_sizes <- function(nodes) as.integer(names(nodes))

# As text that does not depend on options of the session.
size_key <- function(size) sprintf("%d", size)

node_of <- function(nodes, size) nodes[[size_key(size)]]

# A path beside the search; its sets are not stored in the tree.
# @return (list) steps of each run, see elimination_work().
fit_beside <- function(tree, counts, sets, sizes, seeds, label) {
  work <- elimination_work(
    tree$study, tree$asked$learner, counts, sets, sizes, seeds, tree$control$n_threads
  )
  tree$n_fits <- tree$n_fits + length(sets) * length(sizes)
  report <- progress_reporter(tree$control$progress, label)
  work(seq_along(sets), report)
}

score_steps <- function(steps, truth, metric) {
  scores <- vapply(seq_along(steps), function(k) {
    metric_value(metric, truth[[k]], steps[[k]]$prediction)
  }, 0)
  refuse(all(is.na(scores)),
    "The metric {.val {metric}} is not defined in any run.", class = "learner", call = NULL
  )
  scores
}

# The metric of the covariates alone in the same runs; NULL without covariates.
# @return list(score (mean), se).
score_alone <- function(tree) {
  response <- tree$study$response
  if (is.null(response$covariates)) {
    return(NULL)
  }
  scores <- vapply(seq_along(tree$runs), function(k) {
    with_seed(tree$seeds[k], {
      score_covariates(response, tree$draws$counts[, k], tree$asked$learner, tree$asked$metric)
    })
  }, 0)
  list(score = mean(scores, na.rm = TRUE), se = standard_error(scores))
}

# For one run: the learner (from hold_in_learner()) is trained on the covariates in the bag.
score_covariates <- function(response, count, learner, metric) {
  z <- response$covariates
  if (is.null(z)) {
    return(NULL)
  }
  y <- response_labels(response)
  samples <- function(rows) samples_at(z, y, rows = rows)
  made <- trial(
    learner, seq_len(ncol(z)), samples(rep(seq_along(count), count)), samples(which(count == 0L)),
    y = y
  )
  metric_value(metric, made$truth, made$prediction)
}

# The features of a node in run k. If their order was not kept, features missing in the node's
# largest child come last, which is all that an intermediate size needs.
members_of <- function(nodes, size, k) {
  features <- node_of(nodes, size)$features[[k]]
  if (length(features) > 0L) {
    return(features)
  }
  elimination_order(nodes, size, k)[seq_len(size)]
}

mean_score <- function(node) mean(node$scores, na.rm = TRUE)

# All features of run k, the last eliminated first: down to `size`, and further along the largest
# sets evaluated from it.
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
    leaf <- parents[[size_key(leaf)]]
  }
  order
}
