# p from the stability of the single selector, and the verification of n_useful.

check_one_pool <- function(model) {
  for (name in c("n_useful", "p")) {
    refuse(length(model[[name]]) > 1L, "{.arg {name}} must be one number here.")
  }
}

check_overlap_index <- function(index, model, corrected) {
  check_simulated_index(index)
  value <- overlap_values(index, model$n_total, model$n_features, corrected)
  refuse(is.null(value),
    c("{.arg index} {.val {index}} is not a function of the overlap of two sets of one size.",
      i = "Take {.val jaccard}, {.val nogueira} or {.val kuncheva}."
    )
  )
  value
}

# The stability of single selections grows with p, from the value at which no feature is favoured. p
# solves the exact relation (Onda et al. F.2). If no p gives the stability, the nearer end of the
# range is returned.
# @param tables from urn_tables() for model$n_useful.
# @return list(p, attained (flag), range (lowest and highest stability that n_useful allows),
#   stability (at p)).
solve_p <- function(stability, model, tables) {
  of_p <- function(p) {
    law <- single_useful_law(tables, p)
    sum(law * (tables$mean %*% law))
  }
  lowest <- model$n_features / model$n_total
  range <- c(of_p(lowest), of_p(1))
  inside <- stability > range[1] && stability < range[2]
  p <- if (inside) {
    stats::uniroot(function(p) of_p(p) - stability, c(lowest, 1), tol = 1e-10)$root
  } else if (stability <= range[1]) {
    lowest
  } else {
    1
  }
  list(p = p, attained = inside || stability %in% range, range = range, stability = of_p(p))
}

# A[f], the expected number of features above the threshold under the model (Equation 1 of Onda et
# al. requires n_useful = A[f]), and the fixed point of Equation 1. The iteration shrinks a pool
# with many features below the threshold. A pool whose features all pass is unchanged, whatever its
# size: Equation 1 alone cannot confirm it.
# @param refit (function of a number of useful features, or NULL) estimates p again at each step,
#   for example to keep the stability; NULL keeps p, as in Onda et al.
# @return list(verified (A[f] at n_useful), fixed_point, iterations (data frame step, n_useful, p),
#   converged (flag)).
check_n_useful <- function(n_total, n_features, n_useful, p, n_runs, refit = NULL,
                           tolerance = 0.5) {
  threshold <- threshold_by_chance(n_total, n_features, n_runs)
  at <- as.double(n_useful)
  steps <- data.frame(step = 0L, n_useful = at, p = p)
  for (step in seq_len(1000L)) {
    after <- expected_above(n_total, n_features, at, p, n_runs, threshold)
    steps[step + 1L, ] <- list(step, after, p)
    done <- abs(after - at) < tolerance || after <= n_features
    at <- max(after, n_features)
    if (done) break
    if (!is.null(refit)) p <- refit(at)
  }
  list(
    verified = steps$n_useful[2], fixed_point = at, iterations = steps, converged = done
  )
}

# A[f] of Equation 1: expected number of features that n_runs simulated selectors choose more often
# than the threshold. n_useful need not be whole, since only means are used.
expected_above <- function(n_total, n_features, n_useful, p, n_runs, threshold) {
  inclusion <- inclusion_probabilities(n_total, n_features, n_useful, p)
  tail <- function(q) stats::pbinom(threshold$law$threshold, n_runs, q, lower.tail = FALSE)
  above <- n_useful * tail(inclusion[1]) + (n_total - n_useful) * tail(inclusion[2])
  sum(threshold$law$probability * above)
}

# Inclusion probabilities of a useful and of another feature in one single selection. Picks other
# than preferred features are a simple random sample of the rest, until the rest is used up.
inclusion_probabilities <- function(n_total, n_features, n_useful, p) {
  rest <- n_total - n_features
  other <- sum(pmin(0:n_features, rest) * stats::dbinom(0:n_features, n_features, 1 - p))
  of_other <- if (rest > 0) other / rest else 0
  preferred <- (n_features - other) / n_features
  share <- n_features / n_useful
  c(share * preferred + (1 - share) * of_other, of_other)
}
