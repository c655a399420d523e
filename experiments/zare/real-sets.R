# Test error, number of features and stability of FeaLect, Bolasso, Bolasso-S, stability selection
# and cross-validated Lars on six real data sets (Zare et al. 2013 compare FeaLect, Bolasso and Lars
# on six sets), and the score curves of the lymphoma data.
# Rscript real-sets.R [splits]; writes real-sets.csv, real-splits.csv and curves.csv in
# results/. Sets that are stored are not run again: delete the table for that. The data are found by
# experiment_data(), see its help page; colon and mcl_sll come with the package.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
source(file.path(here, "..", "papers", "cells.R"))
source(file.path(here, "..", "..", "vignettes", "papers", "zare-compare.R"))
folder <- file.path(here, "results")
n_splits <- c(as.integer(commandArgs(trailingOnly = TRUE)), 100L)[1]

sets <- data.frame(set = c("mcl_sll", "colon", "sonar", "ionosphere", "wdbc", "lsvt"))
run_cells(folder, "real-sets", sets, function(cell) {
  splits <- run_splits(cell$set, n_splits)
  path <- file.path(folder, "real-splits.csv")
  known <- if (file.exists(path)) utils::read.csv(path, check.names = FALSE)
  rows <- rbind(known[known$set != cell$set, ], split_table(cell$set, splits))
  utils::write.csv(rows, path, row.names = FALSE)
  summary_table(cell$set, splits)
}, seed = 1)
# Two sets of 100 and two of 1,000 subsamples.
run_cells(folder, "curves", data.frame(subsamples = c(100, 1000)), function(cell) {
  score_curves(cell$subsamples)
}, seed = 1)
