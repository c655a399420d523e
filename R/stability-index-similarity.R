#' Stability indices for correlated features
#'
#' Two runs that select different but highly correlated features have found the same signal. These
#' indices therefore also count features of one run that are similar to features of the other.
#'
#' @section Options:
#' * `similarity` (required), the similarity of features, matched by name if both have names:
#'   - (symmetric p x p numeric matrix or sparse Matrix) similarities between 0 and 1, for example
#'     `abs(cor(x))`;
#'   - (vector or factor of length p) group labels: similarity 1 within a group, 0 between groups; a
#'     feature with a missing label is its own group; or the result of [cluster_features()];
#'   - (`list(x = )`, with a numeric matrix n x p) the data: absolute correlations of its columns,
#'     computed where needed. A constant column is similar to no other.
#' * `threshold` (number in (0, 1], 0.9 by default): smallest similarity of similar features. For
#'   `"sechidis"` smaller similarities count as 0; there `threshold = 0` keeps them all.
#' * `n_draws` (whole number >= 100; the four intersections, 1000 by default): random pairs of sets
#'   for each pair of set sizes, made from the `seed`. For `"phi_iw_similar"` (200 by default): how
#'   often the features of all runs are shuffled.
#' * `impute_na` (number, or `NULL`; not `"sechidis"` and `"phi_iw_similar"`): value of pairs of
#'   runs without a score, for example two empty runs; with `NULL` the result is then `NA`.
#'
#' `corrected = TRUE` changes only `"zucknick"`: random runs then have expectation 0. The others,
#' except `"sechidis"`, have this by construction.
#'
#' @details
#' Two sets overlap in r features; A are the features only in the first, B only in the second. The
#' adjusted intersection I is r plus
#'
#' * `"intersection_count"`: the number of features of A similar to one of B, or the reverse,
#'   whichever is smaller;
#' * `"intersection_mean"`: the same, where each feature counts with the mean of its similarities;
#' * `"intersection_greedy"`: pairs of A and B taken by decreasing similarity, each feature once
#'   (equal similarities: the smaller feature numbers first);
#' * `"intersection_mbm"`: as many pairs as possible, each feature once (a maximum matching);
#' * `"yu"`: the mean of the two numbers of `intersection_count`.
#'
#' The score of a pair of runs is \eqn{(I - E I) / (I_{max} - E I)}, with \eqn{I_{max}} the
#' geometric mean of the sizes, for `yu` the mean. E I is the mean over random sets of the same
#' sizes: exact for `yu`, for the others from `n_draws` random pairs of sets, whose standard error
#' [stability()] reports. The index is the mean over pairs. `"zucknick"` counts similarities instead
#' of similar features; its correction is exact.
#'
#' All are 1 if all runs agree up to similar features. They are undefined if a pair of runs has no
#' score: an empty set (`"zucknick"`, `"yu"`: two empty sets), or sizes that leave no room above
#' chance.
#' @section Errors:
#' Class `stabilect_error_input` for a similarity of wrong size, not symmetric or outside 0 to 1,
#' names that differ from the features', and a threshold outside (0, 1].
#' @references
#' Bommert A, Rahnenfuehrer J (2020). Adjusted measures for feature selection stability for data
#' sets with similar features. *LOD 2020*, 203-214.
#'
#' Yu L, Han Y, Berens ME (2012). Stable gene selection from microarray data via sample weighting.
#' *IEEE/ACM Transactions on Computational Biology and Bioinformatics* 9(1), 262-272.
#'
#' Zucknick M, Richardson S, Stronach EA (2008). Comparing the characteristics of gene expression
#' profiles derived by univariate and multivariate classification methods. *Statistical Applications
#' in Genetics and Molecular Biology* 7(1), 7.
#' @family stability
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' x <- x[, apply(x, 2, sd) > 0]
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, max_features = 5, seed = 1)
#' stability(fit, c("yu", "sechidis"), similarity = list(x = x), threshold = 0.7)
#' stability(
#'   fit, "intersection_mbm", similarity = abs(cor(x)), threshold = 0.7, seed = 1
#' )$table$estimate
#' @name stability_similarity
NULL

# Indices that count similar features as (partly) the same. C++ scores the pairs of runs.
# Corrections for chance are exact for Yu and Zucknick, and Monte Carlo for the four intersections:
# a minimum or a matching has no closed form.

similarity_indices <- function() {
  bommert <- "Bommert and Rahnenfuehrer (2020), LOD 2020, 203-214"
  list(
    intersection_index("count", "Intersection, counting", bommert),
    intersection_index("mean", "Intersection, mean similarity", bommert),
    intersection_index("greedy", "Intersection, greedy matching", bommert),
    intersection_index("mbm", "Intersection, maximum matching", bommert),
    similarity_index("yu", "Yu", "none", "FFTFT",
      "Yu, Han and Berens (2012), IEEE/ACM TCBB 9(1), 262-272", yu_value,
      # The closed form would need the correlations of more features than are computed.
      draws = function(runs, options) is_sampled(options$similarity, runs)),
    similarity_index("zucknick", "Zucknick", "0", "FFTFF",
      "Zucknick, Richardson and Stronach (2008), SAGMB 7(1), 7", zucknick_value,
      draws = function(runs, options) {
        options$corrected && is_sampled(options$similarity, runs)
      })
  )
}

similarity_index <- function(name, label, lower, properties, reference, value, ...) {
  new_index(name, label, "similarity", c(lower, "1"), c("p", "similarity"), properties, reference,
    value, ...
  )
}

intersection_index <- function(kind, label, reference) {
  name <- paste0("intersection_", kind)
  value <- function(runs, similarity, threshold = 0.9, impute_na = NULL, n_draws = 1000, seed = 0L,
                    n_threads = 1L) {
    n_draws <- check_count(n_draws, min = 100)
    input <- similarity_input(runs, similarity, threshold, seed, n_threads)
    chance <- function(sizes, input) {
      cpp_chance_intersection(
        input$null, sizes$low, sizes$high, runs$n_total, name, n_draws, seed, n_threads
      )
    }
    observed <- compare_similar(input, runs, name, n_threads)
    best <- function(low, high) sqrt(low * high)
    adjusted_value(observed, input, runs, best, chance, impute_na)
  }
  similarity_index(name, label, "none", "FFTFT", reference, value,
    draws = function(runs, options) TRUE
  )
}

yu_value <- function(runs, similarity, threshold = 0.9, impute_na = NULL, seed = 0L,
                     n_threads = 1L) {
  input <- similarity_input(runs, similarity, threshold, seed, n_threads)
  chance <- function(sizes, input) list(mean = chance_yu(sizes, runs$n_total, input$number))
  observed <- compare_similar(input, runs, "yu", n_threads)
  best <- function(low, high) (low + high) / 2
  adjusted_value(observed, input, runs, best, chance, impute_na)
}

zucknick_value <- function(runs, similarity, threshold = 0.9, corrected = FALSE, impute_na = NULL,
                           seed = 0L, n_threads = 1L) {
  input <- similarity_input(runs, similarity, threshold, seed, n_threads)
  observed <- compare_similar(input, runs, "zucknick", n_threads)
  if (!corrected) {
    return(value_from_scores(observed, impute_na, "both sets are empty"))
  }
  p <- runs$n_total
  chance <- function(sizes, input) list(mean = chance_zucknick(sizes, p, mean(input$sum) * p))
  best <- function(low, high) rep(1, length(low))
  adjusted_value(observed, input, runs, best, chance, impute_na)
}

compare_similar <- function(input, runs, name, n_threads) {
  cpp_compare_sets(input$core, runs$start, runs$feature, name, n_threads)
}

# The mean of (observed - chance) / (best - chance) over pairs of runs.
# @param best (function of (low, high)) highest value for two sets of these sizes.
# @param chance (function of (sizes, input)) expectations: `mean` for each pair of sizes, and the
#   Monte Carlo `se`.
adjusted_value <- function(observed, input, runs, best, chance, impute_na) {
  sizes <- size_classes(runs$size, best)
  expected <- chance(sizes, input)
  sizes$expected <- expected$mean
  sizes$se <- expected$se
  value <- value_from_scores(
    corrected_scores(observed, sizes), impute_na,
    "no score once corrected for chance (a set is empty, or full)"
  )
  value$mc_se <- chance_error(observed, sizes, input, chance, runs$n_total)
  if (input$sampled && value$note == "") {
    value$note <- sprintf("chance from %d of %d features", length(input$number), runs$n_total)
  }
  value
}

# Distinct unordered pairs of set sizes, the best value of each, and the class of each pair of runs.
size_classes <- function(size, best) {
  low <- outer(size, size, pmin)
  high <- outer(size, size, pmax)
  code <- as.double(low) * (max(size) + 1) + high
  key <- sort(unique(code[upper.tri(low)]))
  sizes <- list(
    low = key %/% (max(size) + 1), high = key %% (max(size) + 1),
    code = matrix(match(code, key), length(size))
  )
  sizes$best <- best(sizes$low, sizes$high)
  sizes
}

# NaN where the best value equals chance.
corrected_scores <- function(observed, sizes) {
  room <- sizes$best - sizes$expected
  room[abs(room) <= 1e-12 * pmax(sizes$best, 1)] <- NaN
  matrix((observed - sizes$expected[sizes$code]) / room[sizes$code], nrow(observed))
}

# Expectations given the overlap r of two random sets, averaged over its hypergeometric
# distribution.
# Zucknick: `total` is the sum of the similarities of all ordered pairs of similar features.
chance_zucknick <- function(sizes, p, total) {
  one <- function(a, b) {
    if (b == 0) {
      return(NaN)
    }
    r <- seq(max(0, a + b - p), min(a, b))
    share <- if (p > 1) total / (p * (p - 1)) else 0
    similar <- share * b * (a - r) * (if (a > 0) 1 / a else 0) + share * a * (b - r) / b
    sum(stats::dhyper(r, a, p - a, b) * (r + similar) / (a + b - r))
  }
  mapply(one, as.double(sizes$low), as.double(sizes$high))
}

# Yu: a feature in one set only has a similar one among the l features only in the other set with
# probability 1 - C(p - 1 - d, l) / C(p - 1, l), where d is the number of its neighbours.
chance_yu <- function(sizes, p, number) {
  degree <- sort(unique(number))
  weight <- tabulate(match(number, degree), length(degree)) / length(number)
  hit <- vapply(seq(0, max(sizes$high)), function(l) {
    if (l > p - 1) {
      return(0)
    }
    1 - sum(weight * exp(lchoose(p - 1 - degree, l) - lchoose(p - 1, l)))
  }, 0)
  one <- function(a, b) {
    r <- seq(max(0, a + b - p), min(a, b))
    similar <- ((a - r) * hit[b - r + 1] + (b - r) * hit[a - r + 1]) / 2
    sum(stats::dhyper(r, a, p - a, b) * (r + similar))
  }
  mapply(one, as.double(sizes$low), as.double(sizes$high))
}

# Standard error of the index from the errors of the expectations: each enters the scores of all
# pairs of runs with its sizes. For sampled features: from ten parts of the sample.
chance_error <- function(observed, sizes, input, chance, p) {
  pairs <- which(upper.tri(observed))
  if (!is.null(sizes$se)) {
    room <- (sizes$best - sizes$expected)[sizes$code]
    slope <- ((observed - sizes$best[sizes$code]) / room^2)[pairs]
    slope[!is.finite(slope)] <- 0
    by_size <- rowsum(slope, sizes$code[pairs])
    at <- as.integer(rownames(by_size))
    return(sqrt(sum((by_size * sizes$se[at])^2)) / length(pairs))
  }
  if (!input$sampled) {
    return(0)
  }
  part <- rep(seq_len(10L), length.out = length(input$number))
  estimates <- vapply(seq_len(10L), function(k) {
    some <- list(number = input$number[part == k], sum = input$sum[part == k])
    sizes$expected <- chance(sizes, some)$mean
    mean(corrected_scores(observed, sizes)[pairs], na.rm = TRUE)
  }, 0)
  stats::sd(estimates) / sqrt(10) * sqrt(1 - length(input$number) / p)
}
