# Hybrid-RFE as a selector.

#' @rdname hybrid_rfe
#' @details
#' **`selector_hybrid_rfe()`** is the same as a selector, for example for [select_ensemble()]. With
#' `n_features = NULL` it selects as many features as the ensemble requests, or 20 without a
#' request.
#' @export
selector_hybrid_rfe <- function(n_features = NULL, n_stable = NULL, lambda = 3, lambda_final = 3,
                                epsilon = 1, alpha = 0, step = 0.2,
                                criterion = c("t_variance", "welch", "variance"),
                                variance_weight = 0.5) {
  given <- list(
    n_features = n_features, n_stable = n_stable, lambda = lambda, lambda_final = lambda_final,
    epsilon = epsilon, alpha = alpha, step = step, criterion = criterion,
    variance_weight = variance_weight
  )
  # Checked now as far as possible without the data.
  checked <- given
  most <- .Machine$integer.max
  if (is.null(n_features)) checked$n_features <- most
  checked <- hybrid_settings(checked, most)
  given$criterion <- checked$criterion
  score <- function(x, y, weights, control) {
    if (is.null(given$n_features)) {
      given$n_features <- min(c(control$n_features, 20L)[1], ncol(x))
    }
    settings <- hybrid_settings(given, ncol(x))
    runs <- run_hybrid(
      x, y, weights, settings, control$seeds, control$n_threads, control$report, control$ties
    )
    ok <- runs$status == "ok"
    weight <- spread_values(runs$feature, abs(runs$weight), ok, colnames(x))
    picked <- spread_values(runs$feature, 1 + 0 * runs$weight, ok, colnames(x))
    new_runs(
      runs$score, runs$status, colnames(x),
      selected = methods::as(picked, "nMatrix"),
      importance = Matrix::drop0(importance_linear(weight))
    )
  }
  new_selector(
    "hybrid_rfe", "hybrid-RFE", given[!vapply(given, is.null, NA)], "binary", score,
    min_rows = 2L
  )
}
