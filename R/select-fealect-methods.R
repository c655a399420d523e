#' Methods of FeaLect results
#'
#' @param object (object of class `stabilect_fealect`) made by [fealect()].
#' @param n (whole number >= 1) number of features in the summary.
#' @param ... for `predict()` passed to [predict.stabilect_model()], otherwise not used.
#' @return `summary()`: a list with the fields `fit` and `best` (the first `n` rows of `table`),
#'   printed in full. `as.data.frame()`: the data frame `table` (one row per feature, best first).
#'   `coef()`: the coefficients of the final model. `predict()`: predictions of the final model for
#'   new samples.
#' @family fealect
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 50, seed = 1)
#' summary(fit)
#' coef(fit)
#' @name fealect-methods
NULL

#' @exportS3Method
facts_of.stabilect_fealect <- function(x, n = 10L) {
  title <- c(
    sprintf("FeaLect: %ss scored by lasso paths", unit_word(x$study)),
    if (!is.null(x$asked$likelihood)) describe_likelihood(x$asked$likelihood)
  )
  verdict <- signal_facts(x)
  verdict$Error <- if (is.null(x$oob)) {
    why_no_error(x)
  } else {
    c(verdict$Error, if (!is.null(x$views$adds)) describe_added(x$views, x$oob))
  }
  verdict$List <- describe_list(x)
  verdict$Caution <- c(
    verdict$Caution, rule_of(x$asked)$caution(x),
    if (!is.null(x$study$roles$weights)) "final model and error count all samples alike"
  )
  result_facts(
    x, paste(title, collapse = ": "), format(x$resamples$plan), verdict,
    list(score_section(x, n)), c(describe_path_ends(x), describe_adds(x))
  )
}

# Of many samples paths end early unless the user says where.
describe_path_ends <- function(x) {
  limit <- limit_of(x$asked, x$study$n)
  unit <- unit_of(x$study)
  if (is.null(x$asked$max_features) && !is.null(limit) && limit < unit$n_open) {
    sprintf("paths to %d %ss each (`max_features`)", limit, unit$word)
  }
}

why_no_error <- function(x) {
  if (is.null(x$model) && !is.null(x$made$merged)) {
    "not estimated: merge_runs(x = , y = ) does"
  } else {
    "not estimated: `oob = TRUE` does"
  }
}

score_section <- function(x, n) {
  some <- length(x$features) > 0L
  above <- if (!some) {
    "Highest scores"
  } else if (verdict_on_signal(x) == "No evidence of a signal") {
    "Highest scores, for orientation"
  }
  shown <- if (some) x$table[x$table$selected, ] else x$table
  unit_of(x$study)$section(x, shown, rule_of(x$asked)$measures(shown), n, above, width = 30L)
}

# What supports the list, the list by its rule, and what the final model takes of it.
describe_list <- function(x) {
  m <- length(x$features)
  in_model <- length(x$model$features)
  support <- if (!is.null(x$null)) describe_support(x)
  c(
    # What a number means comes before it.
    if (is.null(support) && x$cut == "bend") {
      sprintf("a ranking of the %ss by score, without an error rate", unit_word(x$study))
    },
    support, rule_of(x$asked)$verdict(x),
    if (in_model > 0L && in_model < m) sprintf("the final model has the first %d", in_model),
    if (in_model > 0L) unit_of(x$study)$stands,
    if (is.null(x$model)) "no final model: merge_runs(x = , y = ) makes it"
  )
}

# What p and q-values say about the list, if there are any.
describe_support <- function(x) {
  null <- x$null
  if (length(x$features) == 0L || !null_decides(null)) {
    return(NULL)
  }
  own <- x$table[x$table$selected, ]
  unit <- unit_word(x$study)
  number <- c(sum(own$p_fwer <= 0.05), sum(own$q_fdr <= 0.2))
  if (all(number == 0L)) {
    return(sprintf("no %s with p_fwer of at most 0.05 or q_fdr of at most 0.2", unit))
  }
  sprintf(
    "%s with p_fwer of at most 0.05, %d with q_fdr of at most 0.2",
    if (number[1] == 0L) paste("no", unit) else count_of(number[1], unit), number[2]
  )
}

#' @rdname fealect-methods
#' @export
summary.stabilect_fealect <- function(object, n = 20, ...) {
  refuse_dots(...)
  n <- check_count(n)
  best <- utils::head(object$table, n)
  new_summary(object, best = best, sections = c(
    list(
      score_section(object, nrow(best)),
      if (!is.null(object$oob)) {
        new_section(above = c("Error out of bag", describe_by_class(object$oob)))
      },
      new_section(above = describe_segments(object$three_segment))
    ),
    view_sections(object$views),
    list(
      new_section(object$convergence, Inf, "Convergence: the first runs against the others"),
      look_section(object$made$until), if (!is.null(object$model)) model_section(object$model, 10L)
    )
  ))
}

#' @rdname fealect-methods
#' @export
coef.stabilect_fealect <- function(object, ...) {
  refuse_dots(...)
  stats::coef(final_model(object))
}

#' @rdname fealect-methods
#' @param newdata (numeric matrix or data frame) new samples with the features of the model as
#'   columns, in any order.
#' @export
predict.stabilect_fealect <- function(object, newdata, ...) {
  stats::predict(final_model(object), newdata, ...)
}

# Merged results have one only with the data, see merge_runs().
final_model <- function(object) {
  refuse(is.null(object$model),
    c("{.arg object} was merged without the data, so that it has no final model.",
      i = "Merge with {.code merge_runs(..., x = x, y = y)}, or use {.fn fit_model}."
    )
  )
  object$model
}

#' @exportS3Method
has_rank.stabilect_fealect <- function(result) { # nolint: object_name_linter.
  result$table$score > 0
}
