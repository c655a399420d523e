# Eliminations with the support vector machine of the author's code: LIBSVM's with hinge loss, C =
# 1, a free constant and one class against one; features from 0 to 1 by the training samples of the
# outer fold, once for all inner folds; outer and inner folds in the order of the rows. His stops at
# 1,000 iterations, ours at the minimum. Rscript run-svm.R [sets]; writes results/svm-folds.csv.
# Sets that are stored are not run again. run.R has other machines and folds; judge.R reads both.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
folder <- file.path(here, "results")
source(file.path(here, "..", "papers", "cells.R"))
lines <- readLines(file.path(here, "run.R"))
between <- function(from, to) {
  eval(parse(text = lines[grep(from, lines):(grep(to, lines) - 1L)]), globalenv())
}
between("^searches <- list", "^# Rows of a cell")
between("^# Agreement of the sets", "^run_cell <- ")

learner <- learner_svm(
  cost = 1, loss = "l1", scaling = "none", intercept = "free", multiclass = "one_against_one"
)

# The fold of each row by StratifiedKFold() of scikit-learn 0.22 and later without shuffling: sorted
# labels are dealt out to the folds one by one, which says how many of a class each fold has; the
# rows of a class then fill the folds in their order.
row_folds <- function(y, n_folds) {
  code <- match(y, unique(y))
  dealt <- table(
    factor(rep_len(seq_len(n_folds), length(y)), seq_len(n_folds)), factor(sort(code))
  )
  fold <- integer(length(y))
  for (class in seq_len(max(code))) {
    fold[code == class] <- rep(seq_len(n_folds), dealt[, class])
  }
  fold
}

run_one <- function(x, y, train, search) {
  low <- apply(x[train, ], 2L, min)
  width <- apply(x[train, ], 2L, max) - low
  width[width == 0] <- 1
  z <- t((t(x) - low) / width)
  inner <- row_folds(y[train], 5)
  plan <- resample_custom(lapply(1:5, function(k) which(inner != k)), n = sum(train))
  seconds <- system.time(fit <- eliminate_features(
    z[train, ], droplevels(y[train]), learner, search, plan, tie = "smallest", size_rule = "best",
    seed = 1, progress = FALSE
  ), gcFirst = FALSE)[["elapsed"]]
  measures <- measure_predictions(
    y[!train], as.character(predict(fit, z[!train, , drop = FALSE])),
    metric = c("accuracy", "kappa", "macro_recall", "g_mean", "g_mean_floored")
  )
  top <- max(fit$sizes$score)
  list(
    features = fit$features,
    row = data.frame(
      n_features = fit$n_features,
      n_largest = max(fit$sizes$size[fit$sizes$score >= top - 1e-10]),
      n_sizes = nrow(fit$sizes), n_fits = fit$n_fits, seconds = round(seconds, 3),
      inner_accuracy = signif(top, 4), t(signif(measures, 4))
    )
  )
}

run_fold <- function(x, y, train) {
  runs <- list()
  for (name in names(searches)) {
    runs[[name]] <- run_one(x, y, train, searches[[name]])
    # The author's counterpart: as many sizes as this search has scored in this fold.
    step <- ncol(x) %/% runs[[name]]$row$n_sizes + 1
    plain <- sub("SRFE|FRFE", "RFE", name)
    if (plain == "RFE") plain <- "RFE_F"
    runs[[plain]] <- run_one(x, y, train, search_sizes(step = step))
  }
  runs
}

run_set <- function(cell) {
  data <- experiment_data(paste0("skf_", cell$data))
  x <- data$x
  storage.mode(x) <- "double"
  if (is.null(colnames(x))) colnames(x) <- paste0("V", seq_len(ncol(x)))
  y <- factor(data$y)
  outer <- row_folds(y, 10)
  folds <- lapply(sort(unique(outer)), function(k) run_fold(x, y, outer != k))
  methods <- names(folds[[1]])
  agreement <- lapply(stats::setNames(methods, methods), function(method) {
    judge_sets(lapply(folds, function(fold) fold[[method]]$features), colnames(x))
  })
  do.call(rbind, lapply(seq_along(folds), function(k) {
    do.call(rbind, lapply(methods, function(method) {
      cbind(
        cell, classifier = "SVM", fold = k, method = method, folds[[k]][[method]]$row,
        agreement[[method]]
      )
    }))
  }))
}

by_cost <- c(
  "colon", "leukemia", "ALLAML", "Prostate_GE", "lung_small", "GLIOMA", "lymphoma", "nci9",
  "TOX_171", "warpPIE10P", "warpAR10P", "orlraws10P", "Yale", "arcene", "pixraw10P", "ORL"
)
given <- commandArgs(trailingOnly = TRUE)
sets <- if (length(given) > 0L) given else by_cost
run_cells(folder, "svm-folds", data.frame(data = sets), run_set, seed = 1)
