# The six values of alpha in Figure 13 of Hamer and Dupont (2021) that run-lasso.R leaves out, by
# its functions. Rscript run-alphas.R; writes results/more-alphas.csv, in the form of
# elastic-net.csv. Needs glmnet. Cells that are stored are not run again.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))
source(file.path(here, "..", "papers", "cells.R"))
n_runs <- 30
lines <- readLines(file.path(here, "run-lasso.R"))
eval(parse(text = lines[grep("^fit_run <- ", lines):(grep("^# Table 5 first", lines) - 1L)]))

by_cost <- c(
  "sonar", "ionosphere", "breast", "gastro", "lsvt", "alon", "borovecki", "gravier", "singh",
  "chiaretti", "arcene"
)
cells <- expand.grid(
  alpha = c(0.9, 0.8, 0.6, 0.5, 0.3, 0.2), set = by_cost, stringsAsFactors = FALSE
)
run_cells(folder, "more-alphas", cells, function(cell) {
  data <- read_hamer(cell$set)
  drawn <- draw_resamples(resample_bootstrap(n_runs), data$y, seed = 1)
  rows <- measure(cell$set, data, drawn, cell$alpha)
  is_real <- vapply(rows, is.double, NA) & names(rows) != "alpha"
  rows[is_real] <- lapply(rows[is_real], signif, digits = 4)
  rows
}, seed = 1)
