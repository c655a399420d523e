# Davis and Novovicova are functions of all m sets: their expectation needs m random sets, not two.
# It depends on the size of the union, by recursion over the sets, and on the number of sets that
# contain a feature, which is Poisson-binomial. C++ computes both distributions, for all runs, or
# for all runs but one of each size.

# @param kind "union" or "count".
# @param size,n,times (vectors) groups of sets: n of this size, each counting `times` times.
set_distributions <- function(kind, p, size, n, times = rep(1L, length(size)), leave_out = FALSE) {
  cpp_distribute_sets(
    p, as.integer(size), as.integer(n), as.integer(times), kind, leave_out
  )
}

distribution_values <- function(d) d$first + seq_along(d$prob) - 1

# An index of all runs together with its correction.
# @param kind distribution that its expectation needs.
# @param x list(all, left_out, weighted), as from set_moments(); each has the vectors that score,
#   expectation and highest need.
# @param score,highest functions of (x, p), vectorised.
# @param expectation function of (distribution, x, p) for a single element of x.
joint_value <- function(runs, corrected, impute_na, kind, x, score, expectation, highest) {
  p <- as.numeric(runs$n_total)
  if (!corrected) {
    return(finish_value(
      runs, impute_na, score(x$all, p), score(x$left_out, p), function(w) score(x$weighted(w), p)
    ))
  }
  adjust <- function(x, distributions, which) {
    expected <- vapply(seq_along(which), function(i) {
      expectation(distributions[[which[i]]], lapply(x, `[`, i), p)
    }, 0)
    ratio_or_na(score(x, p) - expected, highest(x, p) - expected)
  }
  sizes <- sort(unique(runs$size))
  class <- match(runs$size, sizes)
  n <- tabulate(class, length(sizes))
  all <- set_distributions(kind, p, sizes, n)
  one_less <- set_distributions(kind, p, sizes, n, leave_out = TRUE)
  finish_value(
    runs, impute_na, adjust(x$all, all, 1L), adjust(x$left_out, one_less, class),
    function(w) {
      drawn <- weighted_distributions(kind, runs, w)
      adjust(x$weighted(w), drawn$distributions, drawn$which)
    }
  )
}

# The distribution for each column of multiplicities. A run drawn several times is one random set
# that counts several times: agreement with itself is not stability. Columns with the same sizes
# share one distribution. Whole multiplicities only; NULL, hence NA, for others.
weighted_distributions <- function(kind, runs, w) {
  keys <- vapply(seq_len(ncol(w)), function(r) weight_key(kind, runs$size, w[, r]), "")
  first <- which(!duplicated(keys))
  distributions <- lapply(first, function(r) {
    drawn <- which(w[, r] > 0)
    times <- w[drawn, r]
    if (kind == "count" && any(times != round(times))) {
      return(NULL)
    }
    if (kind == "union") {
      times <- rep(1, length(drawn))
    }
    group <- unique(data.frame(size = runs$size[drawn], times = times))
    at <- match(paste(runs$size[drawn], times), paste(group$size, group$times))
    n <- tabulate(at, nrow(group))
    set_distributions(kind, runs$n_total, group$size, n, group$times)[[1]]
  })
  list(distributions = distributions, which = match(keys, keys[first]))
}

weight_key <- function(kind, size, w) {
  drawn <- w > 0
  times <- if (kind == "union") rep(1, sum(drawn)) else w[drawn]
  paste(sort(paste(size[drawn], times)), collapse = " ")
}
