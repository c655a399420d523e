# Full lasso paths on the large public sets among those of the papers (in STABILECT_DATA, or else
# the folder `data` of the papers): subsamples of 3/4, one and two threads, against a glmnet loop on
# the same rows (100 lambdas, which stop early, while paths go on to saturation; also to 100
# features). Sets of several classes: the first against the rest.

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

folder <- Sys.getenv("STABILECT_DATA", file.path("..", "shared", "data"))
sets <- c(
  "nki500_survivALL", "skf_madelon", "skf_Isolet", "skf_COIL20", "skf_PCMAC", "skf_BASEHOCK", "usps"
)

measure_set <- function(name, n_runs = 2) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  x <- as.matrix(data$x)
  storage.mode(x) <- "double"
  y <- ifelse(as.integer(data$y) == 1L, 1, -1)
  counts <- as.matrix(draw_resamples(resample_subsample(n_runs, 3 / 4), factor(y), seed = 1))
  storage.mode(counts) <- "double"
  paths <- function(n_threads, limit = -1) {
    options <- list(keep_paths = TRUE, limit = limit)
    stabilect:::cpp_score_paths(x, y, counts, options, n_threads, NULL)
  }
  one <- seconds(result <- paths(1L))
  two <- seconds(paths(2L))
  short <- seconds(paths(2L, 100))
  peer <- seconds(for (b in seq_len(n_runs)) {
    rows <- counts[, b] > 0
    glmnet::glmnet(x[rows, ], y[rows])
  })
  data.frame(
    case = sprintf("%s %d x %d", name, nrow(x), ncol(x)), runs = n_runs,
    steps = length(result$paths$event) / n_runs, ms_per_path_1_thread = 1000 * one / n_runs,
    ms_per_path_2_threads = 1000 * two / n_runs, ratio_glmnet = peer / two,
    ms_to_100_features = 1000 * short / n_runs
  )
}

rows <- lapply(sets, function(name) {
  row <- measure_set(name)
  print(row, row.names = FALSE, digits = 3)
  row
})
record("real sets", do.call(rbind, rows), file = file.path("bench", "real-sets.csv"))
