# What run-forest-relief.R leaves out of Figures 15 and 17 of Hamer and Dupont (2021), by its
# functions: forests of 3,000 trees on all sets; forests and Relief on breast, borovecki and arcene.
# Rscript run-more-forests.R; writes results/more-forests.csv, in the form of forest-relief.csv.
# Needs ranger and class. Cells that are stored are not run again.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))
source(file.path(here, "..", "papers", "cells.R"))
# Without names of sets it defines its functions and runs nothing.
script <- new.env()
sys.source(file.path(here, "run-forest-relief.R"), script)

largest_forest <- function(data, k, resamples) {
  tuned <- tune_tradeoff(
    data$x, data$y, list(n_trees = 3000), parameter = script$forest, index = script$indices,
    resampling = resamples, n_features = k, seed = 1, n_threads = 1, progress = FALSE
  )
  data.frame(
    method = "forest", size = tuned$table$n_trees, tuned$table[c("accuracy", script$indices)]
  )
}

parts <- list(
  "Relief" = script$run_relief, "3000 trees" = largest_forest, "to 1000 trees" = script$run_forests
)
left_out <- c("breast", "borovecki", "arcene")
by_cost <- c(
  "sonar", "ionosphere", "gastro", "lsvt", "alon", "breast", "borovecki", "singh", "gravier",
  "chiaretti", "arcene"
)
cells <- rbind(
  data.frame(set = left_out, part = "Relief"), data.frame(set = by_cost, part = "3000 trees"),
  data.frame(set = left_out, part = "to 1000 trees")
)
run_cells(folder, "more-forests", cells, function(cell) {
  data <- read_hamer(cell$set)
  k <- floor(wanted_size(ncol(data$x)))
  resamples <- draw_resamples(resample_bootstrap(30), data$y, seed = 1)
  rows <- parts[[cell$part]](data, k, resamples)
  measured <- c("accuracy", script$indices)
  rows[measured] <- lapply(rows[measured], signif, digits = 4)
  data.frame(cell, n_features = k, rows, row.names = NULL)
}, seed = 1)
