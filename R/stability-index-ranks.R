#' @details
#' **Ranks** come from `selection$score`: rank 1 is best, ties share their mean rank, features
#' without a score are tied last. `"spearman"` and `"kendall"` (tau-b) are mean correlations.
#' `"canberra"` (Hamer and Dupont 2021, Eq. 5; Jurman et al. 2008) is
#' \deqn{1 - \frac{1}{\chi} \frac{2}{m(m-1)} \sum_{i<j} \sum_f
#'   \frac{|\min(r_{fi}, k+1) - \min(r_{fj}, k+1)|}{\min(r_{fi}, k+1) + \min(r_{fj}, k+1)}}
#' with k the `location`. \eqn{\chi = (k+1)(2p-k) \log(4) / p - (2kp + 3p - k - k^2) / p} is
#' approximately the mean distance of random rankings; `corrected = TRUE` takes the exact mean.
#' Ranks do not tell how important a feature is, and disagreement at the top weighs most.
#'
#' `"weighted_overlap"` is \eqn{\sum_l w_l |T_i^l \cap T_j^l| / \sum_l w_l l}, averaged over pairs,
#' with \eqn{T_i^l} the l best features of run i. Of features tied at depth l each counts with the
#' share of them that fits. Corrected for chance, random rankings without ties have mean 0.
#'
#' @references
#' Jurman G, Merler S, Barla A, Paoli S, Galea A, Furlanello C (2008). Algebraic stability
#' indicators for ranked lists in molecular profiling. *Bioinformatics* 24(2), 258-264.
#'
#' Boulesteix AL, Slawski M (2009). Stability and aggregation of ranked gene lists. *Briefings in
#' Bioinformatics* 10(5), 556-568.
#' @rdname stability_weights
#' @name stability_ranks
NULL

rank_indices <- function() {
  list(
    rank_index("canberra", "Canberra distance of ranks", "none", "T-FTF",
      "Jurman et al. (2008), Bioinformatics 24(2), 258-264", canberra_value),
    rank_index("spearman", "Spearman", "-1/(m-1)", "F-TTT",
      "Kalousis, Prados and Hilario (2007), KAIS 12(1), 95-116",
      function(runs, impute_na = NULL, n_threads = 1L) {
        rank_correlation(runs, "spearman", impute_na, n_threads)
      }),
    rank_index("kendall", "Kendall (tau-b)", "-1/(m-1)", "F-TTT",
      "Kendall (1945), Biometrika 33(3), 239-251",
      function(runs, impute_na = NULL, n_threads = 1L) {
        rank_correlation(runs, "kendall", impute_na, n_threads)
      }),
    rank_index("weighted_overlap", "Weighted overlap of top lists", "0", "T-TTF",
      "Boulesteix and Slawski (2009), Brief. Bioinf. 10(5), 556-568", overlap_value)
  )
}

rank_index <- function(name, label, lower, properties, reference, value) {
  new_index(
    name, label, "ranks", c(lower, "1"), c("p", "score"), properties, reference, value
  )
}

# Scores as compressed columns; an explicit zero of a sparse matrix is no score either.
compressed_scores <- function(score) {
  if (is.matrix(score)) {
    return(list(
      start = seq.int(0L, by = nrow(score), length.out = ncol(score) + 1L),
      feature = rep(seq_len(nrow(score)) - 1L, ncol(score)), score = as.double(score)
    ))
  }
  score <- Matrix::drop0(score)
  list(start = score@p, feature = score@i, score = score@x)
}

compare_ranks <- function(runs, index, n_threads, location = 1L, weights = numeric()) {
  scores <- compressed_scores(runs$score)
  cpp_compare_ranks(
    scores$start, scores$feature, scores$score, runs$n_total, index, location, weights,
    n_threads
  )
}

# The mean correlation of the ranks of two runs, of either kind.
rank_correlation <- function(runs, index, impute_na, n_threads) {
  value_from_scores(
    compare_ranks(runs, index, n_threads), impute_na,
    "no correlation: all scores of a run are equal"
  )
}

# How many ranks count: as many as the runs select unless told otherwise.
rank_location <- function(runs, location) {
  location <- check_count(location, "location", null_ok = TRUE, call = NULL)
  if (is.null(location)) {
    return(as.integer(min(max(1, round(stats::median(runs$size))), runs$n_total)))
  }
  if (location > runs$n_total) {
    abort(paste(
      "{.arg location} must be at most the number of features, {runs$n_total}, not {location}."
    ), call = NULL)
  }
  as.integer(location)
}

# Hamer & Dupont 2021, Eq. 5, with the approximate chi there; corrected, with the exact mean of the
# distance.
canberra_value <- function(runs, location = NULL, corrected = FALSE, n_threads = 1L) {
  k <- rank_location(runs, location)
  p <- runs$n_total
  chance <- if (corrected) canberra_exact(k, p) else canberra_approximate(k, p)
  if (chance <= 0) {
    return(undefined_value(runs$n_runs, "too few features"))
  }
  distance <- compare_ranks(runs, "canberra", n_threads, k)
  value_from_pairs(1 - distance / chance, sprintf("location %d", k))
}

canberra_approximate <- function(k, p) {
  k <- as.double(k)
  (k + 1) * (2 * p - k) / p * log(4) - (2 * k * p + 3 * p - k - k^2) / p
}

# Two independent rankings put a feature at any pair of ranks with probability 1 / p^2.
canberra_exact <- function(k, p) {
  top <- seq_len(k)
  inside <- sum(vapply(top, function(a) sum(abs(a - top) / (a + top)), 0))
  (inside + 2 * (p - k) * sum((k + 1 - top) / (k + 1 + top))) / p
}

# Weighted mean over depths l of the share of the l best features of two runs that they have in
# common; under random rankings that share has mean l / p.
overlap_value <- function(runs, location = NULL, weights = NULL, corrected = FALSE,
                          n_threads = 1L) {
  weights <- overlap_weights(runs, location, weights)
  depth <- seq_along(weights)
  best <- sum(weights * depth)
  score <- compare_ranks(runs, "weighted_overlap", n_threads, weights = weights) / best
  if (corrected) {
    chance <- sum(weights * depth^2 / runs$n_total) / best
    if (1 - chance <= 1e-12) {
      return(undefined_value(runs$n_runs, "the only depth is that of all features"))
    }
    score <- (score - chance) / (1 - chance)
  }
  value_from_pairs(score, sprintf("depth %d", length(weights)))
}

overlap_weights <- function(runs, location, weights) {
  if (is.null(weights)) {
    return(1 / seq_len(rank_location(runs, location)))
  }
  ok <- checkmate::test_numeric(
    weights, lower = 0, finite = TRUE, any.missing = FALSE, min.len = 1L,
    max.len = runs$n_total
  )
  if (!ok || sum(weights) == 0) {
    abort(c(
      "{.arg weights} must be finite numbers >= 0, not all of them 0, one for each depth 1, 2, ...",
      i = "At most {runs$n_total} of them, as there are so many features."
    ), call = NULL)
  }
  as.double(weights)
}
