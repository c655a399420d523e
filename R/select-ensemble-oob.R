# The out-of-bag error of an ensemble: what predicts a sample was made without it, and without all
# samples of its block where there are blocks.

# Every sample is left out of the whole procedure, from the runs at hand: the runs without it are
# aggregated, the classifier is trained on the other samples with the features so selected, and
# predicts it. NULL when there is no sample that every selector left out of a run.
oob_of_ensemble <- function(x, response, ensemble, classifier, n_threads) {
  y <- plain_response(response)
  outside <- runs_without(ensemble)
  usable <- which(vapply(outside, length, 0L) > 0L)
  if (length(usable) == 0L) {
    return(NULL)
  }
  blocks <- ensemble$resamples$plan$blocks
  predicted <- rep(NA_character_, nrow(x))
  # Some classifiers draw from R's generator.
  seeds <- child_seeds(ensemble$settings$seed, nrow(x))
  predicted[usable] <- vapply(usable, function(i) {
    features <- match(features_of_runs(ensemble, outside[[i]], n_threads), colnames(x))
    with_seed(seeds[i], predict_one(x[, features, drop = FALSE], y, i, classifier, blocks))
  }, "")
  predicted <- factor(predicted, levels(y))
  new_oob(
    as.numeric(predicted != y), function(known) baseline_of_classes(y[known], blocks[known]),
    "misclassification rate",
    data.frame(
      sample = sample_names(x), observed = y, predicted = predicted, n_runs = lengths(outside)
    ),
    classifier = classifier, blocks = blocks
  )
}

# For every sample the runs that succeeded without it; none when a selector has no such run, for
# then it would have no say.
runs_without <- function(ensemble) {
  runs <- ensemble$runs
  ok <- runs$status == "ok"
  out <- ensemble$resamples$counts[, runs$resample, drop = FALSE] == 0L
  labels <- unique(runs$selector)
  lapply(seq_len(nrow(out)), function(i) {
    at <- which(ok & out[i, ])
    if (all(labels %in% runs$selector[at])) at else integer()
  })
}

# What the ensemble would select if there were only these runs.
features_of_runs <- function(ensemble, at, n_threads) {
  ensemble$selection <- ensemble$selection[at]
  ensemble$runs <- ensemble$runs[at, ]
  size <- check_ranking_size(ensemble$settings$n_features, ensemble$selection)
  rank_ensemble(ensemble, size, n_threads)$features
}

# The class that the classifier, trained on all samples of other blocks, gives to sample i.
predict_one <- function(x, y, i, classifier, blocks = NULL) {
  unseen <- block_mates(blocks, i)
  model <- classifier$fit(x[-unseen, , drop = FALSE], y[-unseen])
  predicted <- as.character(classifier$predict(model, x[i, , drop = FALSE]))
  if (length(predicted) != 1L || !predicted %in% levels(y)) {
    abort(
      c("The classifier {.val {classifier$name}} must predict one of the classes
        {.val {levels(y)}} for one sample, not {describe_value(predicted)}.",
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
