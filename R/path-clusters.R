# Stored lasso paths in units of clusters: a cluster enters with its first feature and leaves with
# its last.

# @param paths as the runs of path_job() have them.
# @param clusters (factor of length p).
# @return paths of the same form and steps, whose events are clusters.
cluster_paths <- function(paths, clusters) {
  events <- path_events(paths)
  cluster <- as.integer(clusters)[events$feature]
  change <- first_and_last((events$run - 1) * nlevels(clusters) + cluster, events$change)
  replace_events(paths, as.integer(change * cluster))
}

# @param key one for each event; events with the same key are counted together.
# @param sign (1 or -1) enters or leaves.
# @return (integer) 1 for first entries, -1 for last leavings.
first_and_last <- function(key, sign) {
  code <- match(key, unique(key))
  place <- order(code, method = "radix")
  inside <- cumsum(sign[place])
  begins <- which(!duplicated(code[place]))
  inside <- inside - rep((inside - sign[place])[begins], diff(c(begins, length(code) + 1L)))
  change <- integer(length(key))
  change[place] <- (sign[place] > 0 & inside == 1) - (sign[place] < 0 & inside == 0)
  change
}

# The step of each run (0: none) whose model first contains q clusters; if none does, the last step
# before a model with more than q.
cluster_steps <- function(units, q) {
  vapply(run_sizes(units), function(size) {
    fits <- which(cummax(size) <= q)
    if (length(fits) == 0L) 0L else fits[which.max(size[fits])]
  }, 0L)
}
