# The scores of the features in all runs; their mean and table.

# The scores of all runs; a run selects the features that it scores.
# @param record (study, or the record of one).
# @return list(selection, features): of the units, and of their features.
score_runs <- function(runs, record, asked) {
  draws <- runs$draws
  if (all(runs$status != "ok")) abort_no_run(runs$status)
  scores <- unit_of(record)$scores(runs, no_limit(limit_of(asked, record$n)))
  found <- lapply(scores, function(score) {
    new_selection(
      score = score, selected = methods::as(score, "nMatrix"), status = runs$status,
      method = paste("fealect:", format(draws$plan)), resamples = draws, seed = draws$seed,
      data_hash = runs$hash
    )
  })
  list(selection = found$units, features = found[[length(found)]])
}

# Where paths end, NULL at their own ends.
# @param n (integer) samples of the study.
limit_of <- function(asked, n) {
  given <- asked$max_features
  if (is.null(given)) longest_path(n, is.null(asked$likelihood)) else given
}

# @param rows (data frame) of the units in their order; last (character): its columns at the end.
score_table <- function(rows, selection, fit, last) {
  scores <- list(
    score = unname(fit$moments$mean), se = unname(fit$moments$se),
    frequency = mean_selected(selection), above_cut = fit$above_cut,
    selected = selection$feature_names %in% fit$features
  )
  at <- order_best(selection$feature_names, scores$score)
  list2DF(lapply(c(rows[setdiff(names(rows), last)], scores, rows[last]), `[`, at))
}
