# Definition 3 of Zare et al. (2013) in paths of the lasso on noise; theorem5-lasso.R has Lemma 4
# and Theorem 5. Rscript theorem5.R; writes results/theorem5-found.csv. Cells that are stored are
# not run again.
#
# Are there features that over-fit on a set of samples? Each pure noise feature that is selected in
# some subsamples has one candidate for U, the samples that all of these share. Definition 3 holds
# when every subsample with U selects it.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
source(file.path(here, "..", "papers", "cells.R"))
folder <- file.path(here, "results")
gamma <- 3 / 4
n_runs <- 2000

subsamples <- function(n, seed) {
  set.seed(seed)
  replicate(n_runs, sort(sample.int(n, round(gamma * n))))
}

# Which features each subsample selects when `size` are allowed: logical, features x subsamples.
selected_at <- function(x, y, drawn, size) {
  vapply(seq_len(ncol(drawn)), function(b) {
    path <- lars_path(x[drawn[, b], ], y[drawn[, b]], max_features = size)
    sets <- selected(path)
    sets <- sets[lengths(sets) <= size]
    seq_len(ncol(x)) %in% sets[[length(sets)]]
  }, logical(ncol(x)))
}

found <- function(cell) {
  n <- 60
  p <- 200
  set.seed(cell$seed)
  x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("f", seq_len(p))))
  y <- stats::rnorm(n)
  drawn <- subsamples(n, 100 + cell$seed)[, 1:500]
  inside <- apply(drawn, 2L, function(rows) seq_len(n) %in% rows)
  rows <- lapply(c(5, 10, 20), function(size) {
    chosen <- selected_at(x, y, drawn, size)
    some <- which(rowSums(chosen) >= 5 & rowSums(chosen) < ncol(drawn))
    r <- holds <- numeric(length(some))
    for (i in seq_along(some)) {
      at <- chosen[some[i], ]
      u <- which(rowSums(inside[, at, drop = FALSE]) == sum(at))
      r[i] <- length(u)
      with_u <- colSums(inside[u, , drop = FALSE]) == length(u)
      holds[i] <- mean(at[with_u])
    }
    data.frame(
      seed = cell$seed, k = size, features = length(some), with_any_u = sum(r > 0),
      over_fit = sum(holds == 1 & r > 0), largest = max(holds),
      least_selected = min(rowMeans(chosen)[some])
    )
  })
  do.call(rbind, rows)
}

run_cells(folder, "theorem5-found", data.frame(seed = 1:5), found, seed = 1)
