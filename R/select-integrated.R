# Integrated path stability selection (Melikechi and Miller 2025) from the stored paths of pairs of
# halves: scores, expected false positives and false discovery rates of all features. Models of a
# path change only at its knots: all integrals are finite sums.

# Is a rate given, rather than two of q, cutoff and pfer?
is_integrated <- function(asked) !is.null(asked$efp) || !is.null(asked$fdr)

# Scores are of features.
check_rate_units <- function(asked) {
  refuse(is_integrated(asked) && !is.null(asked$clusters),
    c("{.arg clusters} do not go with {.arg efp} or {.arg fdr}.",
      i = "Give two of {.arg q}, {.arg cutoff} and {.arg pfer}, such as {.code q = 10, pfer = 1}."
    )
  )
}

# One of the two rates; by default at most one false feature.
ask_rate <- function(q, cutoff, pfer, efp, fdr, assumption) {
  given <- !c(is.null(efp), is.null(fdr))
  refuse(all(given), "Give {.arg efp} or {.arg fdr}, not both.")
  refuse(!is.null(cutoff) || !is.null(pfer),
    c("{.arg {if (is.null(efp)) 'fdr' else 'efp'}} takes the place of {.arg cutoff} and
       {.arg pfer}.",
      i = "Only {.arg q} can be given beside it."
    )
  )
  refuse(assumption != "unimodal",
    c("{.code assumption = \"{assumption}\"} is about the bound of {.arg q}, {.arg cutoff} and
       {.arg pfer}.",
      i = "With {.arg efp} or {.arg fdr}, leave it out."
    )
  )
  list(
    efp = check_positive(if (any(given)) efp else 1, name = "efp", null_ok = TRUE),
    fdr = if (!is.null(fdr)) check_fraction(fdr, open_right = TRUE)
  )
}

check_rate_rule <- function(asked) {
  refuse(is_integrated(asked) && asked$score_rule == "step",
    c("{.code score_rule = \"step\"} counts steps; with {.arg efp} or {.arg fdr} runs are
       compared at the same penalties.",
      i = "Leave out {.arg score_rule}."
    )
  )
}

# The default of q: with a calibrated cutoff the largest one, half of the samples of a half; with a
# rate the mean model size at the lowest penalty, n / 10, unless the bound at that penalty alone
# exceeds 0.05, the value of the authors.
fill_size <- function(asked, study, draws) {
  if (is_calibrated(asked) && is.null(asked$q)) {
    asked$q <- max(1L, min(study$n %/% 4L, n_units(study$p, asked$clusters)))
  }
  if (is_integrated(asked) && is.null(asked$q)) {
    q <- seq_len(max(1, min(study$n %/% 10, study$p)))
    low <- null_product(q, study$p, max(2, draws$n_runs %/% 2)) <= 0.05
    asked$q <- max(1L, q[low])
  }
  asked
}

# The depth of the paths: models of different runs differ in size at one penalty, and twice the mean
# size is also computed.
path_limit <- function(q, asked, p) if (is_integrated(asked)) min(4L * q, p) else q

# The bound as far as it is known before the runs.
plan_integral <- function(p, asked, draws) {
  refuse(is.null(draws$pair), c("{.arg efp} and {.arg fdr} need complementary pairs of subsamples.",
    i = "Use {.fn resample_pairs}, or two of {.arg q}, {.arg cutoff} and {.arg pfer} with
         {.code assumption = \"none\"}."
  ))
  list(q = check_count(asked$q, name = "q", max = p), cutoff = NULL)
}

# The largest mean of h_2 of a noise feature, times p, when models have q features on average.
null_product <- function(q, p, n_pairs) {
  q^2 / (p * n_pairs) + (n_pairs - 1) * q^4 / (n_pairs * p^3)
}

# Makes penalties of runs comparable: those of least squares grow with the root of the number of
# samples, those by likelihood do not.
path_norms <- function(asked, draws) {
  if (is.null(asked$likelihood)) sqrt(colSums(draws$counts)) else rep(1, draws$n_runs)
}

# Every entry (1) and exit (-1) of the runs, from the largest penalty on.
# @param norms (numeric, one per run) divisor of the penalties of a run.
# @return list(feature, change, lambda, ends (numeric, one per run: the penalty where its path was
#   cut)).
path_changes <- function(paths, norms, runs) {
  events <- path_events(paths)
  lambda <- events$lambda / norms[events$run]
  kept <- which(events$run %in% runs)
  kept <- kept[order(-lambda[kept], method = "radix")]
  list(
    feature = events$feature[kept], change = events$change[kept], lambda = lambda[kept],
    ends = (path_ends(paths)$last / norms)[runs]
  )
}

# The lowest penalty: above it, models have at most q features on average, and no path was cut.
lowest_penalty <- function(changes, q) {
  last <- !duplicated(changes$lambda, fromLast = TRUE)
  total <- cumsum(changes$change)[last]
  knots <- changes$lambda[last]
  above <- which(total > q * length(changes$ends))
  met <- if (length(above) > 0L) knots[above[1]] else 0
  lower <- max(met, changes$ends)
  if (lower > 0) lower else min(knots)
}

# Integrals over (lower, largest penalty] of d lambda / lambda.
# @return list(score (numeric, p), integral, lambda (numeric, 2), size (mean size at `lower`)).
integrate_changes <- function(changes, lower, p) {
  n_runs <- length(changes$ends)
  upper <- max(changes$lambda, lower)
  inside <- which(changes$lambda > lower)
  width <- log(upper / lower)
  parts <- list(score = numeric(p), integral = 0, lambda = c(lower, upper), size = 0)
  if (length(inside) == 0L) {
    return(parts)
  }
  change <- changes$change[inside]
  lambda <- changes$lambda[inside]
  size <- cumsum(change) / n_runs
  bound <- null_product(size, p, n_runs / 2)
  parts$integral <- sum(bound * log(lambda / c(lambda[-1], lower))) / width
  parts$size <- size[length(size)]
  scores <- integrate_shares(changes$feature[inside], change, lambda, lower, n_runs)
  parts$score[scores$feature] <- pmin(1, scores$score / width)
  parts
}

# The integral of h_2 of the share of runs with a feature in the model, for features with changes.
integrate_shares <- function(feature, change, lambda, lower, n_runs) {
  order <- order(feature, method = "radix")
  feature <- feature[order]
  lambda <- lambda[order]
  first <- !duplicated(feature)
  end <- c(lambda[-1], lower)
  end[c(first[-1], TRUE)] <- lower
  count <- cumsum(change[order])
  before <- c(0, count)[which(first)]
  share <- (count - before[cumsum(first)]) / n_runs
  value <- pmax(2 * share - 1, 0)^2 * log(lambda / end)
  list(feature = feature[first], score = rowsum(value, feature, reorder = FALSE)[, 1])
}

# A feature that is never in more than half of the models gets p, the number of all features.
expected_false <- function(parts, p) {
  floor <- parts$integral / p
  if (floor == 0) rep(as.numeric(p), p) else parts$integral / pmax(parts$score, floor)
}

# The smallest, over all cuts of the list that keep a feature, of the expected false share.
false_share <- function(efp) {
  order <- order(efp, method = "radix")
  sorted <- efp[order]
  share <- sorted / findInterval(sorted, sorted)
  fdr <- numeric(length(efp))
  fdr[order] <- rev(cummin(rev(share)))
  fdr
}

meets_rate <- function(parts, asked) {
  value <- if (is.null(asked$fdr)) parts$efp else parts$fdr
  value <= (if (is.null(asked$fdr)) asked$efp else asked$fdr) * (1 + 1e-12)
}

# @param looked (list) the integrals for q, q / 2 and 2 q.
new_integral_bound <- function(looked, p, asked, n_pairs) {
  main <- looked[[1]]
  best <- which.min(main$efp)
  sensitivity <- do.call(rbind, lapply(looked[c(2, 1, 3)], function(parts) {
    data.frame(
      q = parts$q, size = parts$size, lambda = parts$lambda[1], integral = parts$integral,
      best_efp = parts$efp[best], n_selected = sum(parts$selected)
    )
  }))
  structure(
    list(
      n_total = p, q = asked$q, cutoff = NA_real_,
      pfer = if (is.null(asked$efp)) NA_real_ else asked$efp,
      n_pairs = n_pairs, integral = main$integral, lambda = main$lambda, size = main$size,
      sensitivity = sensitivity
    ),
    class = "stabilect_integral_bound"
  )
}
