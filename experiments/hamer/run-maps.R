# The runs behind the stability maps of Hamer and Dupont (2021): Figures 7, 11, 12, 16 and 18.
# Rscript run-maps.R, after the other scripts of this folder, whose settings it takes; writes
# results/maps.rds beside this file: one row per feature of a run, with its weight. Needs glmnet,
# gglasso, ranger and class.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))
source(file.path(here, "..", "papers", "cells.R"))
# The functions of a script; it finds its own results complete and computes nothing.
functions_of <- function(script) {
  place <- new.env()
  utils::capture.output(sys.source(file.path(here, script), place))
  place
}

# Features x runs to rows; `label` is what the map shows.
rows_of <- function(weights, figure, label) {
  weights <- as.matrix(weights)
  at <- which(weights > 0, arr.ind = TRUE)
  data.frame(
    figure = figure, label = label, n_features = nrow(weights), run = at[, 2], feature = at[, 1],
    weight = signif(weights[at], 3), row.names = NULL
  )
}

groups <- function(size) {
  script <- functions_of("correlated-groups.R")
  scenario <- script$scenarios[1, ]
  penalty <- script$penalty_of(script$draw_data(scenario, 1, 1))
  runs <- script$runs_of(scenario, size, 1, penalty)
  rows_of(runs$score, "Figure 7", paste("groups of", size))
}

lasso <- function(name) {
  script <- functions_of("run-lasso.R")
  stored <- script$done[script$done$set == name & script$done$alpha == 1, ]
  data <- read_hamer(name)
  drawn <- draw_resamples(resample_bootstrap(30), data$y, seed = 1)
  lambda <- stored$lambda * 10^seq(1, 0, length.out = 50)
  weights <- vapply(seq_len(30), function(b) {
    run <- script$fit_run(data$x, data$y, drawn, b, 1, lambda, ncol(data$x))
    run$weights[, length(lambda)]
  }, numeric(ncol(data$x)))
  rows_of(weights, "Figure 12", name)
}

# The choices at gamma = 0.5 on singh.
compromise <- function(index) {
  choices <- utils::read.csv(file.path(folder, "choices.csv"))
  chosen <- choices[choices$set == "singh" & choices$gamma == 0.5 & choices$index == index, ]
  data <- read_hamer("singh", hamer_sets$p_front[hamer_sets$name == "singh"])
  settings <- c("n_stable", "lambda", "lambda_final", "epsilon", "alpha", "variance_weight")
  tuned <- tune_tradeoff(
    data$x, data$y, chosen[settings], n_features = 20, index = index,
    resampling = resample_bootstrap(100), seed = 1, progress = FALSE
  )
  weights <- stability_weights(tuned$selections[[1]])
  rows_of(weights[, 1:30], "Figure 11", index)
}

# Importance of the selected features of each run.
stability_weights <- function(selection) {
  weight <- if (is.null(selection$importance)) selection$score else selection$importance
  abs(weight * selection$selected)
}

forests <- function(n_trees) {
  script <- functions_of("run-forest-relief.R")
  data <- read_hamer("gastro")
  resamples <- draw_resamples(resample_bootstrap(30), data$y, seed = 1)
  runs <- script$forest_runs(data, 20, resamples, n_trees)
  rows_of(stability_weights(runs), "Figure 16", paste(n_trees, "trees"))
}

neighbours <- function(n_neighbours) {
  script <- functions_of("run-forest-relief.R")
  data <- read_hamer("sonar")
  resamples <- draw_resamples(resample_bootstrap(30), data$y, seed = 1)
  runs <- script$relief_runs(data, 7, resamples, n_neighbours)
  rows_of(stability_weights(runs), "Figure 18", paste("K =", n_neighbours))
}

used <- system.time({
  parts <- c(
    lapply(c(1, 10), groups), lapply(c("nogueira", "phi_pears", "phi_iw"), compromise),
    lapply(c("singh", "lsvt"), lasso), lapply(c(10, 3000), forests),
    lapply(c(1, 25), neighbours)
  )
})
saveRDS(do.call(rbind, parts), file.path(folder, "maps.rds"), compress = "xz")
record_step(folder, "maps", 1, used[[1]])
