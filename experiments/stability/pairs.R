# How often does a comparison of several equally stable procedures call any two of them different?
# Rscript experiments/stability/pairs.R [repetitions]; writes results/pairs.csv beside this file.
#
# Procedures draw from one law: rankings by mean + noise of which the 20 best are selected (of
# which half of the noise is shared where runs are paired), sets of 10 to 40, and either of two
# lists. `any_plain` is the share of comparisons in which any pair has p <= 0.05 without
# adjustment, `any_holm` with Holm's, which is the default; `covered` the share in which all
# intervals of pairs contain 0.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
repetitions <- c(as.integer(commandArgs(trailingOnly = TRUE)), 400L)[1]
seed <- 9L
p <- 200L
mean_score <- c(seq(4, 1, length.out = 30), rep(0, p - 30))

best <- function(noise, sizes) {
  sets <- lapply(seq_along(sizes), function(i) order(-(mean_score + noise[, i]))[seq_len(sizes[i])])
  as_selection(sets, n_total = p)
}
either <- function() {
  list <- if (stats::runif(1) < 0.4) 1:20 else 21:40
  gone <- stats::runif(20) < 0.2
  list[gone] <- sample(41:p, sum(gone))
  list
}
laws <- list(
  "the 20 best" = function(m, shared) best(shared, rep(20L, m)),
  "10 to 40" = function(m, shared) best(shared, sample(10:40, m, replace = TRUE)),
  "either of two lists" = function(m, shared) {
    as_selection(replicate(m, either(), FALSE), n_total = p)
  }
)

# Procedures on the same resamples have one fingerprint.
together <- function(one) {
  one$run_hash <- "of all"
  one
}

comparison <- function(law, m, n_procedures, paired) {
  draw <- function() matrix(stats::rnorm(p * m), p)
  common <- draw()
  procedures <- lapply(seq_len(n_procedures), function(i) {
    noise <- if (paired) sqrt(0.5) * common + sqrt(0.5) * draw() else draw()
    one <- laws[[law]](m, noise)
    if (paired) together(one) else one
  })
  names(procedures) <- letters[seq_len(n_procedures)]
  pairs <- test_stability(procedures)$table
  stopifnot(all(pairs$paired == paired))
  c(
    any_plain = any(pairs$p_value <= 0.05), any_holm = any(pairs$p_adjusted <= 0.05),
    covered = all(pairs$lower <= 0 & pairs$upper >= 0)
  )
}

set.seed(seed)
cells <- expand.grid(
  m = c(10L, 30L, 100L), n_procedures = c(3L, 5L), law = names(laws), paired = c(FALSE, TRUE),
  stringsAsFactors = FALSE
)
cells <- cells[!(cells$paired & cells$law == "either of two lists"), ]
table <- do.call(rbind, lapply(seq_len(nrow(cells)), function(i) {
  cell <- cells[i, ]
  kept <- replicate(repetitions, comparison(cell$law, cell$m, cell$n_procedures, cell$paired))
  data.frame(cell, t(rowMeans(kept)), repetitions, seed)
}))
utils::write.csv(table, file.path(folder, "pairs.csv"), row.names = FALSE)
print(table, row.names = FALSE)
