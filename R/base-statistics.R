# Small statistics used by several rooms.

# Standard error of the mean, ignoring missing values. Samples of one block are not independent:
# deviations are summed over blocks first. Blocks of one sample give the usual formula.
# @param blocks (one label per value, or NULL).
standard_error <- function(values, blocks = NULL) {
  known <- !is.na(values)
  values <- values[known]
  n <- length(values)
  if (n < 2L) {
    return(NA_real_)
  }
  if (is.null(blocks)) {
    return(stats::sd(values) / sqrt(n))
  }
  deviation <- rowsum(values - mean(values), match(blocks[known], unique(blocks)))
  k <- nrow(deviation)
  if (k < 2L) NA_real_ else sqrt(sum(deviation^2) * k / (k - 1)) / n
}

# Interval of Wilson (1927) for a share, as if from `n` independent samples.
# @return c(lower, upper); NA when there is no share.
wilson_interval <- function(share, n, conf_level) {
  z <- stats::qnorm((1 + conf_level) / 2)
  centre <- (share + z^2 / (2 * n)) / (1 + z^2 / n)
  half <- z / (1 + z^2 / n) * sqrt(share * (1 - share) / n + z^2 / (4 * n^2))
  limits <- pmin(pmax(c(centre - half, centre + half), 0), 1)
  # Rounding.
  c(if (isTRUE(share == 0)) 0 else limits[1], if (isTRUE(share == 1)) 1 else limits[2])
}

# Exact interval of Clopper and Pearson (1934) for a share, as if from `n` independent samples; `n`
# need not be a whole number. Near 0 Wilson's lower limit is too high (experiments/honest-error).
exact_interval <- function(share, n, conf_level) {
  tail <- (1 - conf_level) / 2
  wrong <- n * share
  c(
    stats::qbeta(tail, wrong, n - wrong + 1),
    stats::qbeta(tail, wrong + 1, n - wrong, lower.tail = FALSE)
  )
}

# Powers of two that scale columns of extreme size: their squares are neither 0 nor infinite, and
# nothing is rounded. 1 for all other columns. See unit_for() in the core.
column_units <- function(x) {
  largest <- apply(abs(x), 2L, max)
  exponent <- ifelse(largest > 0, floor(log2(largest)) + 1, 0)
  ifelse(abs(exponent) <= 250, 1, 2^-pmax(exponent, -1000))
}

# The same columns, and the same outcome, for scores that do not depend on scale.
tame_columns <- function(x) {
  units <- column_units(x)
  if (all(units == 1)) x else x * rep(units, each = nrow(x))
}

tame_response <- function(y) {
  if (is.factor(y) || inherits(y, "Surv")) y else y * column_units(cbind(y))
}
