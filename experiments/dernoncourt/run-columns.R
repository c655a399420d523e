# Two columns that the tables of run.R lack: elimination with the support vector machine on values
# as they are, and the exponential rank and the score with more weight on high scores, which the
# paper proposes for later work. Rscript run-columns.R; writes results/columns.csv, in the form of
# table2.csv and table3.csv. Cells that are stored are not run again.
#
# svm_rfe_raw: a fifth of the features at a time, values as they are; svm_rfe_scaled: the same on
# standardised values; svm_rfe_weights: one machine without elimination, values as they are.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
# The functions of run.R, without running one of its parts.
lines <- readLines(file.path(here, "run.R"))
begin <- grep("^paper_number <- ", lines)
end <- grep("^parts <- list", lines) - 1L
folder <- file.path(here, "results")
units <- 50L
seed <- 1
liblinear <- function(...) learner_svm(..., intercept = "penalised")
paper <- utils::read.csv(file.path(folder, "paper.csv"))
eval(parse(text = lines[begin:end]))
source(file.path(here, "..", "papers", "cells.R"))

rules <- c(aggregations, list(
  exponential_rank = aggregate_by("exponential"), square_score = aggregate_by(power = 2)
))
selectors <- list(
  t = selector_filter("t"), svm_rfe_weights = selector_learner(liblinear(scaling = "none")),
  svm_rfe_raw = selector_learner(liblinear(scaling = "none"), step = 0.2),
  svm_rfe_scaled = selector_learner(liblinear(), step = 0.2),
  mi = selector_filter("mutual_information", discretise = "equal_frequency", n_bins = 5)
)

measure <- function(cell) {
  selector <- selectors[cell$selector]
  rows <- if (cell$reading %in% c("Colon", "Leukemia")) {
    evaluate_real(cell$reading, selector, rules, 200, units)
  } else {
    table <- evaluate_reading(cell$reading, 1, 100, 1, selector, rules, 100, units, 10000)
    table[setdiff(names(table), c("strength", "n", "shrinkage"))]
  }
  rows$selector <- cell$selector
  rows
}

cells <- rbind(
  expand.grid(
    reading = c("Colon", "Leukemia"), selector = names(selectors)[c(3, 2, 1, 4, 5)],
    stringsAsFactors = FALSE
  ),
  expand.grid(
    reading = c("NC100", "CB_sorted", "NC"), selector = names(selectors)[c(3, 2, 1)],
    stringsAsFactors = FALSE
  )
)
run_cells(folder, "columns", cells, measure, seed)
