# A hash of the data, so that results of the same data can be recognised without them.

# A hash of the values of x and of the coded response, whatever else comes with them: row names,
# attributes, and whether x is dense, sparse or read by columns, make no difference.
# @param response (list) has `y` (double, n; -1/+1, class numbers or times), `levels` and `event`
#   (or NULL).
# @param factors (character, or NULL) columns whose values are level numbers.
hash_data <- function(x, response, factors = NULL) {
  event <- if (!is.null(response$event)) list(fresh_numbers(response$event))
  rlang::hash(c(
    list(hash_features(x, factors), fresh_numbers(response$y), fresh_strings(response$levels)),
    event
  ))
}

# By slabs of columns, so that x may be larger than the memory.
hash_features <- function(x, factors = NULL) {
  by_columns <- inherits(x, "stabilect_columns")
  size <- if (by_columns) c(x$n, x$p) else dim(x)
  values <- vapply(slabs_of(size[2]), function(j) {
    slab <- if (by_columns) x$read(j) else x[, j, drop = FALSE]
    rlang::hash(fresh_numbers(as.matrix(slab)))
  }, "", USE.NAMES = FALSE)
  names <- if (by_columns) x$names else colnames(x)
  # Level numbers of factors must not be taken for numeric values, so the names of these columns are
  # part of the hash.
  rlang::hash(list(as.integer(size), values, fresh_strings(names), fresh_strings(factors)))
}

# Equal values have several forms inside R (-0, compact sequences, encodings); these have one.
fresh_numbers <- function(x) as.vector(x) + 0

fresh_strings <- function(x) if (!is.null(x)) paste0(enc2utf8(as.character(x)), "")
