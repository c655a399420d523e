# Studies of imputed data: their draws, and parts of their samples.

# The study with one of the draws in place of the expected values; its x may be differences within
# groups.
study_of_draw <- function(study, k) {
  study$x <- with_drawn(study$x, study$imputed, k)
  groups <- study$response$within
  if (!is.null(groups)) study$x <- centre_within(study$x, groups)
  study
}

# The samples of all draws, one below the other: what reads correlations reads those of values
# that vary as they would if they were there.
# @param data (stabilect_data, or a matrix).
pooled_draws <- function(data) {
  if (!inherits(data, "stabilect_data")) {
    return(data)
  }
  numbers <- is.matrix(data$x) || all(vapply(data$x, is.numeric, NA))
  if (is.null(data$imputed) || !numbers) {
    return(data$x)
  }
  x <- as.matrix(data$x)
  do.call(rbind, lapply(seq_len(data$imputed$n_draws), function(k) with_drawn(x, data$imputed, k)))
}

# Parts of the samples are studies of their own: their values are imputed from them alone.
impute_again <- function(study, n_threads = 1) {
  imputed <- study$imputed
  # Differences within groups keep theirs.
  if (is.null(imputed) || !is.null(study$response$within)) {
    return(study)
  }
  x <- study$x
  x[cbind(imputed$row, imputed$column)] <- NA
  # What no sample of the part has keeps its values.
  empty <- unique(imputed$column)[colSums(!is.na(x[, unique(imputed$column), drop = FALSE])) < 2L]
  x[, empty] <- study$x[, empty]
  if (!anyNA(x) || nrow(x) < least_imputed[["samples"]]) {
    return(study)
  }
  again <- impute_numbers(
    x, study$features$views, imputed$n_draws, imputed$seed, n_threads, progress = FALSE
  )
  study$x <- again$x
  study$imputed <- again$imputed
  study
}
