# The interface of selectors. A selector turns x, y and the in-bag counts of B runs into scores of
# all features in all runs; ensembles, aggregation and evaluation use only these scores.

# @param score function(x, y, weights, control): x double n x p with column names; y from
#   read_response(); weights integer n x B, in-bag counts, which equal repeated rows; control from
#   selector_control(). Returns new_runs(). Never NaN: a feature that is constant in a run gets the
#   lowest score of the selector, and all features of a failed run get 0.
# @param params (list) the arguments, for print.
# @param key (list) identity of the selector for checkpoints and merging, see new_key().
# @param min_rows a run with fewer in-bag rows (with repeats) fails.
# @param by_columns (flag) can `score` also read x as stabilect_columns, slab by slab?
# @param columns (list, or NULL) for selectors that look at one feature at a time: raw (function(x,
#   y, weights, n_threads, report): scores of the columns of a matrix, p x B), status (function(y,
#   weights): of the runs) and cut (scores from here on mean infinity).
# @param factor_score (function, or NULL) of (codes, y, weights): scores (f x B) of factors with
#   several levels from their level numbers (n x f); without it, factors are refused.
# @param holds function(z), or NULL: can `score` adjust for `y$covariates` (n x k)? The function
#   refuses covariates that it cannot use.
# @param caution (string, or NULL) caution in prints of its lists, for a setting like a rate that is
#   not guaranteed on all data.
new_selector <- function(name, label, params, responses, score, key = new_key(name, params),
                         min_rows = 3L, by_columns = FALSE, columns = NULL, factor_score = NULL,
                         holds = NULL, caution = NULL) {
  stopifnot(
    all(responses %in% names(outcome_words())), is.function(score), is.list(params)
  )
  one_object(of_class("stabilect_selector",
    name = name, label = label, params = params, responses = responses, score = score,
    key = key, min_rows = min_rows, by_columns = by_columns, columns = columns,
    factor_score = factor_score, holds = holds, caution = caution
  ))
}

# The value of `score`: score (double matrix or dgCMatrix, p x B), status (character, B), selected
# (ngCMatrix) and importance (dgCMatrix) or NULL. Columns of failed runs are zero.
new_runs <- function(score, status, feature_names, selected = NULL, importance = NULL) {
  # Fields are assigned only if they change: an assignment may copy a matrix of gigabytes.
  labels <- list(feature_names, NULL)
  if (!identical(dimnames(score), labels)) dimnames(score) <- labels
  # A sum of finite scores may overflow, but costs no memory.
  if (!is.finite(sum(score))) {
    beyond <- which(Matrix::colSums(!is.finite(score)) > 0)
    status[beyond[status[beyond] == "ok"]] <- "a score beyond the range of numbers"
  }
  failed <- status != "ok"
  if (any(failed)) score[, failed] <- 0
  list(score = score, status = status, selected = selected, importance = importance)
}

# @param seeds (integer) one per run; unused by selectors that do not draw.
# @param n_features (integer or NULL) requested size of the set.
# @param report (function of done and total, or NULL) gets the progress.
# @param ties (integer) one per run, for the order of equal features, see order_best().
selector_control <- function(seeds, n_features = NULL, n_threads = 1L, report = NULL,
                             ties = seeds) {
  list(seeds = seeds, n_features = n_features, n_threads = n_threads, report = report, ties = ties)
}

check_selector <- function(selector) {
  refuse(!inherits(selector, "stabilect_selector"),
    c("{.arg selector} must be made by a {.code selector_*()} function, not be
      {describe_value(selector)}.",
      i = "{.code list_available(\"selectors\")} names them; {.fn selector_custom} wraps any
         function."
    )
  )
  invisible(selector)
}

# "ok", or why a run cannot be scored. Counts are repeated rows and are added up.
status_of_runs <- function(y, weights, min_rows = 3L, min_class = 1L) {
  status <- run_status(y, weights, min_class)
  status[colSums(weights) < min_rows] <- sprintf("fewer than %d samples", min_rows)
  status
}

# One R call per run: fn(rows, seed) returns one score per feature; an error fails only the run. The
# generator is set to the run's seed: a run draws the same after any other run.
score_each_run <- function(x, y, weights, control, fn, min_rows = 3L) {
  status <- status_of_runs(y, weights, min_rows)
  score <- matrix(0, ncol(x), ncol(weights))
  report <- control$report
  for (b in seq_len(ncol(weights))) {
    if (status[b] == "ok") {
      rows <- rep(seq_len(nrow(x)), weights[, b])
      result <- tryCatch(
        clean_scores(with_seed(control$seeds[b], fn(rows, control$seeds[b])), colnames(x)),
        error = function(e) paste0("error: ", reason_of_failure(e))
      )
      if (is.character(result)) status[b] <- result else score[, b] <- result
    }
    if (!is.null(report)) report(b, ncol(weights))
  }
  new_runs(score, status, colnames(x))
}

# Missing scores and -Inf become the lowest finite score.
# @param features (character) of the columns that the function was given.
clean_scores <- function(score, features) {
  p <- length(features)
  if (is.numeric(score)) score <- in_feature_order(score, features)
  if (is.character(score)) {
    stop("the selector returned ", score)
  }
  if (!is.numeric(score) || length(score) != p) {
    stop(sprintf(
      "the selector must return %d numbers, one per feature, not %s", p, describe_value(score)
    ))
  }
  score <- as.double(score)
  if (any(score == Inf, na.rm = TRUE)) {
    stop("the selector returned an infinite score")
  }
  known <- is.finite(score)
  if (!any(known)) {
    stop("the selector returned no score")
  }
  score[!known] <- min(score[known])
  score
}

#' @export
print.stabilect_selector <- function(x, ...) {
  params <- x$params[!vapply(x$params, is.null, logical(1))]
  values <- vapply(params, function(value) {
    if (is.atomic(value)) paste(figure(value), collapse = ", ") else describe_value(value)
  }, character(1))
  cat(sprintf("<stabilect_selector> %s: %s\n", x$name, x$label))
  if (length(values) > 0L) {
    cat(paste(names(values), values, sep = " = ", collapse = ", "), "\n", sep = "")
  }
  cat("responses: ", paste(x$responses, collapse = ", "), "\n", sep = "")
  invisible(x)
}
