# Columns of level numbers in place of factors.

# check_x() for verbs that use factors: x with level numbers in their place. The study lists these
# columns in `factors`.
code_levels <- function(x) {
  if (is.data.frame(x)) {
    for (j in which(vapply(x, is.factor, NA))) x[[j]] <- as.integer(x[[j]])
  }
  check_x(x)
}

# The names of the columns that are factors; NULL without any.
level_columns <- function(x) {
  coded <- vapply(x, is.factor, NA)
  if (any(coded)) names(x)[coded]
}
