# The number of permutations for a decision.

# With 39, p is at most 0.05 even if one of them reaches the observed value, see the design page on
# decisions.
n_deciding_permutations <- 39L

# If all arrangements are done, none can be added, and they decide if their p can be small.
# @param null (stabilect_null) of a result.
null_decides <- function(null) {
  if (isTRUE(null$complete)) {
    return(null$n_permutations >= 19L)
  }
  # The number asked for: permutations stop early if the best feature cannot become significant.
  null$n_asked >= n_deciding_permutations || reached_too_often(null)
}

# So many of few permutations reach the observed value that with a p of 0.05 it would happen in less
# than one of a hundred.
reached_too_often <- function(null) {
  n <- null$n_permutations
  n_reached <- round(null$p * (n + 1)) - 1
  stats::pbinom(n_reached - 1, n, 0.05, lower.tail = FALSE) < 0.01
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

# Exact, however small: it cannot be below 1 / (permutations + 1).
describe_p <- function(p) paste("p =", figure(p, digits = 2))

smallest_p <- function(null) 1 / (null$n_permutations + 1)
