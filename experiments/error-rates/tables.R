# From the counts of every response: claimed and delivered by method, features, number of true
# features and strength. Rscript tables.R: gathers results/cells/ into results/sets.rds first.

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
source(file.path(dirname(folder), "methods.R"))
source(file.path(dirname(folder), "sets.R"))
store <- file.path(folder, "sets.rds")
sets <- rbind(
  if (file.exists(store)) readRDS(store),
  do.call(rbind, lapply(list.files(file.path(folder, "cells"), full.names = TRUE), utils::read.csv))
)
sets <- unique(sets)
saveRDS(sets, store, compress = "xz")
# Of responses with signal, repetitions that were run for all numbers and strengths.
strength <- ifelse(sets$s > 0, paste(sets$s, sets$r2), NA)
of <- paste(sets$design, sets$method, sets$repetition)
n_run <- tapply(strength, of, function(one) length(unique(one[!is.na(one)])))[of]
sets <- sets[sets$s == 0 | n_run == length(unique(strength[sets$s > 0])), ]

row_of <- function(one) {
  measure <- counted[[one$method[1]]]
  of <- one$repetition
  feature <- rate_of_list(one$near + one$unrelated, one$named, measure)
  unrelated <- rate_of_list(one$unrelated, one$named, measure)
  power <- if (one$s[1] > 0) one$found / one$s else NA * one$s
  data.frame(
    one[1, c("method", "design", "s", "r2")], measure = measure,
    repetitions = length(unique(of)), sets = nrow(one),
    claimed = mean(one$claim), named = mean(one$named), members = mean(one$members),
    feature = mean(feature), feature_se = se_of(feature, of), unrelated = mean(unrelated),
    unrelated_se = se_of(unrelated, of), power = mean(power), power_se = se_of(power, of),
    power_near = if (one$s[1] > 0) mean(one$found_near / one$s) else NA
  )
}
groups <- split(sets, paste(sets$method, sets$design, sets$s, sets$r2), drop = TRUE)
cells <- do.call(rbind, unname(lapply(groups, row_of)))
cells <- cells[order(cells$method, cells$design, cells$s, cells$r2), ]
# By features alone: without signal, and over all numbers and strengths.
by_design <- lapply(split(sets, paste(sets$method, sets$design, sets$s > 0)), function(one) {
  row <- row_of(one)
  row$s <- row$r2 <- NULL
  cbind(row, signal = one$s[1] > 0)
})
designs <- do.call(rbind, unname(by_design))
# By kind of features: sets of features count equally. `worst` is the largest of their means.
pooled_se <- function(se) sqrt(sum(se^2)) / length(se)
by_kind <- lapply(
  split(designs, paste(designs$method, kind_of(designs$design), designs$signal)),
  function(rows) {
    means <- c("claimed", "named", "members", "feature", "unrelated", "power", "power_near")
    ses <- c("feature_se", "unrelated_se", "power_se")
    data.frame(
      rows[1, c("method", "measure", "signal")], kind = kind_of(rows$design[1]),
      repetitions = min(rows$repetitions), df = sum(rows$repetitions - 1), sets = sum(rows$sets),
      lapply(rows[means], mean), lapply(rows[ses], pooled_se),
      worst = max(rows$feature), worst_unrelated = max(rows$unrelated)
    )
  }
)
kinds <- do.call(rbind, unname(by_kind))
write <- function(table, name) {
  numbers <- vapply(table, is.double, NA)
  # More digits than pages show, so that none of them is rounded twice.
  table[numbers] <- lapply(table[numbers], signif, 5)
  utils::write.csv(table, file.path(folder, name), row.names = FALSE)
}
write(cells, "cells.csv")
write(designs, "designs.csv")
write(kinds, "kinds.csv")
