# Claimed and delivered by the law of the response: everything with a p value or an error rate, on
# responses that have nothing to do with the features.
#
#   Rscript experiments/response-laws/run.R [responses a cell, 200]
#
# writes results/cells.csv, one row per set of features, law and rate, and goes on after the last
# finished cell. All cells take about half an hour on one core.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- if (length(file) > 0L) dirname(file) else "."
store <- file.path(folder, "results", "cells.csv")
n_responses <- as.integer(c(commandArgs(TRUE), 200L)[1])

# The genes with the largest standard deviation; of golub every 14th, with all that are near the
# floor of the scanner in most samples.
varied <- function(x, p) {
  sd <- apply(x, 2, stats::sd)
  x[, sort(order(-sd, method = "radix")[seq_len(p)])]
}
sets <- list(
  colon = function() varied(log2(colon_genes$x), 200),
  golub = function() {
    x <- log2(pmax(as.matrix(experiment_data("golub")$x), 20))
    x <- x[, apply(x, 2, stats::sd) > 0]
    x[, seq(1, ncol(x), by = 14)]
  },
  nki = function() varied(as.matrix(experiment_data("nki500_survivALL")$x)[1:60, ], 200)
)

two_classes <- function(n, share) {
  sample(rep(c("a", "b"), c(n - round(share * n), round(share * n))))
}
laws <- list(
  normal = function(n) rnorm(n),
  uniform = function(n) runif(n),
  t3 = function(n) rt(n, 3),
  counts = function(n) rnbinom(n, size = 1, mu = 3),
  "zero-inflated counts" = function(n) rbinom(n, 1, 0.4) * rnbinom(n, size = 1, mu = 5),
  lognormal = function(n) exp(rnorm(n)),
  "one outlier" = function(n) sample(c(10, rnorm(n - 1L))),
  "classes 50:50" = function(n) two_classes(n, 0.5),
  "classes 90:10" = function(n) two_classes(n, 0.1)
)

quiet <- function(verb, x, y, ..., seed) {
  suppressWarnings(verb(x, y, ..., seed = seed, n_threads = 1, progress = FALSE))
}
number <- function(features) length(features)
any_of <- function(p) any(p <= 0.05, na.rm = TRUE) + 0
permuted <- function(fit, what) {
  stats::setNames(
    c((fit$null$p <= 0.05) + 0, any_of(fit$table$p_fwer)), paste(what, c("signal", "p_value"))
  )
}
signals <- function(null) {
  function(x, y, seed) {
    fit <- quiet(find_signals, x, y, null = null, permute = 99, seed = seed)
    stats::setNames(
      c((fit$p_value <= 0.05) + 0, (number(fit$features) > 0) + 0),
      paste(null, c("signal", "names"))
    )
  }
}

# Each verb, and what it gave: 1 or 0 for a claim about how often, a number for one about how many.
verbs <- list(
  permutation = signals("permutation"),
  rotation = signals("rotation"),
  bound = function(x, y, seed) {
    fit <- quiet(stability_selection, x, y, q = 10, pfer = 1, permute = 0, seed = seed)
    c(pfer = number(fit$features))
  },
  integrated = function(x, y, seed) {
    table <- quiet(stability_selection, x, y, pfer = 1, permute = 0, seed = seed)$table
    c(efp = sum(table$pfer <= 1), fdr = any(table$fdr <= 0.1) + 0)
  },
  split = function(x, y, seed) {
    test <- function(...) {
      quiet(split_test, x, y, n_features = 10, n_repeats = 25, ..., seed = seed)$features
    }
    c(
      split_p = (number(test()) > 0) + 0,
      split_mirror = (number(test(method = "mirror", fdr = 0.1)) > 0) + 0
    )
  },
  trex = function(x, y, seed) {
    fit <- quiet(
      select_ensemble, x, y, selector_trex(fdr = 0.2), resample_custom(list(seq_len(nrow(x)))),
      aggregate_by("frequency", cutoff = 1), n_features = "own", seed = seed
    )
    c(trex = (number(fit$features) > 0) + 0)
  },
  ensemble = function(x, y, seed) {
    fit <- quiet(
      select_ensemble, x, y, selector_filter(if (is.numeric(y)) "pearson" else "t"),
      resample_bootstrap(5), n_features = 5, permute = 39, seed = seed
    )
    permuted(fit, "ensemble")
  },
  stability = function(x, y, seed) {
    fit <- quiet(
      stability_selection, x, y, q = 5, cutoff = 0.9, n_pairs = 3, permute = 39, seed = seed
    )
    permuted(fit, "stability")
  },
  fealect = function(x, y, seed) {
    fit <- quiet(
      fealect, x, y, n_runs = 3, max_features = 10, oob = FALSE, n_boot = 2, permute = 39,
      seed = seed
    )
    permuted(fit, "fealect")
  }
)
# What is done on which set: what takes long on one.
done_on <- list(
  colon = names(verbs),
  golub = c("permutation", "rotation", "bound", "integrated", "split", "trex"),
  nki = c("permutation", "rotation")
)

one_cell <- function(x, set, law, verb) {
  key <- 1e4 * match(law, names(laws))
  values <- vapply(seq_len(n_responses), function(k) {
    # The same responses for every verb.
    set.seed(key + k)
    list(verbs[[verb]](x, laws[[law]](nrow(x)), key + k))
  }, list(1))
  values <- do.call(rbind, values)
  data.frame(
    set = set, law = law, verb = verb, rate = colnames(values), responses = n_responses,
    delivered = unname(colMeans(values)),
    se = unname(apply(values, 2, stats::sd)) / sqrt(n_responses)
  )
}

key_of <- function(rows) paste(rows$set, rows$law, rows$verb)
grid <- expand.grid(law = names(laws), verb = names(verbs), set = names(sets),
  stringsAsFactors = FALSE
)
grid <- grid[mapply(function(set, verb) verb %in% done_on[[set]], grid$set, grid$verb), ]
grid <- grid[order(grid$set == "nki", grid$verb %in% c("ensemble", "stability", "fealect")), ]
if (file.exists(store)) grid <- grid[!key_of(grid) %in% key_of(utils::read.csv(store)), ]
for (k in seq_len(nrow(grid))) {
  x <- sets[[grid$set[k]]]()
  rows <- one_cell(x, grid$set[k], grid$law[k], grid$verb[k])
  new <- !file.exists(store)
  utils::write.table(
    rows, store, append = !new, sep = ",", row.names = FALSE, col.names = new
  )
  message(paste(grid[k, ], collapse = " "))
}
