# Claimed and realised numbers of false features on independent, correlated and real features.
# Rscript run.R [folder with the data sets]; writes results/<design>.csv, and goes on where it was.

library(stabilect)

data_folder <- c(commandArgs(TRUE), Sys.getenv("STABILECT_DATA"))[1]
n_sets <- 100

gauss <- function(n, p, group_size, correlation, seed) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
  common <- matrix(rnorm(n * p / group_size), n)[, rep(seq_len(p / group_size), each = group_size)]
  sqrt(1 - correlation) * x + sqrt(correlation) * common
}

designs <- list(
  independent = function() gauss(60, 500, 1, 0, 1),
  groups_of_10 = function() gauss(60, 500, 10, 0.5, 2),
  pairs = function() gauss(60, 500, 2, 0.95, 3),
  one_factor = function() gauss(60, 500, 500, 0.6, 4),
  colon = function() log2(colon_genes$x),
  leukaemia = function() {
    x <- readRDS(file.path(data_folder, "golub.rds"))$x
    colnames(x) <- make.unique(colnames(x))
    x
  }
)

for (design in names(designs)) {
  file <- file.path("results", paste0(design, ".csv"))
  if (file.exists(file)) next
  x <- designs[[design]]()
  set.seed(10)
  y <- rnorm(nrow(x))
  settings <- function(q, cutoff) {
    stability_selection(x, y, q = q, cutoff = cutoff, seed = 1, progress = FALSE)
  }
  procedures <- list(
    stability_q20 = settings(20, 0.75), stability_q5 = settings(5, 0.55),
    lasso_scores = function(x, y, ...) fealect(x, y, n_runs = 50, n_boot = 0, oob = FALSE, ...),
    find_signals = function(x, y, ...) find_signals(x, y, n_null = 199, ...)
  )
  seconds <- system.time({
    found <- calibrate_selection(
      procedures, x, y, n_true = c(0, 3, 10, 30), r_squared = 0.9, n_sets = n_sets, seed = 1,
      progress = FALSE
    )
  })
  table <- found$table
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], signif, 4)
  write.csv(cbind(design = design, table), file, row.names = FALSE)
  cat(design, dim(x), round(sum(seconds[1:2])), "processor seconds\n")
}
