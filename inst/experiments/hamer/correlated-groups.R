# Stability and the size of groups of correlated features: Hamer and Dupont (2021), section 5.3,
# Table 1 and Figure 8. Rscript inst/experiments/hamer/correlated-groups.R; writes
# results/correlated-groups.csv beside this file. Needs glmnet and grpreg.
#
# The penalty selects about 40 features at group size 1 and stays the same for larger groups.
# Runs: 30 bootstrap samples of one data set. Importances: Eq. 7 on the coefficients.

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
  args <- list(X = x, y = as.integer(y) - 1, group = group, penalty = "grLasso",
    family = "binomial")
  if (!is.null(lambda)) args$lambda <- lambda else args[c("lambda.min", "nlambda")] <- c(0.2, 40)
  fit <- do.call(grpreg::grpreg, args)
  as.matrix(fit$beta)[-1, , drop = FALSE]
}

# The grid that ends at the penalty with about 40 features, from the whole data at group size 1.
penalty_grid <- function(data, method) {
  group <- seq_len(ncol(data$x))
  fit <- if (method == "lasso") {
    glmnet::glmnet(data$x, data$y, "binomial", lambda.min.ratio = 0.2)
  } else {
    grpreg::grpreg(data$x, as.integer(data$y) - 1, group, "grLasso", "binomial",
      lambda.min = 0.2, nlambda = 60
    )
  }
  beta <- if (method == "lasso") as.matrix(fit$beta) else as.matrix(fit$beta)[-1, ]
  at <- which.max(colSums(beta != 0) >= 40)
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
    rows <- rep(seq_len(200), in_bag(draws, b))
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
