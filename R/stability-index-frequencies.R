#' Stability indices from selection frequencies: Nogueira, CW, CW_rel, Davis, Novovicova
#'
#' Indices that look at all runs together, through the number of runs that selected each feature.
#' For [stability()].
#'
#' @section Options:
#' * `impute_na` (number, or `NULL`): the value where the index is undefined; `NA` with `NULL`.
#' * `penalty` (number >= 0, for `"davis"`; 0 by default): amount subtracted when the median size is
#'   p.
#'
#' `corrected = TRUE` returns (value - E) / (highest - E), where E is the expectation of the index
#' for m random sets of the same sizes.
#'
#' @details
#' Of p features, feature f is selected in \eqn{h_f} of m runs; run i selects \eqn{k_i}; \eqn{q =
#' \sum_i k_i = \sum_f h_f}, and \eqn{\bar k = q / m}.
#'
#' * **`"nogueira"`** (Nogueira et al. 2018), Fleiss' kappa of the features, at least
#'   \eqn{-1 / (m - 1)} and at most 1:
#'   \deqn{1 - \frac{\frac{1}{p} \sum_f \frac{m}{m - 1} \frac{h_f}{m} (1 - \frac{h_f}{m})}
#'   {\frac{\bar k}{p} (1 - \frac{\bar k}{p})}}
#' * **`"cw"`** (Somol and Novovicova 2010), weighted consistency, 0 to 1:
#'   \eqn{CW = \sum_f h_f (h_f - 1) / (q (m - 1))}.
#' * **`"cw_rel"`** (the same), 0 to 1: CW between its smallest and largest value for given q, m and
#'   p. Runs of different sizes cannot attain the upper bound.
#' * **`"cw_rel_sizes"`**, 0 to 1: the same with the highest CW for the *sizes of these runs*, which
#'   nested sets attain.
#'
#' **Which one?** Nogueira's index has expectation 0 for random sets of equal sizes and all five
#' properties of Nogueira et al. (2018; see [list_available()]). For *different* sizes its
#' expectation for random sets is negative: different sizes also count as instability.
#' `corrected = TRUE` removes this, exactly and for all sets at once. CW_rel is 1 for some sets that
#' differ, and it is not corrected for chance; corrected CW and corrected CW_rel are equal.
#'
#' **Few runs.** The lower bound of CW_rel is lower with few runs, so its mean is too large. Read it
#' from 21 runs: the excess is then 0.05 or less unless many of p features are selected. With
#' `corrected = TRUE` the mean is the same for any number of runs.
#'
#' **Undefined values.** All indices are undefined if no run selects anything. Nogueira's index and
#' CW_rel are also undefined if all runs select everything, CW_rel also if its bounds coincide.
#' @references
#' Nogueira S, Sechidis K, Brown G (2018). On the stability of feature selection algorithms.
#'   *Journal of Machine Learning Research* 18(174), 1-54.
#'
#' Somol P, Novovicova J (2010). Evaluating stability and comparing output of feature selectors that
#'   optimize feature subset cardinality. *IEEE Transactions on Pattern Analysis and Machine
#'   Intelligence* 32(11), 1921-1939. \doi{10.1109/tpami.2010.34}
#' @family stability
#' @concept CW_rel
#' @concept relative weighted consistency
#' @examples
#' runs <- as_selection(rbind(c(1, 1, 0, 0, 0), c(1, 1, 1, 0, 0), c(1, 1, 0, 1, 0)))
#' stability(runs, c("nogueira", "cw_rel", "cw_rel_sizes"))
#' stability(runs, "novovicova", corrected = TRUE)$table$estimate
#' @name stability_frequencies
NULL

frequency_indices <- function() {
  somol <- "Somol and Novovicova (2010)"
  list(
    frequency_index("nogueira", "Nogueira", "-1 / (m - 1)", "p", "TTTTF",
      "Nogueira et al. (2018)",
      function(runs, corrected = FALSE, impute_na = NULL) {
        moment_value(runs, function(x, p) nogueira_score(x, p, corrected), impute_na)
      },
      # For sets of one size it is the mean of Kuncheva's index, and CW the mean shared part.
      variance = nogueira_variance, pairs = kuncheva_rule()),
    frequency_index("cw", "Weighted consistency", "0", character(), "TTTTF", somol,
      function(runs, corrected = FALSE, impute_na = NULL) {
        moment_value(runs, function(x, p) cw_score(x, p, corrected), impute_na)
      }, pairs = dice_rule()),
    frequency_index("cw_rel", "Relative weighted consistency", "0", "p", "TTTFF", somol,
      function(runs, corrected = FALSE, impute_na = NULL) {
        moment_value(runs, function(x, p) cw_rel_score(x, p, corrected), impute_na)
      }),
    frequency_index("cw_rel_sizes", "Relative weighted consistency, given sizes", "0", "p",
      "TTTFF", paste("after", somol),
      function(runs, corrected = FALSE, impute_na = NULL) {
        moment_value(runs, function(x, p) cw_rel_sizes_score(x, p, corrected), impute_na)
      })
  )
}

frequency_index <- function(name, label, lower, needs, properties, reference, value, ...) {
  new_index(name, label, "sets", c(lower, "1"), needs, properties, reference, value,
    frequency = TRUE, by_size = TRUE, ...
  )
}

# Nogueira et al. (2018); the mean overlap is the sum over f of the unbiased estimate of p_f^2.
# Corrected, the expectation is the overlap expected for random sets of these sizes.
nogueira_score <- function(x, p, corrected = FALSE) {
  chance <- if (corrected) x$product else x$size^2
  ratio <- ratio_or_na(x$size - x$overlap, x$size - chance / p, x$size > 0 & x$size < p)
  1 - ratio
}

# Somol & Novovicova (2010). The bounds of sum_f h_f (h_f - 1) for a given total: frequencies as
# equal as possible, and as many features in all runs as possible; in whole numbers, without
# cancellation.
cw_lowest <- function(x, p) {
  each <- x$total %/% p
  ((p - x$total %% p) * each * (each - 1) + (x$total %% p) * (each + 1) * each) /
    (x$n * (x$n - 1))
}

cw_highest <- function(x) {
  rest <- x$total %% x$n
  (x$total %/% x$n) + rest * (rest - 1) / (x$n * (x$n - 1))
}

cw_score <- function(x, p, corrected) {
  if (corrected) {
    cw_above(x, x$product / p, cw_highest(x))
  } else {
    ratio_or_na(x$overlap, x$size, x$size > 0)
  }
}

cw_rel_score <- function(x, p, corrected) {
  cw_above(x, if (corrected) x$product / p else cw_lowest(x, p), cw_highest(x))
}

cw_rel_sizes_score <- function(x, p, corrected) {
  cw_above(x, if (corrected) x$product / p else cw_lowest(x, p), x$smaller)
}

cw_above <- function(x, from, to) {
  ratio_or_na(x$overlap - from, to - from, x$total > 0 & to - from > 1e-12)
}

# Variance of Nogueira's index by its influence function (Nogueira et al. 2018, section 4.2), with
# the plus sign of the authors' Python and Matlab code; the minus in their R file is wrong for
# different sizes.
# @return list(variance (number), influence (numeric, m): phi_i minus its mean).
nogueira_variance <- function(runs) {
  m <- runs$n_runs
  p <- as.numeric(runs$n_total)
  k <- as.numeric(runs$size)
  mean_size <- mean(k)
  if (m < 2L || mean_size == 0 || mean_size == p) {
    return(list(variance = NA_real_, influence = rep(NA_real_, m)))
  }
  index <- nogueira_score(set_moments(runs)$all, p)
  shared <- run_sums(runs, entry_frequency(runs)) / m / p
  phi <- (shared - k * mean_size / p^2 +
    index / 2 * (2 * k * mean_size / p^2 - k / p - mean_size / p + 1)) /
    (mean_size / p * (1 - mean_size / p))
  influence <- phi - mean(phi)
  list(variance = 4 / m^2 * sum(influence^2), influence = influence)
}
