# The out-of-bag error of an ensemble: the model that predicts a sample was made without it, without
# all samples of its block where there are blocks, and without one sample of every other class.

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
  left_out <- left_out_together(study$response, blocks)
  learner <- asked$learner
  predicted <- rep(NA_real_, study$n)
  decision <- if (is.factor(y) && !is.null(learner$decision)) matrix(NA_real_, study$n, nlevels(y))
  sizes <- integer(study$n)
  # Some learners draw from R's generator.
  seeds <- child_seeds(runs$seed, study$n)
  z <- study$response$covariates
  alone <- if (!is.null(z)) predicted
  for (i in usable) {
    features <- match(features_of_runs(runs, outside[[i]], asked, n_threads), study$feature_names)
    x <- beside(z, study$x[, features, drop = FALSE])
    one <- with_seed(seeds[i], predict_one(x, y, i, left_out[[i]], learner))
    predicted[i] <- one$value
    sizes[i] <- length(features)
    if (!is.null(decision)) decision[i, ] <- one$decision
    if (!is.null(z)) {
      alone[i] <- with_seed(seeds[i], predict_one(z, y, i, left_out[[i]], learner))$value
    }
  }
  named <- function(codes) if (is.factor(y)) factor(levels(y)[codes], levels(y)) else codes
  predictions <- data.frame(
    sample = sample_labels(study), observed_columns(study$response),
    predicted = named(predicted), n_runs = lengths(outside), n_features = sizes
  )
  if (!is.null(z)) predictions$by_covariates <- named(alone)
  new_oob(
    predictions, decision, blocks, predictions$by_covariates, colnames(z), learner = learner
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

# What the learner predicts for sample i (a code or a number), and its decision values, when it was
# trained without the samples `unseen`.
predict_one <- function(x, y, i, unseen, learner) {
  model <- learner$fit(x[-unseen, , drop = FALSE], label_rows(y, -unseen))
  newdata <- x[i, , drop = FALSE]
  value <- predicted_values(learner, model, newdata, y)
  decision <- if (is.factor(y) && !is.null(learner$decision)) {
    columns_of_classes(learner$decision(model, newdata), levels(y), -Inf)
  }
  list(value = value, decision = decision)
}
