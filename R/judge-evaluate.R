#' Compare selectors and aggregations: error against stability
#'
#' The protocol of Dernoncourt et al. (2014). `evaluate_selectors()` divides the samples into two
#' halves, again and again; selects on each half, alone and by ensembles; measures how similar the
#' two halves' features are (no sample is in both) and the error of a classifier trained on one half
#' and tested on the other. `evaluate_generated()` draws training sets from a known model instead.
#'
#' @param x,y as in [select_ensemble()]; `y` has classes.
#' @param data (`stabilect_generated`) the model, see [generate_classes()]; its own samples are not
#'   used.
#' @param n (whole number >= 4) samples in each training set.
#' @param selectors (`stabilect_selector`, or a list of them, named or not) what is to be compared.
#' @param aggregations (`stabilect_aggregation`, or a list of them, named or not) rules for the
#'   ensembles; `list()` for none. A single selection on all samples of the half, `"single"`, always
#'   comes along.
#' @param n_features (whole numbers >= 1) sizes of the selections.
#' @param classifier (`stabilect_learner`) such as [learner_lda()].
#' @param n_splits (whole number >= 2) how often the samples are divided; `n_sets`: training sets.
#' @param n_sets,n_test (whole numbers) training sets; samples in the one test set.
#' @param resampling (`stabilect_resampling`) of the ensembles, within a half. When it has blocks,
#'   the halves are made of whole blocks, too.
#' @param index (character) names of stability indices, see [list_stability_indices()].
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) `NULL` takes one integer from R's
#'   generator.
#' @param n_threads (whole number >= 1) threads; the result is the same for any number.
#' @param progress (flag) show a progress bar when it takes long?
#' @param checkpoint (string, or `NULL`) name of a file in which finished runs are kept, so that a
#'   call that was killed goes on where it was when it is repeated, with the same result. A file
#'   that was made with other data, another seed or other settings is refused. See
#'   `vignette("scaling-out")`.
#'
#' @details
#' The halves are drawn by [resample_pairs()]: without replacement, each with samples of at least
#' two classes; for odd n, one sample is in neither. Nothing of a half is seen while selecting and
#' training on the other. The ensembles of a half share their runs, so that a further aggregation or
#' size costs little; a further selector costs its runs. All selectors see the same resamples.
#'
#' `error` is the share of misclassified samples, averaged over the two directions of a split.
#' Stability is that of the two sets of a split. Standard errors and paired comparisons are over
#' splits. The splits are of the same samples, so they say how far more splits would change the
#' means, not how far new data would. With generated data, stability is that of all `n_sets`
#' selections, which share nothing, its standard error is the jackknife's over sets (see
#' [stability()]), and the error is on samples that no selection has seen.
#' @return An object of class `stabilect_evaluation`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per selector, aggregation and size) `selector`,
#'     `aggregation` (`"single"` without ensemble), `n_features`, `error`, `error_se`, and for each
#'     index its name and name`_se`.}
#'   \item{errors}{(data frame) `unit` (split or training set), `selector`, `aggregation`,
#'     `n_features`, `error`; `NA` when the selection failed.}
#'   \item{stabilities}{(data frame) `unit`, `selector`, `aggregation`, `n_features`, `index`,
#'     `value`; no rows for generated data, where stability is not by unit.}
#'   \item{failures}{(data frame) `unit`, `half`, `selector`, `message`: selections that failed
#'     altogether, left out of the means.}
#'   \item{settings}{(list) `protocol` (string), `n`, `p`, `n_units`, `classifier`, `resampling`,
#'     `index`, `bayes_error` (generated data), `seed`.}
#' }
#' `summary()` adds paired comparisons, see [compare_evaluated()].
#' @section Errors:
#' Class `stabilect_error_input`: sizes above the number of features, a numeric response, names of
#' indices that are not known, names given twice.
#' @references Dernoncourt D, Hanczar B, Zucker J-D (2014). Stability of ensemble feature selection
#'   on high-dimension and low-sample size data. *ICPRAM 2014*, sections 3.2 and 3.3.
#' @family aggregation
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' result <- evaluate_selectors(
#'   x, mcl_sll$MCL, selector_filter("wilcoxon"),
#'   list(score = aggregate_score(), rank = aggregate_rank("mean")),
#'   n_features = 5, n_splits = 4, resampling = resample_bootstrap(10), seed = 1
#' )
#' result
#' compare_evaluated(result)
#' @export
evaluate_selectors <- function(x, y, selectors, aggregations = aggregate_score(),
                               n_features = 100, classifier = learner_lda(), n_splits = 50,
                               resampling = resample_bootstrap(40),
                               index = c("cw_rel", "nogueira"), seed = NULL, n_threads = 1,
                               progress = interactive(), checkpoint = NULL) {
  input <- read_input(x, y)
  x <- check_x(input$x)
  resampling <- plan_with_blocks(resampling, input$blocks)
  if (missing(n_features)) n_features <- min(100L, ncol(x))
  design <- check_design(
    selectors, aggregations, n_features, classifier, resampling, index, ncol(x), n_threads
  )
  response <- read_response(input$y, nrow(x))
  check_selectors_take(design$selectors, list(response = response))
  check_sample_names(response_names(input$y), rownames(x))
  check_has_classes(response)
  n_splits <- check_count(n_splits, "n_splits", min = 2)
  seed <- check_seed(seed)
  progress <- check_flag(progress, "progress")
  y <- plain_response(response)
  halves <- draw_resamples(
    resample_pairs(n_splits, blocks = design$resampling$blocks), y, seed = seed
  )
  seeds <- child_seeds(seed, halves$n_runs)
  store <- open_checkpoint(checkpoint, list(
    data = list(x, y), resamples = halves$fingerprint, settings = settings_of_design(design),
    seed = seed
  ))
  one_split <- with_data(function(split) {
    rows <- lapply(2L * split - 1:0, function(run) which(halves$counts[, run] > 0L))
    lapply(1:2, function(half) {
      test <- rows[[3L - half]]
      design$resampling <- plan_for_rows(design$resampling, rows[[half]])
      evaluate_training_set(
        x[rows[[half]], , drop = FALSE], y[rows[[half]]], x[test, , drop = FALSE], y[test],
        design, seeds[2L * split - 2L + half]
      )
    })
  }, x = x, y = y, halves = halves, seeds = seeds, design = design)
  units <- map_tasks(n_splits, one_split, "Splits", progress, store)
  result <- new_evaluation(units, design, "halves", list(
    n = nrow(x), p = ncol(x), n_units = n_splits, seed = seed, bayes_error = NA_real_
  ))
  with_input_notes(result, input$notes)
}

#' @rdname evaluate_selectors
#' @export
evaluate_generated <- function(data, n, selectors, aggregations = aggregate_score(),
                               n_features = 100, classifier = learner_lda(), n_sets = 50,
                               n_test = 10000, resampling = resample_bootstrap(40),
                               index = c("cw_rel", "nogueira"), seed = NULL, n_threads = 1,
                               progress = interactive(), checkpoint = NULL) {
  seed <- check_seed(seed)
  n_sets <- check_count(n_sets, "n_sets", min = 2)
  n_test <- check_count(n_test, "n_test", min = 4)
  seeds <- child_seeds(seed, 2L * n_sets + 1L)
  # The test set is drawn first: this also checks `data`.
  test <- generate_more(data, n_test, seeds[2L * n_sets + 1L])
  p <- ncol(test$x)
  if (missing(n_features)) n_features <- min(100L, p)
  design <- check_design(
    selectors, aggregations, n_features, classifier, resampling, index, p, n_threads
  )
  n <- check_count(n, "n", min = 4)
  progress <- check_flag(progress, "progress")
  store <- open_checkpoint(checkpoint, list(
    data = list(test, n), resamples = NULL, settings = settings_of_design(design), seed = seed
  ))
  one_set <- with_data(function(unit) {
    train <- generate_more(data, n, seeds[2L * unit - 1L])
    list(evaluate_training_set(train$x, train$y, test$x, test$y, design, seeds[2L * unit]))
  }, data = data, n = n, test = test, seeds = seeds, design = design)
  units <- map_tasks(n_sets, one_set, "Training sets", progress, store)
  new_evaluation(units, design, "generated", list(
    n = n, p = p, n_units = n_sets, seed = seed, bayes_error = data$bayes_error
  ))
}

# What decides the results: not how many threads there are.
settings_of_design <- function(design) {
  design[names(design) != "n_threads"]
}

# Everything that is the same for all splits.
check_design <- function(selectors, aggregations, n_features, classifier, resampling, index, p,
                         n_threads, call = rlang::caller_env()) {
  selectors <- check_selectors(selectors, call = call)
  if (inherits(aggregations, "stabilect_aggregation")) aggregations <- list(aggregations)
  if (!is.list(aggregations)) check_aggregation(aggregations, "aggregations", call)
  lapply(aggregations, check_aggregation, name = "aggregations", call = call)
  labels <- vapply(aggregations, function(one) one$label, "")
  given <- names(aggregations)
  if (!is.null(given)) labels <- ifelse(given == "", labels, given)
  again <- c("single", labels)[duplicated(c("single", labels))]
  if (length(again) > 0L) {
    abort("Two {.arg aggregations} are called {.val {again[1]}}; name them apart.", call = call)
  }
  if (!is.numeric(n_features) || length(n_features) == 0L || anyDuplicated(n_features)) {
    abort("{.arg n_features} must hold distinct whole numbers.", call = call)
  }
  sizes <- vapply(n_features, check_count, 1L, name = "n_features", max = p, call = call)
  check_learner(classifier, "classifier", call)
  if (!inherits(resampling, "stabilect_resampling")) {
    abort("{.arg resampling} must be a plan made by a {.code resample_*()} function, not
      {describe_value(resampling)}: each half needs draws of its own.", call = call)
  }
  known <- list_stability_indices()$index
  unknown <- if (is.character(index)) setdiff(index, known) else "index"
  if (length(unknown) > 0L || length(index) == 0L) {
    abort("{.arg index} must hold names from {.fn list_stability_indices}, such as
      {.val cw_rel}.", call = call)
  }
  list(
    selectors = selectors, aggregations = stats::setNames(aggregations, labels), sizes = sizes,
    classifier = classifier, resampling = resampling, index = index,
    n_threads = check_threads(n_threads, call)
  )
}
