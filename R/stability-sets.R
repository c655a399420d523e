# Indices of sets that are means over pairs of runs. The value of a pair depends on the two sizes
# and the overlap r only, and is linear in r (in r / (k1 + k2 - r) for Jaccard), with coefficients
# that depend on the sizes. So an index is a table of offsets and slopes over the distinct sizes,
# and its sums are made in C++: from selection frequencies by size class, or pair by pair for
# Jaccard.

# @param k1,k2 (numeric matrices, D x D) sizes of the two runs of a pair.
# @param e (matrix, D x D) expected overlap of random sets, k1 k2 / p.
# @return list(offset, slope, undefined), matrices D x D.
pair_rules <- list(
  jaccard = function(k1, k2, p, e) plain_pairs(1 + 0 * e, k1 + k2 == 0),
  dice = function(k1, k2, p, e) plain_pairs(2 / (k1 + k2), k1 + k2 == 0),
  ochiai = function(k1, k2, p, e) plain_pairs(1 / sqrt(k1 * k2), k1 * k2 == 0),
  hamming = function(k1, k2, p, e) {
    list(offset = (p - k1 - k2) / p, slope = 2 / p + 0 * e, undefined = e < 0)
  },
  pog = function(k1, k2, p, e) plain_pairs((1 / k1 + 1 / k2) / 2, k1 * k2 == 0),
  lustgarten = function(k1, k2, p, e) {
    undefined <- k1 * k2 == 0 | k1 == p | k2 == p
    excess_pairs(1 / (pmin(k1, k2) - pmax(0, k1 + k2 - p)), e, undefined)
  },
  wald = function(k1, k2, p, e) {
    excess_pairs(1 / (pmin(k1, k2) - e), e, k1 * k2 == 0 | k1 == p | k2 == p)
  },
  kappa = function(k1, k2, p, e) {
    excess_pairs(1 / ((k1 + k2) / 2 - e), e, k1 + k2 == 0 | k1 + k2 == 2 * p)
  },
  phi = function(k1, k2, p, e) {
    spread <- sqrt(k1 * (p - k1)) * sqrt(k2 * (p - k2)) / p
    excess_pairs(1 / spread, e, spread == 0)
  },
  unadjusted = function(k1, k2, p, e) {
    excess_pairs(1 / (sqrt(k1 * k2) - e), e, k1 * k2 == 0 | k1 + k2 == 2 * p)
  },
  kuncheva = function(k1, k2, p, e) {
    excess_pairs(p / (k1 * (p - k2)), e, k1 * k2 == 0 | k1 == p | k2 == p)
  },
  npog = function(k1, k2, p, e) {
    undefined <- k1 * k2 == 0 | k1 == p | k2 == p
    excess_pairs((p / (k1 * (p - k2)) + p / (k2 * (p - k1))) / 2, e, undefined)
  }
)

# What (value - expectation) / (1 - expectation) is for the indices that are not corrected as they
# stand. Dice and Hamming become kappa, Ochiai becomes the unadjusted index, identically.
corrected_rules <- list(
  dice = pair_rules$kappa,
  hamming = pair_rules$kappa,
  ochiai = pair_rules$unadjusted,
  pog = function(k1, k2, p, e) {
    slope <- (1 / k1 + 1 / k2) / (2 - (k1 + k2) / p)
    excess_pairs(slope, e, k1 * k2 == 0 | k1 + k2 == 2 * p)
  }
)

plain_pairs <- function(slope, undefined) {
  list(offset = 0 * slope, slope = slope, undefined = undefined)
}

# The excess of the overlap over its expectation, times the slope.
excess_pairs <- function(slope, e, undefined) {
  list(offset = -slope * e, slope = slope, undefined = undefined)
}

corrected_jaccard <- function(sizes, p, n_threads, undefined) {
  expected <- cpp_expect_jaccard(p, sizes, n_threads)
  undefined <- undefined | outer(sizes + 0, sizes, "+") == 2 * p
  list(offset = -expected / (1 - expected), slope = 1 / (1 - expected), undefined = undefined)
}

# The rule of an index for the sizes at hand: list(offset, slope, undefined, sizes, size_class). An
# undefined pair has offset NaN, or the imputed value.
set_pair_rule <- function(name, data, options) {
  sizes <- sort(unique(data$size))
  p <- as.numeric(data$n_features)
  k1 <- matrix(as.numeric(sizes), length(sizes), length(sizes))
  k2 <- t(k1)
  e <- k1 * k2 / p
  rule <- pair_rules[[name]](k1, k2, p, e)
  if (options$correct && name == "jaccard") {
    rule <- corrected_jaccard(sizes, p, options$n_threads, rule$undefined)
  } else if (options$correct && name %in% names(corrected_rules)) {
    rule <- corrected_rules[[name]](k1, k2, p, e)
  }
  impute <- if (is.null(options$impute_na)) NaN else options$impute_na
  rule$offset[rule$undefined] <- impute
  rule$slope[rule$undefined] <- 0
  c(rule, list(sizes = sizes, size_class = match(data$size, sizes) - 1L))
}

call_pairs <- function(fun, name, data, rule, ..., n_threads) {
  fun(
    data$start, data$feature, data$n_features, rule$size_class, rule$offset, rule$slope,
    jaccard = name == "jaccard", ..., n_threads = n_threads
  )
}

# An index function for one of `pair_rules`.
pair_index <- function(name) {
  force(name)
  function(data, options) {
    if (data$n_runs < 2L) {
      return(undefined_value(data$n_runs, "needs at least two runs"))
    }
    if (name == "kuncheva" && length(unique(data$size)) > 1L) {
      return(undefined_value(data$n_runs, unequal_sizes_note(data$size)))
    }
    rule <- set_pair_rule(name, data, options)
    sums <- call_pairs(cpp_sum_pairs, name, data, rule, n_threads = options$n_threads)
    pair_mean_value(name, data, rule, sums, options)
  }
}

# Means over pairs from the sums over each run's defined pairs.
pair_mean_value <- function(name, data, rule, sums, options) {
  m <- data$n_runs
  missing <- undefined_partners(rule)
  imputed <- !is.null(options$impute_na)
  lost <- if (imputed) numeric(m) else missing
  estimate <- if (sum(lost) > 0) NA_real_ else sum(sums) / (m * (m - 1))
  loo <- rep(NA_real_, m)
  if (m > 2L) {
    defined <- sum(lost) - 2 * lost == 0
    loo[defined] <- ((sum(sums) - 2 * sums) / ((m - 1) * (m - 2)))[defined]
  }
  replicate <- function(w) {
    weighted <- call_pairs(cpp_weigh_pairs, name, data, rule, w, n_threads = options$n_threads)
    pairs <- colSums(w)^2 - colSums(w^2)
    undefined <- !imputed & undefined_weight(rule, w) > 0
    unname(ifelse(undefined | pairs <= 0, NA_real_, weighted / pairs))
  }
  new_index_value(estimate, loo, replicate, undefined_pairs_note(data, rule, missing, imputed))
}

# For each run the number of undefined pairs it is in.
undefined_partners <- function(rule) {
  n <- tabulate(rule$size_class + 1L, length(rule$sizes))
  of_class <- drop(rule$undefined %*% n) - diag(rule$undefined)
  of_class[rule$size_class + 1L]
}

# Weight of the undefined pairs for each column of multiplicities.
undefined_weight <- function(rule, w) {
  if (!any(rule$undefined)) {
    return(numeric(ncol(w)))
  }
  by_class <- rowsum(w, rule$size_class)
  own <- diag(rule$undefined)[rule$size_class + 1L]
  colSums(by_class * (rule$undefined %*% by_class)) - colSums(w^2 * own)
}

undefined_pairs_note <- function(data, rule, missing, imputed) {
  if (sum(missing) == 0) {
    return("")
  }
  first <- which(missing > 0)[1L]
  partner <- rule$undefined[rule$size_class[first] + 1L, rule$size_class + 1L]
  partner[first] <- FALSE
  second <- which(partner)[1L]
  sprintf(
    "%s of %s pairs undefined%s, the first: runs %d (size %d) and %d (size %d)",
    format(sum(missing) / 2), format(choose(data$n_runs, 2)),
    if (imputed) " and imputed" else "", first, data$size[first], second, data$size[second]
  )
}

unequal_sizes_note <- function(size) {
  counts <- tabulate(match(size, unique(size)))
  usual <- unique(size)[which.max(counts)]
  other <- which(size != usual)
  shown <- utils::head(other, 5L)
  more <- if (length(other) > 5L) sprintf(" and %d more", length(other) - 5L) else ""
  sprintf(
    "needs equal sizes: run%s %s%s %s %s features, the others %d",
    if (length(other) > 1L) "s" else "", paste(shown, collapse = ", "), more,
    if (length(other) > 1L) "have" else "has", paste(size[shown], collapse = ", "), usual
  )
}

# Similarity of every pair of runs by a pairwise index: m x m, NaN where undefined. The diagonal is
# 0, for sums over other runs.
set_pair_matrix <- function(name, data, options) {
  rule <- set_pair_rule(name, data, options)
  call_pairs(cpp_compare_pairs, name, data, rule, n_threads = options$n_threads)
}
