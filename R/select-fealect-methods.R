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
  show_fealect(x, check_count(n))
  print_next(x)
}

show_fealect <- function(x, n) {
  print_signal(describe_signal(x), x)
  title <- c(
    sprintf("FeaLect: %ss scored by lasso paths", unit_word(x$asked)),
    describe_likelihood(x$asked$likelihood)
  )
  print_head(x, paste(title, collapse = ": "), format(x$resamples$plan))
  cat("\n")
  m <- length(x$features)
  if (!is.null(x$oob) && m > 0L) {
    print(x$oob)
    cat("\n")
  }
  if (m == 0L) {
    choice <- if (is.null(x$members)) ", to choose from with fit_model()"
    cat("Highest scores", choice, ":\n", sep = "")
  } else if (verdict_on_signal(x) == "No evidence of a signal") {
    cat("Highest scores, for orientation:\n")
  }
  shown <- if (m > 0L) x$table[x$table$selected, ] else x$table
  print_score_rows(x, shown, n)
  cat("\n")
  print_text(describe_cut(x))
  if (is.null(x$model)) {
    cat("no final model: merge_runs(x = , y = ) makes it\n")
  }
}

print_score_rows <- function(x, shown, n) {
  change <- identity
  if (!is.null(x$members)) {
    shown$cluster <- shown$feature
    shown$members <- shorten_list(shown$members, 40L)
    change <- function(columns) c("cluster", setdiff(columns, "feature"), "size", "members")
  }
  print_evidence_rows(x, shown, c("score", "frequency"), n, change)
}

# The cut of the list, called by its name; where the score curve gives none, what was taken instead.
describe_cut <- function(x) {
  m <- length(x$features)
  unit <- unit_word(x$asked)
  reason <- gsub("\\bfeature", unit, x$three_segment$reason)
  cut <- switch(x$cut,
    bend = sprintf(
      paste(
        "%s above the cut: the bend of the score curve. Their number grows with n_runs, and",
        "permuted responses give as many."
      ),
      count_of(m, unit)
    ),
    c(
      sprintf("The score curve gives no cut: %s.", reason),
      switch(x$cut,
        majority = sprintf("Taken instead: %s in at least half of the runs.", count_of(m, unit)),
        half = sprintf(
          "Taken instead: %s with at least half of the best score.", count_of(m, unit)
        ),
        sprintf("No %s has a score.", unit)
      )
    )
  )
  in_model <- length(x$model$features)
  c(
    cut, describe_support(x),
    if (in_model > 0L && in_model < m) sprintf("The final model has the first %d.", in_model),
    if (in_model > 0L && !is.null(x$members)) {
      "In the final model each cluster is represented by its most frequent feature."
    }
  )
}

# What p and q values say about the list, where permutations say anything.
describe_support <- function(x) {
  null <- x$null
  if (is.null(null) || length(x$features) == 0L || !null_decides(null)) {
    return(NULL)
  }
  own <- x$table[x$table$selected, ]
  if (verdict_of_null(null) != "Signal") {
    return("None of them is supported: no p_fwer is at most 0.05.")
  }
  number <- function(n) if (n == 0L) "none has" else paste(n, if (n == 1L) "has" else "have")
  sprintf(
    "Of them, %s a p_fwer of at most 0.05, and %s a q_fdr of at most 0.2.",
    number(sum(own$p_fwer <= 0.05)), number(sum(own$q_fdr <= 0.2))
  )
}

#' @rdname fealect-methods
#' @export
summary.stabilect_fealect <- function(object, n = 20, ...) {
  refuse_dots(...)
  n <- check_count(n)
  structure(
    list(fit = object, best = utils::head(object$table, n)), class = "summary_stabilect_fealect"
  )
}

#' @export
print.summary_stabilect_fealect <- function(x, ...) {
  show_fealect(x$fit, nrow(x$best))
  cat("\n")
  print(x$fit$three_segment)
  cat("\nconvergence (first runs against the others)\n")
  print_figures(x$fit$convergence, digits = 3)
  print_looks(x$fit$made$until)
  if (!is.null(x$fit$model)) {
    cat("\n")
    show_model(x$fit$model)
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
final_model <- function(object) {
  refuse(is.null(object$model),
    c("{.arg object} was merged without the data, so that it has no final model.",
      i = "Merge with {.code merge_runs(..., x = x, y = y)}, or use {.fn fit_model}."
    )
  )
  object$model
}
