# Forests that grow: the parts of grown-forests.R and thirty-members.R, which have `here`, `folder`,
# `seed` and `read_csv()` before they source it.

source(file.path(here, "..", "papers", "cells.R"))
# The code that the page shares.
for (piece in c("paper", "cases", "real")) {
  source(file.path(here, "..", "..", "vignettes", "papers", paste0("onda-", piece, ".R")))
}
table4 <- read_csv("table4")
n_trees <- c(50, 100, 200, 300, 400, 500)

read_set <- function(data) {
  set <- experiment_data(sets$file[sets$data == data])
  set$x <- unname(set$x)
  storage.mode(set$x) <- "double"
  colnames(set$x) <- paste0("V", seq_len(ncol(set$x)))
  set
}

# Importance of every feature (rows) in forests of n_trees (columns), as in learner_forest().
grown_importance <- function(x, y, mtry) {
  added <- diff(c(0, n_trees))
  n_tried <- if (!is.na(mtry)) ceiling(mtry * ncol(x))
  parts <- lapply(added, function(n) {
    n * ranger::ranger(
      x = x, y = y, importance = "impurity", num.trees = n, mtry = n_tried, probability = TRUE,
      oob.error = FALSE, write.forest = FALSE, num.threads = 1,
      seed = sample.int(.Machine$integer.max, 1L)
    )$variable.importance
  })
  unname(do.call(cbind, Reduce(`+`, parts, accumulate = TRUE)))
}

best <- function(score, n_features) order(score, decreasing = TRUE)[seq_len(n_features)]

# Samples of a fold that select: a new half of those left.
draw_half <- function(n, out) {
  left <- seq_len(n)[-out]
  left[sample.int(length(left), length(left) %/% 2L)]
}

single_rows <- function(cell, found, repetition, info) {
  law <- unlist(table4[table4$data == cell$data, paste0("share_", 3:9)])
  rows <- lapply(seq_along(n_trees), function(k) {
    sets_of_k <- found[[k]]
    count <- tabulate(sets_of_k, info$p)
    p <- if (cell$block <= 2L) {
      runs <- as_selection(
        lapply(seq_len(ncol(sets_of_k)), function(i) sets_of_k[, i]), n_total = info$p
      )
      estimate_stability(
        runs, n_weak = 1, n_simulations = 5, n_boot = 20, seed = seed, progress = FALSE
      )$p
    }
    data.frame(
      cell, repetition, n_tree = n_trees[k], single = signif(mean_jaccard(sets_of_k, info$p), 4),
      n_useful = signif(sum(law * vapply(3:9, function(t) sum(count > t), 0)), 4),
      p = if (is.null(p)) NA else signif(p, 4), row.names = NULL
    )
  })
  do.call(rbind, rows)
}

measure_singles <- function(cell) {
  info <- sets[sets$data == cell$data, ]
  set <- read_set(cell$data)
  rows <- lapply(5L * (cell$block - 1L) + 1:5, function(repetition) {
    set.seed(1000L * repetition)
    folds <- lapply(seq_len(info$n), function(out) {
      half <- draw_half(info$n, out)
      score <- grown_importance(set$x[half, ], droplevels(set$y[half]), cell$mtry)
      apply(score, 2L, best, info$n_features)
    })
    found <- lapply(seq_along(n_trees), function(k) {
      vapply(folds, function(sets_of_fold) sets_of_fold[, k], integer(info$n_features))
    })
    single_rows(cell, found, repetition, info)
  })
  do.call(rbind, rows)
}

# For each size, the sets of the disjoint ensembles that the members of a fold make, by mean rank.
ensembles_of_fold <- function(ranks, used, n_features) {
  lapply(used, function(size) {
    vapply(seq_len(ncol(ranks) %/% size), function(b) {
      members <- (b - 1L) * size + seq_len(size)
      best(-rowMeans(ranks[, members, drop = FALSE]), n_features)
    }, integer(n_features))
  })
}

# That these are what aggregate() gives, but for features that tie for the last place.
check_aggregation <- function(scores, found) {
  runs <- as_selection(scores, runs_in = "columns", type = "weight")
  known <- aggregate(runs, aggregate_by("mean_rank"), n_features = length(found))$features
  mean_rank <- rowMeans(apply(-scores, 2L, rank))
  known <- mean_rank[match(known, runs$feature_names)]
  stopifnot(isTRUE(all.equal(sort(known), sort(mean_rank[found]))))
}

# Sets, and hits of the sample left out, for each number of trees and each size.
grow_fold <- function(set, info, out, mtry, used) {
  n_members <- max(used)
  half <- draw_half(info$n, out)
  others <- setdiff(seq_len(info$n)[-out], half)
  members <- lapply(seq_len(n_members), function(m) {
    grown_importance(set$x[half, ], droplevels(set$y[half]), mtry)
  })
  lapply(seq_along(n_trees), function(k) {
    scores <- vapply(members, function(score) score[, k], numeric(info$p))
    found <- ensembles_of_fold(apply(-scores, 2L, rank), used, info$n_features)
    if (out == 1L) check_aggregation(scores, found[[length(used)]][, 1])
    hits <- vapply(found, function(f) hit_of_set(set$x, set$y, others, out, f[, 1], out), NA)
    list(found = found, hits = hits)
  })
}

measure_ensembles <- function(cell) {
  info <- sets[sets$data == cell$data, ]
  set <- read_set(cell$data)
  used <- sizes[sizes <= if (is.na(cell$mtry)) 20L else 10L]
  set.seed(seed)
  folds <- lapply(seq_len(info$n), function(out) grow_fold(set, info, out, cell$mtry, used))
  rows <- expand.grid(s = seq_along(used), k = seq_along(n_trees))
  do.call(rbind, Map(function(s, k) {
    stability <- vapply(seq_len(max(used) %/% used[s]), function(b) {
      found <- vapply(folds, function(f) f[[k]]$found[[s]][, b], integer(info$n_features))
      mean_jaccard(found, info$p)
    }, 0)
    accuracy <- mean(vapply(folds, function(f) f[[k]]$hits[s], NA))
    data.frame(
      cell, n_tree = n_trees[k], n_weak = used[s], stability = signif(mean(stability), 4),
      sd = signif(stats::sd(stability), 4), repetitions = length(stability),
      accuracy = signif(accuracy, 4), row.names = NULL
    )
  }, rows$s, rows$k))
}
