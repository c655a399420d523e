# Selectors whose work is done by another package, one call a run.

#' Selectors by other packages
#'
#' Random forest importance (ranger), Relief (CORElearn) and gradient boosting gain (xgboost). The
#' package must be installed.
#'
#' @param importance (string) `"impurity"` (mean decrease of the Gini index or the variance) or
#'   `"permutation"` (mean increase of the out-of-bag error), unscaled.
#' @param n_trees (whole number >= 1) trees of the forest.
#' @param mtry (whole number >= 1, or `NULL`) features tried at a split; `NULL` for ranger's own,
#'   the root of p rounded down (numbers too); at most p.
#' @param estimator (string) name of a Relief variant of CORElearn, see `CORElearn::infoCore(what =
#'   "attrEval")`; `NULL` takes `"ReliefFequalK"` for classes and `"RReliefFequalK"` for numbers.
#' @param n_rounds (whole number >= 1) boosting rounds.
#' @param max_depth (whole number >= 1) depth of the boosted trees.
#' @param learning_rate (number in (0, 1]) shrinkage of each round.
#' @details
#' Each run is one call with the rows of the run, repeated rows as often as they are in the bag. The
#' run's seed comes from the seed and the number of the run, and each package works in one thread,
#' so that results do not depend on `n_threads`. All three take two classes, several (in the
#' package's own way) and numbers. Features that a boosted model does not use score 0.
#'
#' Repeated rows can be in and out of the bag of a tree at once: permutation importance in
#' bootstrap runs is optimistic; subsamples do not have this flaw.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_package` when the package is not installed; `stabilect_error_input` for
#' parameters out of range. What goes wrong inside a package fails that run, with its message.
#' @family selectors
#' @examplesIf requireNamespace("ranger", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' scores <- score_features(x, mcl_sll$MCL, selector_forest(n_trees = 50), seed = 1)
#' head(scores[order(scores$rank), ])
#' @name selector_libraries
NULL

library_selector <- function(name, label, params, fn) {
  new_selector(name, label, params, c("binary", "multiclass", "numeric"),
    function(x, y, weights, control) {
      labels <- plain_response(y)
      score_each_run(x, y, weights, control, label, function(rows, run) {
        response <- labels[rows]
        if (is.factor(response)) response <- droplevels(response)
        fn(x[rows, , drop = FALSE], response, run_seed(first_seed(control), run))
      })
    }
  )
}

first_seed <- function(control) if (is.null(control$seed)) 0L else control$seed

#' @rdname selector_libraries
#' @export
selector_forest <- function(importance = c("impurity", "permutation"), n_trees = 500,
                            mtry = NULL) {
  check_package("ranger")
  importance <- check_choice(importance, "importance", c("impurity", "permutation"))
  n_trees <- check_count(n_trees, "n_trees")
  mtry <- check_count(mtry, "mtry", null_ok = TRUE)
  params <- list(importance = importance, n_trees = n_trees, mtry = mtry)
  library_selector("forest", "random forest", params, function(x, y, seed) {
    # Duplicated row names are refused by ranger.
    rownames(x) <- NULL
    fit <- ranger::ranger(
      x = x, y = y, importance = importance, num.trees = n_trees, seed = seed, num.threads = 1,
      mtry = if (!is.null(mtry)) min(mtry, ncol(x))
    )
    unname(fit$variable.importance)
  })
}

#' @rdname selector_libraries
#' @export
selector_relief <- function(estimator = NULL) {
  check_package("CORElearn")
  if (!checkmate::test_string(estimator, min.chars = 1L, null.ok = TRUE)) {
    abort("{.arg estimator} must be a string or NULL, not {describe_value(estimator)}.")
  }
  library_selector("relief", "Relief", list(estimator = estimator), function(x, y, seed) {
    method <- estimator
    if (is.null(method)) method <- if (is.factor(y)) "ReliefFequalK" else "RReliefFequalK"
    # Column names could clash with the response or not be names of variables.
    table <- data.frame(unname(x))
    table$response <- y
    unname(CORElearn::attrEval("response", table, estimator = method, maxThreads = 1))
  })
}

#' @rdname selector_libraries
#' @export
selector_boosting <- function(n_rounds = 100, max_depth = 3, learning_rate = 0.1) {
  check_package("xgboost")
  n_rounds <- check_count(n_rounds, "n_rounds")
  max_depth <- check_count(max_depth, "max_depth")
  learning_rate <- check_fraction(learning_rate, "learning_rate")
  params <- list(n_rounds = n_rounds, max_depth = max_depth, learning_rate = learning_rate)
  library_selector("boosting", "gradient boosting", params, function(x, y, seed) {
    several <- is.factor(y) && nlevels(y) > 2L
    objective <- if (several) "multi:softprob" else if (is.factor(y)) "binary:logistic" else
      "reg:squarederror"
    target <- if (is.factor(y)) as.integer(y) - 1L else y
    colnames(x) <- paste0("V", seq_len(ncol(x)))
    settings <- list(
      max_depth = max_depth, eta = learning_rate, objective = objective, nthread = 1, seed = seed
    )
    if (several) settings$num_class <- nlevels(y)
    fit <- xgboost::xgb.train(
      settings, xgboost::xgb.DMatrix(x, label = target),
      nrounds = n_rounds, verbose = 0
    )
    gain <- xgboost::xgb.importance(colnames(x), fit)
    score <- numeric(ncol(x))
    score[match(gain$Feature, colnames(x))] <- gain$Gain
    score
  })
}
