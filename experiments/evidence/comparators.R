# Four more methods on responses of run.R: the mean penalty at which a feature enters lasso paths on
# half-samples, against its maximum over all features in responses without signal (the statistic of
# `permute`); p values of many splits of the samples; integrated path stability selection; copies
# of the features (knockoffs).
# Rscript comparators.R [repetitions, 51] [seconds of processor time]; adds to
# results/comparators.rds after every repetition; writes results/comparators.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
source(file.path(dirname(folder), "designs.R"))
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 51)[1 + is.na(arguments[1])]
seconds <- c(arguments[2], Inf)[1 + is.na(arguments[2])]
main_cells <- c("few", "many", "classes", "none", "none_classes")
space <- asNamespace("stabilect")
n_pairs <- 25
control <- space$run_control(1, FALSE)

# Mean penalty at entry among the first ten, on the same halves for all responses. ys: a list.
entries <- function(x, ys) {
  studies <- lapply(ys, function(y) {
    space$open_study(x, y, c("binary", "numeric"), "the experiment")
  })
  draws <- lapply(studies, space$study_draws, resample_pairs(n_pairs), 1)
  space$entry_statistics(studies, draws, 10L, 1, control)
}

# The 5 % point of the largest statistic of 99 responses without signal.
entry_cutoff <- function(x, classes) {
  set.seed(1)
  ys <- lapply(1:99, function(i) draw_response(x, integer(), list(classes = classes)))
  parts <- split(ys, rep(1:11, 9))
  largest <- unlist(lapply(parts, function(part) apply(entries(x, part), 2, max)))
  sort(largest, decreasing = TRUE)[5]
}

# Meinshausen, Meier and Buehlmann (2009): on one half the first n / 6 features of a lasso path, on
# the other their p values in least squares, times their number; over the splits the quantiles of
# equation 2.3 with gamma from 0.05.
multi_split <- function(x, y) {
  fit <- stability_selection(x, y,
    q = nrow(x) %/% 6, cutoff = 0.9, resampling = resample_pairs(n_pairs), seed = 1,
    progress = FALSE
  )
  counts <- as.matrix(fit$resamples)
  sets <- lapply(seq_len(ncol(counts)), function(run) which(fit$selection$selected[, run]))
  value <- if (is.factor(y)) as.numeric(y) else y
  p <- matrix(1, length(sets), ncol(x))
  for (run in seq_along(sets)) {
    chosen <- sets[[run]]
    rest <- which(counts[, run] == 0)
    line <- stats::lm.fit(cbind(1, x[rest, chosen, drop = FALSE]), value[rest])
    if (line$df.residual < 1 || line$rank <= length(chosen)) next
    spread <- sum(line$residuals^2) / line$df.residual
    error <- sqrt(spread * diag(chol2inv(line$qr$qr[seq_len(line$rank), , drop = FALSE])))
    t <- line$coefficients[line$qr$pivot] / error
    alone <- 2 * stats::pt(-abs(t[-1]), line$df.residual)
    p[run, chosen] <- pmin(1, alone * length(chosen))
  }
  gamma <- seq_len(nrow(p)) / nrow(p)
  gamma <- gamma[gamma >= 0.05]
  met <- which(colSums(p < 1) > 0)
  together <- vapply(met, function(j) {
    at <- sort(p[, j])[round(gamma * nrow(p))]
    min(1, (1 - log(0.05)) * min(pmin(1, at / gamma)))
  }, 0)
  met[together <= 0.05]
}

# How many of the runs have a feature in the model at each of these penalties (falling).
# @return p x length(grid) matrix of shares.
shares_on_grid <- function(paths, grid, p) {
  n_runs <- length(paths$run_events)
  sizes <- diff(c(0L, paths$run_events))
  steps <- diff(c(0L, paths$run_steps))
  run_of_step <- rep(seq_len(n_runs), steps)
  before <- c(0L, paths$run_events)[run_of_step]
  in_step <- diff(c(0L, before + paths$event_end))
  # One penalty more than steps in every run.
  penalty <- rep(paths$lambda[seq_along(run_of_step) + run_of_step - 1L], in_step)
  from <- findInterval(-penalty, -grid, left.open = TRUE) + 1L
  there <- from <= length(grid) & sum(sizes) > 0L
  change <- matrix(0, p, length(grid))
  sums <- rowsum(sign(paths$event[there]), abs(paths$event[there]) + p * (from[there] - 1))
  change[as.numeric(rownames(sums))] <- sums
  t(apply(change, 1, cumsum)) / n_runs
}

# Melikechi and Miller (2025), h_2, measure 1 / lambda, over penalties from the first to that with
# n / 10 features on average: at most one false feature expected.
ipss <- function(fit, n, p) {
  paths <- fit$paths
  grid <- exp(seq(log(max(paths$lambda)), log(max(paths$lambda) / 50), length.out = 400))
  share <- shares_on_grid(paths, grid, p)
  size <- colSums(share)
  kept <- size <= n / 10
  pairs <- length(paths$run_events) / 2
  bound <- mean((size^2 / (p * pairs) + (pairs - 1) * size^4 / (pairs * p^3))[kept])
  score <- rowMeans(pmax(2 * share[, kept, drop = FALSE] - 1, 0)^2)
  which(bound / pmax(score, bound / p) <= 1)
}

# What Gaussian knockoffs of these features need (Candes et al. 2018): equal correlations of
# features with their copies, as small as the shrunken correlations (Schaefer and Strimmer 2005)
# allow.
prepare_knockoffs <- function(x) {
  n <- nrow(x)
  z <- scale(x) * sqrt(n / (n - 1))
  r <- crossprod(z) / n
  spread <- n / (n - 1)^3 * (crossprod(z^2) - n * r^2)
  off <- row(r) != col(r)
  shrink <- min(1, sum(spread[off]) / sum(r[off]^2))
  r[off] <- (1 - shrink) * r[off]
  smallest <- min(eigen(r, symmetric = TRUE, only.values = TRUE)$values)
  s <- min(1, 2 * smallest) * 0.999
  inverse <- chol2inv(chol(r))
  left <- -s^2 * inverse
  diag(left) <- diag(left) + 2 * s
  list(x = z, mean = z - s * z %*% inverse, root = chol(left))
}

# Penalties at entry of features and copies, and the features that knockoff+ selects at 0.2.
knockoff_filter <- function(prepared, y) {
  p <- ncol(prepared$x)
  noise <- matrix(stats::rnorm(length(prepared$x)), nrow(prepared$x))
  both <- cbind(prepared$x, prepared$mean + noise %*% prepared$root)
  colnames(both) <- paste0("f", seq_len(2 * p))
  path <- lars_path(both, y)
  entry <- numeric(2 * p)
  beta <- stats::coef(path)
  first <- apply(beta != 0, 1, function(there) which(there)[1])
  entry[!is.na(first)] <- path$lambda[first[!is.na(first)] - 1]
  own <- entry[seq_len(p)]
  copy <- entry[p + seq_len(p)]
  w <- pmax(own, copy) * sign(own - copy)
  cuts <- sort(unique(abs(w[w != 0])))
  false <- vapply(cuts, function(t) (1 + sum(w <= -t)) / max(1, sum(w >= t)), 0)
  if (any(false <= 0.2)) which(w >= cuts[which(false <= 0.2)[1]]) else integer()
}

one_set <- function(x, cutoffs, prepared, set, cell_name, repetition) {
  drawn <- draw_set(x, set, cell_name, repetition)
  reached <- entries(x, list(drawn$y))[, 1] >= cutoffs[[1 + isTRUE(drawn$cell$classes)]]
  long <- stability_selection(x, drawn$y,
    q = nrow(x) %/% 4, cutoff = 0.95, assumption = "none", n_pairs = 50, seed = repetition,
    progress = FALSE
  )
  named <- list(
    entry_max_t = which(reached), multi_split = multi_split(x, drawn$y),
    ipss = ipss(long, nrow(x), ncol(x)),
    knockoffs = if (!is.null(prepared)) knockoff_filter(prepared, drawn$y)
  )
  named <- lapply(Filter(Negate(is.null), named), as.list)
  judge_all(named, x, drawn, set, cell_name, repetition)
}

store <- file.path(folder, "comparators.rds")
done <- if (file.exists(store)) readRDS(store)
features <- stats::setNames(lapply(set_names, read_features), set_names)
cutoffs <- lapply(features, function(x) c(entry_cutoff(x, FALSE), entry_cutoff(x, TRUE)))
# Copies need matrices of p x p numbers.
prepared <- lapply(features, function(x) if (ncol(x) <= 3000) prepare_knockoffs(x))
for (repetition in setdiff(seq_len(repetitions), unique(done$repetition))) {
  if (proc.time()[["user.self"]] > seconds) break
  for (set in set_names) {
    rows <- lapply(main_cells, function(cell) {
      one_set(features[[set]], cutoffs[[set]], prepared[[set]], set, cell, repetition)
    })
    done <- rbind(done, do.call(rbind, rows))
  }
  rownames(done) <- NULL
  saveRDS(done, store, compress = "xz")
}

# Beside them the methods of run.R on the same responses.
known <- readRDS(file.path(folder, "sets.rds"))
known <- known[known$cell %in% main_cells & known$repetition %in% done$repetition, ]
all <- rbind(known[names(done)], done)
se <- function(values) stats::sd(values) / sqrt(length(values))
all$share <- all$unrelated / pmax(1, all$n)
all$power <- all$hit / pmax(1, all$s)
table <- do.call(rbind, lapply(unique(all$method), function(method) {
  with <- all[all$method == method & all$s > 0, ]
  without <- all[all$method == method & all$s == 0, ]
  means <- colMeans(with[c("n", "true", "near", "unrelated", "share", "power")])
  data.frame(
    method = method, responses = nrow(with), as.list(means), share_se = se(with$share),
    power_se = se(with$power), none_responses = nrow(without), none_named = mean(without$n > 0),
    none_named_se = se(without$n > 0)
  )
}))
numbers <- vapply(table, is.double, NA)
table[numbers] <- lapply(table[numbers], signif, 3)
utils::write.csv(table, file.path(folder, "comparators.csv"), row.names = FALSE)
