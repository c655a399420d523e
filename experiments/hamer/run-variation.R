# How far few runs tell the stability of the lasso: Hamer and Dupont (2021), section 7.3, Figure 19.
# Rscript run-variation.R; reads the penalties in results/elastic-net.csv and writes
# results/variation.csv beside this file; the values of the two sets of Figure 20 go to
# results/variation-values.csv. Needs glmnet. Sets that are in the file are left alone.
#
# 1000 bootstrap samples in 200 groups of five; each index of each group; standard deviation over
# mean of the 200 values.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))
source(file.path(here, "..", "papers", "cells.R"))
path <- file.path(here, "results", "variation.csv")
indices <- c("nogueira", "phi_pears", "phi_iw")
group_size <- 5
n_runs <- 1000

weights_of_run <- function(x, y, rows, lambda) {
  x <- scale(x[rows, ])
  x[is.na(x)] <- 0
  fit <- suppressWarnings(
    glmnet::glmnet(x, y[rows], "binomial", lambda = lambda * 2^seq(4, 0, -0.5), standardize = FALSE)
  )
  abs(as.numeric(fit$beta[, ncol(fit$beta)]))
}

keep_values <- function(name, values) {
  file <- file.path(folder, "variation-values.csv")
  old <- if (file.exists(file)) utils::read.csv(file)
  new <- data.frame(set = name, t(values))
  write_results(rbind(old[old$set != name, ], new), file)
}

measure <- function(name, lambda) {
  data <- read_hamer(name)
  drawn <- draw_resamples(resample_bootstrap(n_runs), data$y, seed = 2)
  weights <- vapply(seq_len(n_runs), function(b) {
    rows <- split(drawn)[[b]]
    weights_of_run(data$x, data$y, rows, lambda)
  }, numeric(ncol(data$x)))
  rownames(weights) <- colnames(data$x)
  groups <- split(seq_len(n_runs), rep(seq_len(n_runs / group_size), each = group_size))
  values <- vapply(groups, function(group) {
    runs <- as_selection(weights[, group], type = "weight", runs_in = "columns")
    vapply(indices, function(index) stability(runs, index)$table$estimate, 0)
  }, numeric(3))
  if (name %in% c("gastro", "lsvt")) keep_values(name, values)
  data.frame(
    set = name, index = indices, groups = length(groups), mean = rowMeans(values),
    sd = apply(values, 1L, stats::sd), variation = apply(values, 1L, stats::sd) / rowMeans(values)
  )
}

penalties <- utils::read.csv(file.path(dirname(path), "elastic-net.csv"))
penalties <- penalties[penalties$alpha == 1, ]
done <- if (file.exists(path)) utils::read.csv(path)
sets <- c(
  "sonar", "lsvt", "gastro", "ionosphere", "breast", "alon", "borovecki", "gravier", "singh",
  "chiaretti", "arcene"
)
for (name in setdiff(sets, done$set)) {
  used <- system.time(rows <- measure(name, penalties$lambda[penalties$set == name]))
  done <- rbind(done, rows)
  write_results(done, path)
  record_step(folder, paste("variation:", name), 2, used[[1]])
  cat(name, round(used[[1]]), "s\n")
}
print(done, digits = 2, row.names = FALSE)
