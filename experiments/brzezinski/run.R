# Tables 2 and 3 of Brzezinski (2020): Fibonacci search and k-subsecting against plain elimination
# with as many sizes. Rscript experiments/brzezinski/run.R <classifier> <outer folds>
# <searches> <sets>, for example run.R SVM 10 all skf_colon skf_ALLAML, or
# run.R GBM 1 FRFE,SRFE10 skf_colon, adds the cells that are not in results/ yet, or have fewer
# outer folds there; without arguments all that is stored but boosting. judge.R makes the tables.
# The folder of the data: see ?experiment_data.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
dir.create(folder, showWarnings = FALSE)
source(file.path(folder, "..", "..", "papers", "cells.R"))
arguments <- commandArgs(trailingOnly = TRUE)
seed <- 1

# As in the author's code: liblinear with C = 1 and a penalised constant, features from 0 to 1;
# 30 trees that try 30 % of the features. LightGBM's defaults have no counterpart in gbm: 100 rounds
# at rate 0.1, as there, but trees of depth 3 and leaves of any size.
learners <- list(
  LR = learner_logistic(lambda = 1, scaling = "range", intercept = "penalised"),
  SVM = learner_svm(cost = 1, scaling = "range", intercept = "penalised"),
  SVM_hinge = learner_svm(cost = 1, loss = "l1", scaling = "range", intercept = "penalised"),
  RF = learner_forest(n_trees = 30, mtry = 0.3),
  GBM = learner_boosting(n_rounds = 100, max_depth = 3)
)
searches <- list(
  FRFE = search_peak(), SRFE3 = search_peak(3), SRFE5 = search_peak(5),
  SRFE10 = search_peak(10)
)

# Rows of a cell replaced or added. More folds of the same seed begin with those that were there.
replace_cell <- function(table, name) {
  path <- file.path(folder, paste0(name, ".csv"))
  if (file.exists(path)) {
    old <- utils::read.csv(path)
    here <- old$data == table$data[1] & old$classifier == table$classifier[1]
    if (name == "folds") report_changes(old[here, ], table)
    table <- rbind(old[!here, ], table)
  }
  utils::write.csv(table, path, row.names = FALSE, quote = TRUE)
}

report_changes <- function(old, new) {
  both <- merge(old, new, by = c("fold", "method"))
  same <- both$n_features.x == both$n_features.y & both$n_largest.x == both$n_largest.y
  if (nrow(both) > 0L) cat(sum(same), "of", nrow(both), "earlier eliminations give the same size\n")
}

# One elimination on the samples of an outer fold, judged on the others. A sweep over given sizes
# looks at the same ones for either rule on ties: `n_largest` is what the other rule would take.
run_one <- function(x, y, train, learner, search, fold_seed) {
  seconds <- system.time(fit <- eliminate_features(
    x[train, ], droplevels(y[train]), learner, search, resample_folds(5, stratify = TRUE),
    tie = "smallest", size_rule = "best", seed = fold_seed, progress = FALSE
  ), gcFirst = FALSE)[["elapsed"]]
  measures <- measure_predictions(
    y[!train], as.character(predict(fit, x[!train, , drop = FALSE])),
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

run_fold <- function(x, y, train, learner, fold_seed) {
  runs <- list()
  for (name in names(searches)) {
    runs[[name]] <- run_one(x, y, train, learner, searches[[name]], fold_seed)
    # The author's counterpart: as many sizes as this search has scored in this fold.
    step <- ncol(x) %/% runs[[name]]$row$n_sizes + 1
    plain <- sub("SRFE|FRFE", "RFE", name)
    if (plain == "RFE") plain <- "RFE_F"
    runs[[plain]] <- run_one(x, y, train, learner, search_sizes(step = step), fold_seed)
  }
  runs
}

# Agreement of the sets over outer folds.
judge_sets <- function(sets, feature_names) {
  if (length(sets) < 2L) {
    return(list(nogueira = NA, jaccard = NA))
  }
  selection <- as_selection(sets, feature_names = feature_names)
  table <- stability(selection, c("nogueira", "jaccard"))$table
  stats::setNames(as.list(signif(table$estimate, 4)), table$index)
}

run_cell <- function(set, learner, n_folds) {
  data <- experiment_data(set)
  x <- data$x
  storage.mode(x) <- "double"
  if (is.null(colnames(x))) colnames(x) <- paste0("V", seq_len(ncol(x)))
  y <- factor(data$y)
  resamples <- draw_resamples(resample_folds(10, stratify = TRUE), y, seed = seed)
  folds <- lapply(seq_len(n_folds), function(k) {
    run_fold(x, y, as.matrix(resamples)[, k] > 0, learners[[learner]], seed + k)
  })
  methods <- names(folds[[1]])
  head <- data.frame(data = sub("^skf_", "", set), classifier = learner)
  replace_cell(do.call(rbind, lapply(seq_len(n_folds), function(k) {
    do.call(rbind, lapply(methods, function(method) {
      cbind(head, fold = k, method = method, folds[[k]][[method]]$row)
    }))
  })), "folds")
  replace_cell(do.call(rbind, lapply(methods, function(method) {
    sets <- lapply(folds, function(fold) fold[[method]]$features)
    cbind(head, method = method, n_folds = n_folds, judge_sets(sets, colnames(x)))
  })), "stability")
}

# Has a cell as many outer folds already?
is_done <- function(set, learner, n_folds) {
  path <- file.path(folder, "folds.csv")
  if (!file.exists(path)) {
    return(FALSE)
  }
  done <- utils::read.csv(path)
  here <- done$data == sub("^skf_", "", set) & done$classifier == learner
  length(unique(done$fold[here])) >= n_folds
}

run_cells_of <- function(learner, n_folds, sets) {
  for (set in sets) {
    if (is_done(set, learner, n_folds)) next
    seconds <- system.time(run_cell(set, learner, n_folds))[["elapsed"]]
    record_step(folder, paste("folds:", learner, set, n_folds), seed, seconds)
    cat(learner, set, round(seconds, 1), "s\n")
  }
}

# What is stored, without boosting.
small <- paste0("skf_", c("ALLAML", "colon", "leukemia", "lung_small", "Prostate_GE", "GLIOMA"))
many_classes <- paste0("skf_", c("lymphoma", "warpAR10P", "Yale"))
wide <- paste0("skf_", c("arcene", "pixraw10P"))
if (length(arguments) == 0L) {
  run_cells_of("SVM", 10, c(small, many_classes, "skf_arcene"))
  run_cells_of("SVM", 2, "skf_pixraw10P")
  run_cells_of("SVM", 1, "skf_madelon")
  run_cells_of("LR", 10, c(small, "skf_lymphoma"))
  run_cells_of("LR", 3, "skf_warpAR10P")
  run_cells_of("LR", 2, c(wide, "skf_Yale"))
  run_cells_of("RF", 2, c(setdiff(small, "skf_ALLAML"), many_classes))
} else {
  if (arguments[3] != "all") searches <- searches[strsplit(arguments[3], ",")[[1]]]
  run_cells_of(arguments[1], as.integer(arguments[2]), arguments[-(1:3)])
}
