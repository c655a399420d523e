# Stability and the size of groups of correlated features: Hamer and Dupont (2021), section 5.3,
# Table 1 and Figure 8. Rscript experiments/hamer/correlated-groups.R [data sets], ten unless
# told otherwise; adds those that are missing to results/correlated-groups.csv beside this file.
# Needs glmnet and gglasso.
#
# The penalty selects about 40 features at group size 1 and stays the same for larger groups.
# Runs: 30 bootstrap samples of each data set. Importances: Eq. 7 on the coefficients. The
# group lasso penalises the norm of a group's coefficients times the root of its size, as gglasso
# does without making the columns of a group orthonormal.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
dir.create(folder, showWarnings = FALSE)
source(file.path(folder, "..", "..", "papers", "cells.R"))
path <- file.path(folder, "correlated-groups.csv")
n_sets <- as.integer(c(commandArgs(trailingOnly = TRUE), 10)[1])
n_runs <- 30
sizes <- c(1, 2, 5, 10, 20)
scenarios <- data.frame(
  scenario = 1:3, mean_group = c(0.35, 0.5, 0.5), correlation = c(0.8, 0.8, 0.95),
  method = c("group lasso", "group lasso", "lasso")
)

# Coefficients (features x lambdas) of one run.
fit_path <- function(x, y, group, method, lambda) {
  if (method == "lasso") {
    fit <- glmnet::glmnet(x, y, "binomial", lambda = lambda)
    return(as.matrix(fit$beta))
  }
  fit <- gglasso::gglasso(x, 2 * as.integer(y) - 3, group, "logit", lambda = lambda, eps = 1e-5)
  as.matrix(fit$beta)
}

# The grid that ends at the penalty with about 40 features, from the whole data at group size 1.
penalty_grid <- function(data, method) {
  group <- seq_len(ncol(data$x))
  fit <- if (method == "lasso") {
    glmnet::glmnet(data$x, data$y, "binomial", lambda.min.ratio = 0.03)
  } else {
    gglasso::gglasso(data$x, 2 * as.integer(data$y) - 3, group, "logit",
      lambda.factor = 0.05, nlambda = 60, eps = 1e-5
    )
  }
  at <- which(colSums(as.matrix(fit$beta) != 0) >= 40)[1]
  fit$lambda[seq_len(at)]
}

draw_data <- function(scenario, size, data_set) {
  generate_data("groups", n = 200, group_size = size, mean_group = scenario$mean_group,
    correlation = scenario$correlation, seed = scenario$scenario + 100 * (data_set - 1)
  )
}

# Absolute coefficients (features x runs) at the end of the grid.
weights_of <- function(scenario, size, data_set, grid) {
  data <- draw_data(scenario, size, data_set)
  group <- c(rep(1:5, each = size), 5 + seq_len(1000))
  draws <- draw_resamples(resample_bootstrap(n_runs, stratify = TRUE), data$y, seed = size)
  weights <- vapply(seq_len(n_runs), function(b) {
    rows <- split(draws)[[b]]
    beta <- fit_path(data$x[rows, ], data$y[rows], group, scenario$method, grid)
    abs(beta[, ncol(beta)])
  }, numeric(ncol(data$x)))
  rownames(weights) <- colnames(data$x)
  weights
}

measure <- function(scenario, size, data_set, grid) {
  weights <- weights_of(scenario, size, data_set, grid)
  group <- c(rep(1:5, each = size), 5 + seq_len(1000))
  runs <- as_selection(weights, type = "weight", runs_in = "columns")
  fit <- stability(runs, c("nogueira", "sechidis", "phi_pears", "phi_iw"),
    similarity = factor(group)
  )
  data.frame(
    as.list(scenario), data_set = data_set, group_size = size, features_per_run = mean(fit$sizes),
    group_share = mean(colSums(weights[group <= 5, ]) / colSums(weights)),
    fit$table[c("index", "estimate", "lower", "upper")]
  )
}

# Not when run-maps.R reads the functions above.
if (sys.nframe() > 0L) n_sets <- 0L
for (data_set in seq_len(n_sets)) {
  for (i in seq_len(nrow(scenarios))) {
    done <- if (file.exists(path)) utils::read.csv(path)
    if (any(done$data_set == data_set & done$scenario == i)) next
    scenario <- scenarios[i, ]
    used <- system.time({
      grid <- penalty_grid(draw_data(scenario, 1, data_set), scenario$method)
      rows <- do.call(rbind, lapply(sizes, measure,
        scenario = scenario, data_set = data_set, grid = grid
      ))
    })
    numbers <- vapply(rows, is.double, NA)
    rows[numbers] <- lapply(rows[numbers], signif, 4)
    utils::write.csv(rbind(done, rows), path, row.names = FALSE)
    part <- paste("scenario", i, "data set", data_set)
    record_step(folder, paste("correlated-groups:", part), i + 100 * (data_set - 1), used[[1]])
    cat(part, round(used[[1]]), "s\n")
  }
}
