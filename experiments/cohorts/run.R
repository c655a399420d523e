# How often is an effect claimed in more cohorts than have it, and is a new cohort predicted as
# promised? Rscript run.R [repetitions] makes results/rates.csv and results/left-out.csv, the errors
# of cohorts left out and of a hidden one.

library(stabilect)

repetitions <- as.integer(c(commandArgs(TRUE), 200)[1])
file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")

features <- list(
  independent = function(n, p) matrix(stats::rnorm(n * p), n),
  # Colon tissues, drawn without replacement.
  genes = function(n, p) {
    x <- scale(log2(colon_genes$x))
    x[sample(nrow(x), n), sample(ncol(x), p)]
  }
)

# An outcome that follows `score` (0: without signal).
outcomes <- list(
  classes = function(score) factor(stats::rlogis(length(score)) + 3 * score > 0, c(FALSE, TRUE)),
  lognormal = function(score) exp(score + stats::rnorm(length(score))),
  times = function(score) {
    time <- stats::rexp(length(score)) * exp(-1.5 * score)
    limit <- stats::rexp(length(score), 0.4)
    survival::Surv(pmin(time, limit), as.integer(time <= limit))
  }
)

# Three features carry the outcome in the first `n_signal` of K cohorts; cohorts have levels of
# their own.
draw_cohorts <- function(kind, outcome, n_signal, k = 3, n = 20, p = 500) {
  x <- features[[kind]](k * n, p)
  dimnames(x) <- list(NULL, paste0("g", seq_len(p)))
  study <- rep(seq_len(k), each = n)
  score <- rowSums(x[, 1:3]) * (study <= n_signal)
  # Every cohort has both classes.
  y <- unlist(lapply(seq_len(k), function(one) {
    repeat {
      y <- outcomes[[outcome]](score[study == one])
      if (!is.factor(y) || min(table(y)) > 2) break
    }
    list(y)
  }), recursive = FALSE)
  x <- x + matrix(stats::rnorm(k * p), k)[study, ]
  list(x = x, y = do.call(c, y), study = paste0("c", study))
}

# @return (data frame) a row for each method and r: is any feature found, how many, and the share of
#   features with p of at most 0.05 and 0.001.
judge <- function(data) {
  fit <- compare_cohorts(data$x, data$y, data$study)
  rows <- lapply(c("simes", "fisher", "bonferroni"), function(method) {
    one <- compare_cohorts(list(fit), method = method)
    found <- one$partial$p_adjusted <= 0.05
    true <- one$table$feature %in% c("g1", "g2", "g3")
    data.frame(
      method = method, r = 1:3, any = colSums(found) > 0, found = colSums(found),
      found_true = colSums(found[true, ]), p_05 = colMeans(one$partial$p <= 0.05),
      p_001 = colMeans(one$partial$p <= 0.001)
    )
  })
  do.call(rbind, rows)
}

cells <- expand.grid(
  features = names(features), outcome = names(outcomes), n_signal = 0:3, stringsAsFactors = FALSE
)
rates <- lapply(seq_len(nrow(cells)), function(i) {
  cell <- cells[i, ]
  set.seed(i)
  runs <- do.call(rbind, lapply(seq_len(repetitions), function(turn) {
    judge(draw_cohorts(cell$features, cell$outcome, cell$n_signal))
  }))
  means <- stats::aggregate(
    cbind(any, found, found_true, p_05, p_001) ~ method + r, data = runs, FUN = mean
  )
  cbind(cell, repetitions = repetitions, means, row.names = NULL)
})
rates <- do.call(rbind, rates)
utils::write.csv(format(rates, digits = 4, trim = TRUE), file.path(folder, "rates.csv"),
  row.names = FALSE, quote = FALSE)

# The mean error of three cohorts, each left out, and the error of a fourth, predicted by the three.
hidden <- lapply(names(outcomes), function(outcome) {
  set.seed(100)
  runs <- do.call(rbind, lapply(seq_len(repetitions), function(turn) {
    data <- draw_cohorts("independent", outcome, 4, k = 4, n = 40)
    known <- data$study != "c4"
    three <- compare_cohorts(data$x[known, ], data$y[known], data$study[known])
    four <- compare_cohorts(data$x, data$y, data$study)
    data.frame(
      promised = mean(three$cohorts$error), hidden = four$cohorts$error[4],
      baseline = four$cohorts$baseline[4]
    )
  }))
  data.frame(
    outcome = outcome, repetitions = repetitions, promised = mean(runs$promised),
    hidden = mean(runs$hidden), baseline = mean(runs$baseline),
    se_difference = stats::sd(runs$promised - runs$hidden) / sqrt(repetitions)
  )
})
utils::write.csv(format(do.call(rbind, hidden), digits = 4, trim = TRUE),
  file.path(folder, "left-out.csv"), row.names = FALSE, quote = FALSE)
