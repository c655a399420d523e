#' Evaluation of selectors and aggregations: prediction error against stability
#'
#' Follows the protocol of Dernoncourt et al. (2014), which divides the samples into two halves many
#' times. Features are selected on each half, by a single selector and by ensembles. Stability is
#' the similarity of the features selected on the two halves, which share no sample. The error is
#' measured for a learner trained on one half and tested on the other. For data of
#' [simulate_data()], training sets are drawn from the known model instead.
#'
#' @inheritParams arguments
#' @param x,y (as in [select_ensemble()]) the data. Or `x` is the result of [simulate_data()],
#'   without `y`: then `n_repeats` training sets of the same size are drawn from its model, and its
#'   own samples are not used.
#' @param selectors (`stabilect_selector`, a function, or a list of these; functions need names)
#'   selectors to compare. A function of (`x`, `y`, ...) is a whole procedure that returns a result:
#'   [fealect()] itself, or `function(x, y, ...) stability_selection(x, y, q = 20, pfer = 1, ...)`.
#'   It gets `seed`, `n_threads` and `progress` if it takes them.
#' @param aggregation (`stabilect_aggregation`, or a list of them, named or not) rules for the
#'   ensembles; `list()` for none. A single selection on all samples of the half, `"single"`, is
#'   always included.
#' @param n_features (whole numbers >= 1, or `NULL`) sizes of the selections; `NULL` for 100, or all
#'   features if there are fewer. For functions, the best features of their table, in addition to
#'   their own selection.
#' @param learner (`stabilect_learner`, or a list of them, named or not, or `NULL`) learners, each
#'   trained on the selected features. `NULL`: [learner_lda()] for classes, [learner_ridge()] for
#'   numbers and survival times.
#' @param n_repeats (whole number >= 2) number of divisions of the samples, or of generated training
#'   sets.
#' @param n_test (whole number >= 4) for generated data: samples in the test set.
#' @param resampling (`stabilect_resampling`) resamples of the ensembles, within a half. If it has
#'   blocks, the halves also consist of whole blocks.
#' @param index (character) names of stability indices, see [list_available()].
#' @param metric (string, or `NULL`) measure of predictions, see [measure_predictions()]. The error
#'   is a loss like `"rmse"` or `"integrated_brier"` itself, and 1 minus any other measure, for
#'   example `"auc"`. `NULL`: the errors below.
#' @param covariates (numeric vector, matrix or data frame with n rows, a formula, or `NULL`)
#'   covariates, for example age and batch. Selectors adjust scores for them; learners have them in
#'   their models without a penalty, see [fit_model()]. With covariates, a `learner` of `NULL` is
#'   [learner_logistic()] for classes. Not for generated data.
#' @param control (`stabilect_run_control`) threads, progress, checkpoint and early stopping, see
#'   [run_control()]. A rule `until` must be satisfied for the features of every selector,
#'   aggregation and size over all halves; not for generated data.
#' @param ... settings of [run_control()] by name, for example `n_threads = 2`.
#'
#' @details
#' [resample_pairs()] draws the halves without replacement, each with samples of at least two
#' classes; for odd n, one sample is in neither. Selection and training on one half never use
#' samples of the other. The ensembles of a half share their runs: a further aggregation or size
#' costs little, a further selector costs its runs. All selectors see the same resamples.
#'
#' `error` is the share of misclassified samples, for numbers the mean squared error, for survival
#' times the discordance (see [select_ensemble()]). It is averaged over the two directions of a
#' split. For survival times the halves have the same share of events. Stability compares the two
#' sets of a split. Standard errors and paired comparisons are over splits. All splits are of the
#' same samples. Standard errors therefore show how much more splits could change the means, not how
#' much new data could. With generated data, stability is computed from the selections of all
#' training sets, which share no samples. Its standard error is the jackknife over sets (see
#' [stability()]), and the error is on samples that no selection has seen.
#'
#' `summary()` adds **paired comparisons**: differences within the same splits (or training sets),
#' in which the difficulty of a split cancels out. Selectors are compared by a t test. Splits share
#' samples, so that the usual t test over splits finds differences that other samples do not show.
#' The test here takes \eqn{(1 / J + 1) s^2} as the variance of a mean over J splits (Nadeau and
#' Bengio 2003). More splits make it no more certain than one data set can be. With generated data
#' it is the usual t test.
#' @return An object of class `stabilect_evaluation`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per selector, aggregation, size and learner) `selector`,
#'   `aggregation` (`"single"` without ensemble, `"own"` for functions), `n_features` (`NA` for a
#'   function's own selection), `learner`, `n_selected` (mean size of the lists; below `n_features`
#'   where fewer features have a score), `error` (mean over splits or training sets), `error_se`
#'   (its standard error: standard deviation over these, divided by the square root of their number;
#'   `NA` for a single one), and for each index its name and name`_se`. With splits, standard errors
#'   refer to the mean over all splits of these samples. The difference to other samples of the same
#'   kind can be several times as large.}
#'   \item{errors}{(data frame) `unit` (split or training set), `selector`, `aggregation`,
#'     `n_features`, `learner`, `error`; `NA` if the selection failed.}
#'   \item{stabilities}{(data frame) `unit`, `selector`, `aggregation`, `n_features`, `index`,
#'   `value`; no rows for generated data, where stability is not by unit.}
#'   \item{failures}{(data frame) `unit`, `half`, `selector`, `message`: selections that failed
#'   altogether, left out of the means.}
#'   \item{without_features}{(data frame) `learner`, `error`, `error_se`: errors of the covariates
#'   alone over the same splits, to show what features add; `NULL` without covariates.}
#'   \item{bayes_error}{(number) Bayes error of the model; `NULL` unless data are generated.}
#'   \item{asked}{(list) `selectors`, `aggregation`, `n_features`, `learner`, `n_repeats`, `n_test`,
#'   `resampling`, `index`, `covariates` (matrix, or `NULL`): the arguments, defaults filled in.}
#'   \item{study,made}{(lists) about the data and the runs, see [results]; `made$n_runs` splits or
#'   training sets.}
#' }
#' `summary()` gives a list that prints its tables, `selectors` and `comparison`. `selectors` is a
#' data frame with a row for each pair of selectors, aggregation, size, learner and measure:
#' `first`, `second`, `aggregation`, `n_features`, `learner`, `measure`, `difference` (mean over
#' splits of `first` minus `second`), `se`, `n` and `p_value`. `comparison` is a data frame with a
#' row for each selector, aggregation, size, learner and measure: `selector`, `aggregation`,
#' `n_features`, `learner` (`NA` for stability), `measure` (`"error"` or the name of an index),
#' `difference` (mean over splits of the value minus the value of `reference`), `se` and `n` (splits
#' with both values). For generated data only the error is compared.
#' @section Errors:
#' Class `stabilect_error_input` for sizes above the number of features, a learner or selector that
#' does not take the outcome, fewer than four events, unknown indices, and duplicated names.
#' @references Dernoncourt D, Hanczar B, Zucker J-D (2014). Stability of ensemble feature selection
#'   on high-dimension and low-sample size data. *ICPRAM 2014*, sections 3.2 and 3.3.
#'
#'   Nadeau C, Bengio Y (2003). Inference for the generalization error. *Machine Learning* 52(3),
#'   239-281.
#' @concept cross-validation
#' @concept overfitting
#' @concept selection bias
#' @concept benchmark
#' @family aggregation
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' result <- evaluate_selectors(
#'   x, mcl_sll$MCL, selector_filter("wilcoxon"),
#'   list(score = aggregate_by(), rank = aggregate_by("mean_rank")),
#'   n_features = 5, n_repeats = 4, resampling = resample_bootstrap(10), seed = 1
#' )
#' result
#' summary(result)$comparison
#'
#' data <- simulate_data("NC100", n = 40, n_total = 200, seed = 1)
#' evaluate_selectors(
#'   data, selectors = selector_filter("t"), n_features = 20, n_repeats = 4, n_test = 500,
#'   resampling = resample_bootstrap(10), seed = 1
#' )
#' @order 1
#' @export
evaluate_selectors <- function(x, y, selectors, aggregation = aggregate_by(),
                               n_features = NULL, learner = NULL, n_repeats = 50,
                               n_test = 10000, resampling = resample_bootstrap(40),
                               index = c("cw_rel", "nogueira"), covariates = NULL,
                               metric = NULL, control = run_control(), ..., seed = NULL,
                               data = NULL) {
  check_given(except = "y")
  control <- read_dots(list(...), control)$control
  data <- if (inherits(x, "stabilect_simulated_data")) x
  if (!is.null(data)) {
    refuse(!missing(y), "{.arg x} is generated data with classes of its own: leave {.arg y} out.")
    y <- data$y
    x <- data$x
  }
  selectors <- check_judged(selectors, deparse1(substitute(selectors)))
  study <- open_judged_study(x, y, selectors, covariates)
  check_judged_hold(selectors, study, data)
  check_plan_samples(resampling, samples_of_study(study))
  if (is.null(data)) check_class_sizes(study$response)
  asked <- check_evaluation(
    selectors, aggregation, n_features, learner,
    plan_with_blocks(resampling, study$response$blocks), index,
    study
  )
  asked$metric <- check_evaluation_metric(metric, study$response$type, asked$learner)
  asked$n_repeats <- check_count(n_repeats, min = 2)
  asked$n_test <- if (!is.null(data)) check_count(n_test, min = 4)
  seed <- check_seed(seed)
  hash <- hash_study(study)
  runs <- if (is.null(data)) {
    judge_halves(study, asked, control, seed, hash)
  } else {
    judge_generated(data, asked, control, seed)
  }
  asked$selectors <- lapply(asked$selectors, without_work)
  new_evaluation(runs, asked, study_record(study, hash), seed, data)
}
register_verb("evaluate_selectors", place = 15, without = "count")

# Every half is a run: its selection and model are tested on the other half of its split.
judge_halves <- function(study, asked, control, seed, hash) {
  y <- response_labels(study$response)
  # Classes are divided at random, as in the paper, but for events and balanced designs.
  shared <- "halves" %in% outcome_of(study$response)$shared || is_designed(study$response)
  plan <- resample_pairs(
    asked$n_repeats, stratify = shared && can_stratify(study, 1 / 2),
    blocks = asked$resampling$blocks
  )
  draws <- study_draws(study, plan, seed, part = TRUE)
  work <- halves_work(study, y, draws, asked, seed, control$n_threads)
  job <- new_job(
    list(work), "Halves", list(asked),
    bind = function(values, draws) list(parts = unlist(values[[1]], recursive = FALSE)),
    look = function(runs) selections_of_parts(runs$parts, study$p, study$feature_names)
  )
  done <- do_job(draws, job, control, hash)
  parts <- done$parts
  list(
    units = lapply(seq_len(length(parts) %/% 2L), function(split) parts[2L * split - 1:0]),
    until = done$until
  )
}

# The work on a block of halves.
halves_work <- function(study, y, draws, asked, seed, n_threads) {
  x <- study$x
  z <- study$response$covariates
  counts <- draws$counts
  seeds <- child_seeds(seed, draws$n_runs)
  one_by_one(with_data(function(half) {
    rows <- which(counts[, half] > 0L)
    test <- which(counts[, half + if (half %% 2L == 1L) 1L else -1L] > 0L)
    asked$resampling <- plan_for_rows(asked$resampling, rows)
    evaluate_training_set(
      x[rows, , drop = FALSE], label_rows(y, rows), x[test, , drop = FALSE], label_rows(y, test),
      asked, seeds[half], n_threads, z[rows, , drop = FALSE], z[test, , drop = FALSE]
    )
  }, x = x, y = y, z = z, counts = counts, seeds = seeds, asked = asked, n_threads = n_threads))
}

# Independent training sets from the model, with one test set that no selection sees.
judge_generated <- function(data, asked, control, seed) {
  refuse(!is.null(control$until), c("{.arg until} must be NULL here.",
    i = "Generated training sets are no resamples of one data set."
  ))
  n <- nrow(data$x)
  n_sets <- asked$n_repeats
  seeds <- child_seeds(seed, 2L * n_sets + 1L)
  test <- simulate_again(data, asked$n_test, seeds[2L * n_sets + 1L])
  n_threads <- control$n_threads
  task <- with_data(function(set) {
    train <- simulate_again(data, n, seeds[2L * set - 1L])
    list(evaluate_training_set(
      train$x, train$y, test$x, test$y, asked, seeds[2L * set], n_threads
    ))
  }, data = data, n = n, test = test, seeds = seeds, asked = asked, n_threads = n_threads)
  identity <- list(data = list(test, n), settings = asked)
  units <- run_tasks(n_sets, task, control, "Training sets", identity, seed)
  list(units = units)
}

# What a result keeps of a compared procedure: enough to tell it from others.
without_work <- function(rule) {
  if (!inherits(rule, "stabilect_procedure")) {
    return(rule)
  }
  structure(unclass(rule)[c("name", "key")], class = class(rule))
}
