# Stored lasso paths in units of clusters of features: a cluster enters with the first of its
# features and leaves with the last.

# @param paths as the runs of path_job() have them.
# @param clusters (factor of length p, or NULL for features).
# @return paths of the same form and steps, whose events are clusters.
unit_paths <- function(paths, clusters) {
  if (is.null(clusters)) {
    return(paths)
  }
  run <- rep(seq_along(paths$run_events), diff(c(0L, paths$run_events)))
  cluster <- as.integer(clusters)[abs(paths$event)]
  change <- first_and_last((run - 1) * nlevels(clusters) + cluster, sign(paths$event))
  kept <- change != 0
  count <- c(0L, cumsum(kept))
  run_of_step <- rep(seq_along(paths$run_steps), diff(c(0L, paths$run_steps)))
  before <- c(0L, paths$run_events)[run_of_step]
  paths$event_end <- count[before + paths$event_end + 1L] - count[before + 1L]
  paths$run_events <- count[paths$run_events + 1L]
  paths$event <- as.integer(change * cluster)[kept]
  if (!is.null(paths$positive)) paths$positive <- paths$positive[kept]
  paths
}

# @param key one for each event: those with the same one are counted together.
# @param sign (1 or -1) something enters or leaves.
# @return (integer) 1 for those that enter as the first, -1 for those that leave as the last.
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

# How many features, or clusters, there are.
n_units <- function(p, clusters) if (is.null(clusters)) p else nlevels(clusters)

# The step of each run (0: none) with the first model that meets q clusters, or else the most up to
# q, before any model that meets more.
cluster_steps <- function(units, q) {
  vapply(seq_along(units$run_events), function(b) {
    path <- path_of_run(units, b)
    size <- c(0, cumsum(sign(path$event)))[path$end + 1L]
    fits <- which(cummax(size) <= q)
    if (length(fits) == 0L) 0L else fits[which.max(size[fits])]
  }, 0L)
}
