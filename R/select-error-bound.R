#' Error bounds of stability selection
#'
#' Stability selection keeps features that are selected in at least a share `cutoff` of the runs,
#' each of which selects at most `q` of p features. Two of `q`, `cutoff` and `pfer` determine the
#' third. `pfer` is the bound on the expected number of falsely selected features (per-family error
#' rate, PFER). `q` and `cutoff` give the bound; `pfer` with one of them gives the smallest cutoff
#' or the largest q.
#'
#' @param n_total (whole number >= 1) number of features.
#' @param q,cutoff,pfer exactly two of: number of features that each run selects (whole number from
#'   1 to `n_total`), smallest selection frequency of a stable feature (number in (0.5, 1\], or
#'   (q/p, 1\] for `"r_concave"`), bound on the expected number of falsely selected features
#'   (positive number).
#' @param n_pairs (whole number >= 2) number of complementary pairs of subsamples, half the number
#'   of runs.
#' @param assumption (string) assumption on the distribution of simultaneous selection in both runs
#'   of a pair: `"unimodal"`, `"r_concave"` (stronger, smaller bound) or `"none"` (the bound of
#'   Meinshausen and Buehlmann, which needs no pairs).
#' @details With \eqn{\theta = q/p}, B pairs and cutoff \eqn{\pi}:
#'
#'   * `"none"`: \eqn{\frac{q^2}{p(2\pi - 1)}} (Meinshausen and Buehlmann 2010, Theorem 1);
#'   * `"unimodal"`: \eqn{\frac{q^2}{p} \big/ 2(2\pi - 1 - \frac{1}{2B})} for
#'     \eqn{\pi \le 3/4}, provided \eqn{\pi \ge \frac12 + \min(\theta^2, \frac{1}{2B} +
#'     \frac34\theta^2)}, and \eqn{\frac{q^2}{p} \cdot 4(1 - \pi + \frac{1}{2B}) / (1 + \frac1B)}
#'     above (Shah and Samworth 2013, Theorem 2);
#'   * `"r_concave"`: \eqn{p \min\{1, D(\theta^2, 2\pi - 1, B, -\frac12), D(\theta, \pi, 2B,
#'     -\frac14)\}}. D is the largest probability of reaching a value among r-concave distributions
#'     with a given mean (their Eq. 8), found numerically.
#'
#' The bounds count features that are selected with at most the average probability \eqn{\theta}.
#' Under exchangeability (all noise features are equally likely to be selected; Meinshausen and
#' Buehlmann) these are all noise features. Noise features that are correlated with informative ones
#' violate it. The r-concave bound of 1 was then exceeded (1.2 on average, 1.7 in the worst of nine
#' settings); the other two were not (`vignette("fealect")`). On genes even an outcome of noise
#' exceeded it: with a bound of 0.93 it named 2.6 genes of colon on average (standard error 0.1),
#' where the unimodal one of 0.91 named 0.2 (`vignette("error-rates")`). Use `"unimodal"`.
#'
#' @return An object of class `stabilect_error_bound`, a list with `n_total`, `q`, `cutoff`, `pfer`
#'   (the bound from these), `asked` (the given `pfer`, or `NA`), `n_pairs`, `assumption`.
#' @section Errors:
#' Class `stabilect_error_input` unless exactly two of the three are given; `stabilect_error_bound`
#' for two that no third fits, or that the theorem excludes. The message gives possible values.
#' @references Meinshausen N, Buehlmann P (2010). Stability selection. *Journal of the Royal
#'   Statistical Society B* 72, 417-473.
#'
#'   Shah RD, Samworth RJ (2013). Variable selection with error control: another look at stability
#'   selection. *Journal of the Royal Statistical Society B* 75, 55-80.
#' @concept false discovery rate
#' @concept per-family error rate
#' @family stability selection
#' @examples
#' error_bound(n_total = 1000, q = 20, cutoff = 0.75)
#' error_bound(n_total = 1000, q = 20, pfer = 1)
#' error_bound(n_total = 1000, cutoff = 0.9, pfer = 1, assumption = "r_concave")
#' @export
error_bound <- function(n_total, q = NULL, cutoff = NULL, pfer = NULL, n_pairs = 50,
                        assumption = c("unimodal", "r_concave", "none")) {
  check_given()
  n_total <- check_count(n_total)
  n_pairs <- check_count(n_pairs, min = 2)
  assumption <- check_choice(assumption, c("unimodal", "r_concave", "none"))
  solve_bound(n_total, q, cutoff, pfer, n_pairs, assumption)
}

# The middle of the range that Meinshausen and Buehlmann advise (0.6 to 0.9), and the default of
# stabs.
usual_cutoff <- 0.75
usual_pfer <- 1

bound_pfer <- function(p, q, cutoff, n_pairs, assumption) {
  switch(assumption,
    none = if (cutoff > 0.5) q^2 / (p * (2 * cutoff - 1)) else Inf,
    unimodal = bound_unimodal(p, q, cutoff, n_pairs),
    r_concave = bound_r_concave(p, q, cutoff, n_pairs)
  )
}

# Shah and Samworth (2013), Theorem 2.
bound_unimodal <- function(p, q, cutoff, n_pairs) {
  theta <- q / p
  # Cutoffs are multiples of 1 / (2 B); 1e-9 allows for their rounding.
  lowest <- 0.5 + min(theta^2, 1 / (2 * n_pairs) + 0.75 * theta^2)
  if (cutoff < lowest - 1e-9) {
    return(Inf)
  }
  constant <- if (cutoff <= 0.75) {
    2 * (2 * cutoff - 1 - 1 / (2 * n_pairs))
  } else {
    (1 + 1 / n_pairs) / (4 * (1 - cutoff + 1 / (2 * n_pairs)))
  }
  if (constant <= 0) Inf else q^2 / p / constant
}

# Shah and Samworth (2013), Eq. 8.
bound_r_concave <- function(p, q, cutoff, n_pairs) {
  theta <- q / p
  if (cutoff <= theta) {
    return(Inf)
  }
  needed <- ceiling(signif(cutoff * 2 * n_pairs, 10))
  p * min(
    1,
    r_concave_tail(theta^2, needed - n_pairs, n_pairs, -1 / 2),
    r_concave_tail(theta, needed, 2 * n_pairs, -1 / 4)
  )
}

# The largest P(X >= t) of a random variable on 0, 1, ..., n with mean `mean` n whose probabilities
# are r-concave: f^r convex, r < 0. The extreme distributions are f(i) proportional to (a + i)^(1/r)
# on 0..k, with the rest of the mean at k + 1 (Shah and Samworth 2013, appendix A.4). The maximum is
# searched over k and a.
r_concave_tail <- function(mean, t, n, r) {
  mean <- mean * n
  first <- ceiling(2 * mean) + 1
  if (t < first || t < 1 || first >= n) {
    return(1)
  }
  power <- 1 / r
  # The a for which the distribution on 0..k alone has this mean, which falls with k.
  exact <- function(k, upper) {
    support <- 0:k
    excess <- function(a) {
      weight <- (a + support)^power
      sum(support * weight) / sum(weight) - mean
    }
    if (excess(1e-5) >= 0) {
      return(1e-5)
    }
    stats::uniroot(excess, c(1e-5, upper), tol = .Machine$double.eps^0.75)$root
  }
  ends <- first:n
  limit <- numeric(length(ends))
  upper <- 1e5
  for (at in seq_along(ends)) {
    limit[at] <- upper <- exact(ends[at], upper)
  }
  reach <- function(a, k) {
    support <- 0:k
    weight <- (a + support)^power
    below <- sum(weight[support < t])
    1 - (k + 1 - mean) * below / sum((k + 1 - support) * weight)
  }
  # Nothing is at or above t unless k + 1 is.
  best <- vapply(which(ends >= t - 1 & ends < n), function(at) {
    range <- sort(limit[at + 0:1])
    if (range[1] == range[2]) {
      return(reach(range[1], ends[at]))
    }
    stats::optimize(reach, range, k = ends[at], maximum = TRUE)$objective
  }, 0)
  min(1, max(best, 0))
}

solve_bound <- function(p, q, cutoff, pfer, n_pairs, assumption) {
  q <- check_count(q, max = p, null_ok = TRUE)
  if (!is.null(cutoff)) cutoff <- check_fraction(cutoff)
  pfer <- check_positive(pfer, null_ok = TRUE)
  check_pfer_of(pfer, p)
  refuse(sum(is.null(q), is.null(cutoff), is.null(pfer)) != 1L,
    "Give exactly two of {.arg q}, {.arg cutoff} and {.arg pfer}; the third follows."
  )
  bound <- function(q, cutoff) bound_pfer(p, q, cutoff, n_pairs, assumption)
  if (is.null(cutoff)) cutoff <- smallest_cutoff(bound, p, q, pfer, n_pairs, assumption)
  if (is.null(q)) q <- largest_q(bound, p, cutoff, pfer, assumption)
  reached <- bound(q, cutoff)
  refuse(!is.finite(reached),
    c("No bound holds for {.arg q} = {q} of {p} features and {.arg cutoff} = {cutoff}.",
        i = "Take a smaller {.arg q} or a higher {.arg cutoff}."
      ),
      class = "bound"
  )
  new_object("stabilect_error_bound",
    n_total = p, q = q, cutoff = cutoff, pfer = reached,
    asked = if (is.null(pfer)) NA_real_ else pfer,
    n_pairs = n_pairs, assumption = assumption
  )
}

# A list of all features would keep it.
check_pfer_of <- function(pfer, p) {
  refuse(!is.null(pfer) && pfer > max(p, 1),
    c("{.arg pfer} is {figure(pfer)}, above the number of features, {figure(p)}.",
      i = "It is the expected number of false positives that you accept, such as 1."
    )
  )
}

# Up to rounding: a bound of exactly `pfer` counts.
within_bound <- function(reached, pfer) is.finite(reached) & reached <= pfer * (1 + 1e-12)

# Frequencies are multiples of 1 / (2 B): the smallest sufficient one.
smallest_cutoff <- function(bound, p, q, pfer, n_pairs, assumption) {
  grid <- seq_len(2 * n_pairs) / (2 * n_pairs)
  grid <- grid[if (assumption == "r_concave") grid > q / p else grid > 0.5]
  reached <- vapply(grid, bound, 0, q = q)
  fits <- which(within_bound(reached, pfer))
  refuse(length(fits) == 0L,
    c("No cutoff keeps the bound at or below {.arg pfer} = {pfer} when {.arg q} = {q} of {p}.",
        i = "The smallest bound is {signif(min(reached), 3)}, at cutoff 1.",
        i = "Take a smaller {.arg q}, a larger {.arg pfer}, or more pairs."
      ),
      class = "bound"
  )
  grid[fits[1]]
}

# The bound grows with q.
largest_q <- function(bound, p, cutoff, pfer, assumption) {
  fits <- function(q) within_bound(bound(q, cutoff), pfer)
  refuse(!fits(1L),
    c("Even {.arg q} = 1 does not keep the bound at or below {.arg pfer} = {pfer} when
         {.arg cutoff} = {cutoff}.",
        i = if (is.finite(bound(1L, cutoff))) {
          "The bound is {signif(bound(1L, cutoff), 3)} then: take a larger {.arg pfer} or
            {.arg cutoff}."
        } else {
          "There is no bound for such a {.arg cutoff}: take a larger one, such as {usual_cutoff}."
        }
      ),
      class = "bound"
  )
  low <- 1L
  high <- p + 1L
  while (high - low > 1L) {
    middle <- (low + high) %/% 2L
    if (fits(middle)) low <- middle else high <- middle
  }
  low
}

#' @exportS3Method
facts_of.stabilect_error_bound <- function(x, n = 10L) {
  new_facts(
    "Error bound of stability selection",
    design = c(describe_bound(x), if (x$assumption != "none") {
      sprintf("%d complementary pairs", x$n_pairs)
    }),
    verdict = list(List = describe_pfer(x), Caution = caution_of_concave(x$assumption))
  )
}

# What a bound counts.
unit_of_bound <- function(bound) if (is.null(bound$unit)) "feature" else bound$unit

# What a bound rests on.
describe_bound <- function(x) {
  unit <- unit_of_bound(x)
  c(
    sprintf(
      "each run selects q = %d of %s %ss; stable from frequency %s on", x$q,
      figure(x$n_total, big.mark = ","), unit, figure(x$cutoff, digits = 3)
    ),
    switch(x$assumption,
      none = "bound of Meinshausen and Buehlmann, without further assumption",
      unimodal = "bound for complementary pairs, unimodality assumed",
      r_concave = "bound for complementary pairs, r-concavity assumed"
    )
  )
}

caution_of_concave <- function(assumption) {
  if (assumption == "r_concave") {
    "real features exceeded this bound, even without signal: prefer `assumption = \"unimodal\"`"
  }
}

# "at most 0.96 expected false positives (pfer; asked: 1)"
describe_pfer <- function(bound) {
  sprintf(
    "at most %s expected %s (pfer%s)", figure(bound$pfer, digits = 3),
    if (bound$pfer == 1) "false positive" else "false positives",
    if (is.na(bound$asked)) "" else sprintf("; asked: %s", figure(bound$asked))
  )
}
