#' Select features with an ensemble
#'
#' Runs a selector on many resamples of the data (or several selectors, on random parts of the
#' features, with random settings) and aggregates what they say into one ranking.
#'
#' @param x (numeric matrix, n samples x p features) or a data frame of numbers, or a sparse Matrix;
#'   no missing values; also factors, for filters, a matrix in a file, see section *x in a file*,
#'   and the other forms in [prepare_data()].
#' @param y (n values) response: classes (factor, character, logical, 0/1 or -1/1) or numbers; which
#'   of them depends on the selector.
#' @param selector (`stabilect_selector`, or a list of several) such as `selector_filter("t")`;
#'   several make a heterogeneous ensemble, each on all resamples. With `parameters`, the function
#'   that makes the selector, such as `selector_filter` itself.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`) a plan such as
#'   [resample_bootstrap()], or drawn resamples that are to be shared with another analysis.
#' @param aggregation (`stabilect_aggregation`) such as [aggregate_score()].
#' @param n_features (whole number >= 1, or `NULL`) how many features each run and the ensemble
#'   select, d in the paper; by default 100, or all when there are fewer. `NULL` takes the runs' own
#'   sets and their median size, for selectors that choose a number themselves.
#' @param subspace (number in (0, 1\], or `NULL`) share of the features that each run looks at,
#'   drawn at random (rounded up).
#' @param parameters (named list of vectors or lists, or `NULL`) values of arguments of `selector`,
#'   of which each run draws one of each, at random.
#' @param combine (`stabilect_aggregation`) how the rankings of several selectors become one: each
#'   selector's runs are aggregated by `aggregation` first, so that scales do not mix.
#' @param classifier (`stabilect_learner`, or `NULL`) such as [learner_lda()], whose out-of-bag
#'   error on the selected features is to be estimated; needs a response with classes.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) `NULL` takes one integer from R's
#'   generator, so that [set.seed()] works.
#' @param n_threads (whole number >= 1) threads; the result is the same for any number.
#' @param progress (flag) show a progress bar when it takes long?
#' @param checkpoint (string, or `NULL`) name of a file in which finished runs are kept, so that a
#'   call that was killed goes on where it was when it is repeated, with the same result. A file
#'   that was made with other data, another seed or other settings is refused. See
#'   `vignette("scaling-out")`.
#' @param until (`stabilect_until`, or `NULL`) a rule by which to stop before all runs of the plan
#'   are done, see [until_stable()].
#' @param ensemble (`stabilect_ensemble`) whose runs are to be aggregated anew.
#' @param rule (`stabilect_aggregation`) the new rule.
#'
#' @details
#' The selected features of a run are its `n_features` best, ties in column order; the print says
#' when many were chosen so, as that makes runs agree without reason. A selector that makes sets
#' (such as the lasso) selects at most its own set. The ensemble's features are ordered
#' by `aggregation`, ties as in [aggregate_runs()].
#'
#' Runs that fail, such as a resample with one class, are kept with their reason in
#' `selection$status` and left out of all averages.
#'
#' With `subspace`, the score of a feature is `NA` in the runs that did not look at it, and means
#' and frequencies are over the runs that did.
#'
#' **Out-of-bag error.** With a `classifier`, every sample is left out of the whole procedure, from
#' the runs at hand: the runs that did not draw it are aggregated, the classifier is trained with
#' the features so selected on all other samples, and predicts it. Nothing of a sample is seen by
#' what predicts it. An ensemble of all runs would have more of them than those without one sample
#' (about a third with the bootstrap), so the estimate is rather too high than too low. When the
#' plan has blocks, the whole block of a sample is left out with it, and the standard error is over
#' blocks.
#'
#' `reaggregate()` reads the runs again with another rule, at the cost of the rule alone; without
#' the data it cannot give the out-of-bag error, and its field `oob` is `NULL`.
#' @section x in a file:
#' An `FBM` (or `FBM.code256`) of bigstatsr, or a `DelayedMatrix` of DelayedArray such as an
#' `HDF5Matrix` of HDF5Array, n samples x p features, is read by slabs of 4,096 columns and is never
#' in memory as a whole; the results are those of the same numbers in memory, bit for bit. An `FBM`
#' has no column names: its features are called V1, V2, ... Missing values are looked for in one
#' pass before the runs. With samples in columns, `t()` turns a `DelayedMatrix` at no cost, and
#' `bigstatsr::big_transpose()` writes another `FBM`.
#'
#' This takes selectors that look at one feature at a time ([selector_filters],
#' [selector_mutual_information()]) or [selector_screened()]; `subspace` and `parameters` need a
#' matrix in memory. Workers open the file under its own name. The scores of a filter are kept for
#' all features and runs, 8 p B bytes; those of [selector_screened()] are sparse.
#'
#' A sparse Matrix stays sparse, and is read by slabs too, for selectors that look at one feature at
#' a time; all others, such as [selector_lasso_path()], get it as a dense matrix. What fits where is
#' in `vignette("scaling-out")`.
#' @return An object of class `stabilect_ensemble`, a list with
#' \describe{
#'   \item{features}{(character) the selected features, best first.}
#'   \item{ranking}{(`stabilect_ranking`) of all features, see [aggregate_runs()].}
#'   \item{selection}{(`stabilect_selection`) score and selected features of every run; those of
#'     several selectors one selector after the other.}
#'   \item{runs}{(data frame, one row per run) `run`, `selector`, `resample` (column of the
#'     resamples), `status`, and one column for each of `parameters`.}
#'   \item{aggregation, combine}{(`stabilect_aggregation`) as used; `combine` is `NULL` for a single
#'     selector.}
#'   \item{resamples}{(`stabilect_resamples`)}
#'   \item{oob}{(`stabilect_oob`) `error` (misclassification rate), `se`, `baseline` (error of the
#'     most frequent class of the other samples), `n`, `measure` (string), `classifier` and
#'     `predictions` (data frame: `sample`, `observed`, `predicted`, `n_runs`, runs without the
#'     sample; `predicted` is `NA` for samples that no run of a selector left out); with blocks,
#'     `n_blocks`. `NULL` without `classifier`, or when no sample could be predicted.}
#'   \item{settings}{(list) `n`, `p`, `type` of the response, `levels`, `class_sizes`, `n_features`,
#'     `subspace`, `selectors` (labels), `seed`, `selector_hash` (string, of the settings of the
#'     selectors), and `until` or `merged`, see [until_stable()] and [merge_runs()].}
#' }
#' `as.data.frame()` gives the table of the ranking; `summary()` a list with the fields `ensemble`,
#' `best` (its first rows), `stability` (data frame, one row per selector: how much the runs agree,
#' see [stability()]; `NULL` for a single run) and `sizes` (of the runs).
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range, a response the selector cannot use, and
#' resamples of other data; `stabilect_error_runs` when no run of a selector succeeded;
#' `stabilect_error_learner` when the classifier does not predict a class.
#' @references Dernoncourt D, Hanczar B, Zucker J-D (2014). Stability of ensemble feature selection
#'   on high-dimension and low-sample size data. *ICPRAM 2014*.
#' @family aggregation
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- select_ensemble(x, mcl_sll$MCL, selector_filter("t"), n_features = 10, seed = 1)
#' fit
#' select_ensemble(
#'   x, mcl_sll$MCL, selector_filter("t"), n_features = 10, classifier = learner_svm(), seed = 1
#' )$oob
#' reaggregate(fit, aggregate_rank("mean"))$features
#' both <- list(selector_filter("t"), selector_filter("wilcoxon"))
#' select_ensemble(x, mcl_sll$MCL, both, subspace = 0.5, n_features = 10, seed = 1)$features
#' @export
select_ensemble <- function(x, y, selector, resampling = resample_bootstrap(40),
                            aggregation = aggregate_score(), n_features = 100,
                            subspace = NULL, parameters = NULL,
                            combine = aggregate_rank("mean"), classifier = NULL, seed = NULL,
                            n_threads = 1, progress = interactive(), checkpoint = NULL,
                            until = NULL) {
  label <- deparse1(substitute(selector))
  input <- read_input(x, y)
  x <- store_x(input$x, selector, subspace, parameters)
  selectors <- check_selectors(selector, parameters, label)
  check_factor_use(selectors, x, classifier)
  response <- check_ensemble_response(input$y, x, selectors)
  check_aggregation(aggregation, "aggregation")
  check_aggregation(combine, "combine")
  if (!is.null(classifier)) {
    check_learner(classifier, "classifier")
    check_has_classes(response)
  }
  if (missing(n_features)) n_features <- min(100L, ncol(x))
  settings <- list(
    n_features = check_count(n_features, "n_features", max = ncol(x), null_ok = TRUE),
    subspace = if (!is.null(subspace)) check_fraction(subspace, "subspace"),
    n_threads = check_threads(n_threads), progress = check_flag(progress, "progress"),
    seed = check_seed(seed), checkpoint = checkpoint,
    selector_hash = hash_identity(list(selectors, parameters))
  )
  resampling <- plan_with_blocks(resampling, input$blocks)
  resamples <- resolve_resamples(resampling, plain_response(response), nrow(x), settings$seed)
  done <- run_selectors(x, response, selectors, resamples, settings, parameters, until)
  ensemble <- new_ensemble(
    x, response, selectors, done$runs, done$resamples, settings, aggregation, combine
  )
  ensemble$settings$until <- done$until
  if (!is.null(classifier)) {
    ensemble["oob"] <- list(
      oob_of_ensemble(x, response, ensemble, classifier, settings$n_threads)
    )
  }
  with_input_notes(ensemble, input$notes)
}

# A list of selectors with unique names. Selectors whose arguments are drawn come as functions.
# @param label (string) what to call such a function.
check_selectors <- function(selector, parameters = NULL, label = "selector",
                            call = rlang::caller_env()) {
  if (!is.null(parameters)) {
    check_parameters(selector, parameters, call)
    return(stats::setNames(list(selector), if (nchar(label) > 40L) "selector" else label))
  }
  if (inherits(selector, "stabilect_selector")) {
    return(stats::setNames(list(selector), selector$name))
  }
  if (!is.list(selector) || length(selector) == 0L) {
    check_selector(selector, call)
  }
  lapply(selector, check_selector, call = call)
  labels <- vapply(selector, function(one) one$name, "")
  given <- names(selector)
  if (!is.null(given)) labels <- ifelse(given == "", labels, given)
  stats::setNames(selector, make.unique(labels, sep = "_"))
}

check_parameters <- function(selector, parameters, call) {
  if (!is.function(selector)) {
    abort(
      "With {.arg parameters}, {.arg selector} must be the function that makes the selector, such
       as {.code selector_filter} without brackets, not {describe_value(selector)}.",
      call = call
    )
  }
  ok <- is.list(parameters) && length(parameters) > 0L && all(lengths(parameters) > 0L)
  if (!ok || is.null(names(parameters)) || anyDuplicated(names(parameters))) {
    abort("{.arg parameters} must be a list of values with the names of arguments, not
      {describe_value(parameters)}.", call = call)
  }
  unknown <- setdiff(names(parameters), names(formals(selector)))
  if (length(unknown) > 0L && !"..." %in% names(formals(selector))) {
    abort("{.arg parameters} names {.val {unknown[1]}}, but {.arg selector} has the arguments
      {.val {names(formals(selector))}}.", call = call)
  }
}

# What all of the selectors can use.
check_ensemble_response <- function(y, x, selectors, call = rlang::caller_env()) {
  responses <- lapply(selectors, function(one) {
    if (is.function(one)) c("binary", "multiclass", "numeric") else one$responses
  })
  check_sample_names(if (is.matrix(y)) rownames(y) else names(y), rownames(x), call)
  answers <- lapply(responses, function(one) check_response_for(y, nrow(x), one, call = call))
  answers[[1]]
}

#' @rdname select_ensemble
#' @export
reaggregate <- function(ensemble, rule, n_features = NULL, n_threads = 1) {
  if (!inherits(ensemble, "stabilect_ensemble")) {
    abort("{.arg ensemble} must be made by {.fn select_ensemble}, not be
      {describe_value(ensemble)}.")
  }
  check_aggregation(rule)
  if (is.null(n_features)) n_features <- ensemble$settings$n_features
  n_features <- check_ranking_size(n_features, ensemble$selection)
  ensemble$aggregation <- rule
  ensemble$ranking <- rank_ensemble(ensemble, n_features, check_threads(n_threads))
  ensemble$features <- ensemble$ranking$features
  ensemble["oob"] <- list(NULL)
  ensemble
}

new_ensemble <- function(x, response, selectors, runs, resamples, settings, aggregation, combine) {
  labels <- names(selectors)
  selection <- combine_runs(runs, resamples, labels, hash_data(x, response))
  table <- do.call(rbind, lapply(seq_along(runs), function(s) {
    one <- data.frame(
      selector = labels[s], resample = seq_len(resamples$n_runs), status = runs[[s]]$status
    )
    if (is.null(runs[[s]]$values)) one else cbind(one, runs[[s]]$values)
  }))
  size <- check_ranking_size(settings$n_features, selection)
  ensemble <- structure(
    list(
      features = NULL, ranking = NULL, selection = selection,
      runs = cbind(run = seq_len(nrow(table)), table), aggregation = aggregation,
      combine = if (length(selectors) > 1L) combine, resamples = resamples, oob = NULL,
      settings = list(
        n = nrow(x), p = ncol(x), type = response$type, levels = response$levels,
        class_sizes = if (!is.null(response$codes)) tabulate(response$codes),
        n_features = settings$n_features, subspace = settings$subspace, selectors = labels,
        seed = settings$seed, selector_hash = settings$selector_hash
      )
    ),
    class = "stabilect_ensemble"
  )
  ensemble$ranking <- rank_ensemble(ensemble, size, settings$n_threads)
  ensemble$features <- ensemble$ranking$features
  ensemble
}
