# Concordance of risk scores with survival times (Harrell et al. 1982): the share of comparable
# pairs in which the sample with the earlier event has the higher score.

# @param time,event,risk (numeric, n). @param weights (numeric >= 0, n).
# @param pairs (numeric >= 0, n) weight of each pair in which this sample has the event first.
# @param group (n values) only samples of one group are pairs.
# @return list(concordance (NA without comparable pairs), influence (numeric, n: its derivative with
#   respect to the weight of each sample)). The sum of the squared influences is the variance of
#   survival::concordance().
concordance_of <- function(time, event, risk, weights = rep(1, length(time)),
                           pairs = rep(1, length(time)), group = rep(1L, length(time))) {
  nothing <- list(concordance = NA_real_, influence = rep(NA_real_, length(time)))
  if (anyNA(risk)) {
    return(nothing)
  }
  sums <- cpp_concordance(
    time, as.numeric(event), risk, weights, pairs, match(group, unique(group))
  )
  if (sums$total == 0) {
    return(nothing)
  }
  value <- sums$agree / sums$total
  # Sums of weights round; without any such pair the share is 0 or 1.
  if (abs(value - round(value)) < 1e-13) value <- round(value)
  list(concordance = value, influence = (sums$concordant - value * sums$comparable) / sums$total)
}

# The same over the pairs of samples in one group, without weights.
# @param group (integer, n).
concordance_within <- function(time, event, risk, group) {
  concordance_of(time, event, without_rounding(risk), group = group)
}

# Equal samples have predictions that rounding tells apart, otherwise in other units of x.
without_rounding <- function(value) {
  unit <- 1e-10 * max(abs(value[is.finite(value)]), 0)
  if (unit > 0) round(value / unit) else value
}

# Did sample i have the event while j had not?
is_before <- function(time, event, i, j) {
  event[i] == 1 & (time[i] < time[j] | time[i] == time[j] & event[j] == 0)
}

# The AUC over the pairs of samples in one group; of several classes the mean of each against the
# others, where there are pairs.
# @param codes (integer, n). @param value (matrix, n x classes) larger for the likelier class.
# @return list(concordance, influence) as concordance_of().
auc_within <- function(codes, value, group) {
  present <- sort(unique(codes))
  if (ncol(value) == 2L) {
    value[, 2L] <- value[, 2L] - value[, 1L]
    present <- 2L
  }
  each <- lapply(present, function(class) {
    inside <- codes == class
    concordance_within(1 - inside, inside, value[, class], group)
  })
  share <- vapply(each, `[[`, 0, "concordance")
  influence <- vapply(each, `[[`, numeric(length(codes)), "influence")
  known <- !is.na(share)
  if (!any(known)) {
    return(each[[1L]])
  }
  list(concordance = mean(share[known]), influence = rowMeans(influence[, known, drop = FALSE]))
}

# Twice the variance, because the models of left-out samples depend on each other, and quantiles of
# t, because few events, or samples of a class, give the variance: see experiments/honest-ranks.
# @param found list(concordance, influence). @param row (integer) the sample of each entry.
# @param scarce (number) samples of the rarest class, or events.
# @return list(share, limits).
judge_order <- function(found, row, blocks, conf_level, scarce) {
  influence <- sum_by_unit(found$influence, row, blocks)
  df <- max(1, min(scarce, length(influence)) - 1)
  limits <- logit_interval(found$concordance, sum(influence^2), conf_level, inflation = 2, df)
  list(share = found$concordance, limits = limits)
}

# Influences of independent units, samples or blocks, by the name of the unit.
sum_by_unit <- function(influence, row, blocks) {
  unit <- if (is.null(blocks)) row else as.integer(blocks)[row]
  rowsum(influence, unit)[, 1L]
}

# The same for a Surv, 1/2 if all scores are equal.
concordance_of_labels <- function(y, risk) {
  values <- surv_matrix(y)
  concordance_of(values[, 1L], values[, 2L], risk)
}

# Interval on the logit scale, for concordance and other shares, by quantiles of t (or normal).
# @param inflation (number) factor of the variance.
logit_interval <- function(share, variance, conf_level, inflation = 1, df = Inf) {
  # Where all predictions are equal, nothing tells how far another share would be.
  if (is.na(share) || share <= 0 || share >= 1 || !(variance > 1e-20)) {
    return(c(NA_real_, NA_real_))
  }
  half <- stats::qt((1 + conf_level) / 2, df) * sqrt(inflation * variance) / (share * (1 - share))
  stats::plogis(stats::qlogis(share) + c(-half, half))
}
