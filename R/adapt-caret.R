# The functions by which caret::rfe() fits, ranks and selects.

#' Functions for caret::rfe(): recursive elimination by learners and selectors
#'
#' The list of functions for `caret::rfeControl(functions = )`. `caret::rfe()` then eliminates by
#' the rankings of this package: by the importance of a learner, or by any selector.
#'
#' @param learner (`stabilect_learner`) learner that is fitted and judged at every size, see
#'   [learner_svm()]; for numbers [learner_ridge()] or [learner_forest()].
#' @param selector (`stabilect_selector`, or `NULL`) ranking of the features, for example
#'   [selector_learner()] or [selector_relief()]; `NULL` takes the importance of the learner.
#' @param tie (string) the size to take if several have the best mean; means within 1e-10 are ties.
#'   As in [eliminate_features()] with `size_rule = "best"`: a standard error needs the number of
#'   resamples, which caret does not tell.
#' @inheritParams arguments
#'
#' @details
#' Set `rerank = TRUE` in `caret::rfeControl()`; otherwise caret ranks the features only once, in
#' the model with all of them. With `rerank = TRUE`, the same resamples (`index`) and the same
#' sizes, every resample of caret selects the same features as the corresponding run of
#' [eliminate_features()]. Equal importances are the exception: both order them at random, but not
#' alike.
#'
#' `selectVar` orders the features by the mean rank of their elimination over resamples.
#' `caret::pickVars()` averages importances over all sizes instead; a feature that stays longer in
#' the model has more rows there, and hence more weight. [as_selection()] of caret's result returns
#' what each resample selected; its [stability()] measures how much the resamples agree.
#'
#' [eliminate_features()] itself needs less time. It updates the inner products of the samples when
#' features are eliminated, and its searches evaluate fewer sizes.
#' @return (list of functions) `summary` (`caret::defaultSummary()`), `fit`, `pred` (class, and one
#'   column per class for learners with probabilities; or numbers), `rank` (data frame `Overall`,
#'   `var`, best first), `selectSize`, `selectVar`.
#' @section Errors:
#' Class `stabilect_error_input` for a learner without importance if there is no selector, or a
#' learner that does not take the outcome. caret does not resample survival times; use
#' [eliminate_features()].
#' @family frameworks
#' @examplesIf requireNamespace("caret", quietly = TRUE)
#' x <- mcl_sll[, 2:21]
#' y <- factor(mcl_sll$MCL)
#' draws <- draw_resamples(resample_folds(3, stratify = TRUE), y, seed = 1)
#' control <- caret::rfeControl(
#'   functions = caret_functions(learner_svm()), rerank = TRUE, method = "cv", number = 3,
#'   index = split(draws)[1:3]
#' )
#' fit <- caret::rfe(x, y, sizes = c(2, 5, 10), rfeControl = control)
#' fit$optVariables
#' stability(as_selection(fit))
#' @export
caret_functions <- function(learner = learner_svm(), selector = NULL,
                            tie = c("smallest", "largest"),
                            n_threads = getOption("stabilect.n_threads", 1)) {
  check_learner(learner, "learner")
  tie <- check_choice(tie, c("smallest", "largest"))
  n_threads <- check_threads(n_threads)
  if (!is.null(selector)) {
    check_selector(selector)
  } else if (is.null(learner$importance)) {
    abort("{.arg learner} {.val {learner$name}} has no importance to eliminate by; give a
      {.arg selector}.")
  }
  list(
    summary = function(data, lev = NULL, model = NULL) caret::defaultSummary(data, lev, model),
    fit = function(x, y, first, last, ...) fit_for_caret(x, y, learner),
    pred = function(object, x) predict_for_caret(object, x, learner),
    rank = function(object, x, y) rank_for_caret(object, x, y, learner, selector, n_threads),
    selectSize = function(x, metric, maximize) {
      score <- if (maximize) x[[metric]] else -x[[metric]]
      best_size(x$Variables, score, tie)
    },
    selectVar = select_by_elimination
  )
}

fit_for_caret <- function(x, y, learner) {
  refuse(!is.factor(y) && !is.numeric(y),
    c("{.arg y} must be a factor or numbers, not {describe_value(y)}.",
      i = "Code classes by {.code factor(y)}."
    ), call = NULL
  )
  type <- if (is.factor(y)) c("binary", "multiclass")[1L + (nlevels(y) > 2L)] else "numeric"
  check_learner_takes(learner, list(type = type, codes = if (is.factor(y)) y))
  x <- as.matrix(x)
  list(model = learner$fit(x, y), levels = levels(y), features = colnames(x))
}

predict_for_caret <- function(object, x, learner) {
  x <- as.matrix(x)[, object$features, drop = FALSE]
  if (is.null(object$levels)) {
    return(as.double(learner$predict(object$model, x)))
  }
  class <- factor(as.character(learner$predict(object$model, x)), object$levels)
  if (is.null(learner$probability)) {
    return(class)
  }
  odds <- columns_of_classes(learner$probability(object$model, x), object$levels, 0)
  colnames(odds) <- object$levels
  cbind(data.frame(pred = class), as.data.frame(odds))
}

rank_for_caret <- function(object, x, y, learner, selector, n_threads) {
  if (is.null(selector)) {
    overall <- check_importance(learner$importance(object$model), colnames(x), learner)
    place <- order_best(colnames(x), overall)
  } else {
    # The seed comes from R's generator, which caret has set for this size.
    scores <- score_features(as.matrix(x), y, selector, n_threads = n_threads)
    scores <- scores_of_columns(scores, as.matrix(x))
    overall <- scores$score
    place <- order(scores$rank)
  }
  # Readers of importances expect numbers >= 0.
  overall <- overall - min(0, overall)
  data.frame(Overall = overall[place], var = colnames(x)[place])
}

# @param y (data frame) `Overall`, `var`, `Variables`, `Resample`: the ranking of each resample at
#   each size.
select_by_elimination <- function(y, size) {
  if (is.null(y$Resample)) {
    return(caret::pickVars(y, size))
  }
  ranks <- lapply(split(y, factor(y$Resample, unique(y$Resample))), function(one) {
    one <- one[order(one$Variables, -one$Overall, method = "radix"), ]
    # A feature counts at the smallest size that still contains it.
    order <- unique(as.character(one$var))
    stats::setNames(seq_along(order), order)
  })
  features <- names(ranks[[1]])
  mean_rank <- rowMeans(vapply(ranks, function(one) one[features], numeric(length(features))))
  utils::head(features[order_best(features, -mean_rank)], size)
}
