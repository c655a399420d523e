# Without variation there is nothing to select from.

# @param x matrix, or `stabilect_columns`, read until one column varies.
check_varying <- function(x) {
  for (j in seq_len(ncol(x))) {
    values <- x[, j]
    if (any(values != values[1L])) {
      return(invisible(x))
    }
  }
  abort("All {ncol(x)} column{?s} of {.arg x} are constant; there is nothing to select from.")
}
