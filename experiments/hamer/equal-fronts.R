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

# The area that is dominated by some point, above both floors: what pareto_front() gives, for
# thousands of draws.
area_of <- function(table, index) {
  accuracy <- table$accuracy
  stability <- table[[index]]
  above <- which(accuracy > floor_at[[1]] & stability > floor_at[[2]])
  above <- above[order(-accuracy[above])]
  width <- -diff(c(accuracy[above], floor_at[[1]]))
  sum(width * (cummax(stability[above]) - floor_at[[2]]))
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
      set = name, index = index, n_settings = n, n_hybrid = nrow(hybrid),
      rfe = area_of(plain, index), hybrid = stats::median(drawn),
      lower = stats::quantile(drawn, 0.025, names = FALSE),
      upper = stats::quantile(drawn, 0.975, names = FALSE), draws = n_draws
    )
  })
  do.call(rbind, rows)
}

singh <- utils::read.csv(file.path(folder, "front-singh.csv"))
stopifnot(all.equal(
  area_of(singh, "phi_iw"),
  pareto_front(
    data.frame(accuracy = singh$accuracy, stability = singh$phi_iw), reference = floor_at
  )$volume
))
used <- system.time(rows <- lapply(hamer_sets$name, compare_front))
write_results(do.call(rbind, rows), file.path(folder, "equal-fronts.csv"))
record_step(folder, "equal fronts", 1, used[[1]])
