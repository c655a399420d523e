# Selectors that call another package once per run.

#' Selectors by other packages
#'
#' Random forest importance (ranger), gradient boosting gain (gbm) and the order in which groups of
#' features enter the group lasso (grpreg). The package must be installed.
#'
#' @param importance (string) `"impurity"` (mean decrease of the Gini index or the variance) or
#'   `"permutation"` (mean increase of the out-of-bag error), unscaled.
#' @param n_trees (whole number >= 1) trees of the forest.
#' @param mtry (whole number >= 1, or `NULL`) features tried at a split; `NULL` for ranger's own,
#'   the root of p rounded down (numbers too); at most p.
#' @param n_rounds (whole number >= 1) boosting rounds.
#' @param max_depth (whole number >= 1) depth of the boosted trees.
#' @param learning_rate (number in (0, 1]) shrinkage of each round.
#' @param groups (p values) group of each feature. Values with names are matched with the names of
#'   the features, so that random subspaces work; without, they are in the order of the columns.
#' @param n_lambda (whole number >= 2) penalties of the path.
#' @details
#' Each run is one call with the rows of the run, repeated rows as often as they are in the bag. The
#' run's seed comes from the seed and the number of the run, and each package works in one thread,
#' so that results do not depend on `n_threads`. The forest takes two classes, several (in the
#' package's own way), numbers and survival times (splits by the log-rank statistic); boosting and
#' the group lasso two classes (logistic loss) or numbers.
#'
#' The score of `selector_boosting()` is the reduction of the loss by the splits at a feature, as a
#' share of that of all features: 0 for those that no tree uses. All rows and features go into every
#' tree.
#'
#' The score of `selector_group_lasso()` is the largest penalty of the path at which the group is in
#' the model, divided by the largest of all: highest for the group that enters first, 0 for those
#' that never do. All features of a group have the same score.
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

library_selector <- function(name, label, params, fn,
                             responses = c("binary", "multiclass", "numeric")) {
  new_selector(name, label, params, responses,
    function(x, y, weights, control) {
      labels <- tame_response(response_labels(y))
      score_each_run(x, y, weights, control, function(rows, seed) {
        response <- label_rows(labels, rows)
        if (is.factor(response)) response <- droplevels(response)
        fn(x[rows, , drop = FALSE], response, seed)
      })
    }
  )
}

#' @rdname selector_libraries
#' @export
selector_forest <- function(importance = c("impurity", "permutation"), n_trees = 500,
                            mtry = NULL) {
  check_package("ranger", "selector")
  importance <- check_choice(importance, c("impurity", "permutation"))
  n_trees <- check_count(n_trees)
  mtry <- check_count(mtry, null_ok = TRUE)
  params <- list(importance = importance, n_trees = n_trees, mtry = mtry)
  library_selector("forest", "random forest", params, function(x, y, seed) {
    # Duplicated row names are refused by ranger.
    rownames(x) <- NULL
    fit <- ranger::ranger(
      x = x, y = y, importance = importance, num.trees = n_trees, seed = seed, num.threads = 1,
      mtry = if (!is.null(mtry)) min(mtry, ncol(x))
    )
    unname(fit$variable.importance)
  }, c("binary", "multiclass", "numeric", "survival"))
}

#' @rdname selector_libraries
#' @export
selector_boosting <- function(n_rounds = 100, max_depth = 3, learning_rate = 0.1) {
  check_package("gbm", "selector")
  n_rounds <- check_count(n_rounds)
  max_depth <- check_count(max_depth, max = 49)
  learning_rate <- check_fraction(learning_rate)
  params <- list(n_rounds = n_rounds, max_depth = max_depth, learning_rate = learning_rate)
  library_selector("boosting", "gradient boosting", params, function(x, y, seed) {
    # Names, since some features are missing from what gbm reports.
    dimnames(x) <- list(NULL, paste0("V", seq_len(ncol(x))))
    # gbm draws from R's generator even when it uses all rows, and warns of every constant column.
    fit <- with_seed(seed, suppressWarnings(gbm::gbm.fit(
      x, if (is.factor(y)) as.integer(y) - 1 else y,
      distribution = if (is.factor(y)) "bernoulli" else "gaussian", n.trees = n_rounds,
      interaction.depth = max_depth, shrinkage = learning_rate, n.minobsinnode = 1,
      bag.fraction = 1, keep.data = FALSE, verbose = FALSE
    )))
    gain <- gbm::relative.influence(fit, n.trees = n_rounds, scale. = FALSE, sort. = FALSE)
    score <- numeric(ncol(x))
    score[match(names(gain), colnames(x))] <- gain / max(sum(gain), .Machine$double.xmin)
    score
  }, c("binary", "numeric"))
}

#' @rdname selector_libraries
#' @export
selector_group_lasso <- function(groups, n_lambda = 100) {
  check_given()
  check_package("grpreg", "selector")
  refuse(!is.atomic(groups) || length(groups) == 0L || anyNA(groups),
    "{.arg groups} must be a factor or vector without missing values, one value per feature,
      not {describe_value(groups)}."
  )
  n_lambda <- check_count(n_lambda, min = 2)
  params <- list(groups = groups, n_lambda = n_lambda)
  score <- function(x, y, weights, control) {
    group <- as.integer(factor(groups_of_columns(groups, colnames(x))))
    labels <- response_labels(y)
    family <- if (is.factor(labels)) "binomial" else "gaussian"
    target <- if (is.factor(labels)) as.integer(labels) - 1L else tame_response(labels)
    x <- tame_columns(x)
    score_each_run(x, y, weights, control, function(rows, seed) {
      # grpreg warns where a saturated model ends the path early, which does not affect earlier
      # entries.
      fit <- suppressWarnings(grpreg::grpreg(
        unname(x[rows, , drop = FALSE]), target[rows], group, penalty = "grLasso",
        family = family, nlambda = n_lambda
      ))
      entry <- apply(fit$beta[-1L, , drop = FALSE] != 0, 1, function(inside) which(inside)[1])
      score <- unname(fit$lambda[entry] / fit$lambda[1])
      replace(score, is.na(score), 0)
    })
  }
  new_selector("group_lasso", "group lasso", params, c("binary", "numeric"), score)
}

groups_of_columns <- function(groups, feature_names) {
  if (!is.null(names(groups))) {
    refuse_at(setdiff(feature_names, names(groups)),
      "{.arg groups} has no value named {.val {at}}, a feature of {.arg x}."
    )
    return(groups[feature_names])
  }
  refuse(length(groups) != length(feature_names),
    c("{.arg groups} must have one value per feature, {length(feature_names)}, not
      {length(groups)}.",
      i = "With random subspaces, give {.arg groups} the names of the features."
    )
  )
  groups
}
