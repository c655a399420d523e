#' Stability indices of importance and ranks
#'
#' Runs that select the same features can still disagree on their importance. `"phi_iw"` and
#' `"phi_pears"` compare the importance of each selected feature in the model of its run; the others
#' compare rankings by score. For [stability()].
#'
#' @section Options:
#' * `impute_na` (number, or `NULL`; for `"phi_pears"`, `"spearman"` and `"kendall"`): value of
#'   pairs of runs without a correlation, because all values of a run are equal; with `NULL` the
#'   result is then `NA`.
#' * `location` (whole number from 1 to p, or `NULL`; for `"canberra"` and `"weighted_overlap"`):
#'   number of top ranks that count; `NULL` is the median size of the runs.
#' * `weights` (numeric, length 1 to p, >= 0; or `NULL`; for `"weighted_overlap"`): weights of the
#'   depths 1, 2, ...; `NULL` is `1 / seq_len(location)`.
#'
#' `corrected = TRUE` changes `"canberra"` and `"weighted_overlap"`; the others are corrected by
#' construction.
#'
#' @details
#' **Importance** \eqn{I_{fi}} of feature f in run i is `selection$importance`; without importance,
#' it is the absolute score of the selected features. If scores only show what was selected, all
#' selected features are equally important. Each run is scaled to the same sum, the mean number of
#' features \eqn{\bar k}.
#'
#' `"phi_iw"` (Hamer and Dupont 2021, Eq. 6) is
#' \deqn{\phi_{iw} = \frac{2}{m(m-1)} \sum_{i<j} \frac{s_{ij} - e_{ij}}{\bar k - C}, \quad
#'   s_{ij} = \sum_f \min(I_{fi}, I_{fj}), \quad
#'   e_{ij} = \frac{1}{p} \sum_{f, g} \min(I_{fi}, I_{gj}),}
#' where C is the mean of \eqn{e_{ij}}. It is the importance shared by two runs, from 1 if all agree
#' to \eqn{-1/(m-1)}, with expectation 0 for shuffled features. For even importance and equal sizes
#' it is Kuncheva's index (Theorem 3). It does not depend on the size of groups selected as a whole
#' (Property 5), and an empty run agrees with empty runs only. `NA` if no run selects anything, or
#' if all select everything with equal importance.
#'
#' `"phi_pears"` (Eq. 4) is the mean correlation of importances; features that were not selected
#' count as 0. It is 1 if importances are proportional.
#'
#' @section Errors:
#' Class `stabilect_error_input` for a `location` above p, and `weights` that are negative or too
#' many.
#' @references
#' Hamer V, Dupont P (2021). An importance weighted feature selection stability measure. *Journal of
#' Machine Learning Research* 22(116), 1-57.
#' @family stability
#' @concept importance weighted stability
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, max_features = 5, seed = 1)
#' stability(fit, c("phi_iw", "kendall"))
#' stability(fit, "canberra", location = 5)$table$estimate
#' @name stability_weights
NULL

# All work on compressed columns: features without an entry are never visited, only counted.

weight_indices <- function() {
  hamer <- "Hamer and Dupont (2021), JMLR 22(116), 1-57"
  needs <- c("p", "importance")
  list(
    new_index("phi_iw", "Importance weighted (phi_iw)", "weights", c("-1/(m-1)", "1"), needs,
      "T-TTT", paste(hamer, "Eq. 6", sep = ", "), phi_iw_value),
    new_index("phi_pears", "Pearson correlation of weights", "weights", c("-1/(m-1)", "1"), needs,
      "F-TFT", paste(hamer, "Eq. 4", sep = ", "), phi_pears_value)
  )
}

# Weights of the selected features: importance, else the absolute score; equal weights if scores
# only show what was selected.
# @return list: `weight` (dgCMatrix p x m, >= 0), `note` (string).
selected_weights <- function(runs) {
  selected <- Matrix::sparseMatrix(
    i = runs$feature, p = runs$start, x = 1, dims = c(runs$n_total, runs$n_runs), index1 = FALSE
  )
  from <- runs$importance
  note <- ""
  if (is.null(from) && !is.null(runs$score)) {
    from <- runs$score
    note <- "importance: size of the scores"
  }
  weight <- if (is.null(from)) selected else weights_where(from, selected)
  if (is.null(runs$importance) && all(weight@x == 1) && length(weight@x) <= length(selected@x)) {
    return(list(weight = selected, note = "importance: taken as equal, as none is known"))
  }
  # Every selected feature of these runs has weight 0, which says nothing about their shares.
  lost <- which(Matrix::colSums(weight) == 0 & runs$size > 0L)
  if (length(lost) > 0L) {
    weight[, lost] <- selected[, lost, drop = FALSE]
    note <- join_notes(note, sprintf("importance: taken as equal in %d runs, all 0", length(lost)))
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

# Hamer & Dupont 2021, Eq. 6. With shares instead of importances that sum to the mean size, this
# size cancels. The sums over all pairs, and over the pairs of each run, come from sorted shares as
# in Eq. 10, at a cost linear in the number of runs; only replicates need the pairs.
phi_iw_value <- function(runs, n_threads = 1L) {
  m <- runs$n_runs
  known <- selected_weights(runs)
  weight <- known$weight
  share <- weight@x / rep(Matrix::colSums(weight), diff(weight@p))
  sums <- importance_sums(weight, share)
  numerator <- sums$shared - sums$random
  denominator <- m - 1 - sums$random
  # All features with equal importance in all runs: without the rounding of 1 - 1.
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
      weight@p, weight@i, share, runs$n_total, n_threads
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
  # Empty runs agree with each other, which does not count as stability (section 5).
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

# Hamer & Dupont 2021, Eq. 4, from the cross products of the selected features alone.
phi_pears_value <- function(runs, impute_na = NULL) {
  known <- selected_weights(runs)
  weight <- known$weight
  p <- runs$n_total
  mean <- Matrix::colSums(weight) / p
  squares <- Matrix::colSums(weight^2)
  variance <- squares - p * mean^2
  variance[variance <= 1e-12 * squares] <- NaN
  product <- as.matrix(Matrix::crossprod(weight)) - p * tcrossprod(mean)
  correlation <- unname(product / sqrt(tcrossprod(variance)))
  value <- value_from_scores(
    correlation, impute_na, "no correlation: all weights of a run are equal"
  )
  value$note <- join_notes(known$note, value$note)
  value
}
