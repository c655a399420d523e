# Small statistics that several rooms need.

standard_error <- function(values) {
  values <- values[!is.na(values)]
  if (length(values) < 2L) NA_real_ else stats::sd(values) / sqrt(length(values))
}
