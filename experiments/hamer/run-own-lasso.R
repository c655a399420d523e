# Table 5 of Hamer and Dupont (2021) by the package's own lasso_path(): the same samples, penalties
# and sizes as in run-lasso.R, which uses glmnet. Rscript run-own-lasso.R; reads the penalties in
# results/elastic-net.csv, writes results/own-lasso.csv. Sets that are stored are not run again.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))
source(file.path(here, "..", "papers", "cells.R"))
indices <- c("nogueira", "phi_pears", "phi_iw")
n_runs <- 30

fit_run <- function(data, drawn, b, lambda) {
  rows <- split(drawn)[[b]]
  out <- split(drawn, "out")[[b]]
  centre <- colMeans(data$x[rows, ])
  spread <- sqrt(colMeans((data$x[rows, ] - rep(centre, each = length(rows)))^2))
  # A feature that does not vary in the sample cannot enter, and lasso_path() refuses it.
  use <- which(spread > 0)
  scaled <- function(at) t((t(data$x[at, use, drop = FALSE]) - centre[use]) / spread[use])
  path <- lasso_path(scaled(rows), data$y[rows], "binomial", lambda = lambda)
  # A path may end early, when all is explained.
  last <- ncol(path$coefficients)
  weights <- numeric(ncol(data$x))
  weights[use] <- abs(path$coefficients[, last])
  odds <- path$intercepts[last] + drop(scaled(out) %*% path$coefficients[, last])
  list(weights = weights, right = mean((odds > 0) == (data$y[out] == levels(data$y)[2])))
}

measure <- function(cell) {
  data <- read_hamer(cell$set)
  drawn <- draw_resamples(resample_bootstrap(n_runs), data$y, seed = 1)
  # From where nothing is selected: a path that begins lower may not converge at its first penalty.
  lambda <- penalties$lambda[penalties$set == cell$set] * 2^seq(9, 0, length.out = 60)
  runs <- lapply(seq_len(n_runs), function(b) fit_run(data, drawn, b, lambda))
  weights <- vapply(runs, `[[`, numeric(ncol(data$x)), "weights")
  rownames(weights) <- colnames(data$x)
  table <- stability(as_selection(weights, type = "weight", runs_in = "columns"), indices)$table
  accuracy <- vapply(runs, `[[`, 0, "right")
  rows <- data.frame(
    set = cell$set, features = mean(colSums(weights > 0)), accuracy = mean(accuracy),
    accuracy_se = stats::sd(accuracy) / sqrt(n_runs),
    stats::setNames(as.list(table$estimate), table$index),
    stats::setNames(as.list(table$se), paste0(table$index, "_se"))
  )
  rows[-1] <- lapply(rows[-1], signif, digits = 4)
  rows
}

penalties <- utils::read.csv(file.path(folder, "elastic-net.csv"))
penalties <- penalties[penalties$alpha == 1, ]
by_cost <- c(
  "sonar", "ionosphere", "breast", "gastro", "lsvt", "alon", "borovecki", "gravier", "singh",
  "chiaretti", "arcene"
)
run_cells(folder, "own-lasso", data.frame(set = by_cost), measure, seed = 1)
