# Scores of clusters from the same paths: the model of k features becomes the model with features in
# k clusters. A cluster is in a model that contains one of its features.

# @param runs list(paths, ...) of path_job().
# @return list(units, features): scores of both (sparse, one column per run) from the models with
#   1, 2, ... clusters, each model once.
score_clusters <- function(paths, clusters, limit) {
  units <- cluster_paths(paths, clusters)
  list(
    units = score_matrix(cpp_score_models(units, units, limit), levels(clusters)),
    features = score_matrix(cpp_score_models(paths, units, limit), names(clusters))
  )
}

# @param scores (list) the compressed scores of all runs.
score_matrix <- function(scores, names) {
  new_sparse(scores$i, scores$p, names, scores$x)
}

# The representatives of clusters in a final model: their most frequent features, the first by name
# among equals.
# @param votes (numeric, p) number of runs with each feature.
representatives <- function(named, clusters, votes, by_name = order_names(names(clusters))) {
  vapply(named, function(cluster) {
    own <- by_name[as.integer(clusters)[by_name] == cluster]
    own[which.max(votes[own])]
  }, 0L)
}

# For the out-of-bag error, from the runs that did not draw the sample.
# @param sets (list, one per sample) numbers of clusters.
represent_left_out <- function(sets, features, clusters, counts) {
  votes <- as.matrix(as_dgc(features$selected) %*% t(counts == 0L))
  by_name <- order_names(names(clusters))
  Map(function(set, i) representatives(set, clusters, votes[, i], by_name), sets, seq_along(sets))
}
