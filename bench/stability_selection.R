# Stability selection on colon: stabilect on one and two threads against stabs::stabsel() with its
# lars and glmnet fits, on the same complementary pairs, in one run.

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

x <- log2(colon_genes$x)
y <- 2 * as.integer(colon_genes$y) - 3
q <- 20
pairs <- 50
draws <- draw_resamples(resample_pairs(pairs), colon_genes$y, seed = 1)
folds <- matrix(as.integer(as.matrix(draws)[, match(seq_len(pairs), draws$pair)] > 0), nrow(x))

ours <- function(n_threads) {
  stats::median(replicate(7, seconds(
    stability_selection(x, colon_genes$y,
      q = q, cutoff = 0.75, resampling = draws, score_rule = "step", n_threads = n_threads
    )
  )))
}
peer <- function(fit, ...) {
  seconds(stabs::stabsel(
    x, y, fitfun = fit, q = q, cutoff = 0.75, folds = folds, B = pairs, mc.cores = 1,
    args.fitfun = list(...)
  ))
}

time <- c(
  one = ours(1L), lars = peer(stabs::lars.lasso, use.Gram = FALSE), two = ours(2L),
  glmnet = peer(stabs::glmnet.lasso)
)
record("stability selection", data.frame(
  case = "colon, log2, 50 pairs, q = 20", seconds_1_thread = time[["one"]],
  seconds_2_threads = time[["two"]], ratio_stabs_lars = time[["lars"]] / time[["two"]],
  ratio_stabs_glmnet = time[["glmnet"]] / time[["two"]]
), file = file.path("bench", "stability_selection.csv"))
