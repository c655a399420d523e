# Coverage of the intervals of stability(), and size of test_stability(), where runs hardly vary or
# a few of them decide. Rscript experiments/stability/laws.R [repetitions]; writes
# results/laws.csv beside this file.
#
# Runs are independent draws from a law; the truth is the index of 20,000 of them (4,000 for Jaccard
# and phi_iw), for CW_rel, whose bounds depend on the number of runs, its mean over the repetitions.
# A repetition without an interval counts as not given.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
repetitions <- c(as.integer(commandArgs(trailingOnly = TRUE)), 300L)[1]
p <- 100L

# The first `k` features, of which `swaps` are exchanged for any others.
swapped <- function(k, swaps, from = seq_len(k)) {
  if (swaps == 0L) {
    return(from)
  }
  c(from[-sample.int(k, swaps)], sample(setdiff(seq_len(p), from), swaps))
}
few_deviate <- function(share, swaps) {
  function() swapped(10L, if (stats::runif(1) < share) swaps() else 0L)
}
modes <- list(1:10, 6:15)
weights <- exp(-seq_len(p) / 6)
chance <- c(rep(0.9, 5), rep(0.5, 10), rep(0.05, p - 15))

laws <- list(
  "different probabilities" = function() which(stats::runif(p) < chance),
  "weighted 10 features" = function() sample.int(p, 10, prob = weights),
  "two modes with 2 of 10 exchanged" = function() {
    swapped(10L, 2L, modes[[1 + (stats::runif(1) < 0.5)]])
  },
  "8 features or one in ten 40" = function() {
    sample.int(p, if (stats::runif(1) < 0.1) 40 else 8, prob = weights)
  },
  "15 % exchange one of 10" = few_deviate(0.15, function() 1L),
  "5 % exchange one of 10" = few_deviate(0.05, function() 1L),
  "15 % exchange 1 to 10 of 10" = few_deviate(0.15, function() sample.int(10L, 1L)),
  "30 % exchange 3 of 10" = few_deviate(0.3, function() 3L),
  "two sets in 70 and 30 %" = function() modes[[1 + (stats::runif(1) < 0.3)]],
  "two sets in 50 and 50 %" = function() modes[[1 + (stats::runif(1) < 0.5)]],
  "5 features or one in five 60" = function() {
    sample.int(p, if (stats::runif(1) < 0.2) 60 else 5, prob = weights)
  }
)
indices <- c("nogueira", "jaccard", "cw_rel", "kappa", "phi_iw", "sechidis")
blocks <- rep(seq_len(p / 5), each = 5)

draw <- function(law, m) {
  set <- matrix(0, m, p)
  for (i in seq_len(m)) set[i, law()] <- 1
  as_selection(set)
}
judge <- function(runs, method = "jackknife") {
  stability(
    runs, indices, similarity = blocks, interval = method, n_boot = 200, seed = 1
  )$table
}

cover <- function(name, m, truth, repetitions) {
  fits <- replicate(repetitions, {
    runs <- draw(laws[[name]], m)
    table <- judge(runs)
    p_value <- tryCatch(
      test_stability(runs, null_value = truth[["nogueira"]])$p.value,
      stabilect_error = function(error) NA_real_
    )
    cbind(as.matrix(table[c("estimate", "lower", "upper")]), p_value)
  })
  mean_estimate <- rowMeans(fits[, 1, , drop = FALSE], na.rm = TRUE)
  truth[["cw_rel"]] <- mean_estimate[indices == "cw_rel"]
  given <- !is.na(fits[, 2, ])
  inside <- fits[, 2, ] <= truth + 1e-9 & truth - 1e-9 <= fits[, 3, ]
  data.frame(
    law = name, m = m, index = indices, truth = truth, mean_estimate = mean_estimate,
    given = rowMeans(given), coverage = rowSums(inside & given, na.rm = TRUE) / rowSums(given),
    width = rowMeans(fits[, 3, ] - fits[, 2, ], na.rm = TRUE),
    points = rowMeans(given & fits[, 3, ] == fits[, 2, ], na.rm = TRUE),
    # Of the test of the true value, for Nogueira's index alone.
    rejected = c(mean(fits[1, 4, ] < 0.05, na.rm = TRUE), rep(NA, length(indices) - 1L)),
    p_of_0 = c(mean(fits[1, 4, ] == 0, na.rm = TRUE), rep(NA, length(indices) - 1L)),
    row.names = NULL
  )
}

set.seed(1)
rows <- lapply(names(laws), function(name) {
  values <- function(m, indices) {
    table <- stability(draw(laws[[name]], m), indices, similarity = blocks)$table
    stats::setNames(table$estimate, table$index)
  }
  # The others compare pairs of runs, one by one.
  truth <- c(
    values(20000, c("nogueira", "cw_rel", "kappa", "sechidis")),
    values(4000, c("jaccard", "phi_iw", "sechidis"))[1:2]
  )
  cat(name, "\n")
  do.call(rbind, lapply(c(5, 10, 30), function(m) cover(name, m, truth[indices], repetitions)))
})
table <- do.call(rbind, rows)
rounded <- vapply(table, is.numeric, NA)
table[rounded] <- lapply(table[rounded], signif, 4)
utils::write.csv(table, file.path(folder, "laws.csv"), row.names = FALSE)
print(table, digits = 3, row.names = FALSE)
