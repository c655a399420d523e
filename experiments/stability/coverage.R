# Coverage of the intervals of stability() and size of its tests, on runs with known truth.
# Rscript experiments/stability/coverage.R [repetitions]; writes results/*.csv beside this
# file.
#
# A run ranks p features by mean + noise and selects the k best; importances are the selected
# scores, made positive. Runs are independent, as the intervals assume. The truth is the index of a
# very large number of runs; for CW_rel, whose bounds depend on the number of runs, its mean over
# the repetitions. Size laws of a run: always 20; 10 to 40 with equal probability; mostly 5,
# sometimes 60.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
dir.create(folder, showWarnings = FALSE)
repetitions <- c(as.integer(commandArgs(trailingOnly = TRUE)), 2000L)[1]
p <- 200
mean_score <- c(seq(4, 1, length.out = 30), rep(0, p - 30))
size_laws <- list(
  constant = function(m) rep(20L, m),
  uniform = function(m) sample(10:40, m, replace = TRUE),
  mixed = function(m) sample(c(5L, 60L), m, replace = TRUE, prob = c(0.8, 0.2))
)
indices <- c("nogueira", "jaccard", "cw_rel", "phi_iw", "kappa", "dice")

# `noise` (p x m) may be shared by two selectors: they then see the same resamples.
make_runs <- function(mean, sizes, noise) {
  score <- mean + noise
  weights <- vapply(seq_along(sizes), function(i) {
    best <- order(-score[, i])[seq_len(sizes[i])]
    weight <- numeric(p)
    weight[best] <- exp(score[best, i] / 2)
    weight
  }, numeric(p))
  as_selection(t(weights), type = "weight")
}

draw <- function(m, law, mean = mean_score) {
  make_runs(mean, size_laws[[law]](m), matrix(stats::rnorm(p * m), p))
}

coverage_cell <- function(m, law, truth, method = "jackknife", indices, repetitions) {
  fits <- replicate(repetitions, {
    table <- stability(draw(m, law), indices, interval = method, n_boot = 500)$table
    as.matrix(table[c("estimate", "lower", "upper")])
  })
  mean_estimate <- rowMeans(fits[, 1, ])
  truth <- ifelse(indices == "cw_rel", mean_estimate, truth)
  data.frame(
    law = law, m = m, method = method, index = indices, truth = truth,
    mean_estimate = mean_estimate,
    coverage = rowMeans(fits[, 2, ] <= truth & truth <= fits[, 3, ]),
    width = rowMeans(fits[, 3, ] - fits[, 2, ])
  )
}

# Two selectors of equal stability on the same resamples: half of the noise is shared.
paired_cell <- function(m) {
  p_values <- replicate(repetitions, {
    shared <- matrix(stats::rnorm(p * m), p)
    one <- function() {
      own <- matrix(stats::rnorm(p * m), p)
      make_runs(mean_score, rep(20L, m), sqrt(0.5) * shared + sqrt(0.5) * own)
    }
    a <- one()
    b <- one()
    c(
      paired = test_stability(a, b, paired = TRUE)$p.value,
      independent = test_stability(a, b, paired = FALSE)$p.value
    )
  })
  data.frame(m = m, test = rownames(p_values), size_at_5_percent = rowMeans(p_values < 0.05))
}

set.seed(1)
coverage <- do.call(rbind, lapply(names(size_laws), function(law) {
  truth <- stability(draw(4000, law), indices)$table$estimate
  jackknife <- lapply(c(10, 30, 100), coverage_cell,
    law = law, truth = truth, indices = indices, repetitions = repetitions
  )
  few <- 1:4
  bootstrap <- coverage_cell(
    30, law, truth[few], "bootstrap", indices[few], ceiling(repetitions / 2)
  )
  do.call(rbind, c(jackknife, list(bootstrap)))
}))
size <- do.call(rbind, lapply(c(10, 30, 100), paired_cell))
rownames(size) <- NULL
utils::write.csv(coverage, file.path(folder, "coverage.csv"), row.names = FALSE)
utils::write.csv(size, file.path(folder, "paired-size.csv"), row.names = FALSE)
print(coverage, digits = 3, row.names = FALSE)
print(size, digits = 3, row.names = FALSE)
