# SVM-RFE for the comparison of methods: Hamer and Dupont (2021), Appendix E, Figures 26 to 29.
# Rscript run-svm-rfe.R; adds the sets that are missing to results/svm-rfe.csv beside this file.
# 30 bootstrap samples and as many features as in Table 5; the costs of the two machines are equal.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))
source(file.path(here, "..", "papers", "cells.R"))
path <- file.path(folder, "svm-rfe.csv")
indices <- c("nogueira", "phi_pears", "phi_iw")

measure <- function(name) {
  data <- read_hamer(name)
  k <- floor(wanted_size(ncol(data$x)))
  with_cost <- function(cost) {
    machine <- learner_svm(cost)
    list(selector = selector_learner(machine, step = 0.2), learner = machine, n_features = k)
  }
  tuned <- tune_tradeoff(
    data$x, data$y, list(cost = 10^(-4:0)), parameter = with_cost, index = indices,
    resampling = resample_bootstrap(30), seed = 1, progress = FALSE
  )
  columns <- c("cost", "accuracy", "accuracy_se", indices, paste0(indices, "_se"))
  data.frame(set = name, n_features = k, tuned$table[columns])
}

done <- if (file.exists(path)) utils::read.csv(path)
for (name in setdiff(hamer_sets$name, done$set)) {
  used <- system.time(rows <- measure(name))
  done <- rbind(done, rows)
  write_results(done, path)
  record_step(folder, paste("svm-rfe:", name), 1, used[[1]])
  cat(name, round(used[[1]]), "s\n")
}
