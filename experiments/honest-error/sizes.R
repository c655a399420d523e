# On how many of the features above the cut should the final model of a numeric response be fitted?
# Error on new samples (closed form; 1 is the noise) of ridge regression by generalised
# cross-validation on the best n / 3, n / 5 and n / 10 of them. 500 features in blocks of ten with
# correlation 0.5; `n_true` of them, in different blocks, have the coefficient `effect`.
#
#   Rscript experiments/honest-error/sizes.R [data sets a cell, 40]
#
# writes results/sizes.csv; about two minutes on one core.

library(stabilect)

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(folder, "blocks.R"))

error_on_new <- function(model, effects) {
  off <- -effects
  at <- as.integer(sub("f", "", model$features))
  off[at] <- off[at] + coef(model)[-1]
  1 + coef(model)[[1]]^2 + 0.5 * sum(off^2) + 0.5 * sum(tapply(off, block_of, sum)^2)
}

one_set <- function(n, effects) {
  x <- draw(n)
  y <- drop(x %*% effects) + rnorm(n)
  fit <- fealect(x, y, n_runs = 50, n_boot = 0, oob = FALSE, progress = FALSE)
  vapply(c(3, 5, 10), function(divisor) {
    error_on_new(fit_model(x, y, head(fit$features, n %/% divisor)), effects)
  }, 0)
}

arguments <- commandArgs(TRUE)
n_sets <- if (length(arguments) > 0L) as.integer(arguments[1]) else 40L
cells <- rbind(
  expand.grid(n = c(40, 80), n_true = 3, effect = c(0, 0.5, 1)),
  expand.grid(n = c(80, 150), n_true = 15, effect = 0.5)
)
set.seed(1)
rows <- lapply(seq_len(nrow(cells)), function(row) {
  cell <- cells[row, ]
  effects <- replace(numeric(p), seq(1, by = 10, length.out = cell$n_true), cell$effect)
  errors <- rowMeans(vapply(seq_len(n_sets), function(i) one_set(cell$n, effects), numeric(3)))
  cbind(cell, sets = n_sets, without = 1 + sum(effects^2), t(round(errors, 2)))
})
table <- do.call(rbind, rows)
names(table)[6:8] <- c("n / 3", "n / 5", "n / 10")
utils::write.csv(table, file.path(folder, "results", "sizes.csv"), row.names = FALSE)
