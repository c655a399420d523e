# How far few runs tell the stability of the lasso: Hamer and Dupont (2021), section 7.3, Figure 19.
# Rscript run-variation.R; reads the penalties in results/elastic-net.csv and writes
# results/variation.csv beside this file, for five sets on which fits are quick. Needs glmnet.
# Sets that are in the file are left alone.
#
# 1000 bootstrap samples in 200 groups of five; each index of each group; standard deviation over
# mean of the 200 values.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))
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

measure <- function(name, lambda) {
  data <- read_hamer(name)
  drawn <- draw_resamples(resample_bootstrap(n_runs), data$y, seed = 2)
  weights <- vapply(seq_len(n_runs), function(b) {
    rows <- in_bag(drawn, b)
    weights_of_run(data$x, data$y, rows, lambda)
  }, numeric(ncol(data$x)))
  rownames(weights) <- colnames(data$x)
  groups <- split(seq_len(n_runs), rep(seq_len(n_runs / group_size), each = group_size))
  values <- vapply(groups, function(group) {
    runs <- as_selection(weights[, group], type = "weight", runs_in = "columns")
    vapply(indices, stability_value, 0, selection = runs)
  }, numeric(3))
  data.frame(
    set = name, index = indices, groups = length(groups), mean = rowMeans(values),
    sd = apply(values, 1L, stats::sd), variation = apply(values, 1L, stats::sd) / rowMeans(values)
  )
}

penalties <- utils::read.csv(file.path(dirname(path), "elastic-net.csv"))
penalties <- penalties[penalties$alpha == 1, ]
done <- if (file.exists(path)) utils::read.csv(path)
for (name in setdiff(c("sonar", "lsvt", "gastro", "ionosphere", "breast"), done$set)) {
  done <- rbind(done, measure(name, penalties$lambda[penalties$set == name]))
  write_results(done, path)
  cat(name, "\n")
}
print(done, digits = 2, row.names = FALSE)
