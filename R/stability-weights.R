# Indices of the importance of features and of their ranks. All work on compressed columns: features
# without an entry are never visited, only counted.

index_entries_weights <- function() {
  hamer <- "Hamer and Dupont (2021), JMLR 22(116), 1-57"
  ranks <- function(name, label, fun, lower, corrected, properties, reference) {
    index_entry(
      name, label, "ranks", fun,
      lower = lower, upper = "1", corrected = corrected, correctable = !corrected,
      needs = c("p", "score"), properties = properties, frequency = FALSE, reference = reference
    )
  }
  list(
    index_entry(
      "phi_iw", "Importance weighted (phi_iw)", "weights", phi_iw_value,
      lower = "-1/(m-1)", upper = "1", corrected = TRUE, correctable = FALSE,
      needs = c("p", "importance"), properties = c(TRUE, NA, TRUE, TRUE, TRUE),
      frequency = FALSE, reference = paste(hamer, "Eq. 6", sep = ", ")
    ),
    index_entry(
      "phi_pears", "Pearson correlation of weights", "weights", phi_pears_value,
      lower = "-1/(m-1)", upper = "1", corrected = TRUE, correctable = FALSE,
      needs = c("p", "importance"), properties = c(FALSE, NA, TRUE, FALSE, TRUE),
      frequency = FALSE, reference = paste(hamer, "Eq. 4", sep = ", ")
    ),
    ranks(
      "canberra", "Canberra distance of ranks", canberra_value, "none", FALSE,
      c(TRUE, NA, FALSE, TRUE, FALSE), "Jurman et al. (2008), Bioinformatics 24(2), 258-264"
    ),
    ranks(
      "spearman", "Spearman", rank_value("spearman"), "-1/(m-1)", TRUE,
      c(FALSE, NA, TRUE, TRUE, TRUE), "Kalousis, Prados and Hilario (2007), KAIS 12(1), 95-116"
    ),
    ranks(
      "kendall", "Kendall (tau-b)", rank_value("kendall"), "-1/(m-1)", TRUE,
      c(FALSE, NA, TRUE, TRUE, TRUE), "Kendall (1945), Biometrika 33(3), 239-251"
    ),
    ranks(
      "weighted_overlap", "Weighted overlap of top lists", overlap_value, "0", FALSE,
      c(TRUE, NA, TRUE, TRUE, FALSE), "Boulesteix and Slawski (2009), Brief. Bioinf. 10(5), 556-568"
    )
  )
}

# Weights of the selected features: importance, else the size of the score unless scores only say
# what was selected; even otherwise.
# @return list: `weight` (dgCMatrix p x m, >= 0), `note` (string).
selected_weights <- function(data) {
  selected <- Matrix::sparseMatrix(
    i = data$feature, p = data$start, x = 1, dims = c(data$n_features, data$n_runs), index1 = FALSE
  )
  from <- data$importance
  note <- ""
  if (is.null(from) && !is.null(data$score)) {
    from <- data$score
    note <- "importance: size of the scores"
  }
  weight <- if (is.null(from)) selected else weights_where(from, selected)
  if (is.null(data$importance) && all(weight@x == 1) && length(weight@x) <= length(selected@x)) {
    return(list(weight = selected, note = "importance: even, as none is known"))
  }
  # Every selected feature of such a run has weight 0, which says nothing about their shares.
  lost <- which(Matrix::colSums(weight) == 0 & data$size > 0L)
  if (length(lost) > 0L) {
    weight[, lost] <- selected[, lost, drop = FALSE]
    note <- join_notes(note, sprintf("importance: even in %d runs with all 0", length(lost)))
  }
  list(weight = methods::as(weight, "CsparseMatrix"), note = note)
}

weights_where <- function(from, selected) {
  if (is.matrix(from)) {
    runs <- rep(seq_len(ncol(selected)), diff(selected@p))
    selected@x <- abs(as.double(from[cbind(selected@i + 1L, runs)]))
    return(Matrix::drop0(selected))
  }
  Matrix::drop0(methods::as(abs(from) * selected, "CsparseMatrix"))
}

# Paper 003, Eq. 6. With shares instead of importances that sum to the mean size, that size cancels.
# The sums over all pairs, and over those of each run, come from sorted shares as in Eq. 10, at a
# cost linear in the number of runs; pairs are only compared when replicates are asked for.
phi_iw_value <- function(data, options) {
  m <- data$n_runs
  if (m < 2L) {
    return(undefined_value(m, "needs at least two runs"))
  }
  known <- selected_weights(data)
  weight <- known$weight
  share <- weight@x / rep(Matrix::colSums(weight), diff(weight@p))
  sums <- importance_sums(weight, share)
  numerator <- sums$shared - sums$random
  denominator <- m - 1 - sums$random
  # All features with equal importance in all runs: not the rounding of 1 - 1.
  ratio <- function(a, b, pairs) ifelse(b > 1e-11 * pairs, a / b, NA_real_)
  estimate <- ratio(sum(numerator), sum(denominator), m * (m - 1))
  loo <- rep(NA_real_, m)
  if (m > 2L) {
    loo <- ratio(
      sum(numerator) - 2 * numerator, sum(denominator) - 2 * denominator, (m - 1) * (m - 2)
    )
  }
  replicate <- function(w) {
    overlap <- cpp_importance_overlap(
      weight@p, weight@i, share, data$n_features, options$n_threads
    )
    value_from_ratio(overlap$numerator, overlap$denominator)$replicate(w)
  }
  note <- known$note
  if (is.na(estimate)) {
    note <- "no set, or all features in all sets with equal importance"
  }
  new_index_value(estimate, loo, replicate, note)
}

# For each run the sums of s_ij and e_ij over all other runs j.
importance_sums <- function(weight, share) {
  m <- ncol(weight)
  run <- rep(seq_len(m), diff(weight@p))
  by_run <- function(x) as.vector(tapply(x, factor(run, seq_len(m)), sum, default = 0))
  empty <- diff(weight@p) == 0L
  # Empty runs agree with each other, and that is no merit (section 5).
  of_empty <- empty * (sum(empty) - 1)
  everywhere <- sum_of_minima(rep(1L, length(share)), share) - sum_of_minima(run, share)
  list(
    shared = by_run(sum_of_minima(weight@i, share)) + of_empty,
    random = by_run(everywhere) / nrow(weight) + of_empty
  )
}

# For each value the sum of its minima with all other values of its group.
sum_of_minima <- function(group, value) {
  order <- order(group, value)
  sorted <- value[order]
  size <- rle(group[order])$lengths
  from <- rep(cumsum(size) - size, size)
  before <- c(0, cumsum(sorted))
  smaller <- before[seq_along(sorted)] - before[from + 1]
  larger <- rep(cumsum(size), size) - seq_along(sorted)
  result <- numeric(length(value))
  result[order] <- smaller + sorted * larger
  result
}

# Paper 003, Eq. 4, from the cross products of the selected features alone.
phi_pears_value <- function(data, options) {
  if (data$n_runs < 2L) {
    return(undefined_value(data$n_runs, "needs at least two runs"))
  }
  known <- selected_weights(data)
  weight <- known$weight
  p <- data$n_features
  mean <- Matrix::colSums(weight) / p
  squares <- Matrix::colSums(weight^2)
  variance <- squares - p * mean^2
  variance[variance <= 1e-12 * squares] <- NaN
  product <- as.matrix(Matrix::crossprod(weight)) - p * tcrossprod(mean)
  correlation <- unname(product / sqrt(tcrossprod(variance)))
  value <- value_from_scores(
    correlation, options$impute_na, "no correlation: all weights of a run are equal"
  )
  value$note <- join_notes(known$note, value$note)
  value
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

# The reason why the ranks of these runs cannot be compared; NULL when they can.
ranks_missing <- function(data) {
  if (data$n_runs < 2L) {
    return("needs at least two runs")
  }
  if (is.null(data$score)) {
    return("needs scores or ranks")
  }
  if (anyNA(if (is.matrix(data$score)) data$score else data$score@x)) {
    return("some scores are missing")
  }
  NULL
}

compare_ranks <- function(data, options, index, location = 1L, weights = numeric()) {
  runs <- compressed_scores(data$score)
  cpp_compare_ranks(
    runs$start, runs$feature, runs$score, data$n_features, index, location, weights,
    options$n_threads
  )
}

rank_value <- function(index) {
  function(data, options) {
    missing <- ranks_missing(data)
    if (!is.null(missing)) {
      return(undefined_value(data$n_runs, missing))
    }
    value_from_scores(
      compare_ranks(data, options, index), options$impute_na,
      "no correlation: all scores of a run are equal"
    )
  }
}

# How many ranks count: as many as the runs select unless told otherwise.
rank_location <- function(data, options) {
  location <- options$location
  if (is.null(location)) {
    return(as.integer(min(max(1, round(stats::median(data$size))), data$n_features)))
  }
  if (location > data$n_features) {
    abort(paste(
      "{.arg location} must be at most the number of features, {data$n_features}, not {location}."
    ), call = NULL)
  }
  as.integer(location)
}

# Paper 003, Eq. 5. The approximate chi there, or with `correct` the exact mean of the distance.
canberra_value <- function(data, options) {
  missing <- ranks_missing(data)
  if (!is.null(missing)) {
    return(undefined_value(data$n_runs, missing))
  }
  k <- rank_location(data, options)
  p <- data$n_features
  chance <- if (options$correct) canberra_exact(k, p) else canberra_approximate(k, p)
  if (chance <= 0) {
    return(undefined_value(data$n_runs, "too few features"))
  }
  distance <- compare_ranks(data, options, "canberra", k)
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
overlap_value <- function(data, options) {
  missing <- ranks_missing(data)
  if (!is.null(missing)) {
    return(undefined_value(data$n_runs, missing))
  }
  weights <- overlap_weights(data, options)
  depth <- seq_along(weights)
  best <- sum(weights * depth)
  score <- compare_ranks(data, options, "weighted_overlap", weights = weights) / best
  if (options$correct) {
    chance <- sum(weights * depth^2 / data$n_features) / best
    if (1 - chance <= 1e-12) {
      return(undefined_value(data$n_runs, "the only depth is that of all features"))
    }
    score <- (score - chance) / (1 - chance)
  }
  value_from_pairs(score, sprintf("depth %d", length(weights)))
}

overlap_weights <- function(data, options) {
  weights <- options$weights
  if (is.null(weights)) {
    return(1 / seq_len(rank_location(data, options)))
  }
  ok <- checkmate::test_numeric(
    weights, lower = 0, finite = TRUE, any.missing = FALSE, min.len = 1L,
    max.len = data$n_features
  )
  if (!ok || sum(weights) == 0) {
    abort(c(
      "{.arg weights} must be finite numbers >= 0, not all of them 0, one for each depth 1, 2, ...",
      i = "At most {data$n_features} of them, as there are so many features."
    ), call = NULL)
  }
  as.double(weights)
}
