# The other four numbers of trees of Figure 12 of Onda et al., by the functions of time-real.R.
# Rscript time-more.R; adds rows to results/figure12.csv. Cells that are stored are not run again.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
source(file.path(here, "..", "papers", "cells.R"))
# It finds its own cells stored, and runs none.
script <- new.env()
sys.source(file.path(here, "time-real.R"), script)

cells <- expand.grid(
  n_weak = c(1L, 5L, 10L, 20L), n_tree = c(100, 200, 300, 400),
  data = c("colon", "lymphoma", "prostate"), stringsAsFactors = FALSE
)[c("data", "n_tree", "n_weak")]
run_cells(script$folder, "figure12", cells, script$measure, script$seed)
