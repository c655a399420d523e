# Are the names of find_signals() for several classes right as often as their probabilities say?
# Real features, simulated classes. Rscript run.R [repetitions] [seconds of processor time] makes
# results/outcomes.csv and results/names.csv. tables.R makes the tables.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
# Features and truths are those of the experiment on names.
for (shared in c("designs.R", "repetitions.R")) source(file.path(root, "..", "names", shared))

# Three classes of equal size or 10:1:1 by the largest of three numbers, each with features of its
# own; or one number, cut into three classes of equal size.
cells <- expand.grid(
  truth = c("none", "sparse", "mixed"), law = c("equal", "rare", "cut"), stringsAsFactors = FALSE
)
cells <- cells[cells$truth != "none" | cells$law != "cut", ]

# Samples enter the rarer classes first, in the order of their advantage there.
largest_class <- function(scores, sizes) {
  n <- nrow(scores)
  y <- rep("a", n)
  for (k in 3:2) {
    advantage <- scores[, k] - apply(scores[, -k], 1, max)
    advantage[y != "a"] <- -Inf
    y[utils::head(order(-advantage), round(n * sizes[k] / sum(sizes)))] <- letters[k]
  }
  factor(y)
}

answer <- function(x, set, cell, repetition) {
  seed <- 1000 * (100 * match(set, set_names) + as.integer(rownames(cell))) + repetition
  set.seed(seed)
  r2 <- if (cell$truth == "none") 0 else c(0.4, 0.7)[1 + repetition %% 2]
  truth <- lapply(seq_len(if (cell$law == "cut") 1 else 3), function(k) {
    draw_truth(cell$truth, x, repetition)
  })
  scores <- vapply(truth, function(one) {
    sqrt(r2) * one$signal + sqrt(1 - r2) * stats::rnorm(nrow(x))
  }, numeric(nrow(x)))
  y <- switch(cell$law,
    equal = largest_class(scores, c(1, 1, 1)), rare = largest_class(scores, c(10, 1, 1)),
    cut = cut(rank(scores[, 1]), 3, letters[1:3])
  )
  at <- unlist(lapply(truth, `[[`, "at"))
  took <- system.time(fit <- suppressWarnings(
    find_signals(x, y, permute = 199, seed = seed, progress = FALSE),
    classes = "stabilect_warning_small_class"
  ))
  outcome <- data.frame(
    seed, r2, n_true = length(at), p_value = fit$p_value, background = fit$background$probability,
    seconds = took[["user.self"]]
  )
  shown <- shown_features(fit, x, at)
  shown$class <- c(fit$table$class, fit$candidates$class)
  shown$size <- as.vector(table(y)[shown$class])
  list(outcome = outcome, shown = shown)
}

files <- c(outcomes = "outcomes.csv", names = "names.csv")
store_repetitions(read_command(20), files, cells, wanted = function(repetition) {
  seq_len(nrow(cells))
}, answer)
