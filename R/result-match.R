# Data that are given beside runs, in the order of the features of the runs.

# @param arg (string) the verb's name for the data.
match_data <- function(x, runs, arg = "similarity$x") {
  named <- !is.null(colnames(x))
  x <- check_x(x)
  if (!named) {
    colnames(x) <- NULL
  }
  own <- columns_of_runs(ncol(x), colnames(x), runs)
  if (!is.null(own)) x <- x[, own, drop = FALSE]
  refuse(ncol(x) != runs$n_total, paste(
    "{.code {arg}} must have {runs$n_total} columns, one per feature of the",
    "selection, not {ncol(x)}."
  ))
  order <- match_names(colnames(x), runs, arg)
  if (is.null(order)) x else x[, order, drop = FALSE]
}

# The columns of the data that are features of the runs; NULL unless `n` is the number of columns
# and some are copies.
# @param names (character, or NULL) of the columns, in any order.
columns_of_runs <- function(n, names, runs) {
  columns <- runs$study$copies$columns
  if (n != length(columns)) {
    return(NULL)
  }
  at <- match(runs$feature_names, if (is.null(names)) columns else names)
  if (!anyNA(at)) at
}

# The position of each feature of the selection in `labels`; NULL if already in order.
match_names <- function(labels, runs, name) {
  if (is.null(labels) || is.null(runs$feature_names) || identical(labels, runs$feature_names)) {
    return(NULL)
  }
  order <- match(runs$feature_names, labels)
  if (anyNA(order)) {
    missing <- runs$feature_names[is.na(order)][1L]
    abort(c(
      "{.code {name}} has names, but none is that of feature {.val {missing}}.",
      i = "Use the names of the features, or no names and their order."
    ))
  }
  order
}

# Columns of mean zero and length one; constant columns become zero and resemble nothing.
unit_columns <- function(x) {
  size <- sqrt(colSums(x^2))
  x <- sweep(x, 2L, colMeans(x))
  norm <- sqrt(colSums(x^2))
  constant <- norm <= 1e-10 * size
  x <- sweep(x, 2L, ifelse(constant, 1, norm), "/")
  x[, constant] <- 0
  unname(x)
}

# The sum of the correlations of each column with all others, in blocks.
correlation_sums <- function(unit, signed) {
  total <- numeric(ncol(unit))
  for (from in seq(1L, ncol(unit), by = 512L)) {
    at <- from:min(ncol(unit), from + 511L)
    r <- crossprod(unit, unit[, at, drop = FALSE])
    total[at] <- colSums(if (signed) r else abs(r)) - colSums(unit[, at, drop = FALSE]^2)
  }
  total
}
