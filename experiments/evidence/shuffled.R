# How often does find_signals() see signal where there is none? Shuffled classes of every two-class
# set of experiment_data() with at most 1,000 samples, and noise.
# Rscript shuffled.R [shuffles in all]; writes results/shuffled.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
total <- c(as.numeric(commandArgs(trailingOnly = TRUE)), 1000)[1]

known <- experiment_data()
names <- known$name[known$available & known$classes %in% 2 & known$n <= 1000]
each <- ceiling(total / length(names))

one <- function(x, y, seed) {
  null <- if (is.numeric(y)) "rotation" else "permutation"
  fit <- find_signals(x, y, null = null, permute = 199, seed = seed)
  c(signal = fit$p_value <= 0.05, names = length(fit$features) > 0)
}

# @param draw function(): a list of x and y.
repeated <- function(name, n, draw) {
  rows <- vapply(seq_len(n), function(seed) {
    set.seed(seed)
    data <- draw()
    one(data$x, data$y, seed)
  }, logical(3))
  data.frame(name = name, n_shuffles = n, t(rowSums(rows)))
}

of_set <- function(name) {
  set <- experiment_data(name)
  x <- as.matrix(set$x)
  dimnames(x) <- NULL
  y <- droplevels(factor(set$y))
  repeated(name, each, function() list(x = x, y = sample(y)))
}

noise <- function(classes) {
  x <- matrix(stats::rnorm(62 * 2000), 62)
  y <- stats::rnorm(62)
  list(x = x, y = if (classes) factor(y > 0) else y)
}

table <- rbind(
  do.call(rbind, lapply(names, of_set)),
  repeated("noise, two classes", 200, function() noise(TRUE)),
  repeated("noise, numbers", 200, function() noise(FALSE))
)
utils::write.csv(table, file.path(folder, "shuffled.csv"), row.names = FALSE)
