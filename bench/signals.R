# find_signals() and permutations of whole procedures: one thread, processor seconds, on colon
# (62 x 2000) and on data like it of 181 x 12533; many samples, for which the eigenvectors are what
# takes long.

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

colon <- list(x = log2(colon_genes$x), y = colon_genes$y)
large <- expression_like(181, 12530, 1)
large$x <- cbind(large$x, large$x[, 1:3] + 0.1)
quiet <- function(verb, data, ...) verb(data$x, data$y, ..., seed = 1, progress = FALSE)

# The median of `times` runs; several come after one that warms up.
measure <- function(case, run, times) {
  if (times > 1) invisible(run())
  time <- stats::median(vapply(seq_len(times), function(i) cpu_seconds(run()), 0))
  data.frame(case = case, seconds = time)
}

sizes <- list("62 x 2000" = colon, "181 x 12533" = large)
rows <- lapply(names(sizes), function(size) {
  data <- sizes[[size]]
  times <- if (ncol(data$x) > 5000) 3 else 9
  whole <- function(verb, ...) function() quiet(verb, data, permute = 199, ...)
  # Noise stops early, and is therefore not what is measured.
  rbind(
    measure(paste("find_signals(permute = 999),", size), function() {
      quiet(find_signals, data, permute = 999)
    }, times),
    measure(paste("stability_selection(q = 20, pfer = 1, permute = 199), 100 runs,", size),
      whole(stability_selection, q = 20, pfer = 1), 1
    ),
    measure(paste("fealect(n_runs = 100, permute = 199),", size),
      whole(fealect, n_runs = 100, n_boot = 0), 1
    ),
    measure(paste("fealect(n_runs = 100, permute = 199, oob = FALSE),", size),
      whole(fealect, n_runs = 100, n_boot = 0, oob = FALSE), 1
    )
  )
})

many <- lapply(c(1000, 2000), function(n) {
  of <- function(p) {
    data <- expression_like(n, p, 2)
    size <- sprintf("find_signals(permute = 199), %d x %d", n, p)
    measure(size, function() quiet(find_signals, data, permute = 199), 1)
  }
  rbind(of(200), of(5000))
})
record("signals", do.call(rbind, c(rows, many)), file = file.path("bench", "signals.csv"))
