# The out-of-bag error of an ensemble: the model that predicts a sample was made without it, without
# its whole block if there are blocks, and without one sample of every other class.

# Every sample is left out of the whole procedure: the runs without it are aggregated, and the
# learner is trained on the other samples with these features. Samples are ranked in pairs. NULL if
# there is no sample that every selector left out of a run.
# @param runs list(selection, table, draws, seed) of join_selectors().
oob_of_ensemble <- function(study, runs, asked, n_threads) {
  response <- study$response
  counts <- counts_of_runs(runs)
  missed <- function(counts) have_all_selectors(counts, runs$table)
  possible <- which(missed(counts))
  if (length(possible) == 0L) {
    return(NULL)
  }
  judged <- judged_samples(response, possible, work = 5e5)
  predict <- learner_predictor(study, runs, asked, n_threads)
  single <- single_models(counts, judged, left_out_together(response, response$blocks, judged))
  found <- predict(single)
  alone <- if (!is.null(response$covariates)) predict(single, FALSE)
  by_error <- outcome_of(response)$ranked == "error"
  groups <- if (by_error || !is.null(found$decision)) order_groups(response, judged)
  if (!is.null(groups)) {
    order_by <- function(models, features) {
      made <- predict(models, features)
      new_order(models, if (by_error) cbind(made$predicted) else made$decision)
    }
    pairs <- pairs_in_groups(response, groups, max(min(length(judged), 1000L), 200L))
    found$order <- order_by(pair_models(counts, pairs, missed), TRUE)
    if (!is.null(alone)) alone$order <- order_by(group_models(groups), FALSE)
  }
  n_runs <- replace(as.integer(rowSums(counts == 0L)), -possible, 0L)
  oob_of_predictions(
    study, judged, found, alone, n_runs, asked$learner, n_if_drawn(study$n, judged, possible)
  )
}

# @param found,alone list(predicted, decision, order, n_features), of the judged samples.
# @param n_samples of new_oob().
oob_of_predictions <- function(study, judged, found, alone, n_runs, learner, n_samples) {
  one <- outcome_of(study$response)
  y <- response_labels(study$response)
  of_all <- function(values) {
    predicted_labels(one, replace(rep(NA_real_, study$n), judged, values), y)
  }
  predictions <- data.frame(
    sample = sample_labels(study), observed_columns(study$response),
    predicted = of_all(found$predicted), n_runs = n_runs,
    n_features = replace(integer(study$n), judged, found$n_features)
  )
  if (!is.null(alone)) predictions$by_covariates <- of_all(alone$predicted)
  decision <- found$decision[match(seq_len(study$n), judged), , drop = FALSE]
  new_oob(
    one, predictions, decision, study$response$blocks, predictions$by_covariates,
    colnames(study$response$covariates), found$order, alone$order, n_samples,
    within = !is.null(study$response$within), learner = learner
  )
}

# @return function(models, features): list(predicted, decision (a column for each class; NULL if
#   outcome or learner have none), n_features), of each prediction; without features, of the
#   covariates alone.
learner_predictor <- function(study, runs, asked, n_threads) {
  y <- response_labels(study$response)
  z <- study$response$covariates
  one <- outcome_of(study$response)
  needs <- c("predict", intersect("decision", one$needs))
  # Some learners draw from R's generator.
  seeds <- child_seeds(runs$seed, study$n)
  function(models, features = TRUE) {
    each <- lapply(seq_along(models$predicted), function(k) {
      set <- if (features) {
        at <- which(models$counts[k, ] == 0L)
        match(features_of_runs(runs, at, asked, n_threads), study$feature_names)
      }
      rows <- models$predicted[[k]]
      train <- samples_at(study$x, y, z, -models$left_out[[k]])
      test <- samples_at(study$x, y, z, rows)
      made <- with_seed(seeds[rows[1L]], {
        trial(asked$learner, as.integer(set), train, test, needs, y, one)$prediction
      })
      list(
        predicted = plain_prediction(one, made), decision = made$decision,
        n_features = length(set)
      )
    })
    list(
      predicted = unlist(lapply(each, `[[`, "predicted")),
      decision = do.call(rbind, lapply(each, `[[`, "decision")),
      n_features = vapply(each, `[[`, 0L, "n_features")
    )
  }
}

# @return (integer matrix, n x runs of all selectors) 0 where a successful run missed a sample.
counts_of_runs <- function(runs) {
  counts <- runs$draws$counts[, runs$table$resample, drop = FALSE]
  counts[, runs$table$status != "ok"] <- 1L
  counts
}

# Does each selector have a run with 0? Otherwise it would not contribute.
# @param counts (matrix, models x runs).
have_all_selectors <- function(counts, table) {
  missed <- rowsum(t(counts == 0L) + 0L, table$selector)
  unname(colSums(missed > 0) == nrow(missed))
}

# The features that the ensemble would select from these runs.
features_of_runs <- function(runs, at, asked, n_threads) {
  some <- list(selection = runs$selection[at], table = runs$table[at, ])
  rank_ensemble(some, asked, n_threads)$features
}
