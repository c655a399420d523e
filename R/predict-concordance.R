# Concordance of risk scores with survival times (Harrell et al. 1982): the share of comparable
# pairs in which the sample with the earlier event has the higher score.

# @param time,event,risk (numeric, n). @param weights (numeric >= 0, n).
# @param pairs (numeric >= 0, n) weight of each pair in which this sample has the event first.
# @return list(concordance (NA without comparable pairs), influence (numeric, n: its derivative with
#   respect to the weight of each sample)). The sum of the squared influences is the variance of
#   survival::concordance().
concordance_of <- function(time, event, risk, weights = rep(1, length(time)),
                           pairs = rep(1, length(time))) {
  concordant <- comparable <- numeric(length(time))
  total <- agree <- 0
  for (i in which(event == 1)) {
    # A sample censored at the time of an event has outlived it.
    later <- time > time[i] | time == time[i] & event == 0
    higher <- pairs[i] * ((risk[i] > risk[later]) + (risk[i] == risk[later]) / 2)
    own <- weights[later]
    counted <- pairs[i] * own
    concordant[later] <- concordant[later] + weights[i] * higher
    comparable[later] <- comparable[later] + weights[i] * pairs[i]
    concordant[i] <- concordant[i] + sum(own * higher)
    comparable[i] <- comparable[i] + sum(counted)
    agree <- agree + weights[i] * sum(own * higher)
    total <- total + weights[i] * sum(counted)
  }
  if (total == 0) {
    return(list(concordance = NA_real_, influence = rep(NA_real_, length(time))))
  }
  value <- agree / total
  list(concordance = value, influence = (concordant - value * comparable) / total)
}

# The same for a Surv, 1/2 if all scores are equal.
concordance_of_labels <- function(y, risk) {
  values <- surv_matrix(y)
  concordance_of(values[, 1L], values[, 2L], risk)
}

# Normal interval on the logit scale, for concordance and other shares.
# @param inflation (number) factor of the variance.
logit_interval <- function(share, variance, conf_level, inflation = 1) {
  if (is.na(share) || share <= 0 || share >= 1) {
    return(c(NA_real_, NA_real_))
  }
  half <- stats::qnorm((1 + conf_level) / 2) * sqrt(inflation * variance) / (share * (1 - share))
  stats::plogis(stats::qlogis(share) + c(-half, half))
}
