# The ranking of an ensemble, made from its runs.

# One selector: its runs as they are. Several: the ranking of each, then these as runs.
rank_ensemble <- function(ensemble, n_features, n_threads) {
  selection <- ensemble$selection
  if (is.null(ensemble$combine)) {
    score <- ensemble$aggregation$score(selection, n_features, n_threads)
    return(ranking_from_scores(score, selection, ensemble$aggregation, n_features, n_threads))
  }
  labels <- ensemble$runs$selector
  part <- split(seq_len(selection$n_runs), factor(labels, unique(labels)))
  score <- vapply(part, function(runs) {
    ensemble$aggregation$score(selection[runs], n_features, n_threads)
  }, numeric(selection$n_features))
  dimnames(score) <- list(selection$feature_names, NULL)
  means <- new_selection(
    score, best_of_runs(score, n_features, n_threads), rep("ok", ncol(score)), selection$method
  )
  total <- ensemble$combine$score(means, n_features, n_threads)
  ranking <- ranking_from_scores(total, selection, ensemble$combine, n_features, n_threads)
  ranking$aggregation$label <- sprintf(
    "%s, then %s of %d selectors", ensemble$aggregation$label, ensemble$combine$label, ncol(score)
  )
  ranking
}
