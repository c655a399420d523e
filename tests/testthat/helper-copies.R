# The lymphoma data without copies of columns, which are one feature: the columns of x are then those
# of a result.
mcl_distinct <- function() {
  asNamespace("stabilect")$distinct_columns(as.matrix(mcl_sll[, -1]))
}

# For peers, to which copies are features like others.
without_copies <- function(x) asNamespace("stabilect")$distinct_columns(x)

# Every copy a feature of its own, as in results that were stored when copies were several features: a
# hundred thousandth of the standard deviation tells them apart.
told_apart <- function(x) {
  noise <- withr::with_seed(1, matrix(stats::rnorm(length(x)), nrow(x)))
  x + 1e-5 * noise * rep(apply(x, 2L, stats::sd), each = nrow(x))
}
