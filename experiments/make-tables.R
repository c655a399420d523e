# Makes the tables that the package ships of these experiments from their full results:
# inst/extdata/results/<experiment>.rds, a list of data frames by name, which pages in vignettes/
# read. Rscript experiments/make-tables.R in the sources, after a script has made
# new results; papers/judge.R does so for those of the papers. A file whose tables are the same is
# left alone. test-all-shipped-tables.R holds the shipped tables against the results.

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
# judge.R has read its own name there, and knows the root.
if (!exists("root")) {
  root <- file.path(if (length(file) > 0L) dirname(file) else "experiments", "..")
}
source(file.path(root, "experiments", "papers", "seals.R"))

# The tables of results/ that are shipped; of the papers also their contents and states (papers).
shipped <- list(
  adopters = "calls",
  `after-the-list` = c("alternatives", "effects", "signature"),
  brzezinski = c(
    "author-curves", "author-ranks", "author-sizes", "author-tests", "cells", "curves",
    "curves-svm", "folds", "ligand-attributes", "ligands", "lightgbm-folds", "paper-case-study",
    "paper-stored-ranks", "paper-stored-sizes", "paper-table1", "paper-table2", "paper-table3",
    "paper-table4", "ranks", "sets", "svm-folds", "tests"
  ),
  calibrate = "rates",
  dernoncourt = c(
    "columns", "fit-generated", "paper", "paper-sets", "search-edge",
    "search-forests", "search-real", "table2", "table3", "table3-forests"
  ),
  `error-rates` = c("designs", "kinds"),
  evidence = c("blocks", "shuffled"),
  hamer = c(
    "areas", "choices", "correlated-groups", "elastic-net", "equal-fronts", "forest-relief",
    "frequency-score", "front-alon", "front-arcene", "front-borovecki", "front-breast",
    "front-chiaretti", "front-gastro", "front-gravier", "front-ionosphere", "front-lsvt",
    "front-singh", "front-sonar", "more-alphas", "more-forests", "own-lasso", "paper-data",
    "paper-table1", "paper-table5", "paper-text", "svm-rfe", "two-penalties", "variation",
    "variation-values"
  ),
  `honest-error` = "intervals",
  league = c("differences", "lists", "methods", "sets"),
  missing = c("rates", "real"),
  names = c("by-outcome", "calibration", "rates"),
  onda = c(
    "ensembles", "errors", "figure12", "figure13", "figure2", "figure8", "figure9", "fitted",
    "frequencies", "grown-ensembles", "grown-singles", "new-halves", "paper", "paper-sets",
    "predictions", "regrouped", "table2", "table4", "thirty-members"
  ),
  peers = c("kinds", "methods", "more-methods", "more-points", "points"),
  `response-laws` = c("cells", "claims"),
  scaling = c("model", "predictions"),
  `signal-covariates` = "sizes",
  within = "rates",
  zare = c(
    "curves", "known-truth", "known-truth-pfer", "known-truth-rankings", "paper",
    "real-sets", "real-splits", "theorem5-found", "theorem5-lasso"
  )
)

read_table <- function(path) {
  utils::read.csv(path, check.names = FALSE, encoding = "UTF-8")
}

tables_of <- function(experiment) {
  folder <- file.path(root, "experiments", experiment, "results")
  paths <- file.path(folder, paste0(shipped[[experiment]], ".csv"))
  if (experiment %in% paper_names) for (path in paths) check_seal(root, experiment, path)
  tables <- lapply(stats::setNames(paths, sub("[.]csv$", "", basename(paths))), read_table)
  c(tables, not_in_csv(experiment, folder))
}

not_in_csv <- function(experiment, folder) {
  switch(experiment,
    hamer = list(maps = readRDS(file.path(folder, "maps.rds"))),
    # By number of members, 1, 2, 5 and 10: what the page runs again.
    onda = list(
      `colon-t-halves` = readRDS(file.path(folder, "cases", "colon-t-halves.rds"))$stability[1:4]
    )
  )
}

# The contents of each paper, the states and claims of all, and what is short of whole.
contents_of_papers <- function() {
  names <- c(paper_names, "states", "claims", "short")
  paths <- file.path(root, "experiments", "papers", paste0(names, ".csv"))
  lapply(stats::setNames(paths, names), function(path) {
    table <- read_table(path)
    # A column without text is read as missing flags.
    empty <- vapply(table, function(column) is.logical(column) && all(is.na(column)), NA)
    table[empty] <- ""
    table
  })
}

write_tables <- function(experiment, tables) {
  path <- file.path(root, "inst", "extdata", "results", paste0(experiment, ".rds"))
  dir.create(dirname(path), showWarnings = FALSE)
  if (!file.exists(path) || !identical(readRDS(path), tables)) {
    saveRDS(tables, path, version = 3, compress = "xz")
    message(experiment, ": ", length(tables), " tables, ", file.size(path), " bytes")
  }
}

for (experiment in names(shipped)) write_tables(experiment, tables_of(experiment))
write_tables("papers", contents_of_papers())
