# Means over pairs of runs. The value of a pair depends only on the two sizes and the overlap r. It
# is linear in r, or in r / (k1 + k2 - r), with coefficients that depend on the sizes. An index is
# therefore a table of offsets and slopes over the distinct sizes. C++ computes its sums: from
# selection frequencies by size class, or pair by pair where the union counts.

# @param plain,corrected (functions of (k1, k2, p, e, n_threads); `corrected` can be NULL) take D x
#   D matrices of the two sizes and of the expected overlap e = k1 k2 / p; return list(offset,
#   slope, undefined), D x D matrices, of the index without and with correction for chance.
# @param of_union (flag) linear in the shared part of the union, not in the overlap?
pair_rule <- function(plain, corrected = NULL, of_union = FALSE) {
  list(plain = plain, corrected = corrected, of_union = of_union)
}

plain_pairs <- function(slope, undefined) {
  list(offset = 0 * slope, slope = slope, undefined = undefined)
}

# The excess of the overlap over its expectation, times the slope.
excess_pairs <- function(slope, e, undefined) {
  list(offset = -slope * e, slope = slope, undefined = undefined)
}

# The rule of an index for the sizes of these runs: list(offset, slope, undefined, sizes,
# size_class, of_union). An undefined pair has offset NaN, or the imputed value.
pair_table <- function(pairs, size, p, corrected = FALSE, impute_na = NULL, n_threads = 1L) {
  sizes <- sort(unique(size))
  p <- as.numeric(p)
  k1 <- matrix(as.numeric(sizes), length(sizes), length(sizes))
  k2 <- t(k1)
  rule <- if (corrected && !is.null(pairs$corrected)) pairs$corrected else pairs$plain
  table <- rule(k1, k2, p, k1 * k2 / p, n_threads)
  table$offset[table$undefined] <- if (is.null(impute_na)) NaN else impute_na
  table$slope[table$undefined] <- 0
  c(table, list(
    sizes = sizes, size_class = match(size, sizes) - 1L, of_union = pairs$of_union
  ))
}

call_pairs <- function(fun, runs, table, ..., n_threads) {
  fun(
    runs$start, runs$feature, runs$n_total, table$size_class, table$offset, table$slope,
    jaccard = table$of_union, ..., n_threads = n_threads
  )
}

pair_value <- function(runs, pairs, corrected, impute_na, n_threads) {
  impute_na <- check_impute(impute_na)
  table <- pair_table(pairs, runs$size, runs$n_total, corrected, impute_na, n_threads)
  sums <- call_pairs(cpp_sum_pairs, runs, table, n_threads = n_threads)
  pair_mean_value(runs, table, sums, impute_na, n_threads)
}

# The value of every pair of runs by a pair_rule(): m x m, NaN where undefined. The diagonal is 0,
# for sums over other runs.
pair_matrix <- function(runs, pairs, n_threads = 1L) {
  table <- pair_table(pairs, runs$size, runs$n_total, n_threads = n_threads)
  call_pairs(cpp_compare_pairs, runs, table, n_threads = n_threads)
}

# Means over pairs from the sums over each run's defined pairs.
pair_mean_value <- function(runs, table, sums, impute_na, n_threads) {
  m <- runs$n_runs
  missing <- undefined_partners(table)
  imputed <- !is.null(impute_na)
  lost <- if (imputed) numeric(m) else missing
  estimate <- if (sum(lost) > 0) NA_real_ else sum(sums) / (m * (m - 1))
  loo <- rep(NA_real_, m)
  if (m > 2L) {
    defined <- sum(lost) - 2 * lost == 0
    loo[defined] <- ((sum(sums) - 2 * sums) / ((m - 1) * (m - 2)))[defined]
  }
  replicate <- function(w) {
    weighted <- call_pairs(cpp_weigh_pairs, runs, table, w, n_threads = n_threads)
    pairs <- colSums(w)^2 - colSums(w^2)
    undefined <- !imputed & undefined_weight(table, w) > 0
    unname(ifelse(undefined | pairs <= 0, NA_real_, weighted / pairs))
  }
  new_index_value(estimate, loo, replicate, undefined_pairs_note(runs, table, missing, imputed))
}

# For each run the number of its undefined pairs.
undefined_partners <- function(table) {
  n <- tabulate(table$size_class + 1L, length(table$sizes))
  of_class <- drop(table$undefined %*% n) - diag(table$undefined)
  of_class[table$size_class + 1L]
}

# Weight of the undefined pairs for each column of multiplicities.
undefined_weight <- function(table, w) {
  if (!any(table$undefined)) {
    return(numeric(ncol(w)))
  }
  by_class <- rowsum(w, table$size_class)
  own <- diag(table$undefined)[table$size_class + 1L]
  colSums(by_class * (table$undefined %*% by_class)) - colSums(w^2 * own)
}

undefined_pairs_note <- function(runs, table, missing, imputed) {
  if (sum(missing) == 0) {
    return("")
  }
  first <- which(missing > 0)[1L]
  partner <- table$undefined[table$size_class[first] + 1L, table$size_class + 1L]
  partner[first] <- FALSE
  second <- which(partner)[1L]
  sprintf(
    "%s of %s pairs undefined%s, the first: runs %d (size %d) and %d (size %d)",
    figure(sum(missing) / 2), figure(choose(runs$n_runs, 2)),
    if (imputed) " and imputed" else "", first, runs$size[first], second, runs$size[second]
  )
}
