# Settings and runs of hybrid-RFE, without the result object.

# The names of the settings, as in the signature of hybrid_rfe().
hybrid_defaults <- function() {
  list(
    n_features = NULL, n_stable = NULL, lambda = 3, lambda_final = 3, epsilon = 1, alpha = 0,
    step = 0.2, criterion = "t_variance", variance_weight = 0.5
  )
}

# @param settings (list) named as hybrid_defaults(). @param p (integer) number of all features.
hybrid_settings <- function(settings, p) {
  n_features <- settings$n_features
  if (is.null(n_features)) n_features <- min(20L, p)
  n_features <- check_count(n_features, max = p)
  n_stable <- settings$n_stable
  if (is.null(n_stable)) n_stable <- n_features %/% 4L
  criterion <- settings$criterion
  if (!inherits(criterion, "stabilect_selector")) {
    choices <- c("t_variance", "welch", "variance")
    criterion <- check_choice(criterion, choices)
  } else if (!"binary" %in% criterion$responses && !"multiclass" %in% criterion$responses) {
    abort("{.arg criterion} must be a selector for classes.")
  }
  epsilon <- settings$epsilon
  list(
    n_features = n_features,
    n_stable = check_count(n_stable, min = 0, max = n_features),
    lambda = check_positive(settings$lambda, name = "lambda"),
    lambda_final = check_positive(settings$lambda_final, name = "lambda_final"),
    epsilon = check_fraction(epsilon),
    alpha = check_number(settings$alpha, name = "alpha", min = 0),
    step = settings$step, share = check_step(settings$step, name = "step"),
    criterion = criterion,
    variance_weight = check_fraction(settings$variance_weight, name = "variance_weight",
      open_left = FALSE)
  )
}

# The runs of these weights.
# @param seeds (integer) one per run, for criteria that draw; ties: for the order of equal features.
# @param report (function of done and total, or NULL) gets the progress.
# @return list: the value of cpp_run_hybrid_rfe(), `stable` (N x B, column numbers) and `status`; a
#   column, or value, for each run.
run_hybrid <- function(x, y, weights, settings, seeds, n_threads, report = NULL, ties = seeds) {
  status <- status_of_runs(y, weights, 2L)
  stable <- matrix(0L, 0L, ncol(weights))
  if (settings$n_stable > 0L) {
    control <- selector_control(seeds, NULL, n_threads)
    first <- criterion_scores(x, y, weights, settings, control)
    status <- ifelse(status == "ok", first$status, status)
    best <- vapply(seq_len(ncol(weights)), function(b) {
      order_best(colnames(x), first$score[, b], seed = ties[b])[seq_len(settings$n_stable)]
    }, integer(settings$n_stable))
    stable <- matrix(best, settings$n_stable)
  }
  # Failed runs are not fitted.
  tried <- weights
  tried[, status != "ok"] <- 0L
  runs <- cpp_run_hybrid_rfe(
    x, y$codes, tried, stable, settings$n_features,
    settings[c("lambda", "lambda_final", "epsilon", "alpha")], settings$share,
    colnames(x), ties, n_threads, report
  )
  warn_runs_not_converged(sum(!runs$converged), ncol(weights))
  c(runs, list(stable = stable, status = status))
}

warn_runs_not_converged <- function(n_rough, n_runs) {
  if (n_rough == 0L) {
    return(invisible())
  }
  cli::cli_warn(
    c("In {n_rough} of {n_runs} run{?s} a logistic regression stopped before it had converged; what
        {cli::qty(n_rough)}{?it/they} selected is rough.",
      i = "Use larger values of {.arg lambda} and {.arg lambda_final}."
    ),
    class = "stabilect_warning_convergence"
  )
}

# Chunks of consecutive runs as if from one call.
bind_hybrid <- function(chunks) {
  fields <- names(chunks[[1]])
  lapply(stats::setNames(fields, fields), function(field) {
    parts <- lapply(chunks, `[[`, field)
    do.call(if (is.matrix(parts[[1]])) cbind else c, parts)
  })
}

# list(score (p x B), status).
criterion_scores <- function(x, y, weights, settings, control) {
  criterion <- settings$criterion
  if (inherits(criterion, "stabilect_selector")) {
    runs <- criterion$score(x, y, weights, control)
    runs$score <- as.matrix(runs$score)
    return(runs)
  }
  parts <- list()
  share <- settings$variance_weight
  if (criterion == "welch" || criterion == "t_variance" && share < 1) {
    parts$welch <- selector_filter("welch")$score(x, y, weights, control)
  }
  if (criterion == "variance" || criterion == "t_variance" && share > 0) {
    parts$variance <- selector_filter("variance")$score(x, y, weights, control)
  }
  if (length(parts) == 1L) {
    return(parts[[1]])
  }
  score <- (1 - share) * to_unit_spread(parts$welch$score) +
    share * to_unit_spread(parts$variance$score)
  list(score = score, status = parts$welch$status)
}

# Columns divided by their standard deviation; constant columns stay unchanged.
to_unit_spread <- function(score) {
  spread <- apply(score, 2L, stats::sd)
  spread[is.na(spread) | spread == 0] <- 1
  score / rep(spread, each = nrow(score))
}

# p x B sparse matrix from one value for each selected feature of the successful runs.
spread_values <- function(feature, value, ok, feature_names) {
  k <- nrow(feature)
  Matrix::sparseMatrix(
    i = as.integer(feature[, ok]), j = rep(which(ok), each = k), x = as.double(value[, ok]),
    dims = c(length(feature_names), ncol(feature)), dimnames = list(feature_names, NULL)
  )
}

# The features that the runs selected, with their importance by Eq. 7 of Hamer and Dupont (2021).
# @param score (matrix p x B, or NULL) scores to keep; NULL keeps the importance in their place.
# @param hash (string, or NULL) of the data.
hybrid_selection <- function(runs, resamples, feature_names, settings, score = NULL,
                             hash = NULL) {
  status <- first_problem(resamples$status, runs$status)
  ok <- status == "ok"
  feature <- runs$feature
  size <- abs(runs$weight)
  total <- colSums(size)
  share <- size * rep(colSums(size > 0) / ifelse(total > 0, total, 1), each = nrow(size))
  importance <- spread_values(feature, share, ok, feature_names)
  if (is.null(score)) {
    score <- importance
  } else {
    dimnames(score) <- list(feature_names, NULL)
    score[, !ok] <- 0
  }
  selected <- methods::as(spread_values(feature, 1 + 0 * share, ok, feature_names), "nMatrix")
  new_selection(
    score, selected, status,
    sprintf(
      "hybrid-RFE, %d features, %d of them stable: %s", settings$n_features, settings$n_stable,
      format(resamples$plan)
    ),
    resamples, resamples$seed, Matrix::drop0(importance), data_hash = hash
  )
}

# Share of the out-of-bag samples that a run's model classifies correctly.
hybrid_accuracy <- function(link, y, resamples, status) {
  link[resamples$counts > 0L] <- NA
  right <- beyond_half(link) == (y$codes == 2L)
  accuracy <- colMeans(right, na.rm = TRUE)
  accuracy[status != "ok" | is.nan(accuracy)] <- NA_real_
  accuracy
}
