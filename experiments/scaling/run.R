# Processor time and memory as functions of n, p and the number of runs B: measured on a grid of
# small sizes, each in a process of its own, fitted, compared with p = 1,000,000, and extrapolated.
# Rscript run.R; about six minutes on one core. Needs bigstatsr. Writes results/grid.csv,
# results/model.csv and results/predictions.csv. `Rscript run.R fit` fits the stored grid again.

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
results <- file.path(here, "results")
dir.create(results, showWarnings = FALSE)

call_measure <- function(verb, n, p, runs, folder) {
  message(paste(format(Sys.time(), "%T"), verb, n, p, runs))
  size <- format(c(n, p, runs), scientific = FALSE, trim = TRUE)
  given <- c(file.path(here, "measure.R"), verb, size, folder)
  system2(file.path(R.home("bin"), "Rscript"), shQuote(given), stdout = TRUE)
}

measure <- function(verb, n, p, runs, folder) {
  if (!file.exists(file.path(folder, sprintf("x-%d-%d.bk", as.integer(n), as.integer(p))))) {
    call_measure("make", n, p, 1, folder)
  }
  out <- call_measure(verb, n, p, runs, folder)
  value <- as.numeric(strsplit(grep("^RESULT", out, value = TRUE), " ")[[1]][2:4])
  data.frame(
    verb = verb, n = n, p = p, runs = runs, seconds = value[1], peak_mib = value[2],
    before_mib = value[3]
  )
}

# Rows are written as they come; those that are in the file are left alone.
measure_grid <- function(file) {
  folder <- tempfile("scaling-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  verbs <- c("paths", "filter", "screened", "screened_filter")
  grid <- expand.grid(
    runs = c(16, 96), verb = verbs, p = c(20000, 60000, 180000), n = c(50, 100, 200),
    stringsAsFactors = FALSE
  )
  # What the model is to be judged by.
  far <- data.frame(runs = 32, verb = verbs, p = 1000000, n = 200)
  todo <- rbind(far, grid)
  known <- if (file.exists(file)) utils::read.csv(file)
  key <- function(rows) paste(rows$verb, rows$n, rows$p, rows$runs)
  todo <- todo[!key(todo) %in% key(known), ]
  for (k in seq_len(nrow(todo))) {
    one <- measure(todo$verb[k], todo$n[k], todo$p[k], todo$runs[k], folder)
    known <- rbind(known, one)
    utils::write.csv(known, file, row.names = FALSE)
  }
}

# seconds = a n p + B c n^u p^v, relative errors equal: reading x once, and the runs.
fit_time <- function(rows) {
  start <- c(a = log(1e-8), c = log(1e-8), u = 1, v = 1)
  rows$log_seconds <- log(rows$seconds)
  stats::nls(log_seconds ~ log(exp(a) * n * p + runs * exp(c) * n^u * p^v), rows,
    start = start, algorithm = "port",
    lower = c(log(1e-12), log(1e-14), 0, 0), upper = c(log(1e-5), log(1e-2), 3, 1.5)
  )
}

# MiB = base + f (8 n p bytes) + g (8 p B bytes); relative errors equal, and no part negative.
fit_memory <- function(rows) {
  rows$x <- 8 * rows$n * rows$p / 2^20
  rows$scores <- 8 * rows$p * rows$runs / 2^20
  rows$log_mib <- log(rows$peak_mib)
  stats::nls(log_mib ~ log(base + f * x + g * scores), rows,
    start = c(base = 150, f = 1, g = 0.5), algorithm = "port", lower = c(0, 0, 0)
  )
}

# 95 % interval for a new measurement: draws of the coefficients and of the error.
predict_interval <- function(fit, new, n_draws = 4000) {
  mean <- stats::coef(fit)
  spread <- tryCatch(stats::vcov(fit), error = function(e) diag(0, length(mean)))
  draws <- matrix(stats::rnorm(n_draws * length(mean)), n_draws) %*%
    chol(spread + diag(1e-12, length(mean)))
  noise <- stats::rnorm(n_draws, 0, stats::sigma(fit))
  value <- vapply(seq_len(n_draws), function(k) {
    at <- c(as.list(mean + draws[k, ]), new)
    exp(suppressWarnings(eval(fit$m$formula()[[3]], at)) + noise[k])
  }, 0)
  centre <- exp(eval(fit$m$formula()[[3]], c(as.list(mean), new)))
  c(centre, stats::quantile(value, c(0.025, 0.975), na.rm = TRUE, names = FALSE))
}

predict_case <- function(fits, verb, n, p, runs, machines, measured = NULL) {
  new <- list(n = n, p = p, runs = runs / machines)
  new$x <- 8 * n * p / 2^20
  new$scores <- 8 * p * new$runs / 2^20
  time <- predict_interval(fits[[verb]]$time, new)
  memory <- predict_interval(fits[[verb]]$memory, new)
  data.frame(
    verb = verb, n = n, p = p, runs = runs, machines = machines, seconds = time[1],
    seconds_low = time[2], seconds_high = time[3], mib = memory[1], mib_low = memory[2],
    mib_high = memory[3],
    measured_seconds = if (is.null(measured)) NA else measured$seconds,
    measured_mib = if (is.null(measured)) NA else measured$peak_mib
  )
}

file <- file.path(results, "grid.csv")
if (!identical(commandArgs(trailingOnly = TRUE), "fit")) {
  measure_grid(file)
}
grid <- utils::read.csv(file)
verbs <- unique(grid$verb)
fits <- lapply(stats::setNames(nm = verbs), function(verb) {
  rows <- grid[grid$verb == verb & grid$p < 1e6, ]
  list(time = fit_time(rows), memory = fit_memory(rows))
})

info <- tryCatch(readLines("/proc/cpuinfo"), error = function(e) "")
processor <- sub(".*: ", "", grep("^model name", info, value = TRUE)[1])
model <- do.call(rbind, lapply(verbs, function(verb) {
  time <- stats::coef(fits[[verb]]$time)
  memory <- stats::coef(fits[[verb]]$memory)
  data.frame(
    verb = verb, seconds_read = exp(time[["a"]]), seconds_run = exp(time[["c"]]),
    power_n = time[["u"]], power_p = time[["v"]], error_time = stats::sigma(fits[[verb]]$time),
    mib_base = memory[["base"]], copies_x = memory[["f"]], copies_scores = memory[["g"]],
    error_memory = stats::sigma(fits[[verb]]$memory), processor = processor
  )
}))
model[2:10] <- lapply(model[2:10], signif, 4)
utils::write.csv(model, file.path(results, "model.csv"), row.names = FALSE)

set.seed(1)
known <- grid[grid$p == 1e6, ]
cases <- list(
  c(100, 20000, 1000, 1), c(200, 1e5, 1000, 1), c(200, 1e6, 100, 1), c(200, 1e6, 10000, 64)
)
predictions <- do.call(rbind, c(
  lapply(seq_len(nrow(known)), function(k) {
    one <- known[k, ]
    predict_case(fits, one$verb, one$n, one$p, one$runs, 1, one)
  }),
  unlist(lapply(verbs, function(verb) {
    lapply(cases, function(case) {
      predict_case(fits, verb, case[1], case[2], case[3], case[4])
    })
  }), recursive = FALSE)
))
predictions[6:13] <- lapply(predictions[6:13], signif, 4)
utils::write.csv(predictions, file.path(results, "predictions.csv"), row.names = FALSE)
print(model, digits = 3, row.names = FALSE)
print(predictions, digits = 3, row.names = FALSE)
