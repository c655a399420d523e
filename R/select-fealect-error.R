# The out-of-bag error of scores, cut and final model together, and the convergence of the scores.

# Without further runs: the runs that did not draw a sample give a model, fitted without the sample
# and without one sample of the other class, that predicts it.
oob_error <- function(study, runs, asked, n_threads) {
  ok <- ok_runs(runs$selection)
  score <- runs$selection$score[, ok, drop = FALSE]
  counts <- runs$draws$counts[, ok, drop = FALSE]
  n_runs <- rowSums(counts == 0L)
  usable <- n_runs > 0L
  if (!any(usable)) {
    return(NULL)
  }
  sets <- rule_of(asked)$left_out(score, counts, asked, n_threads)
  sets <- lapply(sets, utils::head, n = model_size(study$n, asked$model))
  sets <- unit_of(study)$left_out(sets, runs$features[ok], counts)
  blocks <- study$response$blocks
  left_out <- left_out_together(study$response, blocks)
  link <- predict_left_out(
    study$x, study$response, sets, left_out, asked$model, asked$lambda, n_threads
  )
  if (is.matrix(link)) link[!usable, ] <- NA_real_ else link[!usable] <- NA_real_
  covaried <- !is.null(study$response$covariates)
  alone <- if (covaried) links_alone(study, left_out, asked)
  oob_of_links(study, link, n_runs, lengths(sets), blocks, alone)
}

# Predictions of the covariates alone, in the same way.
links_alone <- function(study, left_out, asked) {
  none <- rep(list(integer()), study$n)
  predict_left_out(study$x, study$response, none, left_out, asked$model, 0)
}

# @param link (numeric, n, or a matrix with a column for each of several classes); alone: links of
#   the covariates alone, or NULL.
oob_of_links <- function(study, link, n_runs, n_features, blocks, alone = NULL) {
  response <- study$response
  predictions <- predictions_of(response, sample_labels(study), observed_columns(response), link)
  predictions$n_runs <- n_runs
  predictions$n_features <- n_features
  by_covariates <- if (!is.null(alone)) said_by_link(response, alone)
  predictions$by_covariates <- if (is.matrix(alone)) by_covariates else alone
  one <- outcome_of(response)
  new_oob(
    one, predictions, one$decision(link), blocks, by_covariates, colnames(response$covariates)
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
