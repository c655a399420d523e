# Selectors from information theory: mutual information with the response, and mRMR.

bin_rules <- c("equal_width", "equal_frequency", "sd")

check_bins <- function(n_bins) {
  check_count(n_bins, min = 2, max = 255, null_ok = TRUE)
}

#' Minimum redundancy, maximum relevance (mRMR) selector
#'
#' Chooses features by their mutual information with the outcome, reduced by the mean information
#' shared with the features already chosen. Features are discretised first.
#' `selector_filter("mutual_information")` uses the mutual information with the outcome alone.
#'
#' @param discretise (string) how numbers become bins, in every run from its own samples:
#'   `"equal_width"` (bins of equal width between the smallest and the largest value),
#'   `"equal_frequency"` (bins with nearly equal numbers of samples; equal values share the bin at
#'   the middle of their positions) or `"sd"` (three bins: below, within and above mean -+ sd / 2).
#' @param n_bins (whole number from 2 to 255, or `NULL`) number of bins; `NULL` takes the cube root
#'   of the number of samples in the run (with repeats), rounded down, at least 2. Not used for
#'   `"sd"`.
#' @param n_features (whole number >= 1, or `NULL`) number of features to choose; `NULL` takes the
#'   number given to [select_ensemble()] or [score_features()].
#' @param criterion (string) `"mid"`, relevance minus mean redundancy, or `"miq"`, relevance divided
#'   by mean redundancy.
#' @details
#' With \eqn{n_{ab}} samples in bin a of the feature and class b, and N in all,
#' \deqn{I = \sum_{ab} \frac{n_{ab}}{N} \log \frac{n_{ab} N}{n_a n_b}}
#' in nats (natural logarithm). The outcome may be two classes, several classes (the same formula),
#' or numbers, which are discretised like the features. A feature in one bin scores 0.
#'
#' `selector_mrmr()` chooses greedily: first the feature with the largest \eqn{I(x_j; y)}, then the
#' feature that maximises \eqn{I(x_j; y) - \frac{1}{|S|} \sum_{s \in S} I(x_j; x_s)} (Peng et al.
#' 2005), or the quotient of the two terms (the divisor at least 1e-12). Ties go to the first
#' column. The score of the k-th chosen of K features is K + 1 - k; all others score 0. A run costs
#' p K tables; a thread keeps one byte per feature and sample.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_input` for parameters out of range, and for a run without a number of
#' features.
#' @references Peng H, Long F, Ding C (2005). Feature selection based on mutual information. *IEEE
#'   Transactions on Pattern Analysis and Machine Intelligence* 27(8), 1226-1238.
#'   \doi{10.1109/TPAMI.2005.159}
#' @family selectors
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' score_features(x, mcl_sll$MCL, selector_mrmr(n_features = 3))[1:5, ]
#' @export
selector_mrmr <- function(n_features = NULL, criterion = c("mid", "miq"),
                          discretise = c("equal_width", "equal_frequency", "sd"), n_bins = NULL) {
  n_features <- check_count(n_features, null_ok = TRUE)
  criterion <- check_choice(criterion, c("mid", "miq"))
  discretise <- check_choice(discretise, bin_rules)
  n_bins <- check_bins(n_bins)
  params <- list(
    n_features = n_features, criterion = criterion, discretise = discretise, n_bins = n_bins
  )
  score <- function(x, y, weights, control) {
    size <- wanted_features(n_features, control, ncol(x), "selector_mrmr")
    chosen <- cpp_select_mrmr(
      x, as.integer(y$codes), length(y$levels), as.double(y$y), weights, discretise,
      if (is.null(n_bins)) 0L else n_bins, criterion == "miq", size, colnames(x),
      control$ties, control$n_threads, control$report
    )
    status <- status_of_runs(y, weights)
    chosen[, status != "ok"] <- 0L
    value <- matrix(0, ncol(x), ncol(weights))
    value[cbind(c(chosen), c(col(chosen)))[chosen > 0L, , drop = FALSE]] <-
      (size + 1 - row(chosen))[chosen > 0L]
    new_runs(value, status, colnames(x), selected = positive_pattern(value, colnames(x)))
  }
  new_selector("mrmr", "mRMR", params, c("binary", "multiclass", "numeric"), score)
}

# @param own (list) discretise, n_bins and estimator, each NULL for its default.
information_filter <- function(own) {
  discretise <- if (is.null(own$discretise)) "equal_width" else own$discretise
  discretise <- check_choice(discretise, bin_rules, name = "discretise")
  n_bins <- check_count(own$n_bins, min = 2, max = 255, null_ok = TRUE, name = "n_bins")
  estimator <- if (is.null(own$estimator)) "empirical" else own$estimator
  estimator <- check_choice(estimator, c("empirical", "miller_madow"), name = "estimator")
  params <- list(discretise = discretise, n_bins = n_bins, estimator = estimator)
  raw <- function(x, y, weights, n_threads, report) {
    cpp_score_information(
      x, as.integer(y$codes), length(y$levels), as.double(y$y), weights, discretise,
      if (is.null(n_bins)) 0L else n_bins, estimator == "miller_madow", n_threads, report
    )
  }
  column_selector("mutual_information", "mutual information", params,
    c("binary", "multiclass", "numeric"), raw, status_of_runs,
    factor_score = factor_information(discretise, n_bins, estimator)
  )
}

# The size of the set: the selector's own, else what the caller wants; never more than p.
wanted_features <- function(own, control, p, name, argument = "n_features") {
  size <- if (is.null(own)) control$n_features else own
  refuse(is.null(size),
    "{.fn {name}} needs a number of features: give {.arg {argument}} to it, or
      {.arg n_features} to the caller.",
      call = NULL
  )
  min(as.integer(size), p)
}

# ngCMatrix of the features with a positive score.
positive_pattern <- function(score, feature_names) {
  at <- which(score > 0, arr.ind = TRUE)
  Matrix::sparseMatrix(
    i = at[, 1L], j = at[, 2L], dims = dim(score), dimnames = list(feature_names, NULL)
  )
}
