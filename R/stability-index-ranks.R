#' @details
#' **Ranks** come from `selection$score`: rank 1 is best, ties share their mean rank, features
#' without a score are tied last. `"spearman"` and `"kendall"` (tau-b) are mean correlations.
#' `"canberra"` (Hamer and Dupont 2021, Eq. 5; Jurman et al. 2008) is
#' \deqn{1 - \frac{1}{\chi} \frac{2}{m(m-1)} \sum_{i<j} \sum_f
#'   \frac{|\min(r_{fi}, k+1) - \min(r_{fj}, k+1)|}{\min(r_{fi}, k+1) + \min(r_{fj}, k+1)}}
#' with the `location` k. \eqn{\chi = (k+1)(2p-k) \log(4) / p - (2kp + 3p - k - k^2) / p} is
#' approximately the mean distance of random full rankings. `corrected = TRUE` takes the exact mean
#' over all ways to shuffle the ranks of these runs, also if they rank different numbers of
#' features. Ranks ignore how important a feature is, and disagreement at the top has the largest
#' weight.
#'
#' `"weighted_overlap"` is \eqn{\sum_l w_l |T_i^l \cap T_j^l| / \sum_l w_l l}, averaged over pairs,
#' where \eqn{T_i^l} are the l best features of run i. Features tied at depth l share the remaining
#' places equally. `corrected = TRUE` returns (value - E) / (1 - E) for every pair, where E is its
#' exact mean over all ways to shuffle the ranks of these runs.
#'
#' @references
#' Jurman G, Merler S, Barla A, Paoli S, Galea A, Furlanello C (2008). Algebraic stability
#' indicators for ranked lists in molecular profiling. *Bioinformatics* 24(2), 258-264.
#'
#' Boulesteix AL, Slawski M (2009). Stability and aggregation of ranked gene lists. *Briefings in
#' Bioinformatics* 10(5), 556-568.
#' @concept phi_can
#' @concept Canberra
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

# Scores as compressed columns; an explicit zero of a sparse matrix also means no score.
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

# The mean correlation of the ranks of two runs, for both kinds of correlation.
rank_correlation <- function(runs, index, impute_na, n_threads) {
  value_from_scores(
    compare_ranks(runs, index, n_threads), impute_na,
    "no correlation: all scores of a run are equal"
  )
}

# Number of ranks that count: by default as many as the runs select.
rank_location <- function(runs, location) {
  location <- check_count(location, null_ok = TRUE)
  if (is.null(location)) {
    return(as.integer(min(max(1, round(stats::median(runs$size))), runs$n_total)))
  }
  refuse(location > runs$n_total, paste(
    "{.arg location} must be at most the number of features, {runs$n_total}, not {location}."
  ), call = NULL)
  as.integer(location)
}

# Hamer & Dupont 2021, Eq. 5, with their approximate chi; corrected, with the exact mean distance of
# the shuffled ranks of these two runs.
canberra_value <- function(runs, location = NULL, corrected = FALSE, n_threads = 1L) {
  k <- rank_location(runs, location)
  chance <- if (corrected) canberra_exact(runs, k) else canberra_approximate(k, runs$n_total)
  if (any(chance <= 0)) {
    return(undefined_value(runs$n_runs, "too few features"))
  }
  distance <- compare_ranks(runs, "canberra", n_threads, k)
  value_from_pairs(1 - distance / chance, sprintf("location %d", k))
}

canberra_approximate <- function(k, p) {
  k <- as.double(k)
  (k + 1) * (2 * p - k) / p * log(4) - (2 * k * p + 3 * p - k - k^2) / p
}

# Mean distance of every two runs when the features of one are shuffled, m x m: every rank of one is
# then compared with every rank of the other once in p times. Runs with the same ranks, for example
# all full rankings without ties, are computed once.
canberra_exact <- function(runs, k) {
  ranks <- lapply(run_ranks(runs), function(rank) {
    rank <- pmin(rank, k + 1)
    list(rank = unique(rank), times = tabulate(match(rank, unique(rank))))
  })
  kinds <- unique(ranks)
  mean_distance <- function(a, b) {
    distance <- abs(outer(a$rank, b$rank, "-")) / outer(a$rank, b$rank, "+")
    sum(a$times * (distance %*% b$times)) / runs$n_total
  }
  of_kinds <- matrix(0, length(kinds), length(kinds))
  for (i in seq_along(kinds)) {
    for (j in seq_len(i)) {
      of_kinds[i, j] <- of_kinds[j, i] <- mean_distance(kinds[[i]], kinds[[j]])
    }
  }
  kind <- match(ranks, kinds)
  of_pairs <- of_kinds[kind, kind, drop = FALSE]
  # A run is not compared with itself.
  diag(of_pairs) <- 1
  of_pairs
}

# The ranks of the p features in each run, ascending: ties share their mean, and features without a
# score are last.
run_ranks <- function(runs) {
  scores <- compressed_scores(runs$score)
  lapply(seq_len(runs$n_runs), function(i) {
    own <- scores$score[seq_len(diff(scores$start)[i]) + scores$start[i]]
    n <- length(own)
    sort(c(rank(-own), rep((n + 1 + runs$n_total) / 2, runs$n_total - n)))
  })
}

# Weighted mean over depths l of the share of common features among the l best of two runs.
overlap_value <- function(runs, location = NULL, weights = NULL, corrected = FALSE,
                          n_threads = 1L) {
  weights <- overlap_weights(runs, location, weights)
  best <- sum(weights * seq_along(weights))
  score <- compare_ranks(runs, "weighted_overlap", n_threads, weights = weights) / best
  if (corrected) {
    chance <- overlap_by_chance(runs, weights) / best
    if (any(1 - chance <= 1e-12)) {
      return(undefined_value(runs$n_runs, "the only depth is that of all features"))
    }
    score <- (score - chance) / (1 - chance)
  }
  value_from_pairs(score, sprintf("depth %d", length(weights)))
}

# Expected overlap of two runs when the features of one are shuffled, m x m. At depth l the shares
# of the features of a run sum to l. Each of t tied features counts with share s; two features tied
# in both runs have the smaller of their shares in common, not the product.
overlap_by_chance <- function(runs, weights) {
  ranks <- run_ranks(runs)
  total <- 0
  for (l in seq_along(weights)) {
    at <- vapply(ranks, function(rank) {
      tied <- rank[rank == rank[l]]
      first <- rank[l] - (length(tied) - 1) / 2
      c(length(tied), (l - first + 1) / length(tied))
    }, numeric(2))
    part <- outer(at[2, ], at[2, ], pmin) - tcrossprod(at[2, ])
    total <- total + weights[l] * (l^2 + part * tcrossprod(at[1, ]))
  }
  diag(total) <- 0
  total / runs$n_total
}

overlap_weights <- function(runs, location, weights) {
  if (is.null(weights)) {
    return(1 / seq_len(rank_location(runs, location)))
  }
  ok <- checkmate::test_numeric(
    weights, lower = 0, finite = TRUE, any.missing = FALSE, min.len = 1L,
    max.len = runs$n_total
  )
  refuse(!ok || sum(weights) == 0, c(
    "{.arg weights} must be finite numbers >= 0, not all of them 0, one for each depth 1, 2, ...",
    i = "At most {runs$n_total} of them, as there are so many features."
  ), call = NULL)
  as.double(weights)
}
