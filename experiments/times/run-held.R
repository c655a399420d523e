# Survival times with a covariate, whose deviance residuals are exchanged. Rscript run-held.R
# [repetitions] [seconds of processor time] makes results/held-outcomes.csv and
# results/held-names.csv. tables.R makes the tables.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
for (shared in c("designs.R", "repetitions.R")) source(file.path(root, "..", "names", shared))
source(file.path(root, "draws.R"))

cells <- expand.grid(
  truth = c("none", "sparse"), events = c(0.2, 0.45, 0.7), stringsAsFactors = FALSE
)
# Outcomes with signal take longer.
wanted <- function(repetition) which(cells$truth == "none" | repetition <= 15)

answer <- function(x, set, cell, repetition) {
  seed <- 1000 * (100 * match(set, set_names) + 70 + as.integer(rownames(cell))) + repetition
  set.seed(seed)
  truth <- draw_truth(cell$truth, x, repetition)
  z <- draw_covariate(x)
  r2 <- c(0.4, 0.7)[1 + repetition %% 2]
  y <- draw_times(unit(truth$signal + z), r2, 1 - cell$events)
  fit <- find_signals(x, y, covariates = z, permute = 199, seed = seed, progress = FALSE)
  list(
    outcome = data.frame(seed, r2, n_true = length(truth$at), p_value = fit$p_value),
    shown = shown_features(fit, x, truth$at)
  )
}

files <- c(outcomes = "held-outcomes.csv", names = "held-names.csv")
store_repetitions(read_command(60), files, cells, wanted, answer)
