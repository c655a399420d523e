# Rscript tables.R: results/cells.csv, a row for each cell, of the rows that run.R made.

script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(dirname(script), "results")
paths <- setdiff(list.files(folder, "[.]csv$", full.names = TRUE), file.path(folder, "cells.csv"))
rows <- do.call(rbind, lapply(paths, utils::read.csv))
# Without a feature in the model nothing is ranked.
rows <- rows[!is.na(rows$lower), ]
parts <- split(rows, rows[c("n", "design", "outcome")], drop = TRUE)
cells <- do.call(rbind, lapply(parts, function(part) {
  gap <- part$printed - part$truth
  data.frame(
    part[1L, c("outcome", "design", "n")],
    data_sets = nrow(part), truth = mean(part$truth), printed = mean(part$printed),
    difference = mean(gap), se = stats::sd(gap) / sqrt(nrow(part)),
    contained = mean(part$lower <= part$truth & part$truth <= part$upper)
  )
}))
numbers <- c("truth", "printed", "difference", "se", "contained")
cells[numbers] <- lapply(cells[numbers], round, digits = 3)
utils::write.csv(cells, file.path(folder, "cells.csv"), row.names = FALSE)
