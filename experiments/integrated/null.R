# What stability_selection(pfer = ) and (fdr = ) name of a response of noise, from fewer features
# than samples to many more.
# Rscript null.R [repetitions, 400]; adds rows that are missing to results/null.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
target <- file.path(folder, "null.csv")
repetitions <- c(as.numeric(commandArgs(trailingOnly = TRUE)), 400)[1]

names_something <- function(n, p, shared, seed) {
  set.seed(seed)
  x <- sqrt(1 - shared) * matrix(stats::rnorm(n * p), n) + sqrt(shared) * stats::rnorm(n)
  fit <- suppressWarnings(stability_selection(
    x, stats::rnorm(n), pfer = 1, bound = "integrated", seed = seed, progress = FALSE
  ))
  c(
    pfer_1 = sum(fit$table$pfer <= 1), pfer_0.1 = sum(fit$table$pfer <= 0.1),
    fdr_0.1 = any(fit$table$fdr <= 0.1), fdr_0.2 = any(fit$table$fdr <= 0.2)
  )
}

cells <- rbind(
  expand.grid(p = c(30, 120, 240, 1000), n = c(60, 240, 1000), correlation = c(0, 0.5)),
  data.frame(p = 40, n = 5000, correlation = c(0, 0.5))
)
done <- if (file.exists(target)) utils::read.csv(target, check.names = FALSE)
known <- do.call(paste, as.list(done[c("p", "n", "correlation")]))
for (k in which(!do.call(paste, cells) %in% known)) {
  cell <- cells[k, ]
  values <- vapply(seq_len(repetitions), function(seed) {
    names_something(cell$n, cell$p, cell$correlation, seed)
  }, numeric(4))
  done <- rbind(done, data.frame(cell, t(rowMeans(values)), repetitions = repetitions))
  utils::write.csv(done, target, row.names = FALSE)
}
