# Small statistics that several rooms need.

# Standard error of the mean of the values that are there. Blocks vary, the samples of one do not
# vary independently: sums of deviations over blocks take the place of deviations. The same for
# blocks of one sample.
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
  deviation <- rowsum(values - mean(values), as.character(blocks[known]))
  k <- nrow(deviation)
  if (k < 2L) NA_real_ else sqrt(sum(deviation^2) * k / (k - 1)) / n
}
