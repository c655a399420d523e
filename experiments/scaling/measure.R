# One measurement in a process of its own, called by run.R:
# Rscript measure.R <verb> <n> <p> <runs> <folder>; the verb "make" only makes the file. Prints the
# processor seconds of the call, the peak memory of the process (MiB) and that before the call.

suppressPackageStartupMessages(library(stabilect))

given <- commandArgs(trailingOnly = TRUE)
verb <- given[1]
size <- as.integer(given[2:4])
n <- size[1]
p <- size[2]
n_runs <- size[3]

# VmHWM is the largest resident size so far, VmRSS the present one; kB.
memory <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# Noise with a difference in the first twenty features. The file is made by an earlier call, and
# read as one vector where x is to be in memory: its making is not in the memory of the process.
y <- factor(rep(c("a", "b"), length.out = n))
file <- file.path(given[5], paste0("x-", n, "-", p))
if (verb == "paths") {
  x <- readBin(paste0(file, ".bk"), "double", n * p)
  dim(x) <- c(n, p)
  # Names are given here: check_x() copies a matrix to name its columns.
  dimnames(x) <- list(NULL, paste0("V", seq_len(p)))
} else {
  new <- verb == "make"
  x <- bigstatsr::FBM(n, p, backingfile = file, create_bk = new, is_read_only = !new)
}
if (verb == "make") {
  set.seed(1)
  for (from in seq(1L, p, by = 1000L)) {
    j <- from:min(p, from + 999L)
    slab <- matrix(stats::rnorm(n * length(j)), n)
    if (from == 1L) slab[, 1:20] <- slab[, 1:20] + (y == "b")
    x[, j] <- slab
  }
  quit()
}
invisible(gc())

run <- function(selector) {
  select_ensemble(x, y, selector, resample_bootstrap(n_runs),
    n_features = 20, seed = 1, progress = FALSE
  )
}
before <- memory("VmRSS")
time <- system.time(switch(verb,
  paths = fealect(x, y, n_runs = n_runs, n_boot = 0, oob = FALSE, seed = 1, progress = FALSE),
  filter = run(selector_filter("t")),
  screened = run(selector_screened(selector_lasso_path(), n_keep = 2000)),
  screened_filter = run(selector_screened(selector_filter("t"), n_keep = 2000))
))
cat("RESULT", sum(time[1:2]), memory("VmHWM"), before, "\n")
