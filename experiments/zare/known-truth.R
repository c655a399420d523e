# Which features do FeaLect, Bolasso, stability selection and the cross-validated lasso find when
# the truth is known? Rscript known-truth.R [repetitions] [repetitions for the error bound]; writes
# results/*.csv beside this file. 0 repetitions leave a part out.
#
# Two classes of n / 2 samples, 1,000 normal features, 10 of them informative: their coefficient in
# the best linear classifier is the signal, all others are 0. Class means are +-Sigma beta / 2, so
# that without correlation the signal is the difference of the class means in standard deviations.
# "blocks": 100 blocks of 10 features with correlation 0.5 within; the informative ones are in ten
# different blocks, and their nine neighbours count as false, which they are given the informative
# one.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
dir.create(folder, showWarnings = FALSE)
arguments <- as.integer(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 20L)[1 + is.na(arguments[1])]
bound_repetitions <- c(arguments[2], 50L)[1 + is.na(arguments[2])]

p <- 1000L
block <- rep(1:100, each = 10)
informative <- seq(5, by = 100, length.out = 10)
feature_names <- paste0("f", seq_len(p))
q <- 20
n_runs <- 100

signals <- c(none = 0, weak = 0.5, medium = 1, strong = 1.5)
cells <- expand.grid(
  n = c(50, 100, 200), signal = names(signals)[-1], correlation = c("none", "blocks"),
  stringsAsFactors = FALSE
)
# Without any signal all that is found is false.
cells <- rbind(cells, data.frame(n = 100, signal = "none", correlation = "none"))

draw <- function(cell) {
  n <- cell$n
  rho <- if (cell$correlation == "blocks") 0.5 else 0
  common <- matrix(stats::rnorm(n * 100), n)[, block]
  x <- sqrt(rho) * common + sqrt(1 - rho) * matrix(stats::rnorm(n * p), n)
  beta <- replace(numeric(p), informative, signals[[cell$signal]])
  shift <- (1 - rho) * beta + rho * stats::ave(beta, block, FUN = sum)
  y <- rep(c(-1, 1), length.out = n)
  x <- x + outer(y / 2, shift)
  colnames(x) <- feature_names
  list(x = x, y = factor(y, c(-1, 1), c("a", "b")))
}

lasso_features <- function(cv, at) {
  coefficient <- as.matrix(stats::coef(cv, s = at))[-1, 1]
  names(coefficient)[coefficient != 0]
}

frequent <- function(fit, cutoff) {
  fit$table$feature[fit$table$frequency >= cutoff - 1e-9]
}

# Sets by method, and all features in the order of each ranking. One pass serves both Bolassos, one
# the three bounds.
select_all <- function(data, seed) {
  x <- data$x
  y <- data$y
  scores <- fealect(x, y, n_runs = n_runs, n_boot = 0, oob = FALSE, seed = seed)
  bootstrap <- bolasso(x, y, n_runs = n_runs, seed = seed)
  pairs <- stability_selection(x, y, q = q, pfer = 1, n_pairs = n_runs / 2, seed = seed)
  cv <- glmnet::cv.glmnet(x, y, family = "binomial")
  cutoff <- function(assumption) {
    error_bound(p, q = q, pfer = 1, n_pairs = n_runs / 2, assumption = assumption)$cutoff
  }
  contrast <- colMeans(x[y == "a", ]) - colMeans(x[y == "b", ])
  list(
    sets = list(
      FeaLect = scores$features,
      Bolasso = bootstrap$features,
      "Bolasso-S" = frequent(bootstrap, 0.9),
      "stability selection (no assumption)" = frequent(pairs, cutoff("none")),
      "stability selection (unimodal)" = pairs$features,
      "stability selection (r-concave)" = frequent(pairs, cutoff("r_concave")),
      "lasso, lambda.min" = lasso_features(cv, "lambda.min"),
      "lasso, lambda.1se" = lasso_features(cv, "lambda.1se")
    ),
    rankings = list(
      "FeaLect score" = scores$table$feature,
      "Bolasso frequency" = bootstrap$table$feature,
      "stability selection frequency" = pairs$table$feature,
      "t statistic" = feature_names[order(-abs(contrast / apply(x, 2L, stats::sd)))]
    )
  )
}

judge <- function(features, truth) {
  false <- setdiff(features, truth)
  near <- block[match(false, feature_names)] %in% block[informative]
  c(
    selected = length(features), true = length(features) - length(false), false = length(false),
    neighbours = sum(near)
  )
}

run_cell <- function(i, repetition) {
  cell <- cells[i, ]
  seed <- 1000L * repetition + i
  set.seed(seed)
  data <- draw(cell)
  found <- select_all(data, seed)
  truth <- if (cell$signal == "none") character() else feature_names[informative]
  sets <- vapply(found$sets, judge, numeric(4), truth = truth)
  top <- vapply(found$rankings, function(order) sum(order[1:10] %in% truth), 0)
  list(
    sets = data.frame(cell, method = colnames(sets), t(sets), row.names = NULL),
    top = data.frame(cell, ranking = names(top), in_top_10 = top, row.names = NULL)
  )
}

by_cell <- function(table, keys, summarise) {
  key <- do.call(paste, c(table[keys], sep = "\r"))
  parts <- split(table, factor(key, unique(key)))
  do.call(rbind, lapply(unname(parts), function(part) {
    data.frame(part[1, keys], summarise(part), row.names = NULL)
  }))
}

standard_error <- function(values) stats::sd(values) / sqrt(length(values))

summarise_sets <- function(part) {
  some <- part$selected > 0
  data.frame(
    repetitions = nrow(part), selected = mean(part$selected), true = mean(part$true),
    false = mean(part$false), false_se = standard_error(part$false),
    neighbours = mean(part$neighbours), empty = mean(!some),
    # Precision of the sets that are not empty; recall over all.
    precision = if (any(some)) mean((part$true / part$selected)[some]) else NA_real_,
    recall = if (part$signal[1] == "none") NA_real_ else mean(part$true) / length(informative)
  )
}

summarise_top <- function(part) {
  data.frame(
    repetitions = nrow(part), in_top_10 = mean(part$in_top_10), se = standard_error(part$in_top_10)
  )
}

write_table <- function(table, name) {
  is_real <- vapply(table, is.double, NA)
  table[is_real] <- lapply(table[is_real], signif, digits = 4)
  utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}

store <- function(sets, top) {
  keys <- c("n", "signal", "correlation")
  tables <- list(
    "known-truth" = by_cell(sets, c(keys, "method"), summarise_sets),
    "known-truth-rankings" = by_cell(top, c(keys, "ranking"), summarise_top)
  )
  for (name in names(tables)) write_table(tables[[name]], name)
  tables
}

# The tables are stored after every repetition, so that a run can be cut short. The 200 samples take
# most of the time and vary least: they have half of the repetitions.
sets <- top <- NULL
for (repetition in seq_len(repetitions)) {
  now <- which(cells$n < 200 | repetition %% 2 == 1)
  done <- lapply(now, run_cell, repetition = repetition)
  sets <- rbind(sets, do.call(rbind, lapply(done, `[[`, "sets")))
  top <- rbind(top, do.call(rbind, lapply(done, `[[`, "top")))
  tables <- store(sets, top)
  message("repetition ", repetition, " of ", repetitions)
}
options(width = 150)
if (repetitions > 0L) for (table in tables) print(table, digits = 2, row.names = FALSE)

# The error bounds on more data sets, with stability selection alone, which takes little time.
bounds <- lapply(c("none", "unimodal", "r_concave"), function(assumption) {
  error_bound(p, q = q, pfer = 1, n_pairs = n_runs / 2, assumption = assumption)
})

false_by_bound <- function(i, repetition) {
  seed <- 1000L * (1000L + repetition) + i
  set.seed(seed)
  data <- draw(cells[i, ])
  pairs <- stability_selection(data$x, data$y, q = q, pfer = 1, n_pairs = n_runs / 2, seed = seed)
  truth <- if (cells$signal[i] == "none") character() else feature_names[informative]
  do.call(rbind, lapply(bounds, function(bound) {
    found <- judge(frequent(pairs, bound$cutoff), truth)
    data.frame(
      assumption = bound$assumption, q = q, cutoff = bound$cutoff, bound = bound$pfer,
      cells[i, ], true = found[["true"]], false = found[["false"]],
      neighbours = found[["neighbours"]], row.names = NULL
    )
  }))
}

summarise_false <- function(part) {
  data.frame(
    repetitions = nrow(part), true = mean(part$true), false = mean(part$false),
    false_se = standard_error(part$false), neighbours = mean(part$neighbours)
  )
}

if (bound_repetitions > 0L) {
  runs <- expand.grid(i = seq_len(nrow(cells)), repetition = seq_len(bound_repetitions))
  false <- do.call(rbind, Map(false_by_bound, runs$i, runs$repetition))
  keys <- c("assumption", "q", "cutoff", "bound", "n", "signal", "correlation")
  pfer <- by_cell(false, keys, summarise_false)
  write_table(pfer, "known-truth-pfer")
  print(pfer, digits = 2, row.names = FALSE)
}
