# Hybrid-RFE at the size of the prostate data after filtering, 102 x 1250: 100 bootstraps on two
# threads in elapsed seconds (target: 5 s); and on one thread, without stable features, in processor
# seconds against the same elimination in R with glmnet. From the package's root:
# Rscript bench/hybrid.R

source(file.path("bench", "bench-helpers.R"))
suppressPackageStartupMessages(library(stabilect))

n <- 102L
p <- 1250L
n_runs <- 100L
data <- expression_like(n, p, 1)
x <- data$x
colnames(x) <- paste0("g", seq_len(p))
y <- data$y
resamples <- draw_resamples(resample_bootstrap(n_runs), y, seed = 1)

time_of <- function(n_stable, n_threads, clock = seconds) {
  run <- function() {
    hybrid_rfe(x, y,
      n_features = 20, n_stable = n_stable, alpha = 1, epsilon = 0.5, resampling = resamples,
      seed = 1, n_threads = n_threads, progress = FALSE
    )
  }
  run()
  stats::median(vapply(1:3, function(i) clock(run()), 0))
}

# The elimination alone, without final model and scores, by glmnet at one lambda.
loop <- function(b) {
  rows <- rep(seq_len(n), as.matrix(resamples)[, b])
  z <- scale(x[rows, ]) * sqrt(n / (n - 1))
  active <- which(colSums(is.na(z)) == 0)
  while (length(active) > 20L) {
    fit <- glmnet::glmnet(z[, active], y[rows], "binomial",
      alpha = 0, lambda = 3 / n, standardize = FALSE, thresh = 1e-10
    )
    n_out <- min(max(1, floor(0.2 * length(active))), length(active) - 20L)
    active <- active[-order(abs(fit$beta[, 1]), -active)[seq_len(n_out)]]
  }
  active
}

rows <- data.frame(
  case = sprintf("n=%d p=%d runs=%d n_stable=%d threads=%d", n, p, n_runs, c(5, 0, 0), c(2, 2, 1)),
  clock = c("elapsed", "elapsed", "processor"),
  stabilect = c(time_of(5, 2), time_of(0, 2), time_of(0, 1, cpu_seconds)), other = "",
  other_seconds = NA_real_
)
if (requireNamespace("glmnet", quietly = TRUE)) {
  timed <- 3L
  same <- vapply(seq_len(timed), function(b) {
    fit <- hybrid_rfe(x, y, 20, 0, resampling = resamples, seed = 1, progress = FALSE)
    mean(which(fit$selection$selected[, b]) %in% loop(b))
  }, 0)
  some <- cpu_seconds(for (b in seq_len(timed)) loop(b))
  rows$other[3] <- sprintf(
    "glmnet loop, %d runs timed and scaled (%.0f %% of the features equal)", timed, 100 * mean(same)
  )
  rows$other_seconds[3] <- some * n_runs / timed
}
rows$ratio <- rows$other_seconds / rows$stabilect
record("hybrid", rows, file = file.path("bench", "hybrid.csv"))
