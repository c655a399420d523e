# Do simulated outcomes of estimate_error_rates() have the error and the spread of the data, and
# what do two lists contain beside a diffuse part? Rscript run.R [outcomes for each cell, 20]
# Sets must be in the folder that STABILECT_DATA names; colon is the package's. Adds a set at a time
# to results/matches.csv and results/rates.csv, and goes on from there.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
n_outcomes <- if (length(arguments) > 0L) arguments[1] else 20
space <- asNamespace("stabilect")
seed <- 20261126L

sources <- c("colon", "surv_nki70", "gravier")
read_set <- function(name) {
  if (name == "colon") {
    return(list(x = log2(colon_genes$x), y = colon_genes$y))
  }
  set <- readRDS(file.path(Sys.getenv("STABILECT_DATA"), paste0(name, ".rds")))
  if (!is.null(set$time)) set$y <- survival::Surv(set$time, set$event)
  if (is.null(colnames(set$x))) colnames(set$x) <- paste0("f", seq_len(ncol(set$x)))
  set
}

add <- function(rows, name) {
  path <- file.path(folder, name)
  numbers <- vapply(rows, is.double, NA)
  rows[numbers] <- lapply(rows[numbers], signif, 4)
  old <- if (file.exists(path)) utils::read.csv(path)
  utils::write.csv(rbind(old, rows), path, row.names = FALSE)
}

# Error and spread of outcomes that were not used to choose the strength.
reached <- function(set, cal, cell) {
  study <- space$open_study(set$x, set$y, space$takes_of("estimate_error_rates"), "the experiment")
  z <- space$standardise_varying(study$x)
  like <- space$read_diffuse(study$response, z)
  found <- vapply(seed + seq_len(n_outcomes), function(own) {
    drawn <- space$simulate_response(
      study, z, cell$n_true, cell$r_squared, own, cell$diffuse, like
    )
    c(space$reference_error(study$x, drawn$y, own, 1L), drawn$spread)
  }, numeric(2))
  data.frame(
    n_true = cell$n_true, r_squared = cell$r_squared, diffuse = cell$diffuse,
    error_data = cal$observed, error = mean(found[1, ]),
    error_se = stats::sd(found[1, ]) / sqrt(n_outcomes), spread_data = cal$spread,
    spread = mean(found[2, ])
  )
}

done <- if (file.exists(file.path(folder, "rates.csv"))) {
  utils::read.csv(file.path(folder, "rates.csv"))$set
}
for (name in setdiff(sources, done)) {
  set <- read_set(name)
  # No set has fewer features than 10 true ones need.
  lists <- list(
    stable = stability_selection(set$x, set$y, pfer = 1, q = 10, seed = 1),
    signals = find_signals(set$x, set$y, seed = 1)
  )
  cal <- estimate_error_rates(
    lists, set$x, set$y, n_true = c(3, 10), n_simulations = n_outcomes, seed = seed
  )
  cells <- unique(cal$table[c("n_true", "r_squared", "diffuse")])
  matches <- do.call(rbind, lapply(seq_len(nrow(cells)), function(k) reached(set, cal, cells[k, ])))
  sparse <- do.call(rbind, lapply(seq_len(nrow(cells)), function(k) {
    estimate_error_rates(
      lists, set$x, set$y, n_true = cells$n_true[k], r_squared = cells$r_squared[k],
      n_simulations = n_outcomes, seed = seed
    )$table
  }))
  rates <- rbind(cbind(truth = "diffuse", cal$table), cbind(truth = "sparse", sparse))
  rates <- rates[rates$cut == "own", c(
    "truth", "method", "n_true", "r_squared", "diffuse", "size", "true", "near", "unrelated",
    "unrelated_se", "behind", "n_simulations"
  )]
  commit <- system("git rev-parse --short HEAD", intern = TRUE)
  about <- data.frame(set = name, n = nrow(set$x), p = ncol(set$x))
  add(cbind(about, matches, commit, seed), "matches.csv")
  add(cbind(about["set"], rates, commit, seed), "rates.csv")
}
