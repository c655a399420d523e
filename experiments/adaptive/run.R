# What do the two rules of `until` promise, and do they keep it?
# Rscript experiments/adaptive/run.R [repetitions]; writes results/*.csv beside this file.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
dir.create(folder, showWarnings = FALSE)
repetitions <- c(as.integer(commandArgs(trailingOnly = TRUE)), 400L)[1]
save_table <- function(table, name) {
  utils::write.csv(table, file.path(folder, name), row.names = FALSE)
  print(table, digits = 3)
}
looks_of <- function(plan, n) stabilect:::look_sizes(draw_resamples(plan, n = n, seed = 1))

# 1. until_decided(): how often is a feature of known frequency ever called wrongly? Runs of
# subsamples and bootstrap samples are independent given the data, so counts are binomial. A feature
# at the cutoff is called wrongly by any call.
wrong_calls <- function(cutoff, gap, max_runs, n_features = 50 * repetitions, conf_level = 0.95) {
  looks <- looks_of(resample_bootstrap(max_runs), 20)
  frequency <- cutoff + gap
  level <- 1 - (1 - conf_level) / length(looks)
  count <- numeric(n_features)
  wrong <- decided <- logical(n_features)
  for (k in seq_along(looks)) {
    count <- count + stats::rbinom(n_features, diff(c(0, looks))[k], frequency)
    # As decided_features() does for the runs of a selection.
    tail <- (1 - level) / 2
    above <- stats::pbinom(count - 1, looks[k], cutoff, lower.tail = FALSE) < tail
    below <- stats::pbinom(count, looks[k], cutoff) < tail
    wrong <- wrong | (above & gap <= 0) | (below & gap >= 0)
    decided <- decided | above | below
  }
  data.frame(
    cutoff = cutoff, frequency = frequency, max_runs = max_runs, n_looks = length(looks),
    wrong = mean(wrong), decided = mean(decided), n = n_features
  )
}

set.seed(1)
grid <- expand.grid(
  gap = c(-0.1, -0.05, -0.02, -0.005, 0, 0.005, 0.02, 0.05), cutoff = c(0.5, 0.6, 0.75, 0.9),
  max_runs = c(100, 400, 1000, 5000)
)
save_table(do.call(rbind, Map(wrong_calls, grid$cutoff, grid$gap, grid$max_runs)), "decided.csv")

# 2. The same on real resamples, where the runs of pairs are not independent: t-tests on the first
# 300 genes of colon, ten features a run. The truth is the frequency in 40,000 runs.
x <- log2(colon_genes$x)[, 1:300]
select <- function(plan, seed) {
  select_ensemble(
    x, colon_genes$y, selector_filter("t"), plan, n_features = 10, seed = seed, progress = FALSE
  )
}
real_calls <- function(scheme, cutoff, n_fits) {
  plan <- function(n_runs) {
    switch(scheme,
      pairs = resample_pairs(n_runs / 2),
      subsample = resample_subsample(n_runs, 0.5),
      bootstrap = resample_bootstrap(n_runs)
    )
  }
  truth <- rowMeans(vapply(1:20, function(seed) {
    as.data.frame(select(plan(2000), 1e6 + seed)$selection)$frequency
  }, numeric(ncol(x))))
  looks <- looks_of(plan(400), nrow(x))
  level <- 1 - 0.05 / length(looks)
  side <- ifelse(truth >= cutoff, 1, -1)
  known <- abs(truth - cutoff) > 4 * sqrt(truth * (1 - truth) / 40000)
  wrong <- vapply(seq_len(n_fits), function(seed) {
    runs <- select(plan(400), seed)$selection
    ever <- logical(ncol(x))
    for (n in looks) {
      first <- runs[seq_len(n)]
      called <- stabilect:::decided_features(first, cutoff, level)
      frequency <- as.data.frame(first)$frequency
      ever <- ever | (called & sign(frequency - cutoff) != side)
    }
    ever
  }, logical(ncol(x)))
  close <- which(known & abs(truth - cutoff) < 0.1)
  data.frame(
    scheme = scheme, cutoff = cutoff, n_fits = n_fits, worst_feature = max(rowMeans(wrong)[known]),
    n_close = length(close), close_features = mean(wrong[close, ]),
    any_feature = mean(colSums(wrong[known, ]) > 0)
  )
}
cases <- expand.grid(
  scheme = c("subsample", "bootstrap", "pairs"), cutoff = c(0.3, 0.6), stringsAsFactors = FALSE
)
n_fits <- max(20L, repetitions %/% 3L)
save_table(
  do.call(rbind, Map(real_calls, cases$scheme, cases$cutoff, n_fits)), "decided-colon.csv"
)

# 3. until_stable(): does the interval at the stop hold the truth? Runs are drawn with replacement
# from a large pool of runs, for which the truth is known exactly: Nogueira's index by the
# frequencies in the pool, Jaccard's by all pairs, a run with itself included.
score_pool <- function(size_of_run, n = 5000, p = 200) {
  mean <- c(seq(4, 1, length.out = 30), rep(0, p - 30))
  as_selection(lapply(seq_len(n), function(run) {
    order(mean + stats::rnorm(p), decreasing = TRUE)[seq_len(size_of_run())]
  }), n_total = p)
}
truth_of <- function(pool, index) {
  n <- pool$n_runs
  if (index == "jaccard") {
    return(stability(pool, "jaccard")$table$estimate * (n - 1) / n + 1 / n)
  }
  frequency <- as.data.frame(pool)$frequency
  share <- mean(frequency)
  1 - mean(frequency * (1 - frequency)) / (share * (1 - share))
}
coverage_at_stop <- function(pool, name, index, width, max_runs, n) {
  truth <- truth_of(pool, index)
  looks <- looks_of(resample_bootstrap(max_runs), 20)
  rule <- until_stable(width, index)
  one <- function(repetition) {
    draw <- sample.int(pool$n_runs, max_runs, replace = TRUE)
    for (k in looks) {
      first <- pool[draw[seq_len(k)]]
      if (stabilect:::judge_runs(rule, list(first), length(looks), NULL, 1)$reached) break
    }
    table <- stability(first, index)$table
    c(k, table$lower <= truth && truth <= table$upper, table$estimate, k < max_runs)
  }
  found <- vapply(seq_len(n), one, numeric(4))
  data.frame(
    runs = name, index = index, width = width, truth = truth, stopped_early = mean(found[4, ]),
    median_runs = stats::median(found[1, ]), coverage = mean(found[2, ]),
    bias = mean(found[3, ]) - truth, n = n
  )
}
colon_pool <- select_ensemble(
  x, colon_genes$y, selector_filter("t"), resample_subsample(5000), n_features = 10, seed = 1,
  progress = FALSE
)$selection
colon_pool$data_hash <- NULL
pools <- list(
  "20 of 200, simulated" = score_pool(function() 20L),
  "10 to 40 of 200, simulated" = score_pool(function() sample(10:40, 1)),
  "10 of 300, colon" = colon_pool
)
cases <- expand.grid(
  pool = names(pools), index = c("nogueira", "jaccard"), width = c(0.1, 0.05, 0.03),
  stringsAsFactors = FALSE
)
save_table(do.call(rbind, lapply(seq_len(nrow(cases)), function(i) {
  one <- cases[i, ]
  coverage_at_stop(pools[[one$pool]], one$pool, one$index, one$width, 1000, repetitions)
})), "stable.csv")
