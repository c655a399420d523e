# Coverage of the intervals of stability(), and size of test_stability(), for a procedure that
# selects either of two lists. Rscript experiments/stability/kinds.R [repetitions]; writes
# results/kinds.csv beside this file.
#
# Each run selects the first list with probability `share`, else the second, both of 20 of 200
# features without a common one; each feature is exchanged for another of the other 160 with
# probability `noise`. The truth is the index of 2,000 runs. `plain` is the interval by the
# jackknife alone, as other runs have it; `size` how often the test calls two such procedures
# different, whose runs are independent.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
repetitions <- c(as.integer(commandArgs(trailingOnly = TRUE)), 300L)[1]
seed <- 7L
p <- 200L

one_run <- function(share, noise) {
  list <- if (stats::runif(1) < share) 1:20 else 21:40
  gone <- stats::runif(20) < noise
  if (any(gone)) list[gone] <- sample(41:p, sum(gone))
  seq_len(p) %in% list
}
draw <- function(m, share, noise) as_selection(t(replicate(m, one_run(share, noise))))

one_cell <- function(m, share, noise, truth) {
  kept <- replicate(repetitions, {
    runs <- draw(m, share, noise)
    row <- stability(runs)$table
    half <- stats::qt(0.975, m - 1) * row$se
    test <- test_stability(runs, draw(m, share, noise), paired = FALSE)
    c(
      coverage = row$lower <= truth && truth <= row$upper,
      plain = abs(row$estimate - truth) <= half,
      width = row$upper - row$lower, plain_width = 2 * half, kinds = grepl("two kinds", row$note),
      size = test$p.value <= 0.05
    )
  })
  data.frame(share, noise, m, truth, t(rowMeans(kept)), repetitions, seed)
}

set.seed(seed)
cells <- expand.grid(noise = c(0.05, 0.2, 0.4), share = c(0.5, 0.6, 0.75, 0.9))
rows <- Map(function(share, noise) {
  truth <- stability(draw(2000, share, noise))$table$estimate
  do.call(rbind, lapply(c(10L, 30L, 100L), one_cell, share = share, noise = noise, truth = truth))
}, cells$share, cells$noise)
table <- do.call(rbind, rows)
is_number <- vapply(table, is.double, NA)
table[is_number] <- lapply(table[is_number], signif, 4)
utils::write.csv(table, file.path(folder, "kinds.csv"), row.names = FALSE)
print(table, row.names = FALSE)
