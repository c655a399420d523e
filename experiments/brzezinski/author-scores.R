# The author's own stored scores of every size tried (27 sets, 4 classifiers, 10 folds, 8 searches):
# selected sizes by each rule on ties, their mean ranks and tests. This separates what a reading of
# the paper does from what another machine does.
# Rscript experiments/brzezinski/author-scores.R <file>, with GridScores.csv.gz of the author's
# repository, as data frame with dataset, classifier, fold, selector, n_features and accuracy, saved
# by saveRDS(); writes results/author-sizes.csv, author-ranks.csv and author-tests.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
source(file.path(folder, "..", "..", "papers", "cells.R"))
scores <- readRDS(commandArgs(trailingOnly = TRUE)[1])

methods <- c("FRFE", "RFE_F", "SRFE3", "RFE3", "SRFE5", "RFE5", "SRFE10", "RFE10")
pairs <- matrix(methods, ncol = 2, byrow = TRUE)
his_names <- c(
  "FRFE", "RFE-log", "3-SRFE", "RFE-log-3", "5-SRFE", "RFE-log-5", "10-SRFE", "RFE-log-10"
)
his_classifiers <- c(
  LogisticRegression = "LR", SVC = "SVM", RandomForestClassifier = "RF", LGBMClassifier = "GBM"
)
scores$method <- methods[match(scores$selector, his_names)]
scores$classifier <- unname(his_classifiers[as.character(scores$classifier)])

key <- paste(scores$dataset, scores$classifier, scores$method, scores$fold, sep = "\r")
folds <- do.call(rbind, lapply(split(scores, key), function(part) {
  tied <- part$n_features[part$accuracy >= max(part$accuracy) - 1e-10]
  data.frame(
    data = as.character(part$dataset[1]), classifier = part$classifier[1],
    method = part$method[1], fold = part$fold[1], n_smallest = min(tied), n_largest = max(tied),
    n_sizes = length(unique(part$n_features)), inner_accuracy = max(part$accuracy)
  )
}))
# The author's mixture of rules: the smallest of tied sizes for a search, the largest for plain
# elimination. All sizes that a search scored count here; his k-subsecting can end beside the best
# of them (paper-stored-sizes.csv replays that).
folds$n_mixed <- ifelse(folds$method %in% pairs[, 1], folds$n_smallest, folds$n_largest)

groups <- folds[c("data", "classifier", "method")]
counted <- c("n_mixed", "n_smallest", "n_largest", "n_sizes", "inner_accuracy")
means <- stats::aggregate(folds[counted], groups, mean)
spread <- stats::aggregate(
  data.frame(
    sd_mixed = folds$n_mixed, sd_smallest = folds$n_smallest, sd_largest = folds$n_largest
  ),
  groups, stats::sd
)
number <- stats::aggregate(list(folds = folds$fold), groups, length)
sizes <- merge(merge(means, spread), number)
sizes <- sizes[order(sizes$classifier, sizes$data, match(sizes$method, methods)), ]

all_sets <- levels(scores$dataset)
wide <- function(classifier, measure) {
  part <- sizes[sizes$classifier == classifier, ]
  out <- matrix(NA_real_, length(all_sets), 8, dimnames = list(all_sets, methods))
  out[cbind(match(part$data, all_sets), match(part$method, methods))] <- part[[measure]]
  out
}

# Missing runs come last, as in the author's script; pairs are tested where both were run.
judge <- function(classifier, measure) {
  values <- wide(classifier, measure)
  ranks <- compare_methods(values, direction = "min", na = "last")
  tests <- compare_methods(
    values[stats::complete.cases(values), ], direction = "min", pairs = pairs,
    alternative = "better", p_adjust = "none"
  )
  head <- data.frame(measure = measure, classifier = classifier)
  list(
    ranks = cbind(head, n_sets = nrow(values), data.frame(
      method = methods, rank = colMeans(ranks$ranks)[methods],
      se = apply(ranks$ranks, 2L, stats::sd)[methods] / sqrt(nrow(values)),
      friedman_p = ranks$friedman$p_value[1], row.names = NULL
    )),
    tests = cbind(head, n_sets = nrow(tests$ranks), data.frame(
      search = pairs[, 1], plain = pairs[, 2], p = tests$wilcoxon$p_value,
      n_better = tests$wilcoxon$n_first_better, n_equal = tests$wilcoxon$n_equal
    ))
  )
}

save_csv <- function(table, name) {
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], signif, 4)
  utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}
measures <- c(
  "n_mixed", "n_smallest", "n_largest", "sd_mixed", "sd_smallest", "sd_largest"
)
judged <- list()
for (classifier in his_classifiers) {
  for (measure in measures) judged <- c(judged, list(judge(classifier, measure)))
}
save_csv(sizes, "author-sizes")
save_csv(do.call(rbind, lapply(judged, `[[`, "ranks")), "author-ranks")
save_csv(do.call(rbind, lapply(judged, `[[`, "tests")), "author-tests")
record_step(folder, "author's scores", NA, proc.time()[[1]])
