# For the tests of indices of weights and of ranks.

# A selection from scores (dense, or sparse) and importances, both p x m; what is selected is where
# the importance is not 0.
weights_data <- function(importance, score = NULL, selected = importance != 0) {
  p <- nrow(importance)
  names <- list(paste0("V", seq_len(p)), NULL)
  sparse <- function(x) {
    methods::as(Matrix::Matrix(x, sparse = TRUE, dimnames = names), "generalMatrix")
  }
  selected <- methods::as(sparse(selected * 1), "nMatrix")
  if (is.null(score)) score <- (importance != 0) * 1
  dimnames(score) <- names
  index_runs(new_selection(
    score, selected, rep("ok", ncol(importance)), "test",
    importance = sparse(importance)
  ))
}

weight_names <- function() {
  table <- list_available("indices")
  table$index[table$family %in% c("weights", "ranks")]
}

# The options that the index knows, so that one list serves them all.
weight_value <- function(name, data, ..., corrected = FALSE, n_threads = 1) {
  options <- list(...)
  options <- options[intersect(names(options), own_options(index_records()[[name]]))]
  arguments <- list(data, name, corrected = corrected, n_threads = n_threads)
  do.call(index_values, c(arguments, options))[[1]]
}
weight_estimate <- function(...) weight_value(...)$estimate

random_importance <- function(p, m, sizes, seed) {
  set.seed(seed)
  vapply(rep_len(sizes, m), function(k) {
    w <- numeric(p)
    w[sample.int(p, k)] <- stats::rexp(k)
    w
  }, numeric(p))
}

over_pairs <- function(m, f) {
  pairs <- utils::combn(m, 2)
  mean(vapply(seq_len(ncol(pairs)), function(k) f(pairs[1, k], pairs[2, k]), 0))
}

# Hamer & Dupont 2021, Eq. 6 and section 5, as they stand, double loops and all.
naive_phi_iw <- function(importance) {
  k <- colSums(importance != 0)
  mean_k <- mean(k)
  p <- nrow(importance)
  scaled <- apply(importance, 2, function(w) if (sum(w) > 0) w / sum(w) * mean_k else w)
  shared <- function(i, j) {
    if (k[i] == 0 && k[j] == 0) mean_k else sum(pmin(scaled[, i], scaled[, j]))
  }
  random <- function(i, j) {
    if (k[i] == 0 && k[j] == 0) mean_k else sum(outer(scaled[, i], scaled[, j], pmin)) / p
  }
  m <- ncol(importance)
  correction <- over_pairs(m, random)
  (over_pairs(m, shared) - correction) / (mean_k - correction)
}

# Scores of p features: all, tied ones, and sparse ones with the rest missing.
score_cases <- function() {
  set.seed(21)
  tied <- matrix(sample(0:3, 60, replace = TRUE), 12)
  sparse <- matrix(stats::rexp(60), 12) * (matrix(stats::runif(60), 12) < 0.5)
  sparse[1:3, 2] <- 1
  list(
    dense = matrix(stats::rnorm(60), 12), tied = tied,
    sparse = methods::as(Matrix::Matrix(sparse, sparse = TRUE), "generalMatrix"),
    zeros = methods::as(Matrix::Matrix(tied, sparse = TRUE), "generalMatrix")
  )
}
