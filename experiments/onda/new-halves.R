# Table 2 of Onda et al. with new halves in every repetition. run.R draws the halves of a fold once
# and repeats the forests on them, so that the spread over its repetitions leaves out what another
# draw of the halves would change. Rscript new-halves.R [blocks of five repetitions] [set]; writes
# results/new-halves.csv, one row a repetition. Blocks that are stored are not run again.
#
# A repetition is one forest in each leave-one-out fold, on a half of its own of the samples left:
# `single` is the mean Jaccard index of its sets, `n_useful` the mean, over the law of the threshold
# (results/table4.csv), of the number of features that are selected more often. Its spread over
# repetitions is that of the estimate given the law; `n_useful_drawn` has one threshold drawn by
# that law for each repetition, as the paper's 1,000 estimates have.

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
arguments <- commandArgs(trailingOnly = TRUE)
blocks <- c(as.integer(arguments[1]), 4L)[1 + is.na(arguments[1])]
table4 <- read_csv("table4")

set_of <- local({
  known <- list()
  function(data) {
    if (is.null(known[[data]])) {
      set <- experiment_data(sets$file[sets$data == data])
      set$x <- unname(set$x)
      storage.mode(set$x) <- "double"
      colnames(set$x) <- paste0("V", seq_len(ncol(set$x)))
      known[[data]] <<- set
    }
    known[[data]]
  }
})

one_set <- function(set, selector, out, fold_seed, n_features) {
  left <- seq_len(nrow(set$x))[-out]
  set.seed(fold_seed)
  half <- left[sample.int(length(left), length(left) %/% 2L)]
  run <- select_ensemble(
    set$x[half, ], droplevels(set$y[half]), selector,
    resample_custom(list(seq_along(half)), n = length(half)), aggregate_by("mean_rank"),
    n_features = n_features, seed = fold_seed, progress = FALSE
  )
  match(run$features, colnames(set$x))
}

measure_once <- function(cell, repetition) {
  info <- sets[sets$data == cell$data, ]
  set <- set_of(cell$data)
  selector <- case_selector(forest_case(cell$data, cell$n_tree, 1L), info$p)
  set.seed(1000L * repetition + cell$n_tree)
  seeds <- sample.int(.Machine$integer.max, info$n)
  found <- vapply(seq_len(info$n), function(i) {
    one_set(set, selector, i, seeds[i], info$n_features)
  }, integer(info$n_features))
  count <- tabulate(found, info$p)
  law <- unlist(table4[table4$data == cell$data, paste0("share_", 3:9)])
  useful <- vapply(3:9, function(t) sum(count > t), 0)
  set.seed(repetition)
  data.frame(
    cell, repetition, single = signif(mean_jaccard(found, info$p), 4),
    n_useful = signif(sum(law * useful), 4),
    n_useful_drawn = useful[sample.int(7, 1L, prob = law)]
  )
}

measure <- function(cell) {
  do.call(rbind, lapply(5L * (cell$block - 1L) + 1:5, measure_once, cell = cell))
}

cells <- expand.grid(
  n_tree = c(300, 50, 100, 200, 400, 500), block = seq_len(blocks),
  data = c("colon", "lymphoma", "prostate"), stringsAsFactors = FALSE
)[c("data", "n_tree", "block")]
if (!is.na(arguments[2])) cells <- cells[cells$data == arguments[2], ]
run_cells(folder, "new-halves", cells, measure, seed)
