# Random lists of features, against which a signature is judged.

# @param size (integer) features of a list; n (integer): number of lists.
# @param fixed (flag) is the tested list the same in all parts? Then all lists are compared, if
#   there are no more than `n`.
# @return list(lists (list of integer vectors), complete (flag)).
draw_lists <- function(p, size, n, seed, fixed) {
  if (fixed && choose(p, size) <= n) {
    return(list(lists = utils::combn(p, size, simplify = FALSE), complete = TRUE))
  }
  lists <- with_seed(seed, lapply(seq_len(n), function(b) sample.int(p, size)))
  list(lists = lists, complete = FALSE)
}

# Lists with the variances and the mutual correlation of the list `like`.
# @param by_name (integer, p) the columns in the order of their names.
# @return list(lists, correlation (numeric, one per list), target (number)).
draw_matched <- function(x, by_name, like, size, n, seed, n_threads) {
  cpp_matched_lists(x, by_name, like, size, n, seed, n_threads)
}

# The share of lists that do as well. A drawn list counts the tested one as one more.
# @param errors (numeric) of the random lists, or of permuted outcomes; own (number).
p_of_errors <- function(errors, own, complete = FALSE) {
  as_good <- sum(errors <= own + 1e-9 * abs(own))
  if (complete) as_good / length(errors) else (as_good + 1) / (length(errors) + 1)
}

# One row of the table.
comparison_row <- function(comparison, errors, own, reference, complete = FALSE) {
  known <- length(errors) > 0L
  limits <- if (known) stats::quantile(errors, c(0.05, 0.5, 0.95), names = FALSE) else rep(NA, 3)
  data.frame(
    comparison = comparison, n = length(errors), error = limits[2], lower = limits[1],
    upper = limits[3],
    beats_reference = if (known) mean(errors < reference - 1e-9 * abs(reference)) else NA_real_,
    as_good = if (known) mean(errors <= own + 1e-9 * abs(own)) else NA_real_,
    p = if (known) p_of_errors(errors, own, complete) else NA_real_
  )
}
