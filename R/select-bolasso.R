#' Bolasso: features that the lasso selects in all bootstrap samples
#'
#' Runs the lasso at one value of the penalty on many bootstrap samples and keeps the features that
#' all of them select (Bolasso; Bach 2008), or at least a share `threshold` (Bolasso-S, usually
#' 0.9).
#'
#' @param x (numeric matrix, n x p, or what [fealect()] takes) data; or the result of [fealect()],
#'   whose paths are used again: no path is run twice.
#' @param y (n values) response, as for [fealect()].
#' @param threshold (number in (0, 1\]) smallest share of the runs: 1 for Bolasso, 0.9 for
#'   Bolasso-S.
#' @param lambda (number > 0, or `NULL`) penalty, on the scale of glmnet with standardised columns
#'   (two classes coded -1 and 1); `NULL` takes the value with the smallest cross-validated squared
#'   error of the lasso on all samples.
#' @param n_runs (whole number >= 1) number of bootstrap samples.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`, or `NULL`) other resamples.
#' @param n_folds (whole number >= 2) folds of the cross-validation; when the resamples have blocks,
#'   folds of blocks, no more than there are.
#' @param seed,n_threads,progress,checkpoint as for [fealect()].
#' @param ... For the method for [fealect()] results: `threshold` and `lambda`, which is needed
#'   there.
#'
#' @details Bach's theory lets the penalty fall with n and holds it fixed over the bootstrap
#' samples; it does not say how to choose it. The R package FeaLect instead takes, in every sample,
#' the step of the path with the smallest value of its own training criterion, which is nearly
#' always the end of the path: see [FeaLect()].
#'
#' @return An object of class `stabilect_bolasso`, a list with
#' \describe{
#'   \item{features}{(character) selected features, most frequent first; may be empty.}
#'   \item{frequency}{(data frame, p rows, most frequent first) `feature`, `frequency`, `selected`.}
#'   \item{lambda}{(number) the penalty.}
#'   \item{cv}{(data frame) `lambda`, `error`, `se` of the cross-validation; `NULL` for a given
#'     `lambda`.}
#'   \item{selection}{(`stabilect_selection`) what every run selected.}
#'   \item{paths, resamples}{as in [fealect()].}
#'   \item{settings}{(list) `n`, `p`, `threshold`, `n_runs`, `n_failed`, `seed`.}
#' }
#' @section Errors: as [fealect()].
#' @references Bach FR (2008). Bolasso: model consistent lasso estimation through the bootstrap.
#'   *Proceedings of the 25th International Conference on Machine Learning*, 33-40.
#' @family stability selection
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- bolasso(x, mcl_sll$MCL, threshold = 0.9, n_runs = 50, seed = 1)
#' fit
#' @export
bolasso <- function(x, ...) UseMethod("bolasso")

#' @rdname bolasso
#' @export
bolasso.default <- function(x, y, threshold = 1, lambda = NULL, n_runs = 128, resampling = NULL,
                            n_folds = 10, seed = NULL, n_threads = 1, progress = interactive(),
                            checkpoint = NULL, ...) {
  rlang::check_dots_empty()
  input <- read_input(x, y)
  data <- check_xy(input$x, input$y)
  check_varying(data$x)
  warn_leak(data)
  threshold <- check_fraction(threshold, "threshold")
  lambda <- check_positive(lambda, "lambda", null_ok = TRUE)
  n_threads <- check_threads(n_threads)
  progress <- check_flag(progress, "progress")
  n_folds <- check_count(n_folds, "n_folds", min = 2, max = nrow(data$x))
  if (is.null(resampling)) {
    resampling <- resample_bootstrap(check_count(n_runs, "n_runs"))
  } else if (!missing(n_runs)) {
    abort("Give either {.arg resampling} or {.arg n_runs}, not both.")
  }
  resampling <- plan_with_blocks(resampling, input$blocks)
  resamples <- resolve_resamples(resampling, observed_response(data), nrow(data$x), seed)
  cv <- NULL
  if (is.null(lambda)) {
    cv <- cv_lambda(data, n_folds, resamples$seed, resamples$plan$blocks)
    lambda <- cv$lambda[which.min(cv$error)]
  }
  runs <- run_lasso_paths(
    data, resamples, "size", -1L, n_threads, progress, label = "Bolasso", checkpoint = checkpoint
  )
  fit <- new_bolasso(shape_of_data(data), runs, resamples, threshold, lambda, cv)
  with_input_notes(fit, input$notes)
}

#' @rdname bolasso
#' @export
bolasso.stabilect_fealect <- function(x, threshold = 1, lambda, ...) {
  rlang::check_dots_empty()
  rlang::check_required(lambda)
  if (!is.null(x$settings$max_features)) {
    abort("The paths of {.arg x} end at {x$settings$max_features} features, so that the model at
      {.arg lambda} may be missing: run {.fn fealect} without {.arg max_features}.")
  }
  runs <- list(
    paths = x$paths, status = x$selection$status, data_hash = x$selection$data_hash
  )
  fit <- new_bolasso(
    shape_of_result(x), runs, x$resamples, check_fraction(threshold, "threshold"),
    check_positive(lambda, "lambda"), NULL
  )
  with_input_notes(fit, x$settings$input_notes)
}

new_bolasso <- function(shape, runs, resamples, threshold, lambda, cv,
                        call = rlang::caller_env()) {
  status <- runs$status
  if (all(status != "ok")) {
    abort_no_run(status, call)
  }
  # Columns of the engine have weighted norm one, those of glmnet weighted mean square one: its
  # lambda is smaller by the root of the total weight.
  weight <- sqrt(colSums(resamples$counts))
  run <- 0L
  sets <- path_sets(runs$paths, function(size, lambdas) {
    run <<- run + 1L
    choose_lambda(lambda * weight[run])(size, lambdas)
  })
  selection <- sets_to_selection(
    sets, shape, status, sprintf("bolasso: %s", format(resamples$plan)), resamples,
    runs$data_hash
  )
  frequency <- stable_frequency(selection, NULL, threshold)
  frequency <- stats::setNames(
    frequency[c("feature", "frequency", "stable")], c("feature", "frequency", "selected")
  )
  structure(
    list(
      features = frequency$feature[frequency$selected], frequency = frequency, lambda = lambda,
      cv = cv, selection = selection, paths = runs$paths, resamples = resamples,
      settings = list(
        n = shape$n, p = shape$p, threshold = threshold, n_runs = length(status),
        n_failed = sum(status != "ok"), seed = resamples$seed
      )
    ),
    class = "stabilect_bolasso"
  )
}

# Cross-validated squared error of the lasso over 100 values of lambda, from its largest useful
# value down to a hundredth.
cv_lambda <- function(data, n_folds, seed, blocks = NULL) {
  y <- observed_response(data)
  counts <- draw_resamples(folds_for(n_folds, y, blocks), y, seed = seed)$counts
  whole <- lars_path(data$x, data$y, max_steps = 1)
  top <- whole$lambda[1] / sqrt(nrow(data$x))
  grid <- top * exp(seq(0, log(0.01), length.out = 100))
  loss <- lapply(seq_len(ncol(counts)), function(fold) {
    inside <- counts[, fold] > 0
    path <- lars_path(data$x[inside, , drop = FALSE], data$y[inside])
    fitted <- stats::predict(
      path, data$x[!inside, , drop = FALSE],
      at = grid * sqrt(sum(inside)), mode = "lambda"
    )
    (as.matrix(fitted) - data$y[!inside])^2
  })
  loss <- do.call(rbind, loss)
  # In the order in which the folds were left out.
  blocks <- blocks[row(counts)[counts == 0L]]
  data.frame(
    lambda = grid, error = colMeans(loss), se = apply(loss, 2L, standard_error, blocks = blocks)
  )
}

#' @rdname bolasso
#' @param n (whole number >= 1) how many features to print.
#' @export
print.stabilect_bolasso <- function(x, n = 10, ...) {
  n <- check_count(n, "n")
  settings <- x$settings
  cat(if (settings$threshold < 1) "Bolasso-S\n" else "Bolasso\n")
  cat(sprintf(
    "%d samples x %d features; %s; seed %s\n", settings$n, settings$p, format(x$resamples$plan),
    format(settings$seed)
  ))
  print_input_notes(x)
  cat(sprintf(
    "lambda %s%s; %s features a run\n", format(x$lambda, digits = 3),
    if (is.null(x$cv)) "" else " (cross-validated)",
    describe_sizes(Matrix::colSums(x$selection$selected)[ok_runs(x$selection)])
  ))
  if (settings$n_failed > 0L) cat(sprintf("%d runs failed\n", settings$n_failed))
  m <- length(x$features)
  cat(sprintf(
    "\n%d feature%s in at least %s%% of the runs\n", m, if (m == 1L) "" else "s",
    format(100 * settings$threshold)
  ))
  shown <- if (m > 0L) x$frequency[x$frequency$selected, ] else x$frequency
  if (m == 0L) cat("the most frequent:\n")
  print(utils::head(shown[c("feature", "frequency")], n), row.names = FALSE, digits = 3)
  if (m > n) cat(sprintf("... and %d more\n", m - n))
  invisible(x)
}

#' @rdname bolasso
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_bolasso <- function(x, row.names = NULL, optional = FALSE, ...) {
  x$frequency
}
