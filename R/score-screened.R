#' Selectors after screening by a filter
#'
#' Within every run a filter keeps its `n_keep` best features, and the selector works on these
#' alone. Selectors that look at all features together, for example lasso paths and recursive
#' elimination, then work with millions of features, even in a file.
#'
#' @param selector (`stabilect_selector`) any selector, for example [selector_lasso_path()] or
#'   `selector_learner(learner_svm(), step = 0.2)`.
#' @param filter (`stabilect_selector`) a selector that looks at one feature at a time, for
#'   example [selector_filter()].
#' @param n_keep (whole number >= 1) number of features that a run keeps; all, if there are fewer.
#' @details
#' The filter sees the same as the selector: the samples of the run, with their counts. An
#' out-of-bag sample of a run does not influence it, and screening does not bias out-of-bag errors.
#' Equal scores in the filter are ordered at random, by the seed of the run and the names.
#'
#' Screening changes the result, not only its cost: a feature that matters only together with others
#' scores low in the filter and is dropped. Without correlation between features, it hardly affects
#' the lasso's early steps, since the first features have the largest correlations with the outcome.
#'
#' **Scores.** A kept feature has the selector's score; if some scores are negative, the lowest one
#' is subtracted from all scores of the run. All other features have no entry in the sparse matrix
#' of scores (0) and are never selected. A run therefore selects at most `n_keep` features.
#'
#' **Memory.** x is read slab by slab (4,096 columns), and a run keeps `n_keep` filter scores. Then
#' the columns that some run kept are read, for as many runs as fit into 512 MiB, at most 256.
#' Nothing grows with the number of features times the number of runs. For example, with the same
#' filter as `selector` and `filter`, the scores of 10,000 runs on a million features fit into
#' memory.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()]; its name is the
#'   selector's name after `screened_`.
#' @section Errors:
#' Class `stabilect_error_input` for a filter that needs all features at once, an `n_keep` out of
#' range, and a selector and a filter without a common outcome.
#' @references Fan J, Lv J (2008). Sure independence screening for ultrahigh dimensional feature
#'   space. *Journal of the Royal Statistical Society B* 70(5), 849-911.
#'   \doi{10.1111/j.1467-9868.2008.00674.x}
#' @family selectors
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' screened <- selector_screened(
#'   selector_learner(learner_svm(), step = 0.2), selector_filter("t"), n_keep = 50
#' )
#' screened
#' select_ensemble(x, mcl_sll$MCL, screened, n_features = 5, seed = 1)
#' @export
selector_screened <- function(selector, filter = selector_filter("t"), n_keep = 2000) {
  check_given()
  check_selector(selector)
  check_filter(filter)
  n_keep <- check_count(n_keep)
  responses <- shared_responses(selector, filter)
  score <- function(x, y, weights, control) {
    score_screened(x, y, weights, control, selector, filter, n_keep)
  }
  params <- c(
    list(filter = filter$name, n_keep = n_keep), selector$params,
    stats::setNames(filter$params, sprintf("filter_%s", names(filter$params)))
  )
  new_selector(
    paste0("screened_", selector$name),
    sprintf("%s on the %d best by %s", selector$label, n_keep, filter$label),
    params, responses, score,
    key = new_key("screened", list(n_keep = n_keep), list(selector, filter)),
    min_rows = max(selector$min_rows, filter$min_rows), by_columns = TRUE,
    caution = selector$caution,
    holds = if (!is.null(selector$holds) && !is.null(filter$holds)) {
      function(z) {
        selector$holds(z)
        filter$holds(z)
      }
    }
  )
}

check_filter <- function(filter) {
  if (!inherits(filter, "stabilect_selector") || is.null(filter$columns)) {
    what <- if (inherits(filter, "stabilect_selector")) filter$label else describe_value(filter)
    abort(
      c("{.arg filter} must be a selector that looks at one feature at a time, not {what}.",
        i = "{.code selector_filter(\"t\")} is one; moderated t, mRMR and models look at all."
      )
    )
  }
}

# Filters for several classes or for numbers also take two classes.
shared_responses <- function(selector, filter) {
  takes <- function(one) {
    if (any(c("multiclass", "numeric") %in% one$responses)) {
      union("binary", one$responses)
    } else {
      one$responses
    }
  }
  both <- intersect(takes(selector), takes(filter))
  refuse(length(both) == 0L,
    "{.arg selector} ({selector$label}) and {.arg filter} ({filter$label}) take no response in
      common."
  )
  both
}

score_screened <- function(x, y, weights, control, selector, filter, n_keep) {
  if (!inherits(x, "stabilect_columns")) x <- dense_columns(x)
  n_runs <- ncol(weights)
  n_keep <- min(n_keep, x$p)
  report <- control$report
  control["report"] <- list(NULL)
  task <- list(x = x, y = y, weights = weights, control = control, selector = selector)
  parts <- list()
  for (runs in consecutive(seq_len(n_runs), 256L)) {
    counts <- weights[, runs, drop = FALSE]
    status <- filter$columns$status(y, counts)
    kept <- best_by_slabs(
      x, y, counts, filter, n_keep, control$n_threads, control$ties[runs]
    )
    kept[status != "ok"] <- list(integer())
    parts <- c(parts, score_kept(task, runs, kept, status, function(b) {
      if (!is.null(report)) report(b, n_runs)
    }))
  }
  bind_screened(parts, x$names)
}

# Runs in pieces of `size`.
consecutive <- function(runs, size) unname(split(runs, (seq_along(runs) - 1L) %/% size))

# The selector on the features that each run kept; columns are read for several runs together.
# @param task (list) x, y, weights, control and selector of score_screened().
# @param kept (list), status (character) one element per run. @param report function of a run.
score_kept <- function(task, runs, kept, status, report) {
  n_together <- max(1, floor(2^26 / (task$x$n * max(lengths(kept), 1L))))
  parts <- lapply(consecutive(seq_along(runs), n_together), function(group) {
    columns <- sort(unique(unlist(kept[group])))
    values <- task$x[, columns]
    lapply(group, function(k) {
      b <- runs[k]
      part <- list(status = status[k], columns = kept[[k]], runs = b)
      if (status[k] == "ok") {
        at <- match(kept[[k]], columns)
        control <- task$control
        control[c("seeds", "ties")] <- list(control$seeds[b], control$ties[b])
        one <- task$selector$score(
          values[, at, drop = FALSE], task$y, task$weights[, b, drop = FALSE], control
        )
        part[c("status", "score", "selected", "importance")] <-
          one[c("status", "score", "selected", "importance")]
      }
      report(b)
      part
    })
  })
  unlist(parts, recursive = FALSE)
}

# Runs on some features each, as sparse runs on all features.
bind_screened <- function(parts, feature_names) {
  status <- vapply(parts, function(part) part$status, "")
  p <- length(feature_names)
  ok <- parts[status == "ok"]
  for (k in seq_along(ok)) ok[[k]]$score <- above_zero(ok[[k]]$score)
  gather <- function(field) {
    if (length(ok) > 0L) spread_sparse(ok, field, p, length(parts), feature_names)
  }
  score <- gather("score")
  if (is.null(score)) {
    score <- new_sparse(integer(), integer(length(parts) + 1L), feature_names, double())
  }
  new_runs(score, status, feature_names, gather("selected"), gather("importance"))
}

# The score of one run as a sparse column with lowest value 0.
above_zero <- function(score) {
  score <- as.double(as.matrix(score))
  lowest <- min(score, 0)
  above <- which(score > lowest)
  new_sparse(above - 1L, c(0L, length(above)), NULL, score[above] - lowest, length(score))
}
