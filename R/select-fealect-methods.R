#' Look at, plot and predict with FeaLect results
#'
#' @param x,object (object of class `stabilect_fealect`) Made by [fealect()].
#' @param n (whole number >= 1) How many features to print.
#' @param ... For `predict()` passed to [predict.stabilect_model()], otherwise not used.
#' @return `print()` returns its argument, invisibly. `summary()`: a list with the fields `fit` and
#'   `best` (the first `n` rows of `table`), printed with all there is to say. `as.data.frame()`:
#'   the data frame `table` (one row per feature, best first). `coef()`: the coefficients of the
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
  print_head(x, "FeaLect: features scored by lasso paths", format(x$resamples$plan))
  cat("\n", describe_selected(x), "\n", sep = "")
  if (length(x$features) > 0L) {
    print_scores(x$table[x$table$selected, ], n)
  } else {
    cat("So the final model has no features. Highest scores, to choose from with fit_model():\n")
    print_scores(x$table, n)
  }
  if (!is.null(x$oob)) {
    cat("\n")
    print(x$oob)
  }
  if (is.null(x$model)) cat("\nno final model: merge_runs(x = , y = ) makes it\n")
  invisible(x)
}

describe_selected <- function(x) {
  if (length(x$features) == 0L) {
    return(paste0("No informative features: ", x$three_segment$reason))
  }
  interval <- if (!is.na(x$n_features$lower)) {
    sprintf(
      " (%s%% interval over resampled runs: %s to %s)", format(100 * x$n_features$conf_level),
      format(x$n_features$lower), format(x$n_features$upper)
    )
  }
  paste0(count_of(length(x$features), "informative feature"), interval)
}

print_scores <- function(table, n) {
  # The column `support` has no meaning when no feature is selected.
  has_support <- any(table$selected) && !anyNA(utils::head(table$support, n))
  print_rows(table, c("feature", "score", "se", "frequency", if (has_support) "support"), n)
}

#' @rdname fealect-methods
#' @export
summary.stabilect_fealect <- function(object, n = 20, ...) {
  refuse_dots(...)
  n <- check_count(n, "n")
  structure(
    list(fit = object, best = utils::head(object$table, n)), class = "summary_stabilect_fealect"
  )
}

#' @export
print.summary_stabilect_fealect <- function(x, ...) {
  print(x$fit, n = nrow(x$best))
  cat("\nscore curve: ")
  print(x$fit$three_segment)
  cat("\nconvergence (first runs against the others)\n")
  print(x$fit$convergence, row.names = FALSE, digits = 3)
  print_looks(x$fit$made$until)
  if (!is.null(x$fit$model)) {
    cat("\n")
    print(x$fit$model)
  }
  invisible(x)
}

#' @rdname fealect-methods
#' @export
coef.stabilect_fealect <- function(object, ...) {
  refuse_dots(...)
  stats::coef(final_model(object))
}

#' @rdname fealect-methods
#' @param newdata (numeric matrix or data frame) New samples with the model's features as columns,
#'   in any order.
#' @export
predict.stabilect_fealect <- function(object, newdata, ...) {
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
