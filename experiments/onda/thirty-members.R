# Figure 15 of Onda et al.: real ensembles of 30 forests that try a tenth of the features at a
# split, by number of trees. The paper states convergence "for the large m_ensemble", which is 30.
# Rscript thirty-members.R <set> [minutes]; the folds of a set are kept in results/parts/ as they
# are done, so that a run that was stopped, or that ended after so many minutes, goes on where it
# was. When all folds are there, results/thirty-members.csv has the set. Every fold has a seed of
# its own, and its forests are grown as in grown-forests.R.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(here, "results")
seed <- 1
read_csv <- function(name) utils::read.csv(file.path(folder, paste0(name, ".csv")))
source(file.path(here, "forests.R"))

mtry <- 0.1
used <- c(1L, 10L, 20L, 30L)
arguments <- commandArgs(trailingOnly = TRUE)
data <- arguments[1]
minutes <- if (is.na(arguments[2])) Inf else as.numeric(arguments[2])
info <- sets[sets$data == data, ]
place <- file.path(folder, "parts", paste0("thirty-", data, ".rds"))
dir.create(dirname(place), showWarnings = FALSE)

fold_of <- function(set, out) {
  set.seed(1000L + out)
  grown <- grow_fold(set, info, out, mtry, used)
  # The first ensemble of each size is all that Figure 15 shows.
  lapply(grown, function(k) vapply(k$found, function(found) found[, 1], integer(info$n_features)))
}

rows_of <- function(folds) {
  rows <- expand.grid(size = seq_along(used), k = seq_along(n_trees))
  do.call(rbind, Map(function(size, k) {
    found <- vapply(folds, function(fold) fold[[k]][, size], integer(info$n_features))
    data.frame(
      data, mtry, n_tree = n_trees[k], n_weak = used[size],
      stability = signif(mean_jaccard(found, info$p), 4)
    )
  }, rows$size, rows$k))
}

set <- read_set(data)
folds <- if (file.exists(place)) readRDS(place) else list()
begun <- proc.time()
while (length(folds) < info$n && (proc.time() - begun)[["elapsed"]] < 60 * minutes) {
  folds[[length(folds) + 1L]] <- fold_of(set, length(folds) + 1L)
  saveRDS(folds, place, compress = "xz")
}
message(data, ": ", length(folds), " of ", info$n, " folds")
if (length(folds) == info$n) {
  path <- file.path(folder, "thirty-members.csv")
  known <- if (file.exists(path)) utils::read.csv(path)
  utils::write.csv(rbind(known[known$data != data, ], rows_of(folds)), path, row.names = FALSE)
  record_step(
    folder, paste("thirty members:", data), seed, (proc.time() - begun)[["user.self"]]
  )
}
