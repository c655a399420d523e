# The lasso and the elastic net: Hamer and Dupont (2021), section 7.2, Table 5 and Figure 13.
# Rscript run-lasso.R; writes results/elastic-net.csv, whose rows with alpha = 1 are Table 5, beside
# this file. Needs glmnet. Sets that are in the file are left alone.
#
# 30 bootstrap samples; features standardised within each; one penalty for all samples of a set, the
# one of a grid with the mean number of features nearest to min(20, sqrt(p)); accuracy out of bag;
# importances by Eq. 7. The
# elastic net is glmnet's, with squared norms: alpha = 1 is the lasso.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))
path <- file.path(here, "results", "elastic-net.csv")
dir.create(dirname(path), showWarnings = FALSE)
n_runs <- 30

# Weights of all penalties of a grid, and accuracy out of bag, in one run.
fit_run <- function(x, y, drawn, b, alpha, lambda, most) {
  rows <- split(drawn)[[b]]
  out <- split(drawn, "out")[[b]]
  centre <- colMeans(x[rows, ])
  spread <- sqrt(colMeans((x[rows, ] - rep(centre, each = length(rows)))^2))
  spread[spread == 0] <- 1
  scale_like <- function(at) t((t(x[at, , drop = FALSE]) - centre) / spread)
  fit <- suppressWarnings(glmnet::glmnet(
    scale_like(rows), y[rows], "binomial",
    alpha = alpha, lambda = lambda, standardize = FALSE, dfmax = most
  ))
  odds <- stats::predict(fit, scale_like(out))
  right <- colMeans((odds > 0) == (y[out] == levels(y)[2]))
  list(weights = abs(fit$beta), right = right)
}

# The largest penalty with all weights zero, for standardised columns.
largest_penalty <- function(x, y, alpha) {
  centred <- scale(x)
  centred[is.na(centred)] <- 0
  max(abs(crossprod(centred, (y == levels(y)[2]) - mean(y == levels(y)[2])))) / length(y) / alpha
}

measure <- function(name, data, drawn, alpha) {
  target <- wanted_size(ncol(data$x))
  lambda <- 1.5 * largest_penalty(data$x, data$y, alpha) * 10^seq(0, -2.5, length.out = 120)
  runs <- lapply(seq_len(n_runs), function(b) {
    fit_run(data$x, data$y, drawn, b, alpha, lambda, ceiling(3 * target) + 10)
  })
  # Runs whose path ended early had too many features from there on.
  reached <- min(vapply(runs, function(run) ncol(run$weights), 0L))
  sizes <- vapply(runs, function(run) Matrix::colSums(run$weights > 0)[seq_len(reached)],
    numeric(reached)
  )
  at <- which.min(abs(rowMeans(sizes) - target))
  weights <- vapply(runs, function(run) run$weights[, at], numeric(ncol(data$x)))
  rownames(weights) <- colnames(data$x)
  selection <- as_selection(weights, type = "weight", runs_in = "columns")
  table <- stability(selection, c("nogueira", "phi_pears", "phi_iw"))$table
  accuracy <- vapply(runs, function(run) run$right[[at]], 0)
  data.frame(
    set = name, n = nrow(data$x), p = ncol(data$x), alpha = alpha, lambda = lambda[at],
    target = target, features = mean(sizes[at, ]), smallest = min(sizes[at, ]),
    largest = max(sizes[at, ]), accuracy = mean(accuracy),
    accuracy_se = stats::sd(accuracy) / sqrt(n_runs),
    stats::setNames(as.list(table$estimate), table$index),
    stats::setNames(as.list(table$se), paste0(table$index, "_se"))
  )
}

# Table 5 first.
done <- if (file.exists(path)) utils::read.csv(path)
for (alpha in c(1, 0.7, 0.4, 0.1)) {
  for (name in setdiff(hamer_sets$name, done$set[done$alpha == alpha])) {
    data <- read_hamer(name)
    drawn <- draw_resamples(resample_bootstrap(n_runs), data$y, seed = 1)
    done <- rbind(done, measure(name, data, drawn, alpha))
    write_results(done, path)
    cat(name, alpha, "\n")
  }
}
print(done[done$alpha == 1, ], digits = 2, row.names = FALSE)
