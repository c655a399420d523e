# The experiments of Onda et al. (2021), paper beside ours, and what the paper did not measure.
# Rscript inst/experiments/onda/run.R <part> [pattern of cases]
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

# Table 1, and the numbers that the text gives for each set.
sets <- data.frame(
  data = c("colon", "lymphoma", "prostate"),
  file = c("skf_colon", "skf_lymphoma", "skf_Prostate_GE"),
  n = c(62L, 96L, 102L), p = c(2000L, 4026L, 5966L), n_features = c(20L, 40L, 60L),
  n_useful = c(60, 150, 200), p_hat = c(0.7, 0.8, NA), single_stability = c(0.1, 0.1, 0.2),
  t_uniform = c(4.640, 6.029, 6.455), t_uniform_sd = c(0.636, 0.668, 0.703)
)

# Table 2.
table2 <- data.frame(
  data = rep(sets$data, each = 6L), n_tree = c(50, 100, 200, 300, 400, 500),
  paper = c(
    45.6, 53.0, 56.8, 60.1, 56.2, 59.1, 140.0, 140.4, 158.3, 153.2, 155.4, 154.5,
    210.3, 210.8, 190.5, 186.9, 179.6, 179.0
  ),
  paper_sd = c(
    7.1, 8.2, 6.0, 6.1, 7.2, 6.6, 20.3, 14.8, 15.4, 14.9, 13.9, 10.2,
    16.8, 15.9, 12.1, 12.7, 10.2, 10.8
  )
)

for (piece in c("cases", "real", "tables", "simulate", "predict", "coverage", "figures")) {
  path <- file.path(here, paste0(piece, ".R"))
  if (file.exists(path)) source(path, local = TRUE)
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
