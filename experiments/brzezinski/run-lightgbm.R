# Fibonacci search with LightGBM, the author's booster: the learner of
# vignettes/paper-selectors.Rmd, his scaling and his folds in the order of the rows, as in
# run-svm.R. The version of LightGBM is another than his. Rscript run-lightgbm.R [set] [outer
# folds]; writes results/lightgbm-folds.csv. Folds that are stored are not run again. Needs the
# package lightgbm.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
folder <- file.path(here, "results")
source(file.path(here, "..", "papers", "cells.R"))
lines <- readLines(file.path(here, "run-svm.R"))
eval(parse(text = lines[grep("^row_folds <- ", lines):(grep("^run_fold <- ", lines) - 1L)]))
page <- readLines(file.path(here, "..", "..", "vignettes", "paper-selectors.Rmd"))
begin <- grep("^```[{]r lightgbm,", page)
end <- grep("^```$", page)
eval(parse(text = page[(begin + 1L):(end[end > begin][1] - 1L)]))
learner <- light_gbm

run_cell <- function(cell) {
  data <- experiment_data(paste0("skf_", cell$data))
  x <- data$x
  storage.mode(x) <- "double"
  if (is.null(colnames(x))) colnames(x) <- paste0("V", seq_len(ncol(x)))
  y <- factor(data$y)
  cbind(
    cell, classifier = "GBM", method = "FRFE",
    run_one(x, y, row_folds(y, 10) != cell$fold, search_peak())$row
  )
}

given <- commandArgs(trailingOnly = TRUE)
set <- if (length(given) > 0L) given[1] else "colon"
n_folds <- if (length(given) > 1L) as.integer(given[2]) else 10L
run_cells(
  folder, "lightgbm-folds", expand.grid(fold = seq_len(n_folds), data = set)[2:1], run_cell,
  seed = 1
)
