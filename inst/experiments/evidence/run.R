# Which names does find_signals() give when the truth is known? Real features, simulated responses.
# Rscript run.R [repetitions] [seconds of processor time]; adds to results/sets.rds after every
# repetition and goes on from there when run again; writes results/summary.csv and rates.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 100)[1 + is.na(arguments[1])]
seconds <- c(arguments[2], Inf)[1 + is.na(arguments[2])]
near <- 0.7

set_names <- c("skf_GLIOMA", "golub", "khan", "chiaretti", "gravier", "nki500_survivALL")
read_features <- function(name) {
  x <- as.matrix(experiment_data(name)$x)
  # Intensities of the first generation of chips: floor, ceiling and logarithm as is usual.
  if (name == "golub") x <- log2(pmin(pmax(x, 100), 16000))
  x <- x[, apply(x, 2, stats::sd) > 0]
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  rownames(x) <- NULL
  scale(x)[, ]
}

# Kinds of response: number of true features, their sizes, share of variance, noise, classes.
cells <- list(
  few = list(s = 3, r2 = 0.8),
  many = list(s = 6, r2 = 0.8),
  unequal = list(s = 6, r2 = 0.8, sizes = 0.7^(0:5)),
  correlated = list(s = 6, r2 = 0.8, pairs = TRUE),
  heavy = list(s = 3, r2 = 0.8, noise = "t3", null = "permutation"),
  classes = list(s = 3, r2 = 0.9, classes = TRUE),
  none = list(s = 0, r2 = 0),
  none_heavy = list(s = 0, r2 = 0, noise = "t3", null = "permutation"),
  none_classes = list(s = 0, r2 = 0, classes = TRUE)
)

# Partners of the first three true features: absolute correlation of 0.5 to 0.9, or the closest.
draw_truth <- function(x, cell) {
  if (cell$s == 0) {
    return(integer())
  }
  if (is.null(cell$pairs)) {
    return(sample(ncol(x), cell$s))
  }
  first <- sample(ncol(x), cell$s / 2)
  partners <- vapply(first, function(j) {
    r <- abs(drop(stats::cor(x, x[, j])))
    r[first] <- 0
    fitting <- which(r >= 0.5 & r <= 0.9)
    if (length(fitting) > 0L) fitting[sample(length(fitting), 1)] else which.max(r)
  }, 1L)
  unique(c(first, partners))
}

draw_response <- function(x, truth, cell) {
  n <- nrow(x)
  noise <- if (identical(cell$noise, "t3")) stats::rt(n, 3) / sqrt(3) else stats::rnorm(n)
  y <- noise
  if (length(truth) > 0L) {
    sizes <- if (is.null(cell$sizes)) rep(1, length(truth)) else cell$sizes
    signs <- sample(c(-1, 1), length(truth), replace = TRUE)
    eta <- drop(x[, truth, drop = FALSE] %*% (sizes * signs))
    y <- sqrt(cell$r2) * eta / stats::sd(eta) + sqrt(1 - cell$r2) * noise
  }
  if (isTRUE(cell$classes)) factor(y > stats::median(y), labels = c("low", "high")) else y
}

# What every method names: a list of sets of columns, mostly of one. `ungated`: without the condition
# that the first p is at most 0.05; `with_sets`: these, and the credible sets about none of them;
# `accepted`: before pruning.
name_all <- function(x, y, cell, seed) {
  fit <- find_signals(x, y, null = cell$null, n_null = 199, seed = seed)
  index <- function(names) match(names, colnames(x))
  singles <- function(names) as.list(index(names))
  kept <- fit$steps$feature[fit$steps$kept]
  sets <- unname(split(index(fit$sets$feature), fit$sets$set))
  r <- abs(stats::cor(x[, index(kept), drop = FALSE], x[, unlist(sets), drop = FALSE]))
  of_set <- rep(seq_along(sets), lengths(sets))
  apart <- vapply(seq_along(sets), function(k) !any(r[, of_set == k] > near), NA)
  stable <- stability_selection(x, y, q = 20, pfer = 1, n_pairs = 50, seed = seed)
  list(
    p_value = fit$p_value, p_first = fit$steps$p[1],
    named = list(
      signals = singles(fit$features), ungated = singles(kept),
      with_sets = c(singles(kept), sets[apart]), sets = sets,
      accepted = singles(fit$steps$feature[fit$steps$accepted]),
      stability_selection = singles(selected(stable)),
      marginal_max_t = singles(fit$marginal$feature[fit$marginal$p <= 0.05])
    )
  )
}

# @return data frame of one row: how many named sets are true, near or neither, and how many true
#   features are hit by name, or by name or neighbour.
judge <- function(named, truth, r) {
  kind <- vapply(named, function(set) {
    if (any(set %in% truth)) {
      "true"
    } else if (length(truth) > 0L && any(abs(r[set, ]) > near)) {
      "near"
    } else {
      "unrelated"
    }
  }, "")
  members <- unique(unlist(named))
  data.frame(
    n = length(named), true = sum(kind == "true"), near = sum(kind == "near"),
    unrelated = sum(kind == "unrelated"), hit = sum(truth %in% members),
    hit_near = if (length(truth) == 0L) 0L else sum(apply(abs(r[members, , drop = FALSE]) > near, 2, any))
  )
}

one_set <- function(x, set, cell_name, repetition) {
  cell <- cells[[cell_name]]
  set.seed(1000 * repetition + 10 * match(set, set_names) + match(cell_name, names(cells)))
  truth <- draw_truth(x, cell)
  y <- draw_response(x, truth, cell)
  found <- name_all(x, y, cell, repetition)
  r <- stats::cor(x, x[, truth, drop = FALSE])
  rows <- do.call(rbind, lapply(found$named, judge, truth, r))
  data.frame(
    set = set, cell = cell_name, repetition = repetition, s = length(truth),
    method = names(found$named), rows, p_value = found$p_value, p_first = found$p_first
  )
}

dir.create(folder, showWarnings = FALSE)
store <- file.path(folder, "sets.rds")
done <- if (file.exists(store)) readRDS(store)
features <- stats::setNames(lapply(set_names, read_features), set_names)
for (repetition in setdiff(seq_len(repetitions), unique(done$repetition))) {
  if (proc.time()[["user.self"]] > seconds) break
  for (set in set_names) {
    rows <- lapply(names(cells), function(cell) one_set(features[[set]], set, cell, repetition))
    done <- rbind(done, do.call(rbind, rows))
  }
  rownames(done) <- NULL
  saveRDS(done, store, compress = "xz")
}
source(file.path(dirname(folder), "tables.R"))
