# The experiments of Onda et al. (2021), paper beside ours, and what the paper did not measure.
# Rscript experiments/onda/run.R <part> [pattern of cases]
# with the parts real, tables, simulate, predict, regroup, coverage, figures in this order; each
# writes into results/ beside this file. `real` is the long one: it keeps every case in
# results/cases/, and does only those that are not there, and `predict` those that predictions.csv
# does not have. The folder of the data: see ?experiment_data.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(here, "results")
dir.create(file.path(folder, "cases"), showWarnings = FALSE, recursive = TRUE)
arguments <- commandArgs(trailingOnly = TRUE)
seed <- 1

save_csv <- function(table, name) {
  utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}

read_csv <- function(name) utils::read.csv(file.path(folder, paste0(name, ".csv")))

# The code that the page shares, then that of this experiment alone.
for (piece in c("paper", "cases", "real", "figures")) {
  source(file.path(here, "..", "..", "vignettes", "papers", paste0("onda-", piece, ".R")))
}
for (piece in c("tables", "simulate", "predict", "coverage")) {
  source(file.path(here, paste0(piece, ".R")))
}

parts <- list(
  real = function() run_cases(arguments[2]), tables = function() write_tables(),
  simulate = function() write_simulations(), predict = function() write_predictions(),
  regroup = function() write_regrouped(), coverage = function() write_coverage(),
  figures = function() draw_figures()
)
if (!arguments[1] %in% names(parts)) {
  stop("The first argument must be one of ", toString(names(parts)))
}
parts[[arguments[1]]]()
