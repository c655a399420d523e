# Stability and the size of groups of correlated features: Hamer and Dupont (2021), section 5.3,
# Table 1 and Figure 8. Rscript experiments/hamer/correlated-groups.R [data sets], ten unless
# told otherwise; adds those that are missing to results/correlated-groups.csv beside this file.
# Needs gglasso.
#
# The penalty selects about 40 features at group size 1 and stays the same for larger groups.
# Runs: 30 bootstrap samples of each data set. Importances: Eq. 7 on the coefficients. The
# group lasso penalises the norm of a group's coefficients times the root of its size, on columns
# as they are; the lasso is that with a group for each feature.

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

# The penalty with about 40 features, from the whole data at group size 1: where the 40th enters.
penalty_of <- function(data) {
  entry <- score_features(data$x, data$y, selector_group_lasso(seq_len(ncol(data$x))))$score
  x <- scale(data$x)
  n <- nrow(x)
  y <- as.integer(data$y) - 1
  largest <- max(abs(crossprod(x, y - mean(y)))) / sqrt(n * (n - 1))
  sort(entry, decreasing = TRUE)[40] * largest
}

draw_data <- function(scenario, size, data_set) {
  simulate_data("groups", n = 200, group_size = size, mean_group = scenario$mean_group,
    correlation = scenario$correlation, seed = scenario$scenario + 100 * (data_set - 1)
  )
}

# The runs, with the sizes of their coefficients as weights.
runs_of <- function(scenario, size, data_set, penalty) {
  data <- draw_data(scenario, size, data_set)
  group <- c(rep(1:5, each = size), 5 + seq_len(1000))
  if (scenario$method == "lasso") group <- seq_along(group)
  select_ensemble(
    data$x, data$y, selector_group_lasso(group, lambda = penalty),
    resample_bootstrap(n_runs, stratify = TRUE), n_features = "own", seed = size, progress = FALSE
  )$selection
}

measure <- function(scenario, size, data_set, penalty) {
  runs <- runs_of(scenario, size, data_set, penalty)
  weights <- runs$score
  group <- c(rep(1:5, each = size), 5 + seq_len(1000))
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
      penalty <- penalty_of(draw_data(scenario, 1, data_set))
      rows <- do.call(rbind, lapply(sizes, measure,
        scenario = scenario, data_set = data_set, penalty = penalty
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
