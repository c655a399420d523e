#' @details
#' * **`"davis"`** (Davis et al. 2006), 0 to 1: the mean size over the size of the union of all
#'   sets, minus `penalty` times the median size over p.
#' * **`"novovicova"`** (Novovicova et al. 2009), 0 to 1: the sum of \eqn{h_f \log_2 h_f} over
#'   \eqn{q \log_2 m}.
#'
#' Davis's index only looks at the union, and Novovicova's is not a function of the overlaps.
#' Neither needs to rise when overlaps do. Their corrections are exact; the package stabm corrects
#' both as if there were two runs. `vignette("how-computed")` has bounds and corrections.
#' @references
#' Davis CA, Gerick F, Hintermair V, Friedel CC, Fundel K, Kuffner R, Zimmer R (2006). Reliable gene
#'   signatures for microarray classification: assessment of stability and performance.
#'   *Bioinformatics* 22(19), 2356-2363. \doi{10.1093/bioinformatics/btl400}
#'
#' Novovicova J, Somol P, Pudil P (2009). A new measure of feature selection algorithms' stability.
#'   *IEEE International Conference on Data Mining Workshops*. \doi{10.1109/icdmw.2009.32}
#' @rdname stability_frequencies
#' @name stability_joint
NULL

joint_indices <- function() {
  list(
    new_index("davis", "Davis", "sets", c("0", "1"), character(), "TFTTF", "Davis et al. (2006)",
      davis_value, frequency = TRUE),
    new_index("novovicova", "Novovicova", "sets", c("0", "1"), character(), "TFTTF",
      "Novovicova et al. (2009)", novovicova_value, frequency = TRUE)
  )
}

# Davis et al. (2006): total / (n union), minus a penalty for large sets.
davis_stats <- function(runs) {
  m <- as.numeric(runs$n_runs)
  k <- as.numeric(runs$size)
  union <- as.numeric(sum(runs$frequency > 0L))
  own <- run_sums(runs, entry_frequency(runs) == 1)
  list(
    all = list(total = sum(k), n = m, union = union, median = stats::median(k)),
    left_out = list(
      total = sum(k) - k, n = rep(m - 1, m), union = union - own, median = medians_left_out(k)
    ),
    weighted = function(w) {
      list(
        total = colSums(w * k), n = colSums(w), median = weighted_medians(k, w),
        union = map_frequencies(runs, w, function(h) colSums(h > 0))
      )
    }
  )
}

# Medians of all values but one: of m - 1 values, sorted but for a gap.
medians_left_out <- function(k) {
  m <- length(k)
  if (m < 2L) {
    return(rep(NA_real_, m))
  }
  sorted <- sort(k)
  place <- rank(k, ties.method = "first")
  nth <- function(r) sorted[r + (place <= r)]
  (nth(m %/% 2L) + nth((m + 1L) %/% 2L)) / 2
}

# Mean of the lower and upper weighted median, as median() of the repeated values.
weighted_medians <- function(k, w) {
  order <- order(k)
  upto <- apply(w[order, , drop = FALSE], 2L, cumsum)
  half <- colSums(w) / 2
  low <- k[order][pmin(colSums(t(t(upto) < half)) + 1L, length(k))]
  high <- k[order][pmin(colSums(t(t(upto) <= half)) + 1L, length(k))]
  (low + high) / 2
}

# Highest: in the second case the median is 0, when fewer than half of the runs select one common
# feature.
davis_value <- function(runs, penalty = 0, corrected = FALSE, impute_na = NULL) {
  penalty <- check_number(penalty, min = 0)
  joint_value(runs, corrected, impute_na, "union", davis_stats(runs),
    score = function(x, p) {
      share <- ratio_or_na(x$total, x$n * x$union, x$union > 0)
      pmax(0, share - penalty * x$median / p)
    },
    expectation = function(d, x, p) {
      union <- distribution_values(d)
      if (union[1L] == 0) {
        return(NA_real_)
      }
      sum(d$prob * pmax(0, x$total / (x$n * union) - penalty * x$median / p))
    },
    highest = function(x, p) pmax(1 - penalty / p, floor((x$n - 1) / 2) / x$n)
  )
}

# Novovicova et al. (2009): sum_f h_f log2(h_f) / (total log2 n).
entropy_term <- function(h) ifelse(h > 0, h * log2(h), 0)

novovicova_stats <- function(runs) {
  m <- as.numeric(runs$n_runs)
  k <- as.numeric(runs$size)
  h <- entry_frequency(runs)
  entropy <- sum(entropy_term(as.numeric(runs$frequency)))
  list(
    all = list(entropy = entropy, total = sum(k), n = m),
    left_out = list(
      entropy = entropy + run_sums(runs, entropy_term(h - 1) - entropy_term(h)),
      total = sum(k) - k, n = rep(m - 1, m)
    ),
    weighted = function(w) {
      list(
        entropy = map_frequencies(runs, w, function(h) colSums(entropy_term(h))),
        total = colSums(w * k), n = colSums(w)
      )
    }
  )
}

novovicova_value <- function(runs, corrected = FALSE, impute_na = NULL) {
  joint_value(runs, corrected, impute_na, "count", novovicova_stats(runs),
    score = function(x, p) {
      ratio_or_na(x$entropy, x$total * log2(x$n), x$total > 0 & x$n > 1)
    },
    expectation = function(d, x, p) {
      if (is.null(d)) {
        return(NA_real_)
      }
      p * sum(d$prob * entropy_term(distribution_values(d))) / (x$total * log2(x$n))
    },
    highest = function(x, p) rep(1, length(x$n))
  )
}
