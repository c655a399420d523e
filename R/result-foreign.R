# Results of other packages. Only documented fields are read.

#' @rdname as_selection
#' @export
as_selection.stabsel <- function(x, ...) { # nolint: object_name_linter.
  abort(
    c("A {.cls stabsel} result only keeps selection frequencies, not what each run selected.",
      i = "Call its {.arg fitfun} on each column of
        {.code stabs::subsample(rep(1, nrow(x)), B = 50)} and give the list of
        {.code which(fit$selected)} with {.arg n_total}."
    )
  )
}

#' @rdname as_selection
#' @export
as_selection.cv.glmnet <- function(x, ...) { # nolint: object_name_linter.
  abort(
    c("One {.cls cv.glmnet} fit is one run; {.arg x} must be a list of fits.",
      i = "Fit on resamples: {.code lapply(rows, function(i) glmnet::cv.glmnet(x[i, ], y[i]))}."
    )
  )
}

selection_from_glmnet <- function(fits, lambda, feature_names, kind = "cv.glmnet") {
  check_package("glmnet", "conversion")
  refuse(!is.numeric(lambda) && kind == "glmnet",
    c("{.arg lambda} must be a number for {.cls glmnet} fits, which choose none.",
      i = "{.cls cv.glmnet} fits have {.val lambda.1se} and {.val lambda.min}."
    )
  )
  if (!is.numeric(lambda)) {
    lambda <- check_choice(lambda, c("lambda.1se", "lambda.min"))
  } else {
    lambda <- check_number(lambda, min = 0)
  }
  weights <- lapply(fits, function(fit) {
    beta <- stats::coef(fit, s = lambda)
    beta <- if (is.list(beta)) Reduce(`+`, lapply(beta, abs)) else abs(beta)
    beta <- beta[rownames(beta) != "(Intercept)", , drop = FALSE]
    stats::setNames(as.vector(beta), rownames(beta))
  })
  where <- if (is.numeric(lambda)) paste("lambda", figure(lambda)) else lambda
  selection_from_runs(
    weights, lapply(weights, function(w) w > 0), feature_names, paste(kind, "at", where)
  )
}

selection_from_forests <- function(fits, n_features, feature_names) {
  importance <- lapply(fits, `[[`, "variable.importance")
  refuse_at(vapply(importance, is.null, NA), c("Forest {at} of {.arg x} has no importance.",
    i = "Fit it with {.code ranger::ranger(importance = \"permutation\")} or another kind."
  ))
  weights <- lapply(importance, pmax, 0)
  found <- selection_from_runs(
    weights, lapply(weights, function(w) w > 0), feature_names, "ranger"
  )
  n_features <- check_count(
    n_features, max = found$n_total, null_ok = TRUE
  )
  if (is.null(n_features)) found else cut_selection(found, n_features)
}

#' @rdname as_selection
#' @export
as_selection.Boruta <- function(x, feature_names = NULL, ...) { # nolint: object_name_linter.
  refuse_dots(...)
  selection_from_boruta(list(x), feature_names)
}

selection_from_boruta <- function(runs, feature_names) {
  chosen <- lapply(runs, function(run) run$finalDecision == "Confirmed")
  has_history <- !any(vapply(runs, function(run) is.null(run$ImpHistory), NA))
  score <- lapply(runs, function(run) {
    decision <- run$finalDecision
    if (!has_history) {
      return(stats::setNames(as.numeric(decision == "Confirmed"), names(decision)))
    }
    # A rejected feature later has importance -Inf; only measured importances count.
    history <- run$ImpHistory[, names(decision), drop = FALSE]
    apply(history, 2L, function(v) max(0, stats::median(v[is.finite(v)]), na.rm = TRUE))
  })
  selection_from_runs(score, chosen, feature_names, "Boruta", importance = has_history)
}

#' @rdname as_selection
#' @export
as_selection.rfe <- function(x, # nolint: object_name_linter.
                             n_features = NULL, feature_names = NULL, ...) {
  refuse_dots(...)
  table <- x$variables
  refuse(is.null(table$Resample) || is.null(table$var) || is.null(table$Variables),
    c("{.arg x} has no table {.code variables} that tells what each resample selected.",
      i = "Method {.val LOOCV} keeps none: use another in {.code caret::rfeControl()}, or give a
        list of {.fun caret::rfe} results, one per run."
    )
  )
  size <- if (is.null(n_features)) x$optsize else check_count(n_features)
  refuse(!size %in% table$Variables, c("Subset size {size} was not tried.",
    i = "{.arg n_features} must be one of {.or {.val {sort(unique(table$Variables))}}}."
  ))
  full <- split_importance(table[table$Variables == max(table$Variables), ])
  best <- split_importance(table[table$Variables == size, ])[names(full)]
  space <- common_features(lapply(full, names), feature_names)
  importance <- runs_to_matrix(best, space)
  # A selected feature may have importance 0, which a sparse matrix does not store.
  selected <- methods::as(runs_to_matrix(lapply(best, function(v) v * 0 + 1), space), "nMatrix")
  new_selection(
    runs_to_matrix(full, space), selected, rep("ok", length(full)),
    sprintf("caret::rfe at size %s", figure(size)),
    importance = importance
  )
}

# Named importances per resample: the column "Overall", or one column per class.
split_importance <- function(table) {
  value <- if (!is.null(table$Overall)) {
    table$Overall
  } else {
    known <- table[setdiff(names(table), c("var", "Variables", "Resample"))]
    rowMeans(known[vapply(known, is.numeric, NA)])
  }
  value[is.na(value)] <- 0
  split(stats::setNames(abs(value), table$var), factor(table$Resample, unique(table$Resample)))
}

selection_from_rfe_list <- function(fits, feature_names) {
  labels <- lapply(fits, function(fit) unique(as.character(fit$variables$var)))
  space <- common_features(labels, feature_names)
  sets <- lapply(fits, function(fit) fit$optVariables)
  selection_from_sets(sets, NULL, space, "caret::rfe")
}

#' @rdname as_selection
#' @export
as_selection.EnsembleFSResult <- function(x, # nolint: object_name_linter.
                                          n_total = NULL, feature_names = NULL, ...) {
  refuse_dots(...)
  result <- x$result
  sets <- result$features
  refuse(!is.list(sets), "{.arg x} has no list {.code result$features} of feature sets.")
  if (is.null(n_total) && is.null(feature_names)) {
    # The tasks are kept by default (`store_benchmark_result = TRUE`).
    feature_names <- x$benchmark_result$tasks$task[[1]]$feature_names
  }
  refuse(is.null(n_total) && is.null(feature_names),
    c("The number p of features is unknown: {.arg x} only names those that were selected.",
      i = "Give {.code feature_names = task$feature_names}."
    )
  )
  selection <- selection_from_sets(sets, n_total, feature_names, "mlr3fselect")
  values <- result$importance
  known <- is.list(values) && all(vapply(seq_along(sets), function(b) {
    is.numeric(values[[b]]) && all(sets[[b]] %in% names(values[[b]])) && all(values[[b]] >= 0)
  }, NA))
  if (isTRUE(known)) {
    kept <- Map(function(value, set) value[names(value) %in% set], values, sets)
    selection$importance <- runs_to_matrix(kept, selection$feature_names)
  }
  selection
}

#' @rdname as_selection
#' @export
as_selection.variable_selection <- function(x, # nolint: object_name_linter.
                                            lambda = NULL, ...) {
  refuse_dots(...)
  beta <- x$Beta
  refuse(!is.numeric(beta) || !length(dim(beta)) %in% 3:4,
    c("{.arg x} keeps no coefficients of single runs in its field {.code Beta}.",
      i = "Combine results by {.code sharp::Combine(include_beta = TRUE)}."
    )
  )
  grid <- as.vector(x$Lambda)
  if (is.null(lambda)) {
    # The choice of sharp::Argmax().
    at <- which.max(ifelse(is.na(x$S[, 1]), 0, x$S[, 1]))
  } else {
    lambda <- check_number(lambda, min = 0)
    at <- which(abs(grid - lambda) <= 1e-8 * abs(lambda))[1]
    refuse(is.na(at), c("{.arg lambda} = {figure(lambda)} is not among the penalties of {.arg x}.",
      i = "Take one of {.code x$Lambda}; the nearest is {figure(grid[which.min(abs(grid -
        lambda))], digits = 10)}."
    ))
  }
  weight <- if (length(dim(beta)) == 4L) {
    apply(abs(beta[at, , , , drop = FALSE]), 2:3, sum)
  } else {
    abs(array(beta[at, , , drop = FALSE], dim(beta)[2:3]))
  }
  names <- colnames(beta)
  dimnames(weight) <- list(if (is.null(names)) paste0("V", seq_len(nrow(weight))) else names, NULL)
  failed <- colSums(is.na(weight)) > 0
  weight[, failed] <- 0
  weight <- general_sparse(weight)
  new_selection(
    weight, methods::as(weight, "nMatrix"), ifelse(failed, "no coefficients", "ok"),
    sprintf("sharp at lambda %s", figure(grid[at])), importance = weight
  )
}

# @param weights (list of named numeric) one per run, for all features or for those it knows.
# @param chosen (list of logical) are these features selected?
selection_from_runs <- function(weights, chosen, feature_names, method, importance = TRUE) {
  space <- common_features(lapply(weights, names), feature_names)
  on <- Map(function(w, is_chosen) stats::setNames(w[is_chosen], names(w)[is_chosen]), weights,
    chosen)
  ones <- lapply(on, function(w) w * 0 + 1)
  new_selection(
    runs_to_matrix(weights, space), methods::as(runs_to_matrix(ones, space), "nMatrix"),
    rep("ok", length(weights)), method,
    importance = if (importance) runs_to_matrix(on, space)
  )
}

# Names of the features of all runs, in the order of the first. Runs on different features are
# refused: a feature that a run could not select differs from one that it did not select.
common_features <- function(labels, feature_names) {
  all_names <- check_feature_names(feature_names, NULL)
  if (is.null(all_names)) {
    all_names <- labels[[1]]
  }
  for (b in seq_along(labels)) {
    if (identical(labels[[b]], all_names)) {
      next
    }
    odd <- setdiff(labels[[b]], all_names)
    if (length(odd) > 0L) {
      known <- if (is.null(feature_names)) "the first run" else "{.arg feature_names}"
      what <- "Run {b} of {.arg x} has feature {.val {odd[1]}}, which is not in "
      abort(c(paste0(what, known, "."),
        i = "Name all features, over all runs, in {.arg feature_names}."
      ))
    }
    odd <- setdiff(all_names, labels[[b]])
    refuse(length(odd) > 0L && is.null(feature_names),
      c("Run {b} of {.arg x} lacks feature {.val {odd[1]}} of the first run.",
        i = "If it counts as not selected there, name all features in {.arg feature_names}."
      )
    )
  }
  all_names
}

# p x B dgCMatrix from one named vector per run; zeros are not stored.
runs_to_matrix <- function(values, feature_names) {
  values <- lapply(values, function(v) v[v != 0])
  feature <- match(unlist(lapply(values, names), use.names = FALSE), feature_names)
  Matrix::sparseMatrix(
    i = feature, j = rep(seq_along(values), lengths(values)),
    x = unlist(values, use.names = FALSE), dims = c(length(feature_names), length(values)),
    dimnames = list(feature_names, NULL)
  )
}

#' @rdname as_selection
#' @export
as_selection.list <- function(x, n_total = NULL, # nolint: object_name_linter.
                              feature_names = NULL, lambda = "lambda.1se", n_features = NULL, ...) {
  refuse_dots(...)
  refuse(length(x) == 0L,
    c("{.arg x} is an empty list.", i = "Each run is one element; empty sets are allowed.")
  )
  all_are <- function(class) all(vapply(x, inherits, NA, class))
  if (all_are("stabilect_selection")) {
    return(do.call(c, unname(x)))
  }
  readers <- list(
    cv.glmnet = function() selection_from_glmnet(x, lambda, feature_names),
    glmnet = function() selection_from_glmnet(x, lambda, feature_names, "glmnet"),
    ranger = function() selection_from_forests(x, n_features, feature_names),
    Boruta = function() selection_from_boruta(x, feature_names),
    rfe = function() selection_from_rfe_list(x, feature_names)
  )
  for (class in names(readers)) {
    if (all_are(class)) {
      return(readers[[class]]())
    }
  }
  refuse(!is.null(n_features), c("{.arg n_features} does not apply to a list of sets.",
    i = "It cuts weights and ranks, which come as a matrix, and lists of forests."
  ))
  selection_from_sets(x, n_total, feature_names)
}
