# Stability and the size of groups of correlated features: Hamer and Dupont (2021), section 5.3,
# Table 1 and Figure 8. Rscript inst/experiments/hamer/correlated-groups.R; writes
# results/correlated-groups.csv beside this file. Needs glmnet and gglasso.
#
# The penalty selects about 40 features at group size 1 and stays the same for larger groups.
# Runs: 30 bootstrap samples of one data set. Importances: Eq. 7 on the coefficients. The
# group lasso penalises the norm of a group's coefficients times the root of its size, as gglasso
# does without making the columns of a group orthonormal.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
dir.create(folder, showWarnings = FALSE)
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

measure <- function(scenario, size, grid) {
  data <- generate_groups(
    n = 200, group_size = size, mean_group = scenario$mean_group,
    correlation = scenario$correlation, seed = scenario$scenario
  )
  group <- c(rep(1:5, each = size), 5 + seq_len(1000))
  draws <- draw_resamples(resample_bootstrap(n_runs, stratify = TRUE), data$y, seed = size)
  weights <- vapply(seq_len(n_runs), function(b) {
    rows <- in_bag(draws, b)
    beta <- fit_path(data$x[rows, ], data$y[rows], group, scenario$method, grid)
    abs(beta[, ncol(beta)])
  }, numeric(ncol(data$x)))
  rownames(weights) <- colnames(data$x)
  runs <- as_selection(weights, type = "weight", runs_in = "columns")
  fit <- stability(runs, c("nogueira", "sechidis", "phi_pears", "phi_iw"),
    similarity = factor(group)
  )
  cbind(
    scenario, group_size = size, features_per_run = mean(fit$sizes),
    group_share = mean(colSums(weights[group <= 5, ]) / colSums(weights)),
    fit$table[c("index", "estimate", "lower", "upper")]
  )
}

rows <- lapply(seq_len(nrow(scenarios)), function(i) {
  scenario <- scenarios[i, ]
  first <- generate_groups(
    n = 200, group_size = 1, mean_group = scenario$mean_group,
    correlation = scenario$correlation, seed = scenario$scenario
  )
  grid <- penalty_grid(first, scenario$method)
  do.call(rbind, lapply(sizes, measure, scenario = scenario, grid = grid))
})
table <- do.call(rbind, rows)
rownames(table) <- NULL
utils::write.csv(table, file.path(folder, "correlated-groups.csv"), row.names = FALSE)
wide <- stats::reshape(
  table[c("scenario", "group_size", "features_per_run", "group_share", "index", "estimate")],
  direction = "wide", idvar = c("scenario", "group_size", "features_per_run", "group_share"),
  timevar = "index"
)
print(wide, digits = 3, row.names = FALSE)
