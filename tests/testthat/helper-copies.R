# One column of all copies: for peers, to which copies are features like others.
without_copies <- function(x) {
  space <- asNamespace("stabilect")
  stands <- space$stands_for(space$marks_of_copies(x)$columns, colnames(x))
  if (is.null(stands)) x else x[, sort(unique(stands)), drop = FALSE]
}

mcl_distinct <- function() without_copies(as.matrix(mcl_sll[, -1]))

# Every copy a feature of its own, as in results stored when copies were several features: a hundred
# thousandth of the standard deviation tells them apart.
told_apart <- function(x) {
  noise <- withr::with_seed(1, matrix(stats::rnorm(length(x)), nrow(x)))
  x + 1e-5 * noise * rep(apply(x, 2L, stats::sd), each = nrow(x))
}
