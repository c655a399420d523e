# Indices of sets of one size as functions of the overlap of two sets, for exact distributions and
# averages. All other indices are computed from simulated sets, like any selection.

# The value of an index for two sets of size t, as value[overlap + 1], if the index of sets of one
# size is its mean over pairs; else NULL.
overlap_values <- function(index, n_total, n_features, corrected) {
  pairs <- index_records()[[index]]$pairs
  if (is.null(pairs)) {
    return(NULL)
  }
  table <- pair_table(pairs, n_features, n_total, corrected)
  if (table$undefined[1] || is.nan(table$offset[1])) {
    return(NULL)
  }
  overlap <- seq(0, n_features)
  shared <- if (table$of_union) overlap / (2 * n_features - overlap) else overlap
  table$offset[1] + table$slope[1] * shared
}

check_simulated_index <- function(index) {
  refuse(!checkmate::test_string(index),
    "{.arg index} must be one name from {.code list_available(\"indices\")}, not
      {describe_value(index)}."
  )
  probe <- list(n_total = 2L, n_runs = 2L, size = c(1L, 1L), score = matrix(0, 2, 2))
  choose_indices(index, probe, list())
  invisible(index)
}

# The model for one n_useful: all that does not depend on p. `possible`: numbers of useful features
# that any of the distributions allows.
urn_tables <- function(n_total, n_features, n_useful, value, possible = NULL) {
  if (is.null(possible)) possible <- rep(TRUE, n_features + 1L)
  c(
    cpp_overlap_moments(n_total, n_features, n_useful, value, possible),
    list(given_picks = cpp_useful_given_picks(n_total, n_features, n_useful))
  )
}

# Distribution of H, the number of useful features in one single selection.
single_useful_law <- function(tables, p) {
  n_features <- ncol(tables$given_picks) - 1L
  drop(stats::dbinom(0:n_features, n_features, p) %*% tables$given_picks)
}

# Moments for two independent selections, from the distribution of H: mean and standard deviation of
# the index, mean overlap, mean of H; `between`: standard deviation over the first selection of the
# mean over the second, which determines the error of a mean over pairs.
moments_of_law <- function(tables, law) {
  given <- drop(tables$mean %*% law)
  mean <- sum(law * given)
  list(
    mean = mean, sd = sqrt(max(sum(law * (tables$square %*% law)) - mean^2, 0)),
    overlap = sum(law * (tables$overlap %*% law)), useful = sum(law * (seq_along(law) - 1)),
    between = sqrt(max(sum(law * given^2) - mean^2, 0))
  )
}

# Standard error of the mean over all pairs of m independent selections (Hoeffding 1948).
pair_mean_se <- function(between, sd, m) {
  sqrt((2 * (m - 2) * between^2 + sd^2) / (m * (m - 1) / 2))
}

# The same for an observed distribution: simulated H of n runs, no run paired with itself. The
# spread of the runs' means contains a share of the spread of single pairs, which is subtracted.
moments_of_draws <- function(tables, useful) {
  m <- length(useful)
  count <- tabulate(useful + 1L, nrow(tables$mean))
  without_self <- function(table) {
    (sum(count * (table %*% count)) - sum(count * diag(table))) / (m * (m - 1))
  }
  mean <- without_self(tables$mean)
  own <- (drop(tables$mean %*% count) - diag(tables$mean)) / (m - 1)
  spread <- sum(count * (own - mean)^2) / (m - 1)
  # `between` is for the averaged index and gives the error; `sd` is for the index itself, which the
  # user sees.
  sd_mean <- sqrt(max(without_self(tables$mean^2) - mean^2, 0))
  between <- sqrt(max((spread * (m - 1)^2 / (m - 2) - sd_mean^2) / (m - 4), 0))
  list(
    mean = mean, se = pair_mean_se(between, sd_mean, m),
    sd = sqrt(max(without_self(tables$square) - mean^2, 0)),
    overlap = without_self(tables$overlap), useful = mean(useful)
  )
}
