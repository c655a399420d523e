# Which names does find_signals() give when the truth is known? Real features, simulated responses.
# Rscript run.R [repetitions] [seconds of processor time]; adds to results/sets.rds after every
# repetition and goes on from there when run again; writes results/summary.csv and rates.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 100)[1 + is.na(arguments[1])]
seconds <- c(arguments[2], Inf)[1 + is.na(arguments[2])]
source(file.path(dirname(folder), "designs.R"))

# What every method names: a list of sets of columns, mostly of one. `ungated`: without the
# condition that the first p is at most 0.05; `with_sets`: these, and the credible sets about none
# of them; `accepted`: before pruning.
name_all <- function(x, y, cell, seed) {
  fit <- find_signals(x, y, null = cell$null, permute = 199, seed = seed)
  index <- function(names) match(names, colnames(x))
  singles <- function(names) as.list(index(names))
  kept <- fit$steps$feature[fit$steps$kept]
  sets <- unname(split(index(fit$sets$feature), fit$sets$set))
  r <- abs(stats::cor(x[, index(kept), drop = FALSE], x[, unlist(sets), drop = FALSE]))
  of_set <- rep(seq_along(sets), lengths(sets))
  apart <- vapply(seq_along(sets), function(k) !any(r[, of_set == k] > near), NA)
  stable <- stability_selection(x, y, q = 20, pfer = 1, n_pairs = 50, seed = seed)
  list(
    p_value = fit$p_value, p_first = fit$steps$p[1],
    named = list(
      signals = singles(fit$features), ungated = singles(kept),
      with_sets = c(singles(kept), sets[apart]), sets = sets,
      accepted = singles(fit$steps$feature[fit$steps$accepted]),
      stability_selection = singles(selected(stable)),
      marginal_max_t = singles(fit$marginal$feature[fit$marginal$p <= 0.05])
    )
  )
}

one_set <- function(x, set, cell_name, repetition) {
  drawn <- draw_set(x, set, cell_name, repetition)
  found <- name_all(x, drawn$y, drawn$cell, repetition)
  rows <- judge_all(found$named, x, drawn, set, cell_name, repetition)
  data.frame(rows, p_value = found$p_value, p_first = found$p_first)
}

dir.create(folder, showWarnings = FALSE)
store <- file.path(folder, "sets.rds")
done <- if (file.exists(store)) readRDS(store)
features <- stats::setNames(lapply(set_names, read_features), set_names)
for (repetition in setdiff(seq_len(repetitions), unique(done$repetition))) {
  if (proc.time()[["user.self"]] > seconds) break
  for (set in set_names) {
    rows <- lapply(names(cells), function(cell) one_set(features[[set]], set, cell, repetition))
    done <- rbind(done, do.call(rbind, rows))
  }
  rownames(done) <- NULL
  saveRDS(done, store, compress = "xz")
}
source(file.path(dirname(folder), "tables.R"))
