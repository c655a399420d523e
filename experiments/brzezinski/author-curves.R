# Figure 4 of Brzezinski (2020) from the author's own stored scores, for all four classifiers: inner
# accuracy at every size that each method scored in the first outer fold of arcene.
# Rscript experiments/brzezinski/author-curves.R <file>, the file that author-scores.R reads; writes
# results/author-curves.csv, in the form of curves.csv. `chosen` is the smallest of the best sizes
# for a search and the largest for plain elimination, as in his code.

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
source(file.path(folder, "..", "..", "papers", "cells.R"))
scores <- readRDS(commandArgs(trailingOnly = TRUE)[1])

his_names <- c(
  FRFE = "FRFE", "RFE-log" = "RFE_F", "3-SRFE" = "SRFE3", "RFE-log-3" = "RFE3",
  "5-SRFE" = "SRFE5", "RFE-log-5" = "RFE5", "10-SRFE" = "SRFE10", "RFE-log-10" = "RFE10"
)
his_classifiers <- c(
  LogisticRegression = "LR", SVC = "SVM", RandomForestClassifier = "RF", LGBMClassifier = "GBM"
)
rows <- scores[scores$dataset == "arcene" & scores$fold == 0, ]
rows <- data.frame(
  data = "arcene", classifier = unname(his_classifiers[as.character(rows$classifier)]),
  method = unname(his_names[as.character(rows$selector)]), size = rows$n_features,
  score = signif(rows$accuracy, 5)
)
rows <- unique(rows[order(rows$classifier, match(rows$method, his_names), rows$size), ])
chosen <- vapply(split(rows, paste(rows$classifier, rows$method)), function(part) {
  tied <- part$size[part$score >= max(part$score) - 1e-4]
  as.numeric(if (grepl("^S|^F", part$method[1])) min(tied) else max(tied))
}, 0)
rows$chosen <- unname(chosen[paste(rows$classifier, rows$method)])
utils::write.csv(rows, file.path(folder, "author-curves.csv"), row.names = FALSE)
record_step(folder, "author's curves", NA, proc.time()[[1]])
