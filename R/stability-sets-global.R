# Indices of sets that are functions of the selection frequencies h_f of all runs together. Each is
# a function of a few sums over features, taken for all runs, without each run, and for runs with
# multiplicities w, where h_f(w) = sum_i w_i z_if.

# Sum over the features of each run; `v` has one value per entry.
run_sums <- function(data, v) diff(c(0, cumsum(as.numeric(v)))[data$start + 1L])

entry_frequency <- function(data) as.numeric(data$frequency[data$feature + 1L])

# Means over pairs i != j: `overlap` of r_ij, `product` of k_i k_j and `smaller` of min(k_i, k_j);
# `size`, the mean size; `total`, the sum of sizes; `n`, the number of runs. The mean of min(k_i,
# k_j) is what the conjugate partition gives, h_j = #{i: k_i >= j}, the largest mean overlap that
# these sizes allow. Vectors are of one value, of m values without run i, or of one per column of w.
set_moments <- function(data) {
  m <- as.numeric(data$n_runs)
  k <- as.numeric(data$size)
  q <- sum(k)
  h <- as.numeric(data$frequency)
  steps <- size_steps(k)
  at_least <- steps$at_least(matrix(1, m, 1L))
  # What a run takes part in: its size summed over the runs at least as large as each step.
  smaller <- c(0, cumsum(steps$width * (at_least - 1)))[match(k, steps$size, 0L) + 1L]
  means <- function(overlap, product, smaller, total, n) {
    pairs <- n * (n - 1)
    list(
      overlap = overlap / pairs, product = product / pairs, smaller = smaller / pairs,
      size = total / n, total = total, n = n
    )
  }
  overlap <- sum(h * (h - 1))
  product <- q^2 - sum(k^2)
  nested <- sum(steps$width * at_least * (at_least - 1))
  shared <- run_sums(data, entry_frequency(data) - 1)
  list(
    all = means(overlap, product, nested, q, m),
    left_out = means(
      overlap - 2 * shared, product - 2 * k * (q - k), nested - 2 * smaller, q - k, m - 1
    ),
    weighted = function(w) weighted_moments(data, w, steps)
  )
}

# Distinct sizes > 0 ascending, what each adds to the one before, and the weight of the runs that
# are at least as large (one column per column of w).
size_steps <- function(k) {
  size <- sort(unique(k[k > 0]))
  reaches <- outer(size, k, "<=") + 0
  list(size = size, width = diff(c(0, size)), at_least = function(w) reaches %*% w)
}

# Self pairs are left out: sum_f (h_f(w)^2 - sum_i w_i^2 z_if) / (W^2 - sum_i w_i^2), and so on.
weighted_moments <- function(data, w, steps) {
  k <- as.numeric(data$size)
  n <- colSums(w)
  total <- colSums(w * k)
  self <- colSums(w^2 * k)
  pairs <- n^2 - colSums(w^2)
  pairs[pairs <= 0] <- NA_real_
  squares <- map_frequencies(data, w, function(h) colSums(h^2))
  list(
    overlap = (squares - self) / pairs, product = (total^2 - colSums(w^2 * k^2)) / pairs,
    smaller = (colSums(steps$width * steps$at_least(w)^2) - self) / pairs,
    size = total / n, total = total, n = n
  )
}

# fun() of the weighted frequencies of all features that occur, for a few columns of w at a time.
map_frequencies <- function(data, w, fun) {
  occurs <- data$frequency > 0L
  z <- methods::new("dgCMatrix",
    i = cumsum(occurs)[data$feature + 1L] - 1L, p = data$start,
    x = rep(1, length(data$feature)), Dim = c(sum(occurs), data$n_runs)
  )
  columns <- seq_len(ncol(w))
  chunk <- max(1, floor(2e6 / max(1L, nrow(z))))
  parts <- split(columns, ceiling(columns / chunk))
  values <- lapply(parts, function(at) fun(as.matrix(z %*% w[, at, drop = FALSE])))
  as.numeric(unlist(values, use.names = FALSE))
}

# An index function from `score(moments, p, correct)`, which is vectorised and gives NA where the
# index is not defined.
moment_index <- function(score) {
  force(score)
  function(data, options) {
    m <- data$n_runs
    if (m < 2L) {
      return(undefined_value(m, "needs at least two runs"))
    }
    moments <- set_moments(data)
    value <- function(x) score(x, as.numeric(data$n_features), options$correct)
    finish_value(
      data, options, value(moments$all), value(moments$left_out),
      function(w) value(moments$weighted(w))
    )
  }
}

# Imputes, and says why there is no value.
finish_value <- function(data, options, estimate, loo, replicate) {
  fill <- function(x) {
    x <- as.numeric(x)
    x[!is.finite(x)] <- if (is.null(options$impute_na)) NA_real_ else options$impute_na
    x
  }
  loo <- if (data$n_runs > 2L) fill(loo) else rep(NA_real_, data$n_runs)
  note <- if (is.finite(estimate)) "" else degenerate_note(data, options)
  new_index_value(fill(estimate), loo, function(w) fill(replicate(w)), note)
}

degenerate_note <- function(data, options) {
  why <- if (all(data$size == 0L)) {
    "no run selected any feature"
  } else if (all(data$size == data$n_features)) {
    "every run selected every feature"
  } else {
    "runs of these sizes always have the same value"
  }
  paste0(why, if (!is.null(options$impute_na)) ": imputed")
}

ratio_or_na <- function(numerator, denominator, usable = denominator > 1e-12) {
  ifelse(usable, numerator / denominator, NA_real_)
}

# Nogueira et al. (2018); the mean overlap is the sum over f of the unbiased estimate of p_f^2.
nogueira_score <- function(x, p, correct) {
  ratio <- ratio_or_na(
    x$size - x$overlap, x$size * (1 - x$size / p), x$size > 0 & x$size < p
  )
  1 - ratio
}

# Somol & Novovicova (2010). The bounds are those of sum_f h_f (h_f - 1) given the total: as equal
# as possible, and as many features in all runs as possible; in whole numbers, without cancellation.
cw_lowest <- function(x, p) {
  each <- x$total %/% p
  ((p - x$total %% p) * each * (each - 1) + (x$total %% p) * (each + 1) * each) /
    (x$n * (x$n - 1))
}

cw_highest <- function(x) {
  rest <- x$total %% x$n
  (x$total %/% x$n) + rest * (rest - 1) / (x$n * (x$n - 1))
}

cw_score <- function(x, p, correct) {
  if (correct) {
    cw_above(x, x$product / p, cw_highest(x))
  } else {
    ratio_or_na(x$overlap, x$size, x$size > 0)
  }
}

cw_rel_score <- function(x, p, correct) {
  cw_above(x, if (correct) x$product / p else cw_lowest(x, p), cw_highest(x))
}

cw_rel_sizes_score <- function(x, p, correct) {
  cw_above(x, if (correct) x$product / p else cw_lowest(x, p), x$smaller)
}

cw_above <- function(x, from, to) {
  ratio_or_na(x$overlap - from, to - from, x$total > 0 & to - from > 1e-12)
}

# Variance of Nogueira's index by its influence function (Nogueira et al. 2018, section 4.2), with
# the plus sign of the authors' Python and Matlab code; their R file has a minus, which is wrong
# when sizes vary.
# @return list(variance (number), influence (numeric, m): phi_i minus its mean).
nogueira_variance <- function(data) {
  m <- data$n_runs
  p <- as.numeric(data$n_features)
  k <- as.numeric(data$size)
  mean_size <- mean(k)
  if (m < 2L || mean_size == 0 || mean_size == p) {
    return(list(variance = NA_real_, influence = rep(NA_real_, m)))
  }
  index <- nogueira_score(set_moments(data)$all, p, FALSE)
  shared <- run_sums(data, entry_frequency(data)) / m / p
  phi <- (shared - k * mean_size / p^2 +
    index / 2 * (2 * k * mean_size / p^2 - k / p - mean_size / p + 1)) /
    (mean_size / p * (1 - mean_size / p))
  influence <- phi - mean(phi)
  list(variance = 4 / m^2 * sum(influence^2), influence = influence)
}
