# The out-of-bag error of an ensemble: the model that predicts a sample was made without it, and
# without all samples of its block where there are blocks.

# Every sample is left out of the whole procedure: the runs without it are aggregated, the learner
# is trained on the other samples with the features so selected, and predicts it. NULL when there
# is no sample that every selector left out of a run.
# @param runs list(selection, table, draws, seed) of join_selectors().
oob_of_ensemble <- function(study, runs, asked, n_threads) {
  y <- response_labels(study$response)
  outside <- runs_without(runs)
  usable <- which(lengths(outside) > 0L)
  if (length(usable) == 0L) {
    return(NULL)
  }
  blocks <- runs$draws$plan$blocks
  predicted <- rep(NA_character_, study$n)
  # Some learners draw from R's generator.
  seeds <- child_seeds(runs$seed, study$n)
  predicted[usable] <- vapply(usable, function(i) {
    features <- match(features_of_runs(runs, outside[[i]], asked, n_threads), study$feature_names)
    x <- study$x[, features, drop = FALSE]
    with_seed(seeds[i], predict_one(x, y, i, asked$learner, blocks))
  }, "")
  predicted <- factor(predicted, levels(y))
  new_oob(
    as.numeric(predicted != y), function(known) baseline_of_classes(y[known], blocks[known]),
    "misclassification rate",
    data.frame(
      sample = sample_labels(study), observed = y, predicted = predicted,
      n_runs = lengths(outside)
    ),
    learner = asked$learner, blocks = blocks
  )
}

# For every sample the successful runs that did not draw it; none when one of the selectors has no
# such run, since that selector would then not contribute.
runs_without <- function(runs) {
  table <- runs$table
  ok <- table$status == "ok"
  out <- runs$draws$counts[, table$resample, drop = FALSE] == 0L
  labels <- unique(table$selector)
  lapply(seq_len(nrow(out)), function(i) {
    at <- which(ok & out[i, ])
    if (all(labels %in% table$selector[at])) at else integer()
  })
}

# The features that the ensemble would select from these runs alone.
features_of_runs <- function(runs, at, asked, n_threads) {
  some <- list(selection = runs$selection[at], table = runs$table[at, ])
  rank_ensemble(some, asked, n_threads)$features
}

# The class that the learner, trained on all samples of other blocks, gives to sample i.
predict_one <- function(x, y, i, learner, blocks = NULL) {
  unseen <- block_mates(blocks, i)
  model <- learner$fit(x[-unseen, , drop = FALSE], y[-unseen])
  predicted <- as.character(learner$predict(model, x[i, , drop = FALSE]))
  if (length(predicted) != 1L || !predicted %in% levels(y)) {
    abort(
      c("The learner {.val {learner$name}} must predict one of the classes {.val {levels(y)}} for
        one sample, not {describe_value(predicted)}.",
        i = "See {.arg predict} in {.fn learner_custom}."
      ),
      class = "learner", call = NULL
    )
  }
  predicted
}

# The error of giving every sample the most frequent class of the others, the first one of equals.
baseline_of_classes <- function(y, blocks = NULL) {
  sizes <- tabulate(y, nlevels(y))
  mean(vapply(seq_along(y), function(i) {
    which.max(sizes - tabulate(y[block_mates(blocks, i)], nlevels(y))) != as.integer(y)[i]
  }, NA))
}
