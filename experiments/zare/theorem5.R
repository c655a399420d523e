# Definition 3, Lemma 4, Theorem 5 and Proposition 2 of Zare et al. (2013), as they are stated.
# Rscript theorem5.R; writes results/theorem5-*.csv. Cells that are stored are not run again.
#
# inclusion: Lemma 4 is the limit of a hypergeometric chance, that a subsample of gamma n samples
#   holds a set U of r of them; by Definition 3 and Theorem 5 it is the score of a feature that
#   over-fits on U, up to a constant. Features tied to a set by construction are selected by a
#   selector that gives them a score where, and only where, all of U is there.
# found: are there such features in paths of the lasso? Each pure noise feature that is selected in
#   some subsamples has one candidate for U, the samples that all of these share. Definition 3 holds
#   when every subsample with U selects it.
# draws: Proposition 2. One feature drawn at random from each set F_k of each subsample: how often
#   it is feature i, beside its share of the total score.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
source(file.path(here, "..", "papers", "cells.R"))
folder <- file.path(here, "results")
gamma <- 3 / 4
n_runs <- 2000
sizes_of_u <- 1:8

subsamples <- function(n, seed) {
  set.seed(seed)
  replicate(n_runs, sort(sample.int(n, round(gamma * n))))
}

inclusion <- function(cell) {
  n <- cell$n
  m <- round(gamma * n)
  u <- lapply(sizes_of_u, seq_len)
  tied <- selector_custom(function(x, y) {
    vapply(u, function(set) as.numeric(all(set %in% x[, 1])), 0)
  }, "tied to a set", "numeric")
  x <- matrix(seq_len(n), n, length(u))
  colnames(x) <- paste0("r", sizes_of_u)
  drawn <- subsamples(n, n)
  share <- vapply(u, function(set) {
    mean(apply(drawn, 2L, function(rows) all(set %in% rows)))
  }, 0)
  # The selector of the ensemble sees the numbers of the samples and nothing else.
  runs <- select_ensemble(
    x, rnorm(n), tied, resample_custom(lapply(seq_len(n_runs), function(b) drawn[, b]), n = n),
    aggregate_by(), n_features = 1, seed = 1, progress = FALSE
  )
  score <- runs$table$score[match(colnames(x), runs$table$feature)]
  data.frame(
    n = n, r = sizes_of_u, score = score, share = share,
    exact = choose(n - sizes_of_u, m - sizes_of_u) / choose(n, m), limit = gamma^sizes_of_u,
    n_runs = n_runs
  )
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

draws <- function(cell) {
  x <- as.matrix(mcl_sll[, -1])
  y <- mcl_sll[, 1]
  n <- nrow(x)
  set.seed(cell$seed)
  picked <- score <- numeric(ncol(x))
  for (b in seq_len(500)) {
    rows <- sample.int(n, round(gamma * n))
    sets <- selected(lars_path(x[rows, ], y[rows], max_features = 10))
    sets <- sets[lengths(sets) %in% 1:10]
    sets <- sets[!duplicated(lengths(sets))]
    for (at in sets) {
      score[at] <- score[at] + 1 / length(at)
      one <- at[sample.int(length(at), 1L)]
      picked[one] <- picked[one] + 1
    }
  }
  share <- score / sum(score)
  often <- share * sum(picked) >= 5
  data.frame(
    seed = cell$seed, drawn = sum(picked), features = sum(often),
    chi_square = sum((picked - share * sum(picked))[often]^2 / (share * sum(picked))[often]),
    largest_gap = max(abs(picked / sum(picked) - share))
  )
}

run_cells(folder, "theorem5-inclusion", data.frame(n = c(20, 40, 80, 160)), inclusion, seed = 1)
run_cells(folder, "theorem5-found", data.frame(seed = 1:5), found, seed = 1)
run_cells(folder, "theorem5-draws", data.frame(seed = 1:5), draws, seed = 1)
