# Milliseconds per full lasso path from a few dozen samples to a thousand, for every kind of
# signal and of columns: one thread, sixteen subsamples of three quarters. A cell far above the
# surface that is fitted to all of them, log time on log n and log p, is a cliff. The peak memory of
# two large calls is measured in processes of their own.
#
#   Rscript bench/cohorts.R          the table (about 20 minutes)
#   Rscript bench/cohorts.R quick    n up to 300, p up to 20,000

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

quick <- "quick" %in% commandArgs(trailingOnly = TRUE)
sizes <- expand.grid(
  n = if (quick) c(62, 100, 200, 300) else c(62, 100, 200, 300, 500, 1000),
  p = if (quick) c(2000, 20000) else c(2000, 20000, 100000),
  columns = c("noise", "groups", "duplicated"), stringsAsFactors = FALSE
)

columns_of <- function(n, p, kind) {
  x <- matrix(stats::rnorm(n * p), n)
  switch(kind,
    noise = x,
    groups = {
      shared <- matrix(stats::rnorm(n * p / 10), n)
      sqrt(0.8) * shared[, rep(seq_len(p / 10), each = 10)] + sqrt(0.2) * x
    },
    duplicated = x[, rep(seq_len(p / 2), each = 2)]
  )
}

# Ten columns explain a third or nine tenths of y; or y is one column and little noise.
response_of <- function(x, signal) {
  n <- nrow(x)
  share <- c(none = 0, weak = 1 / 3, strong = 0.9, one = 0.9999)[[signal]]
  carriers <- if (signal == "one") 1 else seq(1, ncol(x), length.out = 10)
  signal <- rowMeans(x[, carriers, drop = FALSE]) * sqrt(length(carriers))
  sqrt(share) * signal + sqrt(1 - share) * stats::rnorm(n)
}

time_cell <- function(x, y, n_runs = 16) {
  counts <- as.matrix(draw_resamples(resample_subsample(n_runs, 3 / 4), n = nrow(x), seed = 1))
  storage.mode(counts) <- "double"
  options <- list(keep_paths = TRUE)
  1000 / n_runs * cpu_seconds(stabilect:::cpp_score_paths(x, y, counts, options, 1L, NULL))
}

cells <- do.call(rbind, lapply(seq_len(nrow(sizes)), function(k) {
  size <- sizes[k, ]
  withr::with_seed(k, {
    x <- columns_of(size$n, size$p, size$columns)
    signals <- c("none", "weak", "strong", "one")
    time <- vapply(signals, function(signal) time_cell(x, response_of(x, signal)), 0)
  })
  out <- cbind(size, signal = signals, ms_per_path = time, row.names = NULL)
  print(out, row.names = FALSE)
  out
}))
surface <- stats::lm(log(ms_per_path) ~ log(n) + log(p), cells)
cells$above_surface <- exp(stats::residuals(surface))

peak_of <- function(n, p, n_runs) {
  code <- sprintf(
    'library(stabilect); set.seed(1); x <- matrix(rnorm(%1$d * %2$d), %1$d)
    y <- rowSums(x[, 1:10]) + rnorm(%1$d)
    plan <- resample_subsample(%3$d, 3 / 4)
    fit <- fealect(x, y, resampling = plan, n_boot = 0, oob = FALSE, seed = 1, n_threads = 2)
    peak <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
    cat("RESULT", as.numeric(gsub("[^0-9]", "", peak)) / 1024, "\\n")', n, p, n_runs
  )
  out <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE)
  as.numeric(strsplit(grep("^RESULT", out, value = TRUE), " ")[[1]][2])
}
summary <- data.frame(
  slope_n = stats::coef(surface)[["log(n)"]], slope_p = stats::coef(surface)[["log(p)"]],
  highest_above_surface = max(cells$above_surface),
  peak_mib_1000x20000 = if (quick) NA else peak_of(1000L, 20000L, 1000L),
  peak_mib_200x100000 = if (quick) NA else peak_of(200L, 100000L, 1000L)
)
if (!quick) {
  record("cohorts", cells, file = file.path("bench", "cohorts.csv"))
  record("cohorts", summary, file = file.path("bench", "cohorts_summary.csv"))
}
print(summary, row.names = FALSE)
