#' @details
#' `"phi_iw_similar"` joins importance and similarity, which Hamer and Dupont (2021) name as future
#' work. It is `"phi_iw"` (see [stability_weights]) with the importance of similar features pooled,
#' in groups of the labels, or of features that are linked by similarities of at least `threshold`.
#' It is 1 if all runs give each group the same importance, whatever members carry it, and has
#' expectation 0 for shuffled features. `NA` if all importance is in one group in every run.
#' @references
#' Hamer V, Dupont P (2021). An importance weighted feature selection stability measure. *Journal of
#' Machine Learning Research* 22(116), 1-57.
#' @rdname stability_similarity
#' @name stability_similarity_pooled
NULL

pooled_indices <- function() {
  list(similarity_index("phi_iw_similar", "Importance weighted, similar features pooled", "none",
    "FF-FT", "Hamer and Dupont (2021), JMLR 22(116), 1-57, Eq. 6, pooled", pooled_value,
    draws = function(runs, options) TRUE
  ))
}

pooled_value <- function(runs, similarity, threshold = 0.9, n_draws = 200, seed = 0L,
                         n_threads = 1L) {
  n_draws <- check_count(n_draws, min = 100)
  threshold <- check_fraction(threshold)
  group <- groups_of_similar(runs, similarity, threshold, n_threads)
  if (!anyDuplicated(group)) {
    return(phi_iw_value(runs, n_threads))
  }
  known <- selected_weights(runs)
  weight <- known$weight
  size <- diff(weight@p)
  share <- weight@x / rep(Matrix::colSums(weight), size)
  shared <- function(features) pooled_overlap(group[features], size, share, n_threads)
  observed <- shared(weight@i + 1L)
  pairs <- upper.tri(observed)
  chance <- matrix(0, runs$n_runs, runs$n_runs)
  means <- numeric(n_draws)
  with_seed(seed, for (d in seq_len(n_draws)) {
    drawn <- shared(unlist(lapply(size, function(k) sample.int(runs$n_total, k))))
    chance <- chance + drawn / n_draws
    means[d] <- mean(drawn[pairs])
  })
  room <- 1 - mean(means)
  if (room <= 1e-11) {
    return(undefined_value(runs$n_runs, "no set, or all importance in one group in all runs"))
  }
  slope <- (1 - mean(observed[pairs])) / room^2
  value_from_ratio(
    observed - chance, 1 - chance, known$note, slope * stats::sd(means) / sqrt(n_draws)
  )
}

# Importance that each pair of runs shares, m x m, as a share of the whole.
# @param group (integer) of each entry, run by run; `size`: entries of each run.
pooled_overlap <- function(group, size, share, n_threads) {
  pooled <- Matrix::sparseMatrix(
    i = group, j = rep(seq_along(size), size), x = share, dims = c(max(group, 1L), length(size))
  )
  overlap <- cpp_importance_overlap(pooled@p, pooled@i, pooled@x, nrow(pooled), n_threads)
  1 + overlap$numerator - overlap$denominator
}

# Group of each feature, from 1.
groups_of_similar <- function(runs, similarity, threshold, n_threads) {
  p <- runs$n_total
  if (is_data_similarity(similarity)) {
    # Shuffled runs have any feature, so that all correlations are needed.
    unit <- unit_columns(match_data(similarity$x, runs))
    first <- cpp_linked_columns(unit, threshold, FALSE, n_threads)
    return(match(first, unique(first)))
  }
  if (is.null(dim(similarity))) {
    return(match_groups(similarity, runs) + 1L)
  }
  links <- Matrix::summary(neighbour_matrix(match_similarity(similarity, runs), threshold))
  linked_groups(links$i, links$j, p)
}
