# A million features from a file: time, processor time and peak memory of ensembles whose x is read
# slab by slab, each in a process of its own. Needs bigstatsr and 1.6 GB in the temporary folder.

source(file.path("bench", "bench-helpers.R"))

if (!requireNamespace("bigstatsr", quietly = TRUE)) {
  message("streams.R: bigstatsr is not installed, nothing is measured")
  quit(status = 0)
}

n <- 200
p <- 1000000
n_runs <- 100
planted <- as.integer(round(seq(1, p, length.out = 20)))
folder <- tempfile("streams-")
dir.create(folder)

# Noise, and a difference of 1.5 standard deviations between the classes in 20 features.
y <- rep(c("a", "b"), length.out = n)
x <- bigstatsr::FBM(n, p, backingfile = file.path(folder, "x"))
withr::with_seed(1, for (from in seq(1, p, by = 10000)) {
  j <- seq(from, length.out = 10000)
  slab <- matrix(stats::rnorm(n * 10000), n)
  informative <- which(j %in% planted)
  slab[, informative] <- slab[, informative] + 1.5 * (y == "b")
  x[, j] <- slab
})
saveRDS(list(x = x, y = y, planted = paste0("V", planted)), file.path(folder, "data.rds"))

# VmHWM is the largest resident size of the process so far, pages of the mapped file included.
script <- '
  source(file.path("bench", "bench-helpers.R"))
  library(stabilect)
  given <- commandArgs(TRUE)
  data <- readRDS(file.path(given[1], "data.rds"))
  selector <- eval(parse(text = given[2]))
  elapsed <- 0
  cpu <- cpu_seconds(elapsed <- seconds(
    fit <- select_ensemble(data$x, data$y, selector, resample_bootstrap(as.integer(given[3])),
      n_features = 20, seed = 1, n_threads = 2, progress = FALSE)
  ))
  peak <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
  cat("RESULT", elapsed, cpu, as.numeric(gsub("[^0-9]", "", peak)) / 1024,
    length(intersect(fit$features, data$planted)), "\n")
'
program <- file.path(folder, "run.R")
writeLines(script, program)

measure <- function(selector) {
  out <- system2(file.path(R.home("bin"), "Rscript"),
    shQuote(c(program, folder, selector, n_runs)),
    stdout = TRUE
  )
  result <- as.numeric(strsplit(grep("^RESULT", out, value = TRUE), " ")[[1]][2:5])
  data.frame(
    case = sprintf("%s, n=%d p=%d runs=%d threads=2", selector, n, p, n_runs),
    seconds = result[1], cpu_seconds = result[2], peak_mib = result[3], found_of_20 = result[4]
  )
}

rows <- lapply(c(
  'selector_filter("t")', "selector_screened(selector_lasso_path(), n_keep = 2000)"
), measure)
unlink(folder, recursive = TRUE)
record("streams", do.call(rbind, rows), file = file.path("bench", "streams.csv"))
