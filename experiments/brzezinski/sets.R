# Samples, features and classes of the sets of Brzezinski's Table 1 that could be had.
# Rscript experiments/brzezinski/sets.R writes results/sets.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
source(file.path(folder, "..", "..", "papers", "cells.R"))
paper <- utils::read.csv(file.path(folder, "paper-table1.csv"))
file_of <- function(name) if (name == "USPS") "usps" else paste0("skf_", gsub("-", "_", name))
rows <- lapply(paper$dataset, function(name) {
  data <- tryCatch(experiment_data(file_of(name)), error = function(e) NULL)
  if (is.null(data)) return(NULL)
  data.frame(
    dataset = name, features = ncol(data$x), examples = nrow(data$x),
    classes = length(unique(data$y))
  )
})
utils::write.csv(do.call(rbind, rows), file.path(folder, "sets.csv"), row.names = FALSE)
record_step(folder, "sets", 1, proc.time()[[3]])
