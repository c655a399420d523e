# A hash of the data: results of the same data are recognised without storing them.

# A hash of the values of x and of the coded response. Row names, attributes, and whether x is
# dense, sparse or read by columns make no difference.
# @param response (list) has `y` (double, n; -1/+1, class numbers or times), `levels` and `event`
#   (or NULL).
# @param hash_of_x (string) of hash_features(), if known.
# @param factors (character, or NULL) columns whose values are level numbers.
hash_data <- function(x, response, factors = NULL, hash_of_x = NULL) {
  event <- if (!is.null(response$event)) list(fresh_numbers(response$event))
  hash_plain(c(
    list(
      if (is.null(hash_of_x)) hash_features(x, factors) else hash_of_x,
      fresh_numbers(response$y), fresh_strings(response$levels)
    ),
    event
  ))
}

# By slabs of columns, since x may be larger than the memory.
hash_features <- function(x, factors = NULL) {
  by_columns <- inherits(x, "stabilect_columns")
  size <- if (by_columns) c(x$n, x$p) else dim(x)
  values <- vapply(slabs_of(size[2]), function(j) {
    if (by_columns) hash_slab(x$read(j), seq_along(j)) else hash_slab(x, j)
  }, "", USE.NAMES = FALSE)
  names <- if (by_columns) x$names else colnames(x)
  # The names of factor columns are part of the hash: level numbers are not numeric values.
  hash_plain(list(as.integer(size), values, fresh_strings(names), fresh_strings(factors)))
}

# Of columns j, which follow one another.
hash_slab <- function(x, j) {
  if (is.matrix(x) && is.double(x)) {
    return(cpp_hash_columns(x, j[1] - 1L, length(j)))
  }
  hash_plain(fresh_numbers(as.matrix(x[, j, drop = FALSE])))
}

# Equal values have several forms inside R (-0, compact sequences, encodings); here they have one.
fresh_numbers <- function(x) as.vector(x) + 0

# Of none, one that is empty.
fresh_strings <- function(x) {
  if (!is.null(x)) c(if (length(x) == 0L) "", enc2utf8(as.character(x)), use.names = FALSE)
}
