# A model with covariates beside the covariates alone, on the same new samples.

# What the features add to the covariates alone, of which the same samples are predicted.
# @param table,alone (data frames) of measure_link().
beside_covariates <- function(table, alone, conf_level) {
  beside <- !grepl("^calibration", table$measure)
  table$reference[beside] <- alone$estimate[beside]
  table[c("difference", "difference_lower", "difference_upper")] <- NA_real_
  for (k in which(beside)) {
    difference <- table$estimate[k] - alone$estimate[k]
    each <- table$influence[[k]] - alone$influence[[k]]
    limits <- if (length(each) == 0L) {
      c(NA_real_, NA_real_)
    } else if (table$measure[k] == "error") {
      paired_shares_interval(each, difference, conf_level)
    } else {
      difference + c(-1, 1) * stats::qnorm((1 + conf_level) / 2) * sqrt(sum(each^2))
    }
    table[k, c("difference", "difference_lower", "difference_upper")] <- c(difference, limits)
  }
  table
}

# Agresti & Min (2005): Wald's interval of the difference of two shares of the same samples, with
# half a sample more in each cell of their table.
# @param each (numeric, n) difference of the influences.
paired_shares_interval <- function(each, difference, conf_level) {
  n <- length(each)
  # 1: wrong with the features only; -1: wrong without them only.
  change <- round(each * sqrt(n * max(n - 1, 1)) + difference)
  more <- (sum(change == 1) + 0.5) / (n + 2)
  less <- (sum(change == -1) + 0.5) / (n + 2)
  half <- stats::qnorm((1 + conf_level) / 2) * sqrt((more + less - (more - less)^2) / (n + 2))
  pmin(pmax(more - less + c(-half, half), -1), 1)
}
