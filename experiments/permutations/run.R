# Does the p value of permutations hold its level when covariates carry signal? 60 samples, 50
# features of which none has anything to do with the response given the covariate z, but half have a
# correlation of 0.6 with z, which has a strong effect. In "cox strata" z is a stratum of two, with
# a baseline hazard and means of features of its own. "ensemble" laws are filters on bootstrap
# samples (select_ensemble()), the others lasso paths (stability_selection()).
#
#   Rscript experiments/permutations/run.R [data sets a law, 200 [law ...]]
#
# writes the rows of these laws in results/null.csv; all take about eight minutes on one core.

library(stabilect)

n <- 60L
p <- 50L
arguments <- commandArgs(TRUE)
n_sets <- as.integer(c(arguments, 200L)[1])

draw <- function(law) {
  z <- if (law == "cox strata") rep(c(-1, 1), n / 2) else rnorm(n)
  x <- matrix(rnorm(n * p), n)
  x[, 1:25] <- 0.6 * z + 0.8 * x[, 1:25]
  colnames(x) <- paste0("f", seq_len(p))
  eta <- 1.5 * z
  times <- function() {
    time <- rexp(n, exp(eta))
    end <- quantile(time, 0.7)
    survival::Surv(pmin(time, end), time <= end)
  }
  y <- switch(sub("ensemble ", "", law),
    gaussian = eta + rnorm(n), binomial = factor(rbinom(n, 1, plogis(eta))),
    poisson = rpois(n, exp(0.5 + eta / 2)),
    multinomial = factor(max.col(cbind(eta, -eta, 0) - log(-log(matrix(runif(3 * n), n))))),
    times()
  )
  list(x = x, y = y, z = z)
}

# The p value for any signal.
judge <- function(law, seed) {
  set.seed(seed)
  data <- draw(law)
  if (startsWith(law, "ensemble")) {
    filter <- switch(sub("ensemble ", "", law), gaussian = "pearson", binomial = "t", "cox")
    fit <- select_ensemble(
      data$x, data$y, selector_filter(filter), resample_bootstrap(5), n_features = 3,
      covariates = data$z, permute = 39, seed = seed, progress = FALSE
    )
    return(fit$null$p)
  }
  held <- if (law == "cox strata") list(strata = data$z) else list(covariates = data$z)
  fit <- do.call(stability_selection, c(list(
    data$x, data$y, q = 3, cutoff = 0.9, n_pairs = 5, family = sub(" strata", "", law),
    permute = 39, seed = seed, progress = FALSE
  ), held))
  fit$null$p
}

laws <- c(
  "gaussian", "binomial", "poisson", "multinomial", "cox", "cox strata", "ensemble gaussian",
  "ensemble binomial", "ensemble cox"
)
asked <- if (length(arguments) > 1L) arguments[-1] else laws
rows <- lapply(asked, function(law) {
  values <- suppressWarnings(vapply(seq_len(n_sets), function(seed) judge(law, seed), 0))
  rate <- mean(values <= 0.05)
  row <- data.frame(
    law = law, n_sets = n_sets, rate = rate, se = sqrt(rate * (1 - rate) / n_sets),
    mean_p = mean(values)
  )
  print(row)
  row
})
file <- "experiments/permutations/results/null.csv"
rows <- do.call(rbind, rows)
known <- if (file.exists(file)) read.csv(file)
rows <- rbind(known[!known$law %in% asked, ], rows)
write.csv(rows[order(match(rows$law, laws)), ], file, row.names = FALSE, quote = FALSE)
