# Figure 9 of Hamer and Dupont (2021) with equal numbers of settings: the area under the front of
# plain elimination beside that of as many settings of hybrid-RFE alone, the median of 500 draws.
# A front of both together cannot lose, whatever hybrid-RFE does.
# Rscript equal-fronts.R; reads results/front-<name>.csv, writes results/equal-fronts.csv.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))
source(file.path(here, "..", "papers", "cells.R"))
indices <- c("nogueira", "phi_pears", "phi_iw")
n_draws <- 500
# Both measures count above what a guess has.
floor_at <- c(accuracy = 0.5, stability = 0)

area_of <- function(table, index) {
  points <- data.frame(accuracy = table$accuracy, stability = table[[index]])
  points <- points[stats::complete.cases(points), ]
  above <- points$accuracy > floor_at[[1]] & points$stability > floor_at[[2]]
  if (!any(above)) {
    return(0)
  }
  pareto_volume(points[above, ], floor_at)
}

compare_front <- function(name) {
  table <- utils::read.csv(file.path(folder, paste0("front-", name, ".csv")))
  plain <- table[table$method == "RFE", ]
  hybrid <- table[table$method != "RFE", ]
  n <- min(nrow(plain), nrow(hybrid))
  set.seed(1)
  draws <- replicate(n_draws, sample.int(nrow(hybrid), n))
  rows <- lapply(indices, function(index) {
    drawn <- apply(draws, 2L, function(rows) area_of(hybrid[rows, ], index))
    data.frame(
      set = name, index = index, n_settings = n, n_hybrid = nrow(hybrid), rfe = area_of(plain, index),
      hybrid = stats::median(drawn), lower = stats::quantile(drawn, 0.025, names = FALSE),
      upper = stats::quantile(drawn, 0.975, names = FALSE), draws = n_draws
    )
  })
  do.call(rbind, rows)
}

used <- system.time(rows <- lapply(hamer_sets$name, compare_front))
write_results(do.call(rbind, rows), file.path(folder, "equal-fronts.csv"))
record_step(folder, "equal fronts", 1, used[[1]])
