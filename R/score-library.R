# Selectors that call another package once per run.

#' Group lasso selector
#'
#' Scores groups of features by their entry in the group lasso, or features by their coefficients at
#' one penalty (package gglasso, which must be installed).
#'
#' @param groups (p values) group of each feature. Values with names are matched with the names of
#'   the features, which random subspaces need; without names they are in the order of the columns.
#' @param n_lambda (whole number >= 2) number of penalties of the path.
#' @param lambda (number > 0, or `NULL`) penalty of the model whose coefficients are the scores;
#'   `NULL` scores the entry on the path.
#' @details
#' Each run is one call with the rows of the run, repeated rows as often as they are in the bag. The
#' outcome is two classes (logistic loss) or numbers (half the squared error), loss as the mean over
#' samples. The penalty is \eqn{\lambda \sum_g \sqrt{p_g} \|\beta_g\|} on standardised features,
#' with \eqn{p_g} features in group g (Yuan and Lin 2006). With a group for each feature this is the
#' lasso.
#'
#' The features of a group stay as they are. Some packages make them orthonormal first. A group of
#' correlated features then enters late, even if each of them predicts the outcome.
#'
#' The score is the largest penalty of the path at which the group is in the model, divided by the
#' largest of all. It is highest for the group that enters first, and 0 for groups that never enter.
#' All features of a group have the same score, but 0 if constant. With `lambda`, the score is the
#' size of the coefficient at this penalty, and a run selects the features of its model, as many as
#' these are.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_package` if the package is not installed; `stabilect_error_input` for
#' parameters out of range. An error inside a package fails that run, with its message.
#' @references Yuan M, Lin Y (2006). Model selection and estimation in regression with grouped
#'   variables. *Journal of the Royal Statistical Society B* 68, 49-67.
#'   \doi{10.1111/j.1467-9868.2005.00532.x}
#' @family selectors
#' @examplesIf requireNamespace("gglasso", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, 2:41])
#' groups <- setNames(rep(1:8, each = 5), colnames(x))
#' scores <- score_features(x, mcl_sll$MCL, selector_group_lasso(groups))
#' head(scores[order(scores$rank), ])
#' @export
selector_group_lasso <- function(groups, n_lambda = 100, lambda = NULL) {
  check_given()
  check_package("gglasso", "selector")
  refuse(!is.atomic(groups) || length(groups) == 0L || any(is_absent(groups)),
    "{.arg groups} must be a factor or vector without missing values, one value per feature,
      not {describe_value(groups)}."
  )
  params <- list(
    groups = groups, n_lambda = check_count(n_lambda, min = 2),
    lambda = check_positive(lambda, null_ok = TRUE)
  )
  run <- function(x, y, weights, control) {
    group <- as.integer(factor(groups_of_columns(groups, colnames(x))))
    labels <- response_labels(y)
    target <- if (is.factor(labels)) 2 * as.integer(labels) - 3 else labels
    unit <- column_units(cbind(target))
    path <- list(
      loss = if (is.factor(labels)) "logit" else "ls", nlambda = params$n_lambda,
      lambda = if (!is.null(lambda)) lambda * unit, eps = 1e-10
    )
    x <- tame_columns(x)
    out <- score_each_run(x, y, weights, control, function(rows, seed) {
      group_lasso_scores(x[rows, , drop = FALSE], target[rows] * unit, group, path)
    })
    if (!is.null(lambda)) out$selected <- positive_pattern(out$score, colnames(x))
    out
  }
  new_selector("group_lasso", "group lasso", params, c("binary", "numeric"), run)
}

# @param path (list) further arguments of gglasso, which wants groups in a row.
group_lasso_scores <- function(x, y, group, path) {
  size <- sqrt(colMeans(x^2))
  x <- x - rep(colMeans(x), each = nrow(x))
  spread <- sqrt(colMeans(x^2))
  used <- order(group)
  used <- used[spread[used] > 1e-10 * size[used]]
  if (length(used) == 0L) stop("no feature varies")
  z <- unname(x[, used, drop = FALSE]) / rep(spread[used], each = nrow(x))
  code <- match(group[used], unique(group[used]))
  # It warns if a path ends early; earlier entries are not affected.
  fit <- suppressWarnings(do.call(gglasso::gglasso, c(list(z, y, code), path)))
  score <- numeric(ncol(x))
  if (!is.null(path$lambda)) {
    score[used] <- abs(fit$beta)
    return(score)
  }
  entry <- apply(fit$beta != 0, 1L, function(inside) which(inside)[1L])
  score[used] <- fit$lambda[entry] / fit$lambda[1L]
  replace(score, is.na(score), 0)
}

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

# @param own (list) the settings of learner_forest().
forest_selector <- function(own) {
  mtry <- own$mtry
  library_selector("forest", "random forest", own, function(x, y, seed) {
    # Duplicated row names are refused by ranger.
    rownames(x) <- NULL
    fit <- ranger::ranger(
      x = x, y = y, importance = own$importance, num.trees = own$n_trees, seed = seed,
      mtry = if (!is.null(mtry)) min(if (mtry < 1) ceiling(mtry * ncol(x)) else mtry, ncol(x)),
      num.threads = 1
    )
    unname(fit$variable.importance)
  }, c("binary", "multiclass", "numeric", "survival"))
}

# @param own (list) the settings of learner_boosting().
boosting_selector <- function(own) {
  library_selector("boosting", "gradient boosting", own, function(x, y, seed) {
    # Names, since some features are missing from what gbm reports.
    dimnames(x) <- list(NULL, paste0("V", seq_len(ncol(x))))
    # gbm draws from R's generator even when it uses all rows, and warns of every constant column.
    fit <- with_seed(seed, suppressWarnings(gbm::gbm.fit(
      x, if (is.factor(y)) as.integer(y) - 1 else y,
      distribution = if (is.factor(y)) "bernoulli" else "gaussian", n.trees = own$n_rounds,
      interaction.depth = own$max_depth, shrinkage = own$learning_rate, n.minobsinnode = 1,
      bag.fraction = 1, keep.data = FALSE, verbose = FALSE
    )))
    gain <- gbm::relative.influence(fit, n.trees = own$n_rounds, scale. = FALSE, sort. = FALSE)
    score <- numeric(ncol(x))
    score[match(names(gain), colnames(x))] <- gain / max(sum(gain), .Machine$double.xmin)
    score
  }, c("binary", "numeric"))
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
      i = "Give {.arg groups} the names of the columns, {.code names(groups) <- colnames(x)}: copies
           of columns are one feature, and random subspaces have some of them."
    )
  )
  groups
}
