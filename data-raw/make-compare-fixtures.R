# Numbers of selected features for test-evaluate-compare.R, tests/testthat/fixtures/compare.rds, and
# mean ranks printed in Brzezinski (2020), Table 2. Rscript data-raw/make-compare-fixtures.R
# selected_sizes.csv paper_numbers.md
#
# The first file has one row for each data set, classifier and method, recovered from the scores
# that the author published (columns as used here); the second holds Table 2 and the ranks that
# others computed from more data sets.

paths <- commandArgs(trailingOnly = TRUE)
sizes <- utils::read.csv(paths[1], stringsAsFactors = FALSE)
methods <- c(
  "FRFE", "RFE-log", "3-SRFE", "RFE-log-3", "5-SRFE", "RFE-log-5", "10-SRFE", "RFE-log-10"
)
names <- c("FRFE", "RFE_F", "SRFE3", "RFE3", "SRFE5", "RFE5", "SRFE10", "RFE10")

# @param column (string) which rule for ties of the score.
as_matrix <- function(classifier, column) {
  part <- sizes[sizes$classifier == classifier, ]
  table <- matrix(NA_real_, length(unique(sizes$dataset)), length(methods),
    dimnames = list(unique(sizes$dataset), names)
  )
  table[cbind(
    match(part$dataset, rownames(table)), match(part$selector, methods)
  )] <- part[[column]]
  table
}

read_block <- function(lines, header) {
  from <- grep(header, lines, fixed = TRUE)[1]
  to <- from + grep("^```", lines[-seq_len(from)])[1] - 1L
  utils::read.csv(text = lines[from:to])
}

classifiers <- c("GBM", "LR", "RF", "SVM")
lines <- readLines(paths[2])
saveRDS(
  list(
    published = lapply(stats::setNames(nm = classifiers), as_matrix, "n_selected_mean"),
    smallest = lapply(
      stats::setNames(nm = classifiers), as_matrix, "n_selected_mean_if_ties_to_smallest"
    ),
    table2 = read_block(lines, "metric,classifier,FRFE"),
    table3 = read_block(lines, "metric,pair,GBM"),
    all_sets = read_block(lines, "ties,classifier,FRFE")
  ),
  file.path("tests", "testthat", "fixtures", "compare.rds"),
  compress = "xz"
)
