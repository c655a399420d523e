# Theorem 5 of Zare et al. (2013) in the lasso itself, not in a selector made for it.
# Rscript theorem5-lasso.R; writes results/theorem5-lasso.csv.
#
# n samples with y = +1 or -1 in turn, a set U of r of them, and subsamples B of
# m = gamma n. Two features: g = c y on all samples, and f = a y on U
# and 0 elsewhere. Unscaled and without intercept, the path takes the feature with the larger inner
# product with y on B first: |f'y| = a |U in B| against |g'y| = c m. With (r - 1/2) a = c m the
# first is larger exactly if all of U is in B. So the lasso over-fits f on U in the sense of
# Definition 3, and the share of subsamples in which it does is the chance that U is drawn (Lemma 4,
# Theorem 5).

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
source(file.path(here, "..", "papers", "cells.R"))
folder <- file.path(here, "results")
n <- 80
m <- 60
n_draws <- 4000

first_of_path <- function(x, y) {
  path <- lars_path(x, y, intercept = FALSE, scaling = "none", max_features = 1)
  sets <- selected(path)
  sets[lengths(sets) == 1L][[1]]
}

test <- function(cell) {
  r <- cell$r
  y <- rep_len(c(1, -1), n)
  u <- seq_len(r)
  a <- 1
  x <- cbind(g = (r - 0.5) * a / m * y, f = ifelse(seq_len(n) %in% u, a * y, 0))
  set.seed(r)
  taken <- drawn <- logical(n_draws)
  for (b in seq_len(n_draws)) {
    rows <- sample.int(n, m)
    drawn[b] <- all(u %in% rows)
    taken[b] <- first_of_path(x[rows, ], y[rows]) == 2L
  }
  exact <- choose(n - r, m - r) / choose(n, m)
  data.frame(
    r, n, m, n_draws, score = mean(taken), same = mean(taken == drawn), exact,
    se = sqrt(exact * (1 - exact) / n_draws), limit = (m / n)^r
  )
}

run_cells(folder, "theorem5-lasso", data.frame(r = c(1, 2, 4, 6)), test, seed = 1)
