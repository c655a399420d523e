# Numbers so large or so small that results leave the range of a double: sums overflow, and a
# coefficient, with the unit of y / x, is infinite or loses its digits.

smallest_scale <- 1e-305
largest_scale <- 1e305

# @param x (double matrix) finite, with or without names of columns.
# @param before (number) columns of the data that come before these.
# @param sizes (numeric) the largest absolute value of each column.
check_scales <- function(x, arg, labels = colnames(x), before = 0L, sizes = cpp_column_sizes(x)) {
  at <- which(is_extreme(sizes))[1]
  if (!is.na(at)) abort_scale(sizes[at], arg, column_words(at, labels, before))
  invisible()
}

check_scale_of_numbers <- function(y, arg) {
  size <- max(abs(y))
  if (is_extreme(size)) abort_scale(size, arg, NULL)
  invisible()
}

is_extreme <- function(size) size > largest_scale | (size > 0 & size < smallest_scale)

column_words <- function(at, labels, before) {
  name <- if (!is.null(labels)) paste0(" (", dQuote(labels[at], FALSE), ")")
  paste0("Column ", before + at, name, " of ")
}

abort_scale <- function(size, arg, where) {
  abort(
    c("{where}{.arg {arg}} has values up to {figure(size, digits = 2)} in size, which is too
       {if (size > 1) 'large' else 'small'} to compute with.",
      i = "Use another unit: values from {smallest_scale} to {largest_scale} are possible."
    )
  )
}
