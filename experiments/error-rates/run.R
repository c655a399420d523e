# Claimed and delivered: every error rate that the package prints, over features, numbers of true
# features and strengths.
# Rscript run.R [repetitions, 200] [seconds of processor time] [families, comma-separated]
# adds to results/cells/<design>.csv after every response and goes on from there (or from
# results/sets.rds) when run again.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
arguments <- commandArgs(trailingOnly = TRUE)
repetitions <- if (length(arguments) > 0L) as.numeric(arguments[1]) else 200
seconds <- if (length(arguments) > 1L) as.numeric(arguments[2]) else Inf
source(file.path(dirname(folder), "designs.R"))
source(file.path(dirname(folder), "methods.R"))
asked <- if (length(arguments) > 2L) strsplit(arguments[3], ",")[[1]] else names(families)
families <- families[asked]

one_set <- function(design, cell, repetition, family) {
  set <- draw_set(design, cell, repetition)
  r <- abs(stats::cor(set$x, set$x[, set$truth, drop = FALSE]))
  lists <- families[[family]](set$x, set$y, repetition)
  rows <- lapply(lists, function(list) {
    data.frame(claim = list$claim, judge(lapply(list$sets, match, colnames(set$x)), set$truth, r))
  })
  data.frame(
    design = design, cell, repetition = repetition, family = family, method = names(lists),
    do.call(rbind, rows), row.names = NULL
  )
}

key_of <- function(rows) paste(rows$design, rows$s, rows$r2, rows$repetition, rows$family)
dir.create(file.path(folder, "cells"), recursive = TRUE, showWarnings = FALSE)
store <- file.path(folder, "sets.rds")
csv_of <- function(design) file.path(folder, "cells", paste0(design, ".csv"))
known <- Filter(file.exists, csv_of(names(designs)))
done <- c(
  if (file.exists(store)) key_of(readRDS(store)),
  unlist(lapply(known, function(csv) key_of(utils::read.csv(csv))))
)
grid <- merge(
  data.frame(design = names(designs)), merge(cells, data.frame(family = names(families)))
)
run_all <- function(grid) {
  for (repetition in seq_len(repetitions)) {
    left <- cbind(grid, repetition)
    left <- left[!key_of(left) %in% done, ]
    for (k in seq_len(nrow(left))) {
      if (sum(proc.time()[c("user.self", "sys.self")]) > seconds) quit(status = 0)
      rows <- one_set(left$design[k], left[k, c("s", "r2")], repetition, left$family[k])
      csv <- csv_of(left$design[k])
      utils::write.table(
        rows, csv, append = file.exists(csv), sep = ",", row.names = FALSE,
        col.names = !file.exists(csv)
      )
    }
  }
}
# Of those without signal there is only one for each repetition: they come first.
run_all(grid[grid$s == 0, ])
run_all(grid[grid$s > 0, ])
