# Makes tests/testthat/fixtures/attached-names.csv: the functions and data sets of packages that
# users of this field attach beside this one, so that test-all-words.R can see that no name of ours
# hides one of theirs. Run from the root folder: Rscript data-raw/make-attached-names.R LIBRARY
# [LIBRARY ...], with libraries that hold installed packages, or folders with the sources of
# packages.
packages <- c(
  "affy", "ape", "Biobase", "BiocGenerics", "boot", "Boruta", "broom", "c060", "car", "caret",
  "coin", "ComplexHeatmap", "data.table", "DESeq2", "dplyr", "e1071", "edgeR", "future", "gam",
  "gbm", "genefilter", "generics", "GenomicRanges", "ggplot2", "glmnet", "grpreg", "Hmisc",
  "hypervolume", "impute", "ipred", "IRanges", "kernlab", "lars", "limma", "lme4", "MASS",
  "Matrix", "matrixStats", "mboost", "mgcv", "mlr3", "mlr3filters", "mlr3fselect", "multcomp",
  "multtest", "ncvreg", "nlme", "nnet", "pamr", "parsnip", "party", "penalized", "pls",
  "praznik", "pROC", "psych", "purrr", "randomForest", "ranger", "recipes", "rms", "ROCR",
  "rpart", "rsample", "S4Vectors", "sandwich", "scater", "sharp", "SIS", "stabm", "stabs",
  "stringr", "SummarizedExperiment", "survival", "sva", "tibble", "tidyr", "tune", "vegan",
  "workflows", "xgboost", "yardstick"
)

# What loadNamespace() would export, without loading.
names_of_installed <- function(folder) {
  info <- readRDS(file.path(folder, "Meta", "nsInfo.rds"))
  index <- file.path(folder, "R", paste0(basename(folder), ".rdx"))
  objects <- if (file.exists(index)) names(readRDS(index)$variables)
  data <- file.path(folder, "data", "Rdata.rds")
  version <- readRDS(file.path(folder, "Meta", "package.rds"))$DESCRIPTION[["Version"]]
  list(
    names = c(
      info$exports, unlist(info$exportMethods),
      unlist(lapply(info$exportPatterns, grep, objects, value = TRUE)),
      if (file.exists(data)) unlist(readRDS(data))
    ),
    version = version
  )
}

names_of_source <- function(folder) {
  info <- parseNamespaceFile(basename(folder), dirname(folder))
  sources <- list.files(file.path(folder, "R"), "[.][RrSsq]$", full.names = TRUE)
  code <- unlist(lapply(sources, readLines))
  assignment <- "^[A-Za-z.][A-Za-z0-9._]*(?=\\s*(<-|=)\\s*function)"
  assigned <- regmatches(code, regexpr(assignment, code, perl = TRUE))
  stored <- list.files(file.path(folder, "data"), "[.](rda|RData|csv|txt|rds)$")
  data <- tools::file_path_sans_ext(stored)
  list(
    names = c(
      info$exports, unlist(info$exportMethods),
      unlist(lapply(info$exportPatterns, grep, assigned, value = TRUE)), data
    ),
    version = "source"
  )
}

find_names <- function(package, libraries) {
  for (library in libraries) {
    folder <- file.path(library, package)
    if (file.exists(file.path(folder, "Meta", "nsInfo.rds"))) return(names_of_installed(folder))
    if (file.exists(file.path(folder, "NAMESPACE"))) return(names_of_source(folder))
  }
}

libraries <- commandArgs(TRUE)
if (length(libraries) == 0L) libraries <- .libPaths()
rows <- lapply(packages, function(package) {
  found <- find_names(package, libraries)
  if (is.null(found)) {
    message("not found: ", package)
    return(NULL)
  }
  # Names that could be ours: words of small letters and underscores.
  ours <- sort(unique(grep("^[a-z][a-z0-9_]*$", found$names, value = TRUE)), method = "radix")
  if (length(ours) > 0L) data.frame(package = package, name = ours)
})
table <- do.call(rbind, rows)
utils::write.csv(
  table, "tests/testthat/fixtures/attached-names.csv", row.names = FALSE, quote = FALSE
)
message(nrow(table), " names of ", length(unique(table$package)), " packages")
