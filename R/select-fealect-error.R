# The out-of-bag error of scores, cut and final model together, and the convergence of the scores.

# Without further runs: the runs that did not draw a sample give a model, fitted without the sample
# and without one sample of the other class, that predicts it. Samples are ranked in pairs.
oob_error <- function(study, runs, asked, control) {
  response <- study$response
  ok <- ok_runs(runs$selection)
  counts <- runs$draws$counts[, ok, drop = FALSE]
  asks <- error_models(study, counts, asked$model)
  if (is.null(asks)) {
    return(NULL)
  }
  judged <- asks$judged
  predict <- model_predictor(study, runs, ok, asked, control)
  expect_stages(error_stages(asks, response))
  found <- predict(asks$single)
  alone <- if (!is.null(response$covariates)) predict(asks$single, FALSE)
  if (!is.null(asks$groups)) {
    order_by <- function(models, features) {
      new_order(models, values_to_rank(predict(models, features)$link, response))
    }
    found$order <- order_by(asks$pairs, TRUE)
    if (!is.null(alone)) alone$order <- order_by(group_models(asks$groups), FALSE)
  }
  n_features <- replace(integer(study$n), judged, found$n_features)
  oob_of_links(study, of_all(found, judged, study$n), asks$n_runs, n_features,
    of_all(alone, judged, study$n), n_if_drawn(study$n, judged, which(asks$n_runs > 0L))
  )
}

# @param counts (matrix, samples x runs) of the runs that succeeded.
# @return (list, or NULL if no sample can be judged) n_runs (integer, n: runs without the sample),
#   judged (rows), single and pairs (models, see single_models() and pair_models(); no pairs where
#   samples are not ranked), groups (of order_groups()).
error_models <- function(study, counts, model) {
  response <- study$response
  asks <- list(n_runs = rowSums(counts == 0L))
  possible <- which(asks$n_runs > 0L)
  if (length(possible) == 0L) {
    return(NULL)
  }
  in_core <- core_fits_left_out(response, model)
  asks$judged <- judged_samples(response, possible, if (in_core) 3e6 else 5e5)
  together <- left_out_together(response, response$blocks, asks$judged)
  asks$single <- single_models(counts, asks$judged, together)
  asks$groups <- order_groups(response, asks$judged)
  if (!is.null(asks$groups)) {
    most <- most_pairs(response, model, length(asks$judged))
    pairs <- pairs_in_groups(response, asks$groups, most)
    asks$pairs <- pair_models(counts, pairs, function(counts) rowSums(counts == 0L) > 0L)
  }
  asks
}

# Models of pairs have the fewer features, since fewer runs missed both samples. Covariates alone
# take about a quarter of the time.
# @param asks of error_models().
error_stages <- function(asks, response) {
  n_models <- c(length(asks$single$predicted), length(asks$pairs$predicted) / 2)
  each <- if (is.null(response$covariates)) n_models else rbind(n_models, n_models / 4)
  stats::setNames(each, rep("Out-of-bag error", length(each)))
}

# Before the runs, from one model. It has half as many features as the largest has, of the first
# columns (squares of all would take the memory of x) those most correlated with the outcome.
# @return function(before), see expect_stages().
error_cost <- function(study, draws, asked, n_threads) {
  in_runs <- mean(colSums(draws$counts > 0L))
  size <- min(
    study$p, model_size(study$n, asked$model), limit_of(asked, study$n), in_runs
  )
  set <- NULL
  measured_stage(function() {
    asks <- error_models(study, draws$counts, asked$model)
    if (is.null(asks)) 0 else sum(error_stages(asks, study$response))
  }, function() {
    if (is.null(set)) {
      first <- seq_len(min(study$p, max(ceiling(size), 1e7 %/% study$n)))
      x <- study$x[, first, drop = FALSE]
      towards <- study$response$y - mean(study$response$y)
      strength <- abs(drop(crossprod(x, towards))) / sqrt(colSums(x^2))
      set <<- order(-strength)[seq_len(ceiling(size / 2))]
    }
    predict_left_out(
      study$x, study$response, list(set), list(1L), asked$model, asked$lambda, n_threads, list(1L)
    )
  })
}

# A model each. With fewer the interval is wider; with more only the time grows.
most_pairs <- function(response, model, n) {
  max(min(n, 1000L), if (core_fits_left_out(response, model)) 450L else 300L)
}

# @return function(models, features): list(link, n_features), of each prediction; without features,
#   of the covariates alone.
model_predictor <- function(study, runs, ok, asked, control) {
  score <- runs$selection$score[, ok, drop = FALSE]
  function(models, features = TRUE) {
    sets <- rep(list(integer()), length(models$predicted))
    if (features) {
      sets <- rule_of(asked)$left_out(score, models$counts, asked, control$n_threads)
      sets <- lapply(sets, utils::head, n = model_size(study$n, asked$model))
      sets <- unit_of(study)$left_out(sets, runs$features[ok], models$counts)
    }
    lambda <- if (features) asked$lambda else 0
    link <- predict_left_out(
      study$x, study$response, sets, models$left_out, asked$model, lambda,
      control$n_threads, models$predicted, control$progress
    )
    list(link = link, n_features = lengths(sets))
  }
}

# Links of the judged samples as links of n samples.
of_all <- function(found, judged, n) {
  if (is.null(found)) {
    return(NULL)
  }
  at <- match(seq_len(n), judged)
  found$link <- if (is.matrix(found$link)) found$link[at, , drop = FALSE] else found$link[at]
  found
}

# @param found,alone list(link (numeric, n, or a matrix with a column for each of several classes),
#   order (of new_order(), or none)), by all features and by the covariates alone (or NULL).
# @param n_samples of new_oob().
oob_of_links <- function(study, found, n_runs, n_features, alone = NULL, n_samples = NULL) {
  response <- study$response
  one <- outcome_of(response)
  predictions <- predictions_of(
    response, sample_labels(study), observed_columns(response), found$link
  )
  predictions$n_runs <- n_runs
  predictions$n_features <- n_features
  by_covariates <- if (!is.null(alone)) said_by_link(one, alone$link, response$levels)
  predictions$by_covariates <- if (is.matrix(alone$link)) by_covariates else alone$link
  new_oob(
    one, predictions, decision_of_link(one, found$link), response$blocks, by_covariates,
    colnames(response$covariates), found$order, alone$order, n_samples,
    within = !is.null(response$within)
  )
}

# Largest number of features of the final model. Among a third, a fifth and a tenth of the number of
# samples, the fifth is never far from the best (experiments/honest-error, sizes.csv).
model_size <- function(n, model) final_model_record(model)$size(n)

# Scores of the first runs against the scores of other runs; the last row compares the two halves,
# the largest possible comparison.
score_convergence <- function(selection, n_informative) {
  runs <- ok_runs(selection)
  sizes <- unique(floor(length(runs) * c(1 / 16, 1 / 8, 1 / 4, 1 / 2)))
  sizes <- sizes[sizes >= 1 & sizes < length(runs)]
  top <- if (n_informative > 0L) n_informative else 10L
  rows <- vapply(sizes, function(size) {
    first <- Matrix::rowMeans(selection$score[, runs[seq_len(size)], drop = FALSE])
    other <- Matrix::rowMeans(selection$score[, runs[-seq_len(size)], drop = FALSE])
    best <- lapply(list(first, other), function(s) {
      utils::head(order_best(selection$feature_names, s), min(top, sum(s > 0)))
    })
    constant <- !(isTRUE(stats::sd(first) > 0) && isTRUE(stats::sd(other) > 0))
    c(
      if (constant) NA_real_ else stats::cor(first, other),
      2 * length(intersect(best[[1]], best[[2]])) / max(1L, sum(lengths(best)))
    )
  }, c(0, 0))
  list2DF(list(n_runs = sizes, correlation = rows[1L, ], overlap = rows[2L, ]))
}
