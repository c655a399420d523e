# From the counts of every response: claimed and delivered by method, features, number of true
# features and strength. Rscript tables.R: gathers results/cells/ into results/sets.rds first.

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
source(file.path(dirname(folder), "methods.R"))
store <- file.path(folder, "sets.rds")
sets <- rbind(
  if (file.exists(store)) readRDS(store),
  do.call(rbind, lapply(list.files(file.path(folder, "cells"), full.names = TRUE), utils::read.csv))
)
sets <- unique(sets)
saveRDS(sets, store, compress = "xz")

# What a claim is about: the number of false names, their share, or whether there is any.
rate <- function(false, named, measure) {
  switch(measure, number = false, share = false / pmax(1, named), any = (false > 0) + 0)
}
se <- function(values) stats::sd(values) / sqrt(length(values))
row_of <- function(one) {
  measure <- counted[[one$method[1]]]
  feature <- rate(one$near + one$unrelated, one$named, measure)
  unrelated <- rate(one$unrelated, one$named, measure)
  power <- if (one$s[1] > 0) one$found / one$s else NA
  data.frame(
    one[1, c("method", "design", "s", "r2")], measure = measure, sets = nrow(one),
    claimed = mean(one$claim), named = mean(one$named), feature = mean(feature),
    feature_se = se(feature), unrelated = mean(unrelated), unrelated_se = se(unrelated),
    power = mean(power), power_se = se(power),
    power_near = if (one$s[1] > 0) mean(one$found_near / one$s) else NA
  )
}
groups <- split(sets, paste(sets$method, sets$design, sets$s, sets$r2), drop = TRUE)
cells <- do.call(rbind, unname(lapply(groups, row_of)))
cells <- cells[order(cells$method, cells$design, cells$s, cells$r2), ]
# By features alone: without signal, and over all numbers and strengths.
merged <- lapply(split(sets, paste(sets$method, sets$design, sets$s > 0)), function(one) {
  signal <- one$s[1] > 0
  one$r2 <- NA
  row <- row_of(one)
  if (signal) row$power <- mean(one$found / one$s)
  if (signal) row$power_se <- se(one$found / one$s)
  row$s <- row$r2 <- row$power_near <- NULL
  cbind(row, signal = signal)
})
designs <- do.call(rbind, unname(merged))
write <- function(table, name) {
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], signif, 3)
  utils::write.csv(table, file.path(folder, name), row.names = FALSE)
}
write(cells, "cells.csv")
write(designs, "designs.csv")
