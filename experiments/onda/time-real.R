# Figure 12 of Onda et al.: seconds of real ensembles by number of members, each size timed by
# itself, one ensemble in a few of the leave-one-out folds. Rscript time-real.R; writes
# results/figure12.csv. The claim is that time is in proportion to members. Cells that are stored
# are not run again.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(here, "results")
seed <- 1
read_csv <- function(name) utils::read.csv(file.path(folder, paste0(name, ".csv")))
source(file.path(here, "..", "papers", "cells.R"))
# The code that the page shares.
for (piece in c("paper", "cases", "real")) {
  source(file.path(here, "..", "..", "vignettes", "papers", paste0("onda-", piece, ".R")))
}
folds <- 3

# Processor time, which other work on the machine does not lengthen.
measure <- function(cell) {
  info <- sets[sets$data == cell$data, ]
  set <- experiment_data(info$file)
  set$x <- unname(set$x)
  storage.mode(set$x) <- "double"
  colnames(set$x) <- paste0("V", seq_len(ncol(set$x)))
  case <- forest_case(cell$data, cell$n_tree, cell$n_weak, "one_half")
  seconds <- vapply(seq_len(folds), function(fold) {
    x <- set$x[-fold, , drop = FALSE]
    set.seed(fold)
    rows <- weak_rows(case$reading, nrow(x), case$n_weak)
    system.time(select_ensemble(
      x, set$y[-fold], case_selector(case, ncol(x)), resample_custom(rows$rows, n = nrow(x)),
      aggregate_by("mean_rank"), n_features = info$n_features, seed = fold, progress = FALSE
    ))[["user.self"]]
  }, 0)
  # One ensemble in each of the n folds, as the paper counts.
  data.frame(cell, folds = folds, seconds = signif(info$n * mean(seconds), 3))
}

cells <- expand.grid(
  n_weak = c(1L, 5L, 10L, 20L), n_tree = c(50, 500), data = c("colon", "lymphoma", "prostate"),
  stringsAsFactors = FALSE
)[c("data", "n_tree", "n_weak")]
# The first call of a session pays for what R compiles.
invisible(measure(cells[1, ]))
run_cells(folder, "figure12", cells, measure, seed)
