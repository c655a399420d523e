# What a number of permutations can decide.

# With 39, p is at most 0.05 when one of them reaches the observed value, too, not only when none
# does (the design page on decisions says what that gains).
n_deciding_permutations <- 39L

# All arrangements leave nothing to add, and decide when their p can be small.
# @param null (stabilect_null) of a result.
null_decides <- function(null) {
  if (isTRUE(null$complete)) {
    return(null$n_permutations >= 19L)
  }
  # Those that were asked for: they stop early when the best feature cannot become significant.
  null$n_asked >= n_deciding_permutations
}

verdict_of_null <- function(null) {
  if (!null_decides(null)) {
    "Undecided"
  } else if (null$p <= 0.05) {
    "Signal"
  } else {
    "No evidence of a signal"
  }
}

# As it is, however small: it cannot be below 1 / (permutations + 1).
describe_p <- function(p) paste("p =", figure(p, digits = 2))

smallest_p <- function(null) 1 / (null$n_permutations + 1)
