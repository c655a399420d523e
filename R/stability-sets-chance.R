# Davis and Novovicova are functions of all m sets, so their expectation under random selection is
# that of m random sets, not of two: the size of the union by recursion over the sets, and the
# number of sets that hold a feature, which is Poisson-binomial. Both distributions come from C++
# whole, for all runs, or for all runs but one of each size.

# @param kind "union" or "count".
# @param size,n,times (vectors) groups of sets: n of this size, each counting `times` times.
set_distributions <- function(kind, p, size, n, times = rep(1L, length(size)), leave_out = FALSE) {
  cpp_distribute_sets(
    p, as.integer(size), as.integer(n), as.integer(times), kind, leave_out
  )
}

distribution_values <- function(d) d$first + seq_along(d$prob) - 1

# An index of all runs together with its correction.
# @param kind which distribution its expectation needs.
# @param stats function of data: list(all, left_out, weighted), as in set_moments(); each holds
#   vectors that score, expectation and highest understand.
# @param score,highest functions of (x, p, options), vectorised.
# @param expectation function of (distribution, x, p, options) for a single element of x.
joint_index <- function(kind, stats, score, expectation, highest) {
  function(data, options) {
    m <- data$n_runs
    if (m < 2L) {
      return(undefined_value(m, "needs at least two runs"))
    }
    p <- as.numeric(data$n_features)
    x <- stats(data)
    plain <- function(x) score(x, p, options)
    adjust <- function(x, distributions, which) {
      expected <- vapply(seq_along(which), function(i) {
        expectation(distributions[[which[i]]], lapply(x, `[`, i), p, options)
      }, 0)
      ratio_or_na(plain(x) - expected, highest(x, p, options) - expected)
    }
    if (!options$correct) {
      return(finish_value(
        data, options, plain(x$all), plain(x$left_out), function(w) plain(x$weighted(w))
      ))
    }
    sizes <- sort(unique(data$size))
    class <- match(data$size, sizes)
    n <- tabulate(class, length(sizes))
    all <- set_distributions(kind, p, sizes, n)
    one_less <- set_distributions(kind, p, sizes, n, leave_out = TRUE)
    finish_value(
      data, options, adjust(x$all, all, 1L), adjust(x$left_out, one_less, class),
      function(w) {
        drawn <- weighted_distributions(kind, data, w)
        adjust(x$weighted(w), drawn$distributions, drawn$which)
      }
    )
  }
}

# The distribution for each column of multiplicities: runs drawn several times are one random set
# that counts several times, so that their agreement with themselves is not taken for stability.
# Columns with the same sizes share one. Whole multiplicities only: NULL, so NA, for others.
weighted_distributions <- function(kind, data, w) {
  keys <- vapply(seq_len(ncol(w)), function(r) weight_key(kind, data$size, w[, r]), "")
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
    group <- unique(data.frame(size = data$size[drawn], times = times))
    at <- match(paste(data$size[drawn], times), paste(group$size, group$times))
    n <- tabulate(at, nrow(group))
    set_distributions(kind, data$n_features, group$size, n, group$times)[[1]]
  })
  list(distributions = distributions, which = match(keys, keys[first]))
}

weight_key <- function(kind, size, w) {
  drawn <- w > 0
  times <- if (kind == "union") rep(1, sum(drawn)) else w[drawn]
  paste(sort(paste(size[drawn], times)), collapse = " ")
}

# Davis et al. (2006): total / (n union), less a penalty for large sets.
davis_stats <- function(data) {
  m <- as.numeric(data$n_runs)
  k <- as.numeric(data$size)
  union <- as.numeric(sum(data$frequency > 0L))
  own <- run_sums(data, entry_frequency(data) == 1)
  list(
    all = list(total = sum(k), n = m, union = union, median = stats::median(k)),
    left_out = list(
      total = sum(k) - k, n = rep(m - 1, m), union = union - own, median = medians_left_out(k)
    ),
    weighted = function(w) {
      list(
        total = colSums(w * k), n = colSums(w), median = weighted_medians(k, w),
        union = map_frequencies(data, w, function(h) colSums(h > 0))
      )
    }
  )
}

# Median of all but one: of m - 1 values that are sorted but for a gap.
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

# Mean of the lower and upper median of values with weights, as median() of the repeated values.
weighted_medians <- function(k, w) {
  order <- order(k)
  upto <- apply(w[order, , drop = FALSE], 2L, cumsum)
  half <- colSums(w) / 2
  low <- k[order][pmin(colSums(t(t(upto) < half)) + 1L, length(k))]
  high <- k[order][pmin(colSums(t(t(upto) <= half)) + 1L, length(k))]
  (low + high) / 2
}

davis_score <- function(x, p, options) {
  share <- ratio_or_na(x$total, x$n * x$union, x$union > 0)
  pmax(0, share - options$penalty * x$median / p)
}

davis_expectation <- function(d, x, p, options) {
  union <- distribution_values(d)
  if (union[1L] == 0) {
    return(NA_real_)
  }
  sum(d$prob * pmax(0, x$total / (x$n * union) - options$penalty * x$median / p))
}

# The second case is a median of 0: fewer than half of the runs select one common feature.
davis_highest <- function(x, p, options) {
  pmax(1 - options$penalty / p, floor((x$n - 1) / 2) / x$n)
}

# Novovicova et al. (2009): sum_f h_f log2(h_f) / (total log2 n).
entropy_term <- function(h) ifelse(h > 0, h * log2(h), 0)

novovicova_stats <- function(data) {
  m <- as.numeric(data$n_runs)
  k <- as.numeric(data$size)
  h <- entry_frequency(data)
  entropy <- sum(entropy_term(as.numeric(data$frequency)))
  list(
    all = list(entropy = entropy, total = sum(k), n = m),
    left_out = list(
      entropy = entropy + run_sums(data, entropy_term(h - 1) - entropy_term(h)),
      total = sum(k) - k, n = rep(m - 1, m)
    ),
    weighted = function(w) {
      list(
        entropy = map_frequencies(data, w, function(h) colSums(entropy_term(h))),
        total = colSums(w * k), n = colSums(w)
      )
    }
  )
}

novovicova_score <- function(x, p, options) {
  ratio_or_na(x$entropy, x$total * log2(x$n), x$total > 0 & x$n > 1)
}

novovicova_expectation <- function(d, x, p, options) {
  if (is.null(d)) {
    return(NA_real_)
  }
  p * sum(d$prob * entropy_term(distribution_values(d))) / (x$total * log2(x$n))
}

novovicova_highest <- function(x, p, options) rep(1, length(x$n))

davis_index <- function(data, options) {
  joint_index(
    "union", davis_stats, davis_score, davis_expectation, davis_highest
  )(data, options)
}

novovicova_index <- function(data, options) {
  joint_index(
    "count", novovicova_stats, novovicova_score, novovicova_expectation, novovicova_highest
  )(data, options)
}
