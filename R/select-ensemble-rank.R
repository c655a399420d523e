# The ranking of an ensemble, made from its runs.

# One selector: its runs. Several: their rankings, which then count as runs.
# @param runs list(selection, table) of join_selectors(), or some of these runs.
rank_ensemble <- function(runs, asked, n_threads) {
  selection <- runs$selection
  aggregation <- asked$aggregation
  across <- asked$aggregation_across
  size <- check_ranking_size(set_size(asked), selection)
  if (is.null(across)) {
    return(rank_runs(selection, aggregation, size, n_threads))
  }
  labels <- runs$table$selector
  part <- split(seq_len(selection$n_runs), factor(labels, unique(labels)))
  score <- vapply(part, function(at) {
    aggregation$score(selection[at], size, n_threads)
  }, numeric(selection$n_total))
  # A single feature comes back as a vector.
  score <- matrix(score, selection$n_total, dimnames = list(selection$feature_names, NULL))
  means <- new_selection(
    score, best_of_runs(score, size, n_threads), rep("ok", ncol(score)), selection$method
  )
  total <- across$score(means, size, n_threads)
  ranking <- ranking_from_scores(total, selection, across, size, n_threads)
  ranking$aggregation$label <- sprintf(
    "%s, then %s of %d selectors", aggregation$label, across$label, ncol(score)
  )
  ranking
}

# The runs of an ensemble by another aggregation; without the data there is no out-of-bag error.
rank_again <- function(ensemble, aggregation, n_features, n_threads) {
  ensemble$asked$aggregation <- aggregation
  if (!is.null(n_features)) {
    ensemble$asked$n_features <- check_count(
      n_features, max = ensemble$study$p
    )
  }
  runs <- list(selection = ensemble$selection, table = ensemble$runs)
  ranking <- rank_ensemble(runs, ensemble$asked, n_threads)
  ensemble$table <- with_direction(ranking$table, ensemble$study)
  ensemble$features <- ranking$features
  ensemble["oob"] <- list(NULL)
  ensemble$ranking <- ranking
  ensemble
}
