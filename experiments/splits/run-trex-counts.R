# What does T-Rex deliver on counts? Rscript run-trex-counts.R [repetitions] [seconds of processor
# time] adds to results/trex-counts.csv and goes on from there; otherwise as run-trex.R.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
source(file.path(root, "designs.R"))
given <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(given[1], 20)[1 + is.na(given[1])]
seconds <- c(given[2], Inf)[1 + is.na(given[2])]

cells <- expand.grid(
  outcome = grep("counts", names(outcomes), value = TRUE), design = names(features),
  signal = c(FALSE, TRUE), stringsAsFactors = FALSE
)

# Near: with an absolute correlation above 0.7 with a true feature.
answer <- function(cell, repetition) {
  set.seed(1e5 + 1000 * as.integer(rownames(cell)) + repetition)
  x <- features[[cell$design]](120, 300)
  colnames(x) <- seq_len(300)
  drawn <- draw_outcome(cell$outcome, x, cell$signal, 2)
  fit <- suppressMessages(select_ensemble(
    x, drawn$y, selector_trex(family = "poisson"), resample_custom(list(seq_len(120))),
    aggregate_by("frequency", cutoff = 1), n_features = "own", seed = repetition, progress = FALSE
  ))
  named <- as.integer(selected(fit))
  false <- setdiff(named, drawn$at)
  like <- abs(stats::cor(x[, false, drop = FALSE], x[, drawn$at, drop = FALSE]))
  near <- if (length(drawn$at) > 0L && length(false) > 0L) sum(apply(like, 1, max) > 0.7) else 0
  data.frame(
    cell, repetition, true = length(named) - length(false), near,
    unrelated = length(false) - near
  )
}

to <- file.path(root, "results", "trex-counts.csv")
done <- if (file.exists(to)) utils::read.csv(to)
for (repetition in setdiff(seq_len(repetitions), done$repetition)) {
  if (proc.time()[["user.self"]] > seconds) break
  new <- lapply(seq_len(nrow(cells)), function(i) answer(cells[i, ], repetition))
  done <- rbind(done, do.call(rbind, new))
  utils::write.csv(done, to, row.names = FALSE)
}
