# Rotations are exact for normal residuals only: signs against normality.

# Skewness and kurtosis are judged by the statistics of D'Agostino (1970) and of Anscombe and Glynn
# (1983), standard normal for normal residuals: one in 270 is beyond 2.9. Ties count if they are
# more frequent than rounding explains.
# @param residuals (numbers) after adjusting for covariates.
# @param y (numbers) the response itself, which may have ties that residuals do not have.
# @return (character) visible departures from normality; empty without any, and below eight samples,
#   which are too few to tell.
departures <- function(residuals, y) {
  n <- length(residuals)
  if (n < 8L) {
    return(character())
  }
  skew <- skewness(residuals)
  z <- (residuals - mean(residuals)) / sqrt(mean((residuals - mean(residuals))^2))
  most <- max(tabulate(match(y, unique(y))))
  c(
    if (abs(skewness_statistic(skew, n)) > 2.9) {
      sprintf("skewness %s instead of 0", figure(skew, digits = 2))
    },
    if (abs(kurtosis_statistic(mean(z^4), n)) > 2.9) {
      sprintf("kurtosis %s instead of 3", figure(mean(z^4), digits = 2))
    },
    if (most >= 5L && most > n / 6) sprintf("%d of %d values are the same", most, n)
  )
}

skewness_statistic <- function(skewness, n) {
  y <- skewness * sqrt((n + 1) * (n + 3) / (6 * (n - 2)))
  b <- 3 * (n^2 + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
  w2 <- sqrt(2 * (b - 1)) - 1
  asinh(y / sqrt(2 / (w2 - 1))) / sqrt(log(w2) / 2)
}

kurtosis_statistic <- function(kurtosis, n) {
  variance <- 24 * n * (n - 2) * (n - 3) / ((n + 1)^2 * (n + 3) * (n + 5))
  x <- (kurtosis - 3 * (n - 1) / (n + 1)) / sqrt(variance)
  skew <- 6 * (n^2 - 5 * n + 2) / ((n + 7) * (n + 9)) *
    sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
  a <- 6 + 8 / skew * (2 / skew + sqrt(1 + 4 / skew^2))
  # Negative only for the lightest possible tails.
  base <- (1 - 2 / a) / (1 + x * sqrt(2 / (a - 4)))
  (1 - 2 / (9 * a) - sign(base) * abs(base)^(1 / 3)) / sqrt(2 / (9 * a))
}

warn_not_normal <- function(found) {
  if (length(found) == 0L) {
    return(invisible())
  }
  warn(
    c("The residuals of {.arg y} are not normal ({found}): p values of rotations do not hold.",
      i = "Use {.code null = \"permutation\"}, the default, which needs no law."
    ),
    class = "not_normal"
  )
}
