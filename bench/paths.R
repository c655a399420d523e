# Many lasso paths on subsamples of one matrix: stabilect on one and two threads, R call to R
# result, against a loop over CRAN lars and over glmnet on the same rows, in one run. Peers run on
# some of the subsamples, in turns with stabilect, and their time is scaled to all of them.

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

cases <- list(
  list(name = "colon, log2", n_runs = 1000, lars = 15, glmnet = 60),
  list(name = "noise 62 x 2000", n_runs = 1000, lars = 15, glmnet = 60),
  list(name = "groups 102 x 6033", n_runs = 200, lars = 3, glmnet = 15),
  list(name = "noise 102 x 6033", n_runs = 200, lars = 3, glmnet = 15),
  list(name = "noise 203 x 12600", n_runs = 50, lars = 3, glmnet = 6),
  list(name = "signal 300 x 20000", n_runs = 64, lars = 3, glmnet = 6),
  list(name = "signal 500 x 20000", n_runs = 32, lars = 3, glmnet = 6),
  list(name = "signal 1000 x 20000", n_runs = 32, lars = 0, glmnet = 6)
)

noise <- function(n, p, seed) {
  withr::with_seed(seed, list(
    x = matrix(stats::rnorm(n * p), n), y = factor(rep_len(c("a", "b"), n))
  ))
}

# Ten columns carry half of the variance of y.
signal <- function(n, p, seed) {
  withr::with_seed(seed, {
    x <- matrix(stats::rnorm(n * p), n)
    y <- rowSums(x[, seq(1, p, length.out = 10)]) + stats::rnorm(n, sd = sqrt(10))
    list(x = x, y = y)
  })
}

load_case <- function(name) {
  switch(name,
    "colon, log2" = list(x = log2(colon_genes$x), y = colon_genes$y),
    "noise 62 x 2000" = noise(62, 2000, 1),
    "noise 102 x 6033" = noise(102, 6033, 2),
    "noise 203 x 12600" = noise(203, 12600, 3),
    "groups 102 x 6033" = expression_like(102, 6033, 4),
    "signal 300 x 20000" = signal(300, 20000, 5),
    "signal 500 x 20000" = signal(500, 20000, 6),
    "signal 1000 x 20000" = signal(1000, 20000, 7)
  )
}

# The engine alone, as every selector on paths will call it.
paths_time <- function(x, y, counts, n_threads) {
  seconds(stabilect:::cpp_score_paths(
    x, y, counts, list(keep_paths = TRUE), n_threads, NULL
  ))
}

peer_time <- function(x, y, counts, runs, fit) {
  if (length(runs) == 0L) {
    return(NA_real_)
  }
  seconds(for (b in runs) {
    rows <- counts[, b] > 0
    fit(x[rows, ], y[rows])
  }) / length(runs) * ncol(counts)
}

measure_case <- function(case) {
  data <- load_case(case$name)
  y <- if (is.factor(data$y)) 2 * as.integer(data$y) - 3 else data$y
  draws <- draw_resamples(resample_subsample(case$n_runs, 3 / 4), data$y, seed = 1)
  counts <- as.matrix(draws)
  storage.mode(counts) <- "double"
  rounds <- lapply(1:3, function(round) {
    runs <- function(m) (round - 1) * m + seq_len(m)
    data.frame(
      one = paths_time(data$x, y, counts, 1L),
      lars = peer_time(data$x, y, counts, runs(ceiling(case$lars / 3)), function(x, y) {
        lars::lars(x, y, use.Gram = FALSE)
      }),
      two = paths_time(data$x, y, counts, 2L),
      glmnet = peer_time(data$x, y, counts, runs(ceiling(case$glmnet / 3)), glmnet::glmnet)
    )
  })
  time <- vapply(do.call(rbind, rounds), stats::median, 0)
  whole <- seconds(fealect(data$x, data$y, resampling = draws, n_threads = 2, seed = 1))
  data.frame(
    case = case$name, runs = case$n_runs,
    ms_per_path_1_thread = 1000 * time[["one"]] / case$n_runs,
    ms_per_path_2_threads = 1000 * time[["two"]] / case$n_runs,
    ratio_lars = time[["lars"]] / time[["two"]], ratio_glmnet = time[["glmnet"]] / time[["two"]],
    fealect_seconds = whole
  )
}

record("paths", do.call(rbind, lapply(cases, measure_case)))
