# find_signals() on clusters: every cluster is one column, its mean profile. Profiles do not use the
# response: all statements about columns are valid for them.

# @param clusters (factor of check_clusters(), or NULL).
# @return list(study (whose columns are clusters), members (data frame, p rows in the order of the
#   features: cluster, feature, correlation with the profile)); the unchanged study without
#   clusters.
signal_units <- function(study, clusters) {
  if (is.null(clusters)) {
    return(list(study = study, members = NULL))
  }
  x <- study$x
  scaling <- cluster_scaling(x, clusters)$scaling
  code <- as.integer(clusters)
  size <- tabulate(code)
  own <- (x - rep(scaling$mean, each = nrow(x))) * rep(scaling$sign / scaling$sd, each = nrow(x))
  profiles <- t(rowsum(t(own), code)) / rep(size, each = nrow(x))
  dimnames(profiles) <- list(rownames(x), levels(clusters))
  # Constant features have no profile.
  square <- colSums(own^2)
  shared <- scaling$sign * colSums(own * profiles[, code, drop = FALSE])
  correlation <- ifelse(square > 1e-9, shared / sqrt(square * colSums(profiles^2)[code]), 0)
  study[c("x", "p", "feature_names")] <- list(profiles, ncol(profiles), levels(clusters))
  list(study = study, members = data.frame(
    cluster = as.character(clusters), feature = names(clusters),
    correlation = pmax(-1, pmin(1, unname(correlation)))
  ))
}

# A cluster's row in a table: size, representative (the member most similar to the mean), and
# members, the most similar first.
describe_members <- function(members, clusters) {
  rows <- lapply(clusters, function(cluster) {
    own <- members[members$cluster == cluster, ]
    near <- signif(own$correlation, 9)
    names <- own$feature[order(-abs(near), method = "radix")]
    data.frame(
      size = nrow(own), representative = own$feature[which.max(near)],
      members = paste(c(utils::head(names, 5L), if (nrow(own) > 5L) "..."), collapse = ", ")
    )
  })
  none <- data.frame(size = integer(), representative = character(), members = character())
  do.call(rbind, c(list(none), rows))
}
