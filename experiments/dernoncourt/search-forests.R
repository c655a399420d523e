# The forests of Dernoncourt et al.: which importance and how many trees? As for the other choices,
# by the rows without ensemble; and the average rank of forests with ties at random.
# Rscript search-forests.R [part]; part `single` writes results/search-forests.csv (importance by
# permutation with 500 and 100 trees, by impurity with 100, at the paper's number of sets and
# splits), part `ties` writes results/forest-ties.csv (average rank of impurity importance, of which
# most are 0, on real data). Cells that are stored are not run again.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
part <- c(commandArgs(trailingOnly = TRUE), "single")[1]
# The functions of run.R, without running one of its parts.
lines <- readLines(file.path(here, "run.R"))
begin <- grep("^paper_number <- ", lines)
end <- grep("^parts <- list", lines) - 1L
folder <- file.path(here, "results")
# Ties are compared on the same splits: few are enough.
units <- if (part == "ties") 12L else 50L
seed <- 1
liblinear <- function(...) learner_svm(..., intercept = "penalised")
paper <- utils::read.csv(file.path(folder, "paper.csv"))
eval(parse(text = lines[begin:end]))
source(file.path(here, "..", "papers", "cells.R"))

is_real <- function(reading) reading %in% c("Colon", "Leukemia")

evaluate_forest <- function(reading, importance, n_trees, rules) {
  selector <- list(forest = selector_learner(
    learner_forest(n_trees = n_trees, importance = importance)
  ))
  rows <- if (is_real(reading)) {
    evaluate_real(reading, selector, rules, 200, units)
  } else {
    rows <- evaluate_reading(reading, 1, 100, 1, selector, rules, 100, units, 10000)
    rows[setdiff(names(rows), c("strength", "n", "shrinkage"))]
  }
  cbind(importance = importance, n_trees = n_trees, rows)
}

if (part == "single") {
  # Impurity with 500 trees is in table2.csv and table3-forests.csv.
  cells <- expand.grid(
    reading = c("NC100", "CB_sorted", "NC", "Colon", "Leukemia"),
    importance = c("permutation", "impurity"), n_trees = c(500, 100), stringsAsFactors = FALSE
  )
  cells <- cells[cells$importance == "permutation" | cells$n_trees == 100, ]
  run_cells(folder, "search-forests", cells, function(cell) {
    evaluate_forest(cell$reading, cell$importance, cell$n_trees, list())
  }, seed)
} else {
  cells <- data.frame(reading = c("Leukemia", "Colon"))
  run_cells(folder, "forest-ties", cells, function(cell) {
    evaluate_forest(
      cell$reading, "impurity", 500,
      list(rank = aggregate_by("mean_rank"), random = aggregate_by("mean_rank", ties = "random"))
    )
  }, seed)
}
