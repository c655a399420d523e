#' Selections from sets, 0/1 matrices, weights, ranks and other packages
#'
#' Turns sets, matrices of 0/1, weights or ranks, and results of other packages into a [selection],
#' which every measure of this package takes.
#'
#' @param x (one of the forms below) what the runs selected:
#'   * a `stabilect_selection`, or a result of this package with a field `selection`;
#'   * a list of sets, one per run: feature numbers from 1 to p, feature names, or factors. Empty
#'     sets (`NULL`, `integer(0)`) are allowed;
#'   * a matrix, a sparse Matrix or a data frame of numbers: sets as 0/1 or logical, weights, or
#'     ranks, see `type`;
#'   * a data frame with the columns `run` and `feature`, one row for each feature of each run. An
#'     optional column `selected` (flags) marks features that were offered and not taken;
#'   * a list of `glmnet::cv.glmnet()` fits, or of `glmnet::glmnet()` fits with a number `lambda`,
#'     one per run;
#'   * a list of `ranger::ranger()` forests with importance, one per run; `n_features` cuts them;
#'   * a `caret::rfe()` result: its resamples are the runs; or a list of several: each is a run;
#'   * a list of `Boruta::Boruta()` results, one per run; a single result is a selection of one run;
#'   * an `EnsembleFSResult` of mlr3fselect;
#'   * a `sharp::VariableSelection()` result: its subsamples are the runs;
#'   * a list of selections, combined as in `c()`.
#'
#'   A `stabs::stabsel()` result keeps no single runs and is not supported; the error gives advice.
#' @param n_total (whole number >= 1, or `NULL`) number p of features that could have been selected,
#'   which sets alone do not show. For sets of names without `feature_names`, features that no run
#'   selected are called `unseen_1`, `unseen_2`, ...
#' @param feature_names (character, p, or `NULL`) names of all features, in the desired order.
#' @param runs_in (string) are the runs the rows (default, usual in publications) or the columns of
#'   a matrix?
#' @param type (string) meaning of a matrix: `"set"` (0/1 or logical), `"weight"` (0: not in the
#'   model; the sign is ignored) or `"rank"` (1 is best; ties allowed). `"auto"` takes sets only.
#' @param n_features (whole number >= 1, or `NULL`) size of the sets:
#'   * weights: the features of largest absolute weight; `NULL` selects all that are not zero;
#'   * ranks: the features of rank <= `n_features`; required;
#'   * `caret::rfe()`: the subset size to read instead of the best size;
#'   * forests: the features of largest importance; `NULL` selects all with positive importance;
#'   * selections of this package: the features of highest score in each run, instead of its own
#'     set.
#' @param lambda (string or number) `"lambda.1se"`, `"lambda.min"` or a penalty at which
#'   coefficients of `cv.glmnet` fits are read. For sharp a penalty in `x$Lambda`, or `NULL` for the
#'   calibrated one.
#' @param importance (numeric matrix p x B, sparse Matrix, list of B named vectors, or `NULL`; none
#'   negative) importance of each feature in the model of each run, for a selection of this package;
#'   0 or absent where the run did not select it.
#' @param ... arguments that apply to the form of `x`; others are an error.
#'
#' @details
#' How each form is converted (rows of the result are features, columns are runs):
#' * *Sets*: score 1 for selected features; no importance.
#' * *Weights*: score \eqn{|w|}, importance \eqn{|w|} on the selected features. Weights tied with
#'   the last selected one are also selected: the order of the features does not matter. Zero
#'   weights are never selected.
#' * *Ranks*: score p + 1 - rank, dense; no importance.
#' * *cv.glmnet*: the non-zero coefficients are selected; score and importance are their absolute
#'   values. They depend on the units of the features unless these were standardised beforehand. For
#'   several outcomes, the sum over outcomes.
#' * *ranger*: the score is the importance; negative permutation importances become 0. The
#'   importance is the same for selected features.
#' * *caret::rfe*: the variables of each resample at the best size are selected. The score is the
#'   importance in the model with all features. The importance belongs to the best size; it is only
#'   recomputed there with `caret::rfeControl(rerank = TRUE)`. See [caret_functions()].
#' * *Boruta*: the confirmed features are selected. Score and importance are the median of the
#'   recorded importances, at least 0; without history, the score is 1 and there is no importance.
#' * *mlr3fselect*: the feature sets of `result`, one run per learner and resampling; importance if
#'   `result` has it for all runs. The names of all features come from the stored benchmark result;
#'   without it, give `feature_names`.
#' * *sharp*: non-zero coefficients of each subsample, from the documented array `Beta`; score and
#'   importance are their absolute values (sums over several outcomes). The default penalty is the
#'   calibrated one of `sharp::Argmax()`. Subsamples without coefficients are failed runs. With
#'   `cpss = TRUE` every half is a run, while the proportions of sharp count features that both
#'   halves of a pair select.
#'
#' 10,000 runs of 50 out of 1,000,000 features take a second or two as a list of sets and as a
#' sparse matrix.
#'
#' @return (`stabilect_selection`) see [selection]. `seed`, `run_hash` and `fingerprint` are `NULL`
#'   except if `x` had them; `status` is `"ok"` for all runs.
#' @section Errors:
#' Class `stabilect_error_input`, with run and position, for
#' * features out of range or not in `feature_names`, duplicates within a run, missing values;
#' * an unknown p, values other than 0/1 in a matrix without `type`;
#' * importance of a feature that its run did not select;
#' * runs over different features, and results that do not keep single runs.
#' @family selection
#' @examples
#' as_selection(list(c("a", "b"), c("b", "c"), character(0)), n_total = 10)
#' z <- rbind(c(1, 1, 0, 0), c(1, 0, 1, 0), c(1, 1, 0, 0))
#' as.data.frame(as_selection(z))
#' as_selection(data.frame(run = c(1, 1, 2), feature = c("a", "b", "a")), n_total = 10)
#' w <- matrix(c(-2, 0, 0.5, 1, 0.2, 0), 2, byrow = TRUE)
#' as_selection(w, type = "weight")$importance
#' @order 1
#' @export
as_selection <- function(x, ...) {
  check_given()
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
  } else if (inherits(x, "stabilect_result")) {
    "Results that hold what each run selected can: those of {.fn fealect},
     {.fn stability_selection}, {.fn bolasso}, {.fn select_ensemble}, {.fn split_test},
     {.fn eliminate_features} and {.fn hybrid_rfe}."
  } else if (inherits(x, "stabilect_stability")) {
    compare_by_runs
  } else {
    "See {.help stabilect::as_selection} for all that can be."
  }
  abort(c("{.arg x} cannot be made a selection: it is {describe_value(x)}.", i = advice))
}

#' @rdname as_selection
#' @export
as_selection.stabilect_selection <- function(x, n_features = NULL, importance = NULL, ...) {
  refuse_dots(...)
  n_features <- check_count(n_features, max = x$n_total, null_ok = TRUE)
  if (!is.null(n_features)) x <- cut_selection(x, n_features)
  if (is.null(importance)) x else set_importance(x, importance)
}
