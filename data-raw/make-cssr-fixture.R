# Cluster proportions, weights and representatives of the R package cssr (Faletto & Bien 2022), on
# fixed selections. It is not on CRAN: give the folder `cssr/R` of a clone of
# https://github.com/gregfaletto/cssr-project (commit 7eb5af3 was used).
#   Rscript data-raw/make-cssr-fixture.R <clone>/cssr/R

folder <- commandArgs(trailingOnly = TRUE)[1]
cssr <- new.env()
for (file in list.files(folder, "[.]R$", full.names = TRUE)) sys.source(file, cssr)

set.seed(1)
p <- 12
clusters <- list(a = c(1L, 4L, 9L), b = c(2L, 3L), c = 5:7, d = c(8L, 10L), e = 11L, f = 12L)
chance <- c(0.6, 0.3, 0.3, 0.5, 0, 0, 0, 0.05, 0.2, 0.4, 0.7, 0.1)
selected <- matrix(stats::rbinom(40 * p, 1, rep(chance, each = 40)), 40, p)
# Two equally frequent members of one cluster.
selected[, 3] <- rev(selected[, 2])
x <- matrix(stats::rnorm(15 * p), 15, p)
colnames(selected) <- colnames(x) <- paste0("g", seq_len(p))
by_cluster <- cssr$getClusterSelMatrix(clusters, selected)
result <- structure(
  list(feat_sel_mat = selected, clus_sel_mat = by_cluster, X = x, clusters = clusters),
  class = "cssr"
)
rules <- c(weighted = "weighted_avg", simple = "simple_avg", best = "sparse")
answers <- lapply(rules, function(rule) {
  list(
    weights = lapply(clusters, cssr$getClustWeights, rule, colMeans(selected)),
    design = cssr$formCssDesign(result, weighting = rule, cutoff = 0.5, newx = x)
  )
})
saveRDS(
  list(
    x = x, selected = selected, clusters = clusters, proportions = colMeans(by_cluster),
    cutoff = 0.5, answers = answers
  ),
  "tests/testthat/fixtures/cssr.rds", version = 2
)
