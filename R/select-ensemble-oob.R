# The out-of-bag error of an ensemble: the model that predicts a sample was made without it, without
# its whole block if there are blocks, and without one sample of every other class.

# Every sample is left out of the whole procedure: the runs without it are aggregated, and the
# learner is trained on the other samples with these features. NULL if there is no sample that every
# selector left out of a run.
# @param runs list(selection, table, draws, seed) of join_selectors().
oob_of_ensemble <- function(study, runs, asked, n_threads) {
  y <- response_labels(study$response)
  outside <- runs_without(runs)
  usable <- which(lengths(outside) > 0L)
  if (length(usable) == 0L) {
    return(NULL)
  }
  blocks <- study$response$blocks
  z <- study$response$covariates
  one <- outcome_of(study$response)
  predict_one <- sample_predictor(study, y, z, left_out_together(study$response, blocks), asked,
    seeds = child_seeds(runs$seed, study$n)
  )
  predicted <- rep(NA_real_, study$n)
  alone <- if (!is.null(z)) predicted
  decision <- NULL
  sizes <- integer(study$n)
  for (i in usable) {
    features <- match(features_of_runs(runs, outside[[i]], asked, n_threads), study$feature_names)
    # Decision values, if outcome and learner have them.
    found <- predict_one(i, features, c("predict", intersect("decision", one$needs)))
    predicted[i] <- one$plain(found)
    sizes[i] <- length(features)
    if (!is.null(found$decision)) {
      if (is.null(decision)) decision <- matrix(NA_real_, study$n, ncol(found$decision))
      decision[i, ] <- found$decision
    }
    if (!is.null(z)) alone[i] <- one$plain(predict_one(i, integer(), "predict"))
  }
  predictions <- data.frame(
    sample = sample_labels(study), observed_columns(study$response),
    predicted = one$named(predicted, y), n_runs = lengths(outside), n_features = sizes
  )
  if (!is.null(z)) predictions$by_covariates <- one$named(alone, y)
  new_oob(
    one, predictions, decision, blocks, predictions$by_covariates, colnames(z),
    learner = asked$learner
  )
}

# @param left_out (list) samples that a model for each sample must not have seen.
# @return function(i, features, needs): the prediction of sample i, see trial().
sample_predictor <- function(study, y, z, left_out, asked, seeds) {
  one <- outcome_of(study$response)
  function(i, features, needs) {
    train <- samples_at(study$x, y, z, -left_out[[i]])
    # Some learners draw from R's generator.
    with_seed(seeds[i], {
      trial(asked$learner, features, train, samples_at(study$x, y, z, i), needs, y, one)
    })$prediction
  }
}

# For every sample the successful runs that did not draw it; none if a selector has no such run and
# would not contribute.
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

# The features that the ensemble would select from these runs.
features_of_runs <- function(runs, at, asked, n_threads) {
  some <- list(selection = runs$selection[at], table = runs$table[at, ])
  rank_ensemble(some, asked, n_threads)$features
}
