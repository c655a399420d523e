# What find_signals(clusters = ) names, on the responses of ../error-rates: how many of the named
# clusters hold no true feature, and how many hold nothing near one.
# Rscript run.R [repetitions, 20] [seconds of processor time]
# adds to results/sets.csv after every response and goes on from there (or from results/sets.rds)
# when run again; then it makes the tables of all.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- if (length(file) > 0L) dirname(file) else "."
arguments <- commandArgs(trailingOnly = TRUE)
repetitions <- if (length(arguments) > 0L) as.numeric(arguments[1]) else 20
seconds <- if (length(arguments) > 1L) as.numeric(arguments[2]) else Inf
source(file.path(folder, "..", "error-rates", "designs.R"))
source(file.path(folder, "..", "error-rates", "sets.R"))

one_set <- function(design, cell, repetition) {
  set <- draw_set(design, cell, repetition)
  r <- abs(stats::cor(set$x, set$x[, set$truth, drop = FALSE]))
  clusters <- cluster_features(set$x, threshold = near)
  find <- function(...) {
    find_signals(
      set$x, set$y, ..., null = "rotation", permute = 199, seed = repetition, progress = FALSE
    )
  }
  grouped <- find(clusters = clusters)
  single <- find()
  membership <- clusters$membership
  lists <- list(
    clusters = lapply(grouped$features, function(one) which(membership == one)),
    features = as.list(match(single$features, colnames(set$x)))
  )
  data.frame(
    design = design, s = cell$s, r2 = cell$r2, repetition = repetition, method = names(lists),
    p_value = c(grouped$p_value, single$p_value),
    units = c(length(unique(membership)), ncol(set$x)),
    do.call(rbind, lapply(lists, judge, truth = set$truth, r = r)), row.names = NULL
  )
}

sets <- run_sets(file.path(folder, "results"), one_set, repetitions, seconds)
source(file.path(folder, "tables.R"))
