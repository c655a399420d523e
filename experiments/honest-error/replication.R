# How near is evaluate_replication() to the truth? The truth is the overlap of lists from
# independent data sets of the same size. 60 samples in two equal classes, 500 features in blocks of
# ten with correlation 0.5, of which 20 are informative with effects from 1.4 to 0.3 standard
# deviations ("strong"), half of that ("weak"), or none ("null").
#
#   Rscript experiments/honest-error/replication.R [data sets a law, 24]
#
# writes results/replication.csv; about three minutes on one core.

library(stabilect)

n <- 60L
p <- 500L
block_of <- rep(seq_len(p / 10), each = 10)
informative <- seq(1, by = 25, length.out = 20)
y <- factor(rep(c("a", "b"), each = n / 2))

draw <- function(strength) {
  x <- sqrt(0.5) * matrix(rnorm(n * max(block_of)), n)[, block_of] +
    sqrt(0.5) * matrix(rnorm(n * p), n)
  effects <- strength * seq(1.4, 0.3, length.out = 20)
  x[, informative] <- x[, informative] + outer(as.integer(y) - 1.5, effects)
  colnames(x) <- paste0("f", seq_len(p))
  x
}

judge_law <- function(name, strength, n_sets, sizes = c(10, 20, 50)) {
  set.seed(1)
  sets <- lapply(seq_len(n_sets), function(i) draw(strength))
  fits <- lapply(sets, function(x) {
    fealect(x, y, n_runs = 50, n_boot = 0, oob = FALSE, progress = FALSE)
  })
  found <- lapply(seq_len(n_sets), function(i) {
    evaluate_replication(fits[[i]], sets[[i]], y, n_features = sizes, progress = FALSE)$table
  })
  runs <- vapply(sizes, function(k) {
    mean(vapply(fits, function(fit) {
      stability(as_selection(fit, n_features = k), "nogueira")$table$estimate
    }, 0))
  }, 0)
  rows <- lapply(seq_along(sizes), function(s) {
    lists <- lapply(fits, function(fit) fit$table$feature[seq_len(sizes[s])])
    pairs <- combn(n_sets, 2L)
    truth <- mean(apply(pairs, 2L, function(at) {
      length(intersect(lists[[at[1]]], lists[[at[2]]])) / sizes[s]
    }))
    overlap <- vapply(found, function(table) table$overlap[s], 0)
    extrapolated <- vapply(found, function(table) table$extrapolated[s], 0)
    data.frame(
      law = name, list = paste("top", sizes[s]), sets = n_sets, truth = truth,
      overlap = mean(overlap), extrapolated = mean(extrapolated),
      rmse = sqrt(mean((extrapolated - truth)^2)), stability_of_runs = runs[s]
    )
  })
  do.call(rbind, rows)
}

arguments <- commandArgs(TRUE)
n_sets <- if (length(arguments) > 0L) as.integer(arguments[1]) else 24L
folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
table <- rbind(
  judge_law("strong", 1, n_sets), judge_law("weak", 0.5, n_sets), judge_law("null", 0, n_sets)
)
numbers <- vapply(table, is.double, NA)
table[numbers] <- lapply(table[numbers], round, digits = 3)
utils::write.csv(table, file.path(folder, "results", "replication.csv"), row.names = FALSE)
