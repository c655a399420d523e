# Forests of Table 3 on 50 splits, as many as the paper has (run.R: 25 on colon, 10 on leukemia).
# Rscript run-forests.R; writes results/table3-forests.csv, in the form of table3.csv. Cells that
# are stored are not run again.

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

cells <- data.frame(reading = c("Colon", "Leukemia"), selector = "forest")
run_cells(folder, "table3-forests", cells, function(cell) {
  evaluate_real(cell$reading, table3_selectors()["forest"], aggregations, 200, units)
}, seed)
