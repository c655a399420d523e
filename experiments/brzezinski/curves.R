# Inner scores at every size that each method looked at, in one outer fold of arcene: Figure 4 of
# Brzezinski (2020). Rscript experiments/brzezinski/curves.R writes results/curves.csv. The
# eliminations are those of the first fold of run.R, with the same seed.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(here, "results")
source(file.path(here, "..", "papers", "cells.R"))
learners <- list(
  LR = learner_logistic(lambda = 1, scaling = "range", intercept = "penalised"),
  SVM = learner_svm(cost = 1, scaling = "range", intercept = "penalised")
)
searches <- list(
  FRFE = search_peak(), SRFE3 = search_peak(3), SRFE5 = search_peak(5),
  SRFE10 = search_peak(10)
)
data <- experiment_data("skf_arcene")
y <- factor(data$y)
train <- as.matrix(draw_resamples(resample_folds(10, stratify = TRUE), y, seed = 1))[, 1] > 0
x <- data$x[train, ]
storage.mode(x) <- "double"

curve_of <- function(classifier, method, search) {
  fit <- eliminate_features(
    x, y[train], learners[[classifier]], search, resample_folds(5, stratify = TRUE),
    tie = "smallest", size_rule = "best", refit = FALSE, seed = 2, progress = FALSE
  )
  data.frame(
    data = "arcene", classifier = classifier, method = method, chosen = fit$n_features,
    fit$sizes[c("size", "score")]
  )
}

used <- system.time({
  rows <- lapply(names(learners), function(classifier) {
    pairs <- lapply(names(searches), function(name) {
      ours <- curve_of(classifier, name, searches[[name]])
      step <- ncol(x) %/% nrow(ours) + 1
      plain <- if (name == "FRFE") "RFE_F" else sub("SRFE", "RFE", name)
      rbind(ours, curve_of(classifier, plain, search_sizes(step = step)))
    })
    do.call(rbind, pairs)
  })
})
table <- do.call(rbind, rows)
table$score <- signif(table$score, 5)
utils::write.csv(table, file.path(folder, "curves.csv"), row.names = FALSE)
record_step(folder, "curves: arcene, fold 1", 2, used[[1]])
