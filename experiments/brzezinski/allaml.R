# ALLAML with SVM: what the plain elimination of 137 against 1316 (RFE10) selects under other folds,
# scaling and loss. Rscript experiments/brzezinski/allaml.R writes results/allaml.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
source(file.path(folder, "..", "..", "papers", "cells.R"))
data <- experiment_data("skf_ALLAML")
x <- data$x
y <- factor(data$y)

# Stratified folds in the order of the rows.
plain_folds <- function(y, n_folds) {
  fold <- integer(length(y))
  for (level in levels(y)) {
    rows <- which(y == level)
    ends <- round(seq(0, length(rows), length.out = n_folds + 1))
    fold[rows] <- rep(seq_len(n_folds), times = diff(ends))
  }
  fold
}

to_range <- function(x) {
  lowest <- apply(x, 2L, min)
  width <- pmax(apply(x, 2L, max) - lowest, 1e-9)
  (x - rep(lowest, each = nrow(x))) / rep(width, each = nrow(x))
}

# Folds as drawn by a seed, or in the order of the rows; scaled in each inner fold, or once before.
run_setting <- function(name, loss = "l2", seed = 1, once = FALSE, in_order = FALSE) {
  drawn <- draw_resamples(resample_folds(10, stratify = TRUE), y, seed = 1)
  runs <- lapply(1:10, function(k) {
    train <- if (in_order) plain_folds(y, 10) != k else as.matrix(drawn)[, k] > 0
    inner <- resample_folds(5, stratify = TRUE)
    if (in_order) {
      fold <- plain_folds(y[train], 5)
      inner <- resample_custom(lapply(1:5, function(f) which(fold != f)), n = sum(train))
    }
    fit <- eliminate_features(
      if (once) to_range(x[train, ]) else x[train, ], y[train],
      learner_svm(
        loss = loss, scaling = if (once) "none" else "range", intercept = "penalised"
      ),
      search_sizes(step = 140), inner, size_rule = "best", refit = FALSE, seed = seed + k
    )
    tied <- fit$sizes$size[fit$sizes$score >= max(fit$sizes$score) - 1e-10]
    data.frame(
      n_largest = max(tied), n_smallest = min(tied), n_tied = length(tied),
      inner_accuracy = max(fit$sizes$score)
    )
  })
  data.frame(setting = name, t(round(colMeans(do.call(rbind, runs)), 3)))
}

rows <- rbind(
  run_setting("as in run.R"),
  run_setting("other inner folds", seed = 100),
  run_setting("hinge loss", loss = "l1"),
  run_setting("scaled once", once = TRUE),
  run_setting("scaled once, folds in order", once = TRUE, in_order = TRUE),
  run_setting("scaled once, folds in order, hinge loss", "l1", once = TRUE, in_order = TRUE)
)
utils::write.csv(rows, file.path(folder, "allaml.csv"), row.names = FALSE)
record_step(folder, "ALLAML", 1, proc.time()[[3]])
