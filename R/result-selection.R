# The internal form of results: scores and sets of B runs of a selector on p features. Features are
# rows and runs columns: a run is contiguous in memory, and rowMeans() gives the frequency.

# @param score (dgCMatrix or double matrix, p x B) score of each feature in each run, higher is more
#   relevant; 0 where a sparse matrix has no entry. Row names are the features.
# @param selected (ngCMatrix, p x B) what each run selected.
# @param status (character, B) "ok", or why the run failed; failed runs have empty columns.
# @param resamples (stabilect_resamples, or NULL) resamples of the runs, if known.
# @param importance (dgCMatrix, p x B, or NULL) weight >= 0 of each selected feature in the model of
#   its run.
# @param data_hash (string, or NULL) of hash_data().
new_selection <- function(score, selected, status, method, resamples = NULL, seed = NULL,
                          importance = NULL, data_hash = NULL) {
  stopifnot(
    identical(dim(score), dim(selected)), length(status) == ncol(score),
    !is.null(rownames(score))
  )
  new_object("stabilect_selection",
    score = score, selected = selected, importance = importance, status = status,
    method = method, n_total = nrow(score), n_runs = ncol(score),
    feature_names = rownames(score), seed = seed, run_id = resamples$run_id,
    run_hash = resamples$run_hash, fingerprint = resamples$fingerprint, data_hash = data_hash
  )
}

ok_runs <- function(selection) which(selection$status == "ok")

# Problems of the draw take precedence over the selector's.
first_problem <- function(drawn, met) ifelse(drawn != "ok", drawn, met)

abort_no_run <- function(status) {
  abort(
    c("None of the {length(status)} runs succeeded: {unique(status)}.",
      i = "Look at the response and the resamples: {.code table(y)}, {.fun draw_resamples}.",
      i = if ("separated" %in% status) {
        "Covariates separate the responses completely. {join_or_leave_out}"
      }
    ),
    class = "runs"
  )
}

#' Selections: the features selected by each run
#'
#' A selection contains the results of many runs: the features that each run selected, and their
#' scores. All verbs that select features return one, and all measures of this package take one.
#' [fealect()] keeps it in its field `selection`.
#'
#' @param x,object (object of class `stabilect_selection`) runs.
#' @param ... For `c()`: selections over the same features in the same order; otherwise not used.
#' @param i (index) runs to keep, as in subsetting columns.
#' @return The object is a list with
#'   * `score` (numeric matrix or sparse `dgCMatrix`, p features x B runs): score of each feature in
#'     each run, higher is more relevant; 0 where a sparse matrix has no entry;
#'   * `selected` (sparse pattern matrix `ngCMatrix`, p x B): what each run selected;
#'   * `importance` (sparse `dgCMatrix`, p x B, or `NULL`): weight >= 0 of each selected feature in
#'     the model of its run;
#'   * `status` (character, B): `"ok"`, or why the run failed. A failed run stays, with an empty
#'     column, and is left out of averages;
#'   * `method` (string), `n_total`, `n_runs` (integers), `feature_names` (character, p);
#'   * `seed` (integer), `run_id`, `run_hash` (character, B) and `fingerprint` (string) of its
#'     resamples, see [draw_resamples()]; `NULL` if unknown;
#'   * `data_hash` (string): a hash of the values of x and y, the same for all forms of the same
#'     data; `NULL` if unknown.
#'
#'   `as.data.frame()` gives one row per feature: `feature`, `frequency` (share of the runs that
#'   selected it, among the runs that looked at it; `NA` without any), `mean_score` and `se` (its
#'   standard error over runs; `NA` for a single run). `summary()` gives the same, the
#'   highest mean score first.
#'
#'   `c()` joins the runs of several selections in the order of the arguments. It drops fields that
#'   some of them lack (`importance` or `run_hash`), and a `seed` that differs. It also merges whole
#'   results, see [merge_runs()].
#' @section Errors:
#' Class `stabilect_error_input` for runs that do not exist. Class `stabilect_error_merge` for
#' selections over different features, selections of different data (set their `data_hash` to `NULL`
#' to join them all the same), and runs of one method that occur twice.
#' @family selection
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, seed = 1)
#' fit$selection
#' head(as.data.frame(fit$selection))
#' c(fit$selection[1:5], fit$selection[11:20])
#' @name selection
NULL

# Mean over runs and its standard error; absent entries count as zero. Sums run over the columns in
# order and do not depend on the number of threads.
score_moments <- function(score) {
  # NA: the run did not look at the feature; its mean is over the other runs.
  gaps <- is.matrix(score) && anyNA(score)
  n_runs <- if (gaps) rowSums(!is.na(score)) else rep(ncol(score), nrow(score))
  mean <- Matrix::rowMeans(score, na.rm = gaps)
  mean[n_runs == 0] <- NA_real_
  squares <- Matrix::rowSums(score^2, na.rm = gaps)
  variance <- ifelse(n_runs > 1, (squares - n_runs * mean^2) / (n_runs - 1), NA_real_)
  list(mean = mean, se = sqrt(pmax(variance, 0) / n_runs))
}

# Share of the runs that selected each feature, among the runs that looked at it.
mean_selected <- function(selection, weights = NULL) {
  runs <- ok_runs(selection)
  score <- selection$score
  gaps <- is.matrix(score) && anyNA(score)
  if (is.null(weights) && !gaps && length(runs) == selection$n_runs) {
    return(tabulate(selection$selected@i + 1L, selection$n_total) / length(runs))
  }
  if (is.null(weights)) weights <- rep(1, length(runs))
  total <- drop(as.matrix(selection$selected[, runs, drop = FALSE] %*% weights))
  seen <- if (gaps) {
    drop((!is.na(score[, runs, drop = FALSE])) %*% weights)
  } else {
    rep(sum(weights), selection$n_total)
  }
  unname(ifelse(seen > 0, total / seen, NA_real_))
}

check_feature_names <- function(feature_names, n_total) {
  # Without names, they are generated.
  n_total <- check_count(n_total, max = 1e7, null_ok = TRUE)
  if (is.null(feature_names)) {
    return(NULL)
  }
  refuse(!is.character(feature_names) || length(feature_names) == 0L || anyNA(feature_names),
    "{.arg feature_names} must be a character vector without NA, not
      {describe_value(feature_names)}."
  )
  again <- anyDuplicated(feature_names)
  refuse(again > 0L,
    "{.arg feature_names} has {.val {feature_names[again]}} twice, the second time at
      position {again}."
  )
  refuse(!is.null(n_total) && n_total != length(feature_names),
    "{.arg n_total} is {n_total}, but there are {length(feature_names)}
      {.arg feature_names}."
  )
  feature_names
}

# How much the runs agree, for prints: the room of indices has the method.
# @param x (stabilect_selection).
# @return (data frame, one row) as of stability().
agreement_of <- function(x) UseMethod("agreement_of")
