# Scores of clusters of features, from the same paths: the model of k features becomes the model
# that meets k clusters, and a cluster is in it when one of its features is.

# @param runs list(paths, ...) of path_job().
# @return list(clusters, features): scores of both (sparse, one column a run) by the models that
#   meet 1, 2, ... clusters, each model once.
score_clusters <- function(paths, clusters, max_features) {
  units <- unit_paths(paths, clusters)
  n_runs <- length(paths$run_steps)
  run_of_step <- rep(seq_len(n_runs), diff(c(0L, paths$run_steps)))
  counts <- count_models(units, run_of_step, max_features)
  scores <- function(paths, names) {
    sum_of_models(paths, run_of_step, counts, names, n_runs)
  }
  list(clusters = scores(units, levels(clusters)), features = scores(paths, names(clusters)))
}

# How much every model counts: one over its size for the first of its size on a path, otherwise 0.
count_models <- function(units, run_of_step, max_features) {
  total <- c(0, cumsum(sign(units$event)))
  before <- c(0L, units$run_events)[run_of_step]
  size <- total[before + units$event_end + 1L] - total[before + 1L]
  limit <- if (is.null(max_features)) Inf else max_features
  first <- !duplicated(data.frame(run_of_step, size)) & size > 0 & size <= limit
  ifelse(first, 1 / pmax(1, size), 0)
}

# The sum of `counts` over the models that hold each feature: what follows its entries less what
# follows its exits.
sum_of_models <- function(paths, run_of_step, counts, names, n_runs) {
  step <- rep(seq_along(run_of_step), diff(c(0L, event_ends(paths, run_of_step))))
  run <- run_of_step[step]
  # Run by run, so that a run has the same bits whichever others there are.
  following <- function(values) {
    stats::ave(values, run_of_step, FUN = function(one) rev(cumsum(rev(one))))[step]
  }
  place <- (run - 1) * length(names) + abs(paths$event)
  sums <- rowsum(sign(paths$event) * cbind(following(counts), following(counts > 0)), place)
  at <- as.numeric(rownames(sums)) - 1
  # Sums of equal numbers with both signs may not be zero.
  kept <- which(sums[, 2] > 0.5)
  Matrix::sparseMatrix(
    i = at[kept] %% length(names) + 1, j = at[kept] %/% length(names) + 1, x = sums[kept, 1],
    dims = c(length(names), n_runs), dimnames = list(names, NULL)
  )
}

# Where the events of each step end, counted over all runs.
event_ends <- function(paths, run_of_step) {
  c(0L, paths$run_events)[run_of_step] + paths$event_end
}

# A row for each cluster, best first, and one for each feature.
# @param features (stabilect_selection) the features in the models that count.
# @return list(table, members).
cluster_score_table <- function(table, features, record, paths, clusters) {
  members <- member_table(record, features, clusters)
  rows <- cluster_rows(record, features, paths, members, clusters)
  rows <- rows[match(table$feature, rows$feature), ]
  own <- c("direction", "same_sign")
  table[own] <- rows[own]
  table <- cbind(table, rows[c("size", "representative", "members")])
  rownames(table) <- NULL
  list(table = table, members = members)
}

# What stands for clusters in a final model: their most frequent features; the first of equals.
# @param votes (numeric, p) in how many runs each feature was.
representatives <- function(named, clusters, votes) {
  vapply(named, function(cluster) {
    own <- which(as.integer(clusters) == cluster)
    own[which.max(votes[own])]
  }, 0L)
}

# For the out-of-bag error, by the runs that did not draw the sample.
# @param sets (list, one per sample) numbers of clusters.
represent_left_out <- function(sets, features, clusters, counts) {
  votes <- as.matrix(as_dgc(features$selected) %*% t(counts == 0L))
  Map(function(set, i) representatives(set, clusters, votes[, i]), sets, seq_along(sets))
}
