# Numbers so large or so small that results leave the range of a double: sums overflow, and a
# coefficient, with the unit of y / x, is infinite or loses its digits.

smallest_scale <- 1e-305
largest_scale <- 1e305

# @param x (double matrix) finite, with or without names of columns.
# @param before (number) columns of the data that come before these.
check_scales <- function(x, arg, labels = colnames(x), before = 0L) {
  if (length(x) == 0L) {
    return(invisible())
  }
  if (max(x) > largest_scale || min(x) < -largest_scale) {
    at <- (which(abs(x) > largest_scale)[1] - 1L) %/% nrow(x) + 1L
    abort_scale(x[, at], arg, column_words(at, labels, before))
  }
  # Sums cost no memory; sums near zero are checked again, since values may cancel.
  for (at in which(abs(colSums(x)) < nrow(x) * smallest_scale)) {
    if (is_tiny(x[, at])) abort_scale(x[, at], arg, column_words(at, labels, before))
  }
  invisible()
}

check_scale_of_numbers <- function(y, arg) {
  if (max(abs(y)) > largest_scale || is_tiny(y)) abort_scale(y, arg, NULL)
  invisible()
}

# Not all zero, but nearly.
is_tiny <- function(values) {
  size <- max(abs(values))
  size > 0 && size < smallest_scale
}

column_words <- function(at, labels, before) {
  name <- if (!is.null(labels)) paste0(" (", dQuote(labels[at], FALSE), ")")
  paste0("Column ", before + at, name, " of ")
}

abort_scale <- function(values, arg, where) {
  size <- max(abs(values))
  abort(
    c("{where}{.arg {arg}} has values up to {figure(size, digits = 2)} in size, which is too
       {if (size > 1) 'large' else 'small'} to compute with.",
      i = "Use another unit: values from {smallest_scale} to {largest_scale} are possible."
    )
  )
}
