# One ranking of the features, from their scores over all runs.

check_ranking_size <- function(n_features, selection) {
  if (is.null(n_features)) {
    sizes <- Matrix::colSums(selection$selected)[ok_runs(selection)]
    return(max(1L, as.integer(stats::median(sizes, na.rm = TRUE))))
  }
  check_count(n_features, max = selection$n_total)
}

rank_runs <- function(selection, aggregation, n_features, n_threads) {
  score <- aggregation$score(selection, n_features, n_threads)
  ranking_from_scores(score, selection, aggregation, n_features, n_threads)
}

# Orders features by score and breaks ties, see aggregate_runs(). The list is shorter where fewer
# features have a score.
ranking_from_scores <- function(score, selection, aggregation, n_features, n_threads) {
  frequency <- mean_selected(selection)
  mean_score <- aggregate_by()$score(selection, n_features, n_threads)
  scored <- !is.na(score) & scored_in_runs(frequency, mean_score)
  known <- replace(score, !scored, NA)
  place <- order_best(selection$feature_names, known, frequency, mean_score)
  cutoff <- aggregation$cutoff
  # Frequencies are rounded quotients: 6 of 10 runs must reach a cutoff of 0.6.
  selected <- if (is.null(cutoff)) {
    seq_along(place) <= n_features
  } else {
    score[place] >= cutoff - 1e-12
  }
  selected <- selected & scored[place]
  table <- data.frame(
    feature = selection$feature_names[place], score = score[place], rank = seq_along(place),
    selected = selected, frequency = frequency[place], mean_score = mean_score[place]
  )
  new_ranking(table, selection, aggregation)
}

new_ranking <- function(table, selection, aggregation) {
  ranking <- new_object("stabilect_ranking",
    table = table, features = table$feature[table$selected], aggregation = aggregation,
    n_features = sum(table$selected), n_runs = selection$n_runs,
    n_failed = selection$n_runs - length(ok_runs(selection)), method = selection$method
  )
  know_copies(ranking, selection$study)
}
