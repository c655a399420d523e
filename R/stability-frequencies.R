# Indices of sets that are functions of the selection frequencies h_f of all runs together. Each is
# a function of a few sums over features: for all runs, without each run, and for runs with
# multiplicities w, where h_f(w) = sum_i w_i z_if.

# Sum over the features of each run; `v` has one value per entry.
run_sums <- function(runs, v) diff(c(0, cumsum(as.numeric(v)))[runs$start + 1L])

entry_frequency <- function(runs) as.numeric(runs$frequency[runs$feature + 1L])

# Means over pairs i != j: `overlap` of r_ij, `product` of k_i k_j and `smaller` of min(k_i, k_j);
# `size`, the mean size; `total`, the sum of sizes; `n`, the number of runs. The mean of min(k_i,
# k_j) comes from the conjugate partition, h_j = #{i: k_i >= j}, and is the largest mean overlap for
# these sizes. Vectors have one value, m values (without run i), or one per column of w.
set_moments <- function(runs) {
  m <- as.numeric(runs$n_runs)
  k <- as.numeric(runs$size)
  q <- sum(k)
  h <- as.numeric(runs$frequency)
  steps <- size_steps(k)
  at_least <- steps$at_least(matrix(1, m, 1L))
  # Contribution of each run: its size, summed over the runs at least as large as each step.
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
  shared <- run_sums(runs, entry_frequency(runs) - 1)
  list(
    all = means(overlap, product, nested, q, m),
    left_out = means(
      overlap - 2 * shared, product - 2 * k * (q - k), nested - 2 * smaller, q - k, m - 1
    ),
    weighted = function(w) weighted_moments(runs, w, steps)
  )
}

# Distinct sizes > 0 ascending, their increments, and the weight of the runs that are at least as
# large (one column per column of w).
size_steps <- function(k) {
  size <- sort(unique(k[k > 0]))
  reaches <- outer(size, k, "<=") + 0
  list(size = size, width = diff(c(0, size)), at_least = function(w) reaches %*% w)
}

# Without self pairs: sum_f (h_f(w)^2 - sum_i w_i^2 z_if) / (W^2 - sum_i w_i^2), and so on.
weighted_moments <- function(runs, w, steps) {
  k <- as.numeric(runs$size)
  n <- colSums(w)
  total <- colSums(w * k)
  self <- colSums(w^2 * k)
  pairs <- n^2 - colSums(w^2)
  pairs[pairs <= 0] <- NA_real_
  squares <- map_frequencies(runs, w, function(h) colSums(h^2))
  list(
    overlap = (squares - self) / pairs, product = (total^2 - colSums(w^2 * k^2)) / pairs,
    smaller = (colSums(steps$width * steps$at_least(w)^2) - self) / pairs,
    size = total / n, total = total, n = n
  )
}

# fun() of the weighted frequencies of all occurring features, for a few columns of w at a time.
map_frequencies <- function(runs, w, fun) {
  occurs <- runs$frequency > 0L
  z <- methods::new("dgCMatrix",
    i = cumsum(occurs)[runs$feature + 1L] - 1L, p = runs$start,
    x = rep(1, length(runs$feature)), Dim = c(sum(occurs), runs$n_runs)
  )
  columns <- seq_len(ncol(w))
  chunk <- max(1, floor(2e6 / max(1L, nrow(z))))
  parts <- split(columns, ceiling(columns / chunk))
  values <- lapply(parts, function(at) fun(as.matrix(z %*% w[, at, drop = FALSE])))
  as.numeric(unlist(values, use.names = FALSE))
}

# @param score (function of (moments, p)) vectorised; NA where the index is undefined.
moment_value <- function(runs, score, impute_na) {
  moments <- set_moments(runs)
  value <- function(x) score(x, as.numeric(runs$n_total))
  finish_value(
    runs, impute_na, value(moments$all), value(moments$left_out),
    function(w) value(moments$weighted(w))
  )
}

# Imputes undefined values, and notes the reason.
finish_value <- function(runs, impute_na, estimate, loo, replicate) {
  impute_na <- check_impute(impute_na)
  fill <- function(x) {
    x <- as.numeric(x)
    x[!is.finite(x)] <- if (is.null(impute_na)) NA_real_ else impute_na
    x
  }
  loo <- if (runs$n_runs > 2L) fill(loo) else rep(NA_real_, runs$n_runs)
  note <- if (is.finite(estimate)) "" else degenerate_note(runs, impute_na)
  new_index_value(fill(estimate), loo, function(w) fill(replicate(w)), note)
}

degenerate_note <- function(runs, impute_na) {
  why <- if (all(runs$size == 0L)) {
    "no run selected any feature"
  } else if (all(runs$size == runs$n_total)) {
    "every run selected every feature"
  } else {
    "runs of these sizes always have the same value"
  }
  paste0(why, if (!is.null(impute_na)) ": imputed")
}

ratio_or_na <- function(numerator, denominator, usable = denominator > 1e-12) {
  ifelse(usable, numerator / denominator, NA_real_)
}
