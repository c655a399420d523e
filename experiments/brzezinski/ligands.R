# Table 4 and section 5 of Brzezinski (2020) on what is public of their data: 763 of 157,953 cases,
# 342 of 424 attributes, 20 ligands (an earlier commit of the author's repository). Forests of 30
# trees as in Table 2; the paper boosts trees, which takes minutes for a fit of 20 classes.
# Rscript experiments/brzezinski/ligands.R [outer folds of ten]; writes results/ligands.csv, one row
# for a search in an outer fold, and results/ligand-attributes.csv. Cells that are stored are not
# run again. `chosen` are places in ligand-attributes.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(here, "results")
source(file.path(here, "..", "papers", "cells.R"))
n_folds <- c(as.integer(commandArgs(trailingOnly = TRUE)), 10L)[1]
seed <- 1

data <- experiment_data("pdb_ligands_sample")
x <- data$x
y <- data$y
attributes_path <- file.path(folder, "ligand-attributes.csv")
if (!file.exists(attributes_path)) {
  utils::write.csv(data.frame(attribute = colnames(x)), attributes_path, row.names = FALSE)
}
learner <- learner_forest(n_trees = 30, mtry = 0.3)
searches <- list(
  FRFE = search_peak(), SRFE3 = search_peak(3), SRFE5 = search_peak(5), SRFE10 = search_peak(10),
  All = search_sizes(sizes = ncol(x))
)
outer <- as.matrix(draw_resamples(resample_folds(10, stratify = TRUE), y, seed = seed)) > 0

run_one <- function(cell) {
  train <- outer[, cell$fold]
  begun <- proc.time()
  fit <- eliminate_features(
    x[train, ], droplevels(y[train]), learner, searches[[cell$method]],
    resample_folds(5, stratify = TRUE), tie = "smallest", size_rule = "best",
    seed = seed + cell$fold, progress = FALSE
  )
  seconds <- (proc.time() - begun)[["user.self"]]
  measures <- measure_predictions(
    y[!train], as.character(predict(fit, x[!train, , drop = FALSE])),
    metric = c("accuracy", "kappa", "macro_recall", "g_mean_floored")
  )
  data.frame(
    cell, n_features = fit$n_features, n_sizes = nrow(fit$sizes), n_fits = fit$n_fits,
    seconds = signif(seconds, 4), inner_accuracy = signif(max(fit$sizes$score), 4),
    t(signif(measures, 4)),
    chosen = paste(sort(match(fit$features, colnames(x))), collapse = " "), row.names = NULL
  )
}

cells <- expand.grid(method = names(searches), fold = seq_len(n_folds), stringsAsFactors = FALSE)
run_cells(folder, "ligands", cells[c("fold", "method")], run_one, seed)
