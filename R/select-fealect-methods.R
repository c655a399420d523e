#' Look at, plot and predict with FeaLect results
#'
#' @param x,object (object of class `stabilect_fealect`) Made by [fealect()].
#' @param n (whole number >= 1) How many features to print.
#' @param ... For `predict()` passed to [predict.stabilect_model()], otherwise not used.
#' @return `print()` returns its argument, invisibly. `summary()`: a list with the fields `fit` and
#'   `best` (the first `n` rows of `scores`), printed with all there is to say. `as.data.frame()`:
#'   the data frame `scores` (one row per feature, best first). `coef()`: the coefficients of the
#'   final model. `predict()`: predictions of the final model for new samples.
#' @family fealect
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 50, seed = 1)
#' summary(fit)
#' coef(fit)
#' @name fealect-methods
NULL

#' @rdname fealect-methods
#' @export
print.stabilect_fealect <- function(x, n = 10, ...) {
  n <- check_count(n, "n")
  settings <- x$settings
  cat("FeaLect: features scored by lasso paths\n")
  cat(describe_data(settings), "\n", sep = "")
  print_input_notes(x)
  failed <- settings$n_failed
  cat(sprintf(
    "%s%s; %s\n", format(x$resamples$plan),
    if (failed > 0L) sprintf(", %d failed", failed) else "", describe_seed(settings)
  ))
  if (!is.null(settings$until)) cat(describe_stop(settings$until))
  cat("\n", describe_informative(x), "\n", sep = "")
  if (length(x$informative) > 0L) {
    print_scores(x$scores[x$scores$informative, ], n)
  } else {
    cat("So the final model has no features. Highest scores, to choose from with fit_model():\n")
    print_scores(x$scores, n)
  }
  if (!is.null(x$oob)) {
    cat("\n")
    print(x$oob)
  }
  if (is.null(x$model)) cat("\nno final model: merge_runs(x = , y = ) makes it\n")
  invisible(x)
}

describe_data <- function(settings) {
  classes <- if (is.null(settings$levels)) {
    "numeric response"
  } else {
    paste(settings$levels, settings$class_sizes, sep = ": ", collapse = ", ")
  }
  sprintf("%d samples x %d features; %s", settings$n, settings$p, classes)
}

describe_informative <- function(x) {
  if (length(x$informative) == 0L) {
    return(paste0("No informative features: ", x$threshold$reason))
  }
  known <- !is.na(x$n_informative$lower)
  interval <- if (known) {
    sprintf(
      " (%s%% interval over resampled runs: %s to %s)", format(100 * x$n_informative$conf_level),
      format(x$n_informative$lower), format(x$n_informative$upper)
    )
  } else {
    ""
  }
  sprintf(
    "%d informative feature%s%s", length(x$informative),
    if (length(x$informative) == 1L) "" else "s", interval
  )
}

print_scores <- function(scores, n) {
  shown <- utils::head(scores, n)
  # Support for being informative says nothing where nothing is.
  has_support <- any(shown$informative) && !anyNA(shown$support)
  columns <- c("feature", "score", "se", "frequency", if (has_support) "support")
  print(shown[columns], row.names = FALSE, digits = 3)
  rest <- nrow(scores) - nrow(shown)
  if (rest > 0L) cat(sprintf("... and %d more\n", rest))
}

#' @rdname fealect-methods
#' @export
summary.stabilect_fealect <- function(object, n = 20, ...) {
  n <- check_count(n, "n")
  structure(
    list(fit = object, best = utils::head(object$scores, n)),
    class = "summary_stabilect_fealect"
  )
}

#' @export
print.summary_stabilect_fealect <- function(x, ...) {
  print(x$fit, n = nrow(x$best))
  cat("\nscore curve: ")
  print(x$fit$threshold)
  cat("\nconvergence (first runs against the others)\n")
  print(x$fit$convergence, row.names = FALSE, digits = 3)
  print_looks(x$fit$settings$until)
  if (!is.null(x$fit$model)) {
    cat("\n")
    print(x$fit$model)
  }
  invisible(x)
}

#' @rdname fealect-methods
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_fealect <- function(x, row.names = NULL, optional = FALSE, ...) {
  x$scores
}

#' @rdname fealect-methods
#' @export
coef.stabilect_fealect <- function(object, ...) {
  stats::coef(final_model(object))
}

#' @rdname fealect-methods
#' @param newdata (numeric matrix or data frame) New samples with the model's features as columns,
#'   in any order.
#' @export
predict.stabilect_fealect <- function(object, newdata, ...) {
  if (!missing(newdata)) {
    newdata <- code_newdata(newdata, object$settings$input_coding, object$model$features)
  }
  stats::predict(final_model(object), newdata, ...)
}

# Merging needs the data for it, see merge_runs().
final_model <- function(object, call = rlang::caller_env()) {
  if (is.null(object$model)) {
    abort(
      c("{.arg object} was merged without the data, so that it has no final model.",
        i = "Merge with {.code merge_runs(..., x = x, y = y)}, or use {.fn fit_model}."
      ),
      call = call
    )
  }
  object$model
}
