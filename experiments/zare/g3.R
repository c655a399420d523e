# FeaLect as Algorithm 1 of Zare et al. (2013) returns it: the third segment, on the splits and runs
# of real-sets.R, whose other methods stay as they are stored.
# Rscript g3.R [splits]; adds the method "FeaLect" to results/real-sets.csv and real-splits.csv, and
# keeps what the gate of three_segment() leaves of it as "FeaLect, gated".

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
source(file.path(here, "..", "papers", "cells.R"))
source(file.path(here, "..", "..", "vignettes", "papers", "zare-compare.R"))
folder <- file.path(here, "results")

# One split of one set: error and size of the third segment.
third_segment <- function(x, y, test, seed) {
  train <- setdiff(seq_along(y), test)
  inside <- x[train, , drop = FALSE]
  scores <- fealect(inside, y[train], n_runs = n_runs, n_boot = 0, oob = FALSE, seed = seed)
  set <- scores$three_segment$g3
  list(
    sets = list(FeaLect = set),
    error = wrong(fit_model(inside, y[train], set), x[test, , drop = FALSE], y[test])
  )
}

path <- file.path(folder, "real-splits.csv")
table <- file.path(folder, "real-sets.csv")
for (name in c("mcl_sll", "colon", "sonar", "ionosphere", "wdbc", "lsvt")) {
  known <- utils::read.csv(path, check.names = FALSE)
  rows <- known$set == name
  if ("FeaLect, gated" %in% names(known) && !anyNA(known[rows, "FeaLect, gated"])) next
  begun <- proc.time()[["user.self"]]
  data <- read_set(name)
  n_splits <- sum(rows) / 2
  drawn <- draw_resamples(
    resample_subsample(n_splits, 2 / 3, stratify = TRUE), data$y, seed = 1
  )
  splits <- lapply(seq_len(n_splits), function(b) {
    third_segment(data$x, data$y, split(drawn, "out")[[b]], b)
  })
  if (!"FeaLect, gated" %in% names(known)) known[["FeaLect, gated"]] <- NA
  known[rows, "FeaLect, gated"] <- known[rows, "FeaLect"]
  known[rows, "FeaLect"] <- c(rbind(
    signif(vapply(splits, `[[`, 0, "error"), 4), lengths(lapply(splits, function(s) s$sets[[1]]))
  ))
  # Lars of the same splits, which the difference needs.
  lars <- known$Lars[rows][known$measure[rows] == "error"]
  for (b in seq_along(splits)) {
    splits[[b]]$sets["Lars"] <- list(NULL)
    splits[[b]]$error[2] <- lars[b]
  }
  summaries <- utils::read.csv(table)
  at <- summaries$set == name & summaries$method == "FeaLect"
  gated <- summaries[at, ]
  gated$method <- "FeaLect, gated"
  summaries[at, ] <- rounded(data.frame(
    summarise_method(name, "FeaLect", splits), stability_of(splits, "FeaLect", colnames(data$x)),
    n = nrow(data$x), p = ncol(data$x)
  ))
  last <- max(which(summaries$set == name))
  summaries <- rbind(
    summaries[seq_len(last), ], gated, summaries[seq_len(nrow(summaries) - last) + last, ]
  )
  utils::write.csv(summaries, table, row.names = FALSE)
  utils::write.csv(known, path, row.names = FALSE)
  record_step(folder, paste("g3:", name), 1, proc.time()[["user.self"]] - begun)
  message(name)
}
