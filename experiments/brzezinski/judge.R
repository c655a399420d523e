# Ranks and tests of the cells that run.R and run-svm.R have added, beside Tables 2 and 3 of
# Brzezinski (2020). Rscript experiments/brzezinski/judge.R. The classifier "libsvm" is the author's
# machine (run-svm.R), "SVM" that of LIBLINEAR with the folds of run.R.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
source(file.path(folder, "..", "..", "papers", "cells.R"))
read_csv <- function(name) utils::read.csv(file.path(folder, paste0(name, ".csv")))
save_csv <- function(table, name) {
  utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}

methods <- c("FRFE", "RFE_F", "SRFE3", "RFE3", "SRFE5", "RFE5", "SRFE10", "RFE10")
pairs <- matrix(methods, ncol = 2, byrow = TRUE)
searches <- pairs[, 1]
# ALLAML is leukemia in another form: it is reported, but does not count as a data set of its own.
twins <- "ALLAML"

# Mean ranks of the 27 or 28 sets of the paper, and one-sided p that the search is better.
table2 <- read_csv("paper-table2")
table3 <- read_csv("paper-table3")

folds <- read_csv("folds")
his <- read_csv("svm-folds")
his$classifier <- "libsvm"
agreement <- unique(his[c("data", "classifier", "method", "nogueira", "jaccard")])
agreement$n_folds <- 10
folds <- rbind(folds, his[names(folds)])
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
  cbind(sd_smallest = n_smallest, sd_mixed = n_mixed, sd_largest = n_largest) ~
    data + classifier + method, folds, stats::sd
)
cells <- merge(
  merge(cells, spread, all.x = TRUE), rbind(read_csv("stability"), agreement), all.x = TRUE
)
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

name_of_paper <- function(classifier) sub("libsvm", "SVM", classifier)

rank_of_paper <- function(measure, classifier) {
  row <- table2[
    table2$measure == measure & table2$classifier == name_of_paper(classifier), methods
  ]
  if (nrow(row) == 1L) unlist(row, use.names = FALSE) else NA_real_
}

p_of_paper <- function(measure, classifier) {
  rows <- table3[table3$measure == measure, ]
  rows[match(searches, rows$search), name_of_paper(classifier)]
}

judge <- function(classifier, measure, lower_is_better) {
  values <- wide(classifier, measure)
  if (nrow(values) < 5L) {
    return(NULL)
  }
  result <- compare_methods(
    values, direction = if (lower_is_better) "min" else "max", pairs = pairs,
    alternative = "better", p_adjust = "none"
  )
  head <- data.frame(measure = measure, classifier = classifier, n_sets = nrow(values))
  list(
    ranks = cbind(head, data.frame(
      method = methods, paper = rank_of_paper(measure, classifier),
      ours = round(colMeans(result$ranks)[methods], 2),
      se = signif(apply(result$ranks, 2L, stats::sd)[methods] / sqrt(nrow(values)), 3),
      friedman_p = signif(result$friedman$p_value[1], 3), row.names = NULL
    )),
    tests = cbind(head, data.frame(
      search = pairs[, 1], plain = pairs[, 2], paper_p = p_of_paper(measure, classifier),
      p = round(result$wilcoxon$p_value, 3), n_better = result$wilcoxon$n_first_better,
      n_equal = result$wilcoxon$n_equal
    ))
  )
}

compared <- c(
  n_mixed = TRUE, n_smallest = TRUE, n_largest = TRUE, sd_smallest = TRUE,
  sd_mixed = TRUE, sd_largest = TRUE, seconds = TRUE,
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
record_step(folder, "judge", 1, proc.time()[[3]])
