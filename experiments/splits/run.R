# Does split_test() keep its promise on survival times, several classes and counts? Rscript run.R
# [repetitions] [seconds of processor time] makes results/lists.csv; tables.R makes the tables.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
source(file.path(root, "designs.R"))
given <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(given[1], 40)[1 + is.na(given[1])]
seconds <- c(given[2], Inf)[1 + is.na(given[2])]

cells <- expand.grid(
  outcome = names(outcomes), design = names(features), n = c(60, 150), signal = c(FALSE, TRUE),
  stringsAsFactors = FALSE
)
n_features <- 300L

answer <- function(cell, repetition) {
  set.seed(1000 * as.integer(rownames(cell)) + repetition)
  x <- features[[cell$design]](cell$n, n_features)
  colnames(x) <- seq_len(n_features)
  drawn <- draw_outcome(cell$outcome, x, cell$signal, 2)
  counts <- startsWith(cell$outcome, "counts")
  fit <- suppressWarnings(split_test(
    x, drawn$y, n_features = cell$n %/% 6, n_runs = 50, family = if (counts) "poisson",
    seed = repetition, progress = FALSE
  ))
  named <- as.integer(fit$features)
  data.frame(
    cell, repetition, true = sum(named %in% drawn$at), false = sum(!named %in% drawn$at),
    n_failed = fit$made$n_failed
  )
}

to <- file.path(root, "results", "lists.csv")
done <- if (file.exists(to)) utils::read.csv(to)
for (repetition in setdiff(seq_len(repetitions), done$repetition)) {
  if (proc.time()[["user.self"]] > seconds) break
  new <- lapply(seq_len(nrow(cells)), function(i) answer(cells[i, ], repetition))
  done <- rbind(done, do.call(rbind, new))
  utils::write.csv(done, to, row.names = FALSE)
}
