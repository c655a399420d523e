# The lymphoma data without copies of columns, which are one feature: the columns of x are then those
# of a result.
mcl_distinct <- function() {
  asNamespace("stabilect")$distinct_columns(as.matrix(mcl_sll[, -1]))
}

# For peers, to which copies are features like others.
without_copies <- function(x) asNamespace("stabilect")$distinct_columns(x)
