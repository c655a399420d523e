# Clusters: cluster_features() at 62 x 20,000, and stability selection of clusters on colon, in
# processor and elapsed seconds.

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

colon <- log2(colon_genes$x)
large <- expression_like(62, 20000, 1)$x
clusters <- cluster_features(colon, 0.7)
select <- function(permute, n_threads) {
  stability_selection(colon, colon_genes$y,
    q = 10, pfer = 1, clusters = clusters, permute = permute, seed = 1, n_threads = n_threads,
    progress = FALSE
  )
}

# The median of `times` runs, after one that warms up.
measure <- function(case, run, times = 5) {
  invisible(run())
  seen <- vapply(seq_len(times), function(i) {
    time <- system.time(run(), gcFirst = TRUE)
    c(sum(time[c("user.self", "sys.self")]), time[["elapsed"]])
  }, numeric(2))
  data.frame(
    case = case, cpu_seconds = stats::median(seen[1, ]), seconds = stats::median(seen[2, ])
  )
}

record("clusters", rbind(
  measure("cluster_features(threshold = 0.7), 62 x 20000, 2 threads", function() {
    cluster_features(large, 0.7, n_threads = 2)
  }),
  measure("cluster_features(threshold = 0.7), 62 x 2000", function() cluster_features(colon, 0.7)),
  measure("stability_selection(clusters = , permute = 0), colon, 1 thread", function() {
    select(0, 1)
  }),
  measure("the same, 2 threads", function() select(0, 2)),
  measure("the same with 20 permutations, 2 threads", function() select(20, 2)),
  measure("substitutes() of fealect(n_runs = 400), colon", local({
    fit <- fealect(colon, colon_genes$y, n_runs = 400, n_boot = 0, oob = FALSE, seed = 1)
    function() substitutes(fit, colon)
  }))
), file = file.path("bench", "clusters.csv"))
