# Ranks and tests of the cells that run.R has added, beside Tables 2 and 3 of Brzezinski (2020).
# Rscript inst/experiments/brzezinski/judge.R

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
read_csv <- function(name) utils::read.csv(file.path(folder, paste0(name, ".csv")))
save_csv <- function(table, name) {
  utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}

methods <- c("FRFE", "RFE_F", "SRFE3", "RFE3", "SRFE5", "RFE5", "SRFE10", "RFE10")
pairs <- matrix(methods, ncol = 2, byrow = TRUE)
searches <- pairs[, 1]
# ALLAML is leukemia in another form: it is reported, but does not count as a data set of its own.
twins <- "ALLAML"

# Table 2: mean ranks of the 27 or 28 sets of the paper, in the order of `methods`.
table2 <- utils::read.csv(text = "
measure,classifier,FRFE,RFE_F,SRFE3,RFE3,SRFE5,RFE5,SRFE10,RFE10
n_mixed,LR,5.14,5.91,3.60,5.32,3.96,5.35,2.39,4.30
n_mixed,RF,5.39,4.96,3.42,5.57,3.71,4.46,3.28,5.17
n_mixed,SVM,5.03,5.85,3.19,5.10,4.00,4.41,3.21,5.17
seconds,LR,1.91,2.41,5.23,5.73,4.01,4.91,5.08,6.69
seconds,RF,1.83,1.51,7.41,4.66,4.91,3.44,6.66,5.55
seconds,SVM,1.87,2.19,5.21,5.71,4.39,4.85,5.25,6.50
accuracy,LR,4.30,4.82,4.26,4.83,4.32,4.55,4.78,4.10
accuracy,RF,4.66,4.75,4.03,4.41,4.05,4.96,4.91,4.21
accuracy,SVM,4.64,3.82,4.44,4.33,5.58,4.00,5.14,4.01
kappa,LR,4.37,4.82,4.28,4.82,4.30,4.46,4.82,4.10
kappa,RF,4.64,4.73,4.12,4.33,4.07,5.00,4.98,4.10
kappa,SVM,4.66,3.85,4.51,4.42,5.51,4.00,5.07,3.94
macro_recall,LR,4.28,4.89,4.17,4.85,4.39,4.33,4.87,4.17
macro_recall,RF,4.67,4.87,4.10,4.41,3.85,4.98,4.96,4.12
macro_recall,SVM,4.71,3.82,4.42,4.26,5.55,4.12,5.10,3.98
g_mean_floored,LR,4.26,4.89,4.33,4.83,4.28,4.26,4.98,4.12
g_mean_floored,RF,4.35,4.60,4.21,4.58,3.71,5.35,5.07,4.08
g_mean_floored,SVM,4.57,3.78,4.26,4.33,5.44,4.25,5.21,4.12
")
# Table 3: one-sided p that the search is better than its counterpart, in the order of `pairs`.
table3 <- utils::read.csv(text = "
measure,classifier,FRFE,SRFE3,SRFE5,SRFE10
n_mixed,LR,0.048,0.011,0.023,0.002
n_mixed,RF,0.866,0.007,0.045,0.008
n_mixed,SVM,0.023,0.010,0.035,0.000
seconds,LR,0.524,0.346,0.232,0.113
seconds,RF,0.978,1.000,1.000,0.981
seconds,SVM,0.627,0.530,0.352,0.223
accuracy,LR,0.434,0.623,0.530,0.841
accuracy,RF,0.453,0.415,0.092,0.928
accuracy,SVM,0.928,0.847,0.995,0.839
")

folds <- read_csv("folds")
# The author's mixture of rules on ties: smallest size for the searches, largest for plain RFE. The
# other way round, and the largest for all, for comparison.
is_search <- folds$method %in% searches
folds$n_smallest <- folds$n_features
folds$n_mixed <- ifelse(is_search, folds$n_features, folds$n_largest)
measures <- c(
  "n_smallest", "n_mixed", "n_largest", "n_sizes", "n_fits", "seconds", "inner_accuracy",
  "accuracy", "kappa", "macro_recall", "g_mean", "g_mean_floored"
)
cells <- stats::aggregate(
  folds[measures], folds[c("data", "classifier", "method")], mean, na.rm = TRUE
)
spread <- stats::aggregate(
  cbind(sd_smallest = n_smallest, sd_mixed = n_mixed) ~ data + classifier + method, folds, stats::sd
)
cells <- merge(merge(cells, spread, all.x = TRUE), read_csv("stability"), all.x = TRUE)
cells <- cells[order(cells$classifier, cells$data, match(cells$method, methods)), ]
numbers <- vapply(cells, is.numeric, NA)
cells[numbers] <- lapply(cells[numbers], signif, 4)
save_csv(cells, "cells")

# Data sets x methods.
wide <- function(classifier, measure) {
  part <- cells[cells$classifier == classifier & !cells$data %in% twins, ]
  sets <- unique(part$data)
  out <- matrix(NA_real_, length(sets), length(methods), dimnames = list(sets, methods))
  out[cbind(match(part$data, sets), match(part$method, methods))] <- part[[measure]]
  out[stats::complete.cases(out), , drop = FALSE]
}

paper_of <- function(table, measure, classifier) {
  row <- table[table$measure == measure & table$classifier == classifier, -(1:2)]
  if (nrow(row) == 1L) unlist(row, use.names = FALSE) else NA_real_
}

judge <- function(classifier, measure, lower_is_better) {
  values <- wide(classifier, measure)
  if (nrow(values) < 5L) {
    return(NULL)
  }
  result <- compare_methods(
    values, higher_is_better = !lower_is_better, pairs = pairs, alternative = "better",
    p_adjust = "none"
  )
  head <- data.frame(measure = measure, classifier = classifier, n_sets = nrow(values))
  list(
    ranks = cbind(head, data.frame(
      method = methods, paper = paper_of(table2, measure, classifier),
      ours = round(colMeans(result$ranks)[methods], 2),
      friedman_p = signif(result$friedman$p_value[1], 3), row.names = NULL
    )),
    tests = cbind(head, data.frame(
      search = pairs[, 1], plain = pairs[, 2], paper_p = paper_of(table3, measure, classifier),
      p = round(result$wilcoxon$p_value, 3), n_better = result$wilcoxon$n_first_better,
      n_equal = result$wilcoxon$n_equal
    ))
  )
}

compared <- c(
  n_mixed = TRUE, n_smallest = TRUE, n_largest = TRUE, sd_smallest = TRUE, seconds = TRUE,
  n_fits = TRUE, accuracy = FALSE, kappa = FALSE, macro_recall = FALSE, g_mean = FALSE,
  g_mean_floored = FALSE, inner_accuracy = FALSE, nogueira = FALSE
)
judged <- list()
for (classifier in unique(cells$classifier)) {
  for (measure in names(compared)) {
    judged <- c(judged, list(judge(classifier, measure, compared[[measure]])))
  }
}
save_csv(do.call(rbind, lapply(judged, `[[`, "ranks")), "ranks")
save_csv(do.call(rbind, lapply(judged, `[[`, "tests")), "tests")
