# Partial conjunctions: is there an effect in at least r of K cohorts?

# p of the cohorts in which it is largest, for each r (Benjamini and Heller 2008, Section 2).
# @param sorted (matrix, features x m) p-values of each feature, ascending.
combine_p <- list(
  simes = function(sorted) {
    m <- ncol(sorted)
    Reduce(pmin, lapply(seq_len(m), function(j) m / j * sorted[, j]))
  },
  fisher = function(sorted) {
    stats::pchisq(-2 * rowSums(log(sorted)), 2 * ncol(sorted), lower.tail = FALSE)
  },
  bonferroni = function(sorted) pmin(1, ncol(sorted) * sorted[, 1L])
)

# @param p (matrix, features x K). @return (matrix, features x K) p of at least 1, ..., K; an effect
#   in r is one in r - 1, so that p never falls.
partial_conjunction <- function(p, method) {
  k <- ncol(p)
  sorted <- matrix(t(p)[order(rep(seq_len(nrow(p)), each = k), t(p), method = "radix")], k)
  sorted <- t(sorted)
  found <- matrix(0, nrow(p), k, dimnames = list(rownames(p), seq_len(k)))
  for (r in seq_len(k)) {
    found[, r] <- combine_p[[method]](sorted[, r:k, drop = FALSE])
    if (r > 1L) found[, r] <- pmax(found[, r], found[, r - 1L])
  }
  found
}

# @param by_cohort (list) correlation, p. @param directed (flag) do correlations have signs?
# @return list(p, p_adjusted (matrices, features x K), positive (flags, features x K: the direction
#   with the smaller p)).
judge_conjunctions <- function(by_cohort, directed, asked) {
  p <- by_cohort$p
  if (directed) {
    above <- by_cohort$correlation > 0
    up <- partial_conjunction(ifelse(above, p / 2, 1 - p / 2), asked$method)
    down <- partial_conjunction(ifelse(above, 1 - p / 2, p / 2), asked$method)
    found <- pmin(2 * pmin(up, down), 1)
    positive <- up <= down
  } else {
    found <- partial_conjunction(p, asked$method)
    positive <- NULL
  }
  adjusted <- found
  adjusted[] <- apply(found, 2L, stats::p.adjust, method = asked$p_adjust)
  list(p = found, p_adjusted = adjusted, positive = positive)
}

# @param n (integer, K) samples.
cohorts_table <- function(found, by_cohort, record, n, asked) {
  r <- asked$min_cohorts
  features <- rownames(by_cohort$p)
  directed <- !is.null(found$positive)
  sign <- if (directed) ifelse(found$positive[, r], 1, -1)
  # No correlation of 1, whose z is infinite.
  z <- atanh(pmin(pmax(by_cohort$correlation, -1 + 1e-12), 1 - 1e-12))
  weights <- pmax(n - 3, 1)
  data.frame(
    feature = features,
    direction = if (directed) direction_words(sign, record$levels) else NA_character_,
    n_found = as.integer(rowSums(found$p_adjusted <= asked$max_p)),
    n_agree = if (directed) {
      as.integer(rowSums(by_cohort$correlation * sign > 1e-10))
    } else {
      NA_integer_
    },
    n_named = as.integer(rowSums(by_cohort$named)),
    correlation = tanh(drop(z %*% weights) / sum(weights)), p = found$p[, r],
    p_adjusted = found$p_adjusted[, r], row.names = NULL
  )
}
