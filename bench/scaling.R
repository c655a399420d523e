# How time grows with runs, features and samples (log-log slopes, fealect() on two threads), and the
# peak memory of a large run in a process of its own.

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

time_fealect <- function(n, p, n_runs) {
  data <- expression_like(n, p, 1)
  fit <- function() {
    fealect(data$x, data$y, n_runs = n_runs, n_boot = 0, oob = FALSE, seed = 1, n_threads = 2)
  }
  min(replicate(3, seconds(fit())))
}

slope <- function(size, time) unname(stats::coef(stats::lm(log(time) ~ log(size)))[2])

series <- list(
  runs = list(size = c(125, 250, 500, 1000, 2000), time = function(s) time_fealect(60, 2000, s)),
  features = list(size = c(1000, 2000, 4000, 8000, 16000), time = function(s) {
    time_fealect(60, s, 200)
  }),
  samples = list(size = c(25, 50, 100, 200), time = function(s) time_fealect(s, 4000, 100))
)
rows <- lapply(names(series), function(what) {
  time <- vapply(series[[what]]$size, series[[what]]$time, 0)
  data.frame(
    case = what, sizes = paste(series[[what]]$size, collapse = " "),
    seconds = paste(signif(time, 3), collapse = " "),
    slope = slope(series[[what]]$size, time), peak_mib = NA_real_
  )
})

# VmHWM is the largest resident size of the process so far.
peak_script <- '
  source(file.path("bench", "bench-helpers.R"))
  library(stabilect)
  data <- expression_like(100, 20000, 1)
  time <- seconds(fit <- fealect(data$x, data$y, n_runs = 10000, seed = 1, n_threads = 2))
  peak <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
  cat("RESULT", time, as.numeric(gsub("[^0-9]", "", peak)) / 1024, "\\n")
'
out <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(peak_script)), stdout = TRUE)
result <- as.numeric(strsplit(grep("^RESULT", out, value = TRUE), " ")[[1]][2:3])
rows[["memory"]] <- data.frame(
  case = "memory, n_runs 10000", sizes = "100 x 20000", seconds = signif(result[1], 3),
  slope = NA_real_, peak_mib = result[2]
)
record("scaling", do.call(rbind, rows), file = file.path("bench", "scaling.csv"))
