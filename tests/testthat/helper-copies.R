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

# Of columns that are equal in a run, a peer takes the first and the package one by lot: what can be
# compared are sums over columns that are equal to each other in some run, also negated.
# @param values (named numeric) by column; counts (matrix n x B).
sums_of_equal <- function(values, x, counts) {
  group <- seq_len(ncol(x))
  for (b in seq_len(ncol(counts))) {
    r <- suppressWarnings(stats::cor(x[counts[, b] > 0, ]))
    pairs <- which(abs(r) > 1 - 1e-9 & upper.tri(r), arr.ind = TRUE)
    for (k in seq_len(nrow(pairs))) {
      both <- group[pairs[k, ]]
      group[group == both[2]] <- both[1]
    }
  }
  drop(rowsum(values[colnames(x)], group))
}

named_frequency <- function(fit) stats::setNames(fit$table$frequency, fit$table$feature)
