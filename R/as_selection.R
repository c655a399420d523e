#' Make a selection from what other tools return
#'
#' Turns sets, matrices of 0/1, weights or ranks, and the results of other packages into the
#' [selection] that every measure of this package reads.
#'
#' @param x What the runs selected; one of
#'   * a `stabilect_selection`, or a result of this package that has one in its field `selection`;
#'   * a list of sets, one per run: feature numbers from 1 to p, feature names, or factors. Empty
#'     sets (`NULL`, `integer(0)`) are allowed;
#'   * a matrix, a sparse Matrix or a data frame of numbers: sets as 0/1 or logical, weights, or
#'     ranks, see `type`;
#'   * a list of `glmnet::cv.glmnet()` fits, one per run;
#'   * a `caret::rfe()` result: its resamples are the runs; or a list of several: each is a run;
#'   * a list of `Boruta::Boruta()` results, one per run; a single one is a selection of one run;
#'   * an `EnsembleFSResult` of mlr3fselect;
#'   * a `sharp::VariableSelection()` result, whose subsamples are the runs;
#'   * a list of selections, which are combined as by `c()`.
#'
#'   A `stabs::stabsel()` result keeps no single runs and is refused with advice.
#' @param n_features (whole number >= 1, or `NULL`) number p of features that could have been
#'   selected, which sets alone do not tell. With sets of names and no `feature_names`, features
#'   that no run selected get names `unseen_1`, `unseen_2`, ...
#' @param feature_names (character, p, or `NULL`) names of all features, in the order wanted.
#' @param runs_in (string) whether the runs are the rows (the default, as in the papers) or the
#'   columns of a matrix.
#' @param type (string) what a matrix holds: `"set"` (0/1 or logical), `"weight"` (0: not in the
#'   model; sign is ignored) or `"rank"` (1 is best; ties allowed). `"auto"` takes sets only.
#' @param cut (whole number >= 1, or `NULL`) size of the sets: the `cut` features of largest
#'   absolute weight, or of rank <= `cut`. Needed for ranks; for weights, `NULL` selects all that
#'   are not zero. For `caret::rfe()`, the subset size to read instead of the best. For a selection
#'   of this package, the `cut` features of highest score in each run instead of its own set.
#' @param lambda (string or number) `"lambda.1se"`, `"lambda.min"` or a penalty at which to read the
#'   coefficients of `cv.glmnet` fits. For sharp one of the penalties in `x$Lambda`, or `NULL` for
#'   the calibrated one.
#' @param ... Arguments for the kind of `x` at hand; unknown ones are refused.
#'
#' @details
#' What becomes of each kind (rows of the result are features, columns are runs):
#' * *Sets*: score 1 for selected features; no importance.
#' * *Weights*: score \eqn{|w|}, importance \eqn{|w|} on the selected features. Weights that tie
#'   with the last one within `cut` are all selected, so that the answer does not depend on the
#'   order of the features; zero weights never are.
#' * *Ranks*: score p + 1 - rank, dense; no importance.
#' * *cv.glmnet*: selected are the non-zero coefficients, score and importance their absolute
#'   values. They depend on the units of the features unless these were standardised beforehand.
#'   For several responses, the sum over responses.
#' * *caret::rfe*: selected are the variables of each resample at the best size. Score is the
#'   importance in the model with all features; importance is that at the best size, which was
#'   computed anew only with `caret::rfeControl(rerank = TRUE)`. See [rfe_functions()].
#' * *Boruta*: selected are the confirmed features. Score and importance are the median of the
#'   recorded importances, cut at 0; without history, the score is 1 and there is no importance.
#' * *mlr3fselect*: the feature sets of `result`, one run per learner and resampling; importance
#'   where `result` has it for all runs. The names of all features come from the stored benchmark
#'   result, else give `feature_names`.
#' * *sharp*: non-zero coefficients of each subsample, from the documented array `Beta`; score and
#'   importance are their absolute values (sums over several outcomes). By default at the penalty
#'   that `sharp::Argmax()` calls calibrated. Subsamples without coefficients are failed runs. With
#'   `cpss = TRUE` every half is a run, while the proportions of sharp count what both halves of a
#'   pair select.
#'
#' 10,000 runs of 50 out of 1,000,000 features take a second or two as a list of sets and as a
#' sparse matrix.
#'
#' @return (`stabilect_selection`) see [selection]. `seed`, `run_hash` and `fingerprint` are `NULL`
#'   except where `x` had them; `status` is `"ok"` for all runs.
#' @section Errors:
#' Class `stabilect_error_input`, naming run and position: features out of range or not in
#' `feature_names`, duplicates within a run, missing values, p unknown, values other than 0/1 in a
#' matrix without `type`, runs over different features, results that do not keep single runs.
#' @family selection
#' @examples
#' as_selection(list(c("a", "b"), c("b", "c"), character(0)), n_features = 10)
#' z <- rbind(c(1, 1, 0, 0), c(1, 0, 1, 0), c(1, 1, 0, 0))
#' as.data.frame(as_selection(z))
#' w <- matrix(c(-2, 0, 0.5, 1, 0.2, 0), 2, byrow = TRUE)
#' as_selection(w, type = "weight")$importance
#' @export
as_selection <- function(x, ...) {
  UseMethod("as_selection")
}

#' @rdname as_selection
#' @export
as_selection.default <- function(x, ...) {
  if (is.list(x) && inherits(x$selection, "stabilect_selection")) {
    return(as_selection.stabilect_selection(x$selection, ...))
  }
  advice <- if (is.null(dim(x)) && is.atomic(x)) {
    "One set alone is one run: give all runs as {.code list(first, second, ...)}."
  } else {
    "See {.help stabilect::as_selection} for what can be."
  }
  abort(c("{.arg x} cannot be made a selection: it is {describe_value(x)}.", i = advice))
}

#' @rdname as_selection
#' @export
as_selection.stabilect_selection <- function(x, cut = NULL, ...) {
  cut <- check_count(cut, "cut", max = x$n_features, null_ok = TRUE)
  if (is.null(cut)) x else cut_selection(x, cut)
}

#' @rdname as_selection
#' @export
as_selection.list <- function(x, n_features = NULL, feature_names = NULL, lambda = "lambda.1se",
                              ...) {
  refuse_dots(...)
  if (length(x) == 0L) {
    abort(c("{.arg x} is an empty list.", i = "Each run is one element; empty sets are allowed."))
  }
  all_are <- function(class) all(vapply(x, inherits, NA, class))
  if (all_are("stabilect_selection")) {
    return(do.call(c, unname(x)))
  }
  readers <- list(
    cv.glmnet = function() selection_from_glmnet(x, lambda, feature_names),
    Boruta = function() selection_from_boruta(x, feature_names),
    rfe = function() selection_from_rfe_list(x, feature_names)
  )
  for (class in names(readers)) {
    if (all_are(class)) {
      return(readers[[class]]())
    }
  }
  selection_from_sets(x, n_features, feature_names)
}

refuse_dots <- function(..., call = rlang::caller_env()) {
  if (...length() > 0L) {
    given <- names(list(...))
    given <- if (is.null(given)) "" else given
    what <- ifelse(given == "", "without a name", paste0("`", given, "`"))
    abort("{cli::qty(length(what))}Argument{?s} {what} {?does/do} not apply here.", call = call)
  }
}

# Selection from features and runs in parallel vectors.
selection_from_pairs <- function(feature, run, n_runs, feature_names, method) {
  score <- Matrix::sparseMatrix(
    i = feature, j = run, x = rep(1, length(feature)),
    dims = c(length(feature_names), n_runs), dimnames = list(feature_names, NULL)
  )
  new_selection(score, methods::as(score, "nMatrix"), rep("ok", n_runs), method)
}

selection_from_sets <- function(x, n_features, feature_names, method = "sets",
                                call = rlang::caller_env()) {
  size <- lengths(x)
  is_name <- vapply(x, function(set) is.character(set) || is.factor(set), NA)
  is_number <- vapply(x, function(set) is.numeric(set) && !is.object(set), NA)
  bad <- which(!is_name & !is_number & size > 0L)
  if (length(bad) > 0L) {
    abort_not_set(x[[bad[1]]], bad[1], call)
  }
  feature_names <- check_feature_names(feature_names, n_features, call)
  run <- rep(seq_along(x), size)
  from_name <- rep(is_name, size)
  label <- unlist(lapply(x[is_name], as.character), use.names = FALSE)
  number <- as.double(unlist(x[!is_name], use.names = FALSE))
  if (is.null(feature_names)) {
    feature_names <- infer_names(label, number, n_features, call)
  }
  value <- numeric(length(run))
  value[from_name] <- match(label, feature_names)
  value[!from_name] <- number
  feature <- check_set_values(value, x, run, length(feature_names), call)
  check_no_repeats(feature, run, feature_names, call)
  selection_from_pairs(feature, run, length(x), feature_names, method)
}

abort_not_set <- function(set, b, call) {
  advice <- if (is.logical(set) && length(set) > 1L) {
    "Runs as logical vectors make a matrix: {.code do.call(rbind, x)}."
  } else {
    "A set is a vector of feature numbers or names."
  }
  what <- if (is.atomic(set)) paste("of type", typeof(set)) else describe_value(set)
  abort(c("Run {b} of {.arg x} must be a set of feature numbers or names, not {what}.",
    i = advice
  ), call = call)
}

check_feature_names <- function(feature_names, n_features, call) {
  n_features <- check_count(n_features, "n_features", null_ok = TRUE, call = call)
  if (is.null(feature_names)) {
    return(NULL)
  }
  if (!is.character(feature_names) || length(feature_names) == 0L || anyNA(feature_names)) {
    abort("{.arg feature_names} must be a character vector without NA, not
      {describe_value(feature_names)}.", call = call)
  }
  again <- anyDuplicated(feature_names)
  if (again > 0L) {
    abort("{.arg feature_names} has {.val {feature_names[again]}} twice, the second time at
      position {again}.", call = call)
  }
  if (!is.null(n_features) && n_features != length(feature_names)) {
    abort("{.arg n_features} is {n_features}, but there are {length(feature_names)}
      {.arg feature_names}.", call = call)
  }
  feature_names
}

# Names of all p features when only the sets are known.
infer_names <- function(label, number, n_features, call) {
  if (is.null(n_features)) {
    abort(
      c("The number p of features is unknown: the sets only hold features that were selected.",
        i = "Give {.arg n_features}, the number that could have been selected, or all
          {.arg feature_names}."
      ),
      call = call
    )
  }
  if (length(label) == 0L) {
    return(paste0("V", seq_len(n_features)))
  }
  if (length(number) > 0L) {
    abort(c("{.arg x} mixes sets of names and sets of numbers.",
      i = "Give {.arg feature_names}, which tells the number of each name."
    ), call = call)
  }
  seen <- unique(label[!is.na(label)])
  if (length(seen) > n_features) {
    abort("The sets of {.arg x} hold {length(seen)} different names, more than {.arg n_features}
      = {n_features}.", call = call)
  }
  unseen <- paste0("unseen_", seq_len(n_features))
  c(seen, utils::head(unseen[!unseen %in% seen], n_features - length(seen)))
}

# `value` has NA for names that were not found.
check_set_values <- function(value, x, run, p, call) {
  at <- which(!(value >= 1 & value <= p & value == round(value)) %in% TRUE)[1]
  if (is.na(at)) {
    return(as.integer(value))
  }
  b <- run[at]
  position <- at - match(b, run) + 1L
  shown <- x[[b]][[position]]
  if (is.na(shown) || is.numeric(shown)) {
    abort(c("{.arg x} has {format(shown)} in run {b}, position {position}.",
      i = "Features are numbered from 1 to {p}, or told by name."
    ), call = call)
  }
  abort("{.arg x} has {.val {as.character(shown)}} in run {b}, position {position}, which is not
    in {.arg feature_names}.", call = call)
}

check_no_repeats <- function(feature, run, feature_names, call) {
  again <- anyDuplicated((run - 1) * length(feature_names) + feature)
  if (again > 0L) {
    b <- run[again]
    abort(
      c("{.arg x} has feature {.val {feature_names[feature[again]]}} twice in run {b}, the second
          time at position {again - match(b, run) + 1L}.",
        i = "A set holds each feature once; {.code lapply(x, unique)} drops repeats."
      ),
      call = call
    )
  }
}
