# Integrated path stability selection (Melikechi and Miller 2025) from the stored paths of pairs of
# halves: scores, expected false positives and false discovery rates of all features. Models of a
# path change only at its knots: all integrals are finite sums.

# The largest mean of h_2 of a noise feature, times p, when models have q features on average.
null_product <- function(q, p, n_pairs) {
  q^2 / (p * n_pairs) + (n_pairs - 1) * q^4 / (n_pairs * p^3)
}

# Makes places on the paths of runs comparable: penalties of rankings are the same in all.
path_norms <- function(asked, draws, record) {
  if (is.null(asked$selector)) run_scales(draws, record$roles$weights) else rep(1, draws$n_runs)
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

# The entries and exits of the runs of a result.
changes_of_result <- function(object) {
  norms <- path_norms(object$asked, object$resamples, object$study)
  path_changes(object$paths, norms, ok_runs(object$selection))
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
# @param open (number) of features that runs can select, which the bound counts.
# @return list(score (numeric, p), integral, lambda (numeric, 2), size (mean size at `lower`)).
integrate_changes <- function(changes, lower, p, open = p) {
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
  bound <- null_product(size, open, n_runs / 2)
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
  if (floor == 0) {
    return(rep(as.numeric(p), length(parts$score)))
  }
  parts$integral / pmax(parts$score, floor)
}

# The smallest, over all cuts of the list that keep a feature, of the expected false share.
false_share <- function(pfer) {
  order <- order(pfer, method = "radix")
  sorted <- pfer[order]
  share <- sorted / findInterval(sorted, sorted)
  fdr <- numeric(length(pfer))
  fdr[order] <- rev(cummin(rev(share)))
  fdr
}

meets_promise <- function(parts, asked) {
  value <- if (is.null(asked$fdr)) parts$pfer else parts$fdr
  value <= (if (is.null(asked$fdr)) asked$pfer else asked$fdr) * (1 + 1e-12)
}

describe_promise <- function(asked) {
  if (is.null(asked$fdr)) {
    return(sprintf("`pfer` of at most %s", figure(asked$pfer)))
  }
  sprintf("`fdr` of at most %s", figure(asked$fdr))
}

# @param looked (list) the integrals for q, q / 2 and 2 q.
new_integrated_bound <- function(looked, p, asked, n_pairs) {
  main <- looked[[1]]
  # Equal ones are equal but for rounding.
  best <- which(main$pfer <= min(main$pfer) * (1 + 1e-9))
  sensitivity <- do.call(rbind, lapply(looked[c(2, 1, 3)], function(parts) {
    data.frame(
      q = parts$q, size = parts$size, lambda = parts$lambda[1], integral = parts$integral,
      best_pfer = min(parts$pfer[best]), n_selected = sum(parts$selected)
    )
  }))
  structure(
    list(
      n_total = p, q = asked$q, cutoff = NA_real_,
      pfer = if (is.null(asked$pfer)) NA_real_ else asked$pfer,
      n_pairs = n_pairs, integral = main$integral, lambda = main$lambda, size = main$size,
      sensitivity = sensitivity, ranked = !is.null(asked$selector)
    ),
    class = c("stabilect_integrated_bound", "stabilect")
  )
}
