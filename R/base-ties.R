# The one rule for lists of the best features: a list contains what has a score, and equal scores
# are ordered at random, but repeatably. In column order, equal features would be selected in every
# run and in every study, which looks like agreement. The order follows from the names of the
# features, and from a seed (for runs) or the values themselves (for tables, which have no seed):
# it does not depend on the order of the columns, and other data have another order.

# @param names (character) of the features.
# @param ... (numeric vectors, one value per feature) the first decides, ties by the next; the
#   largest is the best, and missing values come last.
# @param seed (integer, or NULL) of the run; NULL takes the values.
# @return (integer) the features, best first.
order_best <- function(names, ..., seed = NULL) {
  # Rounding differs between two orders of the samples, or two units.
  values <- lapply(list(...), function(value) signif(as.double(value), 10))
  by <- lapply(values, `-`)
  # Most scores have no ties: the names are not read then.
  if (anyDuplicated(by[[1]]) > 0L) by <- c(by, list(tie_keys(names, values, seed)))
  do.call(order, c(by, list(na.last = TRUE, method = "radix")))
}

# The least value that is equal to this one: rounding differs between two orders of the samples.
but_for_rounding <- function(value) value - 1e-10 * abs(value)

# Equal values are ordered by these.
tie_keys <- function(names, values = NULL, seed = NULL) {
  if (!is.null(seed)) values <- NULL
  cpp_tie_keys(names, as.double(unlist(values)), if (is.null(seed)) 0 else seed)
}

# The features of a run that have a score: all, or those above 0 if no score is negative. Selectors
# give 0 to features that they left out, or that are constant.
# @param score (numeric) of a run; NA where the run did not look at the feature.
has_score <- function(score) !is.na(score) & (score != 0 | min(score, 0, na.rm = TRUE) < 0)

# The same from many runs: some run selected the feature, or gave it a score.
scored_in_runs <- function(frequency, mean_score) {
  (frequency > 0 | mean_score != 0) %in% TRUE
}
