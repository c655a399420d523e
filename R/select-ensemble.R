#' Select features with an ensemble
#'
#' Runs a selector on many resamples of the data (or several selectors, on random parts of the
#' features, with random settings) and aggregates their results into one ranking.
#'
#' @param x (numeric matrix, n samples x p features) or a data frame of numbers, or a sparse Matrix;
#'   no missing values; also factors, for filters, a matrix in a file, see section *x in a file*,
#'   and the other forms in [prepare_study()].
#' @param y (n values) response: classes (factor, character, logical, 0/1 or -1/1), numbers, or
#'   survival times (`survival::Surv(time, event)`, right-censored); which of them depends on the
#'   selector, see [list_selectors()].
#' @param data (data frame, or `NULL`) where the variables of a formula `x` are, such as that of
#'   `status ~ .`; `y` is then left out.
#' @param selector (`stabilect_selector`, or a list of several) such as `selector_filter("t")`;
#'   several make a heterogeneous ensemble, each on all resamples. With `parameters`, the function
#'   that makes the selector, such as `selector_filter` itself.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`, or `NULL`) a plan such as
#'   [resample_bootstrap()], or drawn resamples that are to be shared with another analysis. `NULL`:
#'   40 bootstraps, for classes, and samples with and without event, in their proportions
#'   (`stratify = TRUE`).
#' @param aggregation (`stabilect_aggregation`) such as [aggregate_score()].
#' @param n_features (whole number >= 1, `NULL` or `"own"`) how many features each run and the
#'   ensemble select, d in Dernoncourt et al. (2014). `NULL`: 100, or all when there are fewer.
#'   `"own"`: the runs' own sets and their median size, for selectors that choose a number
#'   themselves.
#' @param subspace (number in (0, 1\], or `NULL`) share of the features that each run looks at,
#'   drawn at random (rounded up).
#' @param parameters (named list of vectors or lists, or `NULL`) values of arguments of `selector`,
#'   of which each run draws one of each, at random.
#' @param aggregation_across (`stabilect_aggregation`) how the rankings of several selectors become
#'   one: each selector's runs are aggregated by `aggregation` first, so that scales do not mix.
#' @param learner (`stabilect_learner`, or `NULL`) such as [learner_lda()], or [learner_ridge()] for
#'   numbers and survival times, whose out-of-bag error on the selected features is to be estimated.
#' @param permute (whole number >= 0) how often to repeat everything on permuted responses, see
#'   [permutations]; 0 for none.
#' @param covariates (numeric vector, matrix or data frame with n rows, a formula such as `~ age +
#'   batch`, or `NULL`) what is known beside the features: features are scored given it, see
#'   [selector_filter()], and the `learner` has it in its models without a penalty, see
#'   [fit_model()]. The out-of-bag error is then compared with that of the covariates alone.
#' @param control (`stabilect_run_control`) threads, progress, checkpoint and early stopping, see
#'   [run_control()].
#' @param ... settings of [run_control()] by name, such as `n_threads = 2`.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) `NULL` takes one integer from R's
#'   generator, so that [set.seed()] works.
#'
#' @details
#' The selected features of a run are its `n_features` best, ties in column order; the print warns
#' when many were selected by column order, because that makes runs agree for no reason in the data.
#' A selector that makes sets (such as the lasso) selects at most its own set. The ensemble's
#' features are ordered by `aggregation`, ties as in [aggregate_runs()].
#'
#' Runs that fail, such as a resample with one class, are kept with their reason in
#' `selection$status` and left out of all averages.
#'
#' With `subspace`, the score of a feature is `NA` in the runs that did not look at it, and means
#' and frequencies are over the runs that did.
#'
#' **Out-of-bag error.** With a `learner`, every sample in turn is left out of the whole procedure,
#' without further runs. The runs that did not draw the sample are aggregated. The learner is
#' trained with the features so selected on all other samples but one of every other class, left
#' out at random (see [fealect()] for the reason), and predicts the sample, which has played no part
#' in the model. These runs are fewer than those of the full ensemble (about a third of them with
#' the bootstrap), so the estimate of the error is rather too high than too low. When the plan has
#' blocks, whole blocks are left out. The interval is that of [fealect()]. With numbers and survival
#' times no other samples are left out with one.
#'
#' For survival times the error is the discordance, 1 minus Harrell's concordance (Harrell et al.
#' 1982): the share of the pairs of samples, of which one is known to have had the event first, in
#' which the other one has the higher predicted risk; equal risks count one half. Without features
#' it is 1/2. The interval is normal on the logit scale, with three times the
#' infinitesimal-jackknife variance of `survival::concordance()`, because out-of-bag predictions
#' depend on each other.
#'
#' [aggregate_runs()] ranks the runs of an ensemble again by another aggregation.
#' @section x in a file:
#' An `FBM` (or `FBM.code256`) of bigstatsr, or a `DelayedMatrix` of DelayedArray such as an
#' `HDF5Matrix` of HDF5Array, n samples x p features, is read by slabs of 4,096 columns and is never
#' in memory as a whole; the results are those of the same numbers in memory, bit for bit. An `FBM`
#' has no column names: its features are called V1, V2, ... Missing values are looked for in one
#' pass before the runs. With samples in columns, `t()` transposes a `DelayedMatrix` at no cost, and
#' `bigstatsr::big_transpose()` writes another `FBM`.
#'
#' Such an x needs selectors that look at one feature at a time ([selector_filter()],
#' [selector_mutual_information()]) or [selector_screened()]; `subspace` and `parameters` need a
#' matrix in memory. Workers open the file under its own name. The scores of a filter are kept for
#' all features and runs, 8 p B bytes; those of [selector_screened()] are sparse.
#'
#' A sparse Matrix stays sparse, and is read by slabs too, for selectors that look at one feature at
#' a time; all others, such as [selector_lasso_path()], get it as a dense matrix. Which selectors
#' take which form of x is in `vignette("scaling-out")`.
#' @return An object of class `stabilect_ensemble`, a list with
#' \describe{
#'   \item{table}{(data frame) of all features, the best first: the table of `ranking`, with
#'     `direction` (string) as in [fealect()], for survival times `"+"` where large values come with
#'     early events; `NA` for factors.}
#'   \item{features}{(character) the selected features, best first.}
#'   \item{ranking}{(`stabilect_ranking`) of all features, see [aggregate_runs()].}
#'   \item{selection}{(`stabilect_selection`) score and selected features of every run; those of
#'     several selectors one selector after the other.}
#'   \item{runs}{(data frame, one row per run) `run`, `selector`, `resample` (column of the
#'     resamples), `status`, and one column for each of `parameters`.}
#'   \item{resamples}{(`stabilect_resamples`)}
#'   \item{oob}{(`stabilect_oob`) as in [fealect()], and `learner`; its `predictions` have no
#'     `link`, and `auc` is `NA` for a learner without decision values. For survival times
#'     `measure` is `"discordance"`, and `predictions` has `time` and `event` in place of
#'     `observed`. `NULL` without `learner`, or when no sample could be predicted.}
#'   \item{null}{(`stabilect_null`) what permutations say, see [permutations]; `NULL` without.}
#'   \item{asked}{(list) `selector` (character: their labels), `selector_hash` (string, of the
#'     settings of the selectors), `aggregation`, `n_features`, `subspace`, `parameters`,
#'     `aggregation_across` (`NULL` for a single selector), `learner`, `covariates` (matrix, or
#'     `NULL`) and `rule` (`"best"`).}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' `summary()` gives a list with the fields `ensemble`,
#' `best` (its first rows), `stability` (data frame, one row per selector: how much the runs agree,
#' see [stability()]; `NULL` for a single run) and `sizes` (of the runs).
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range, a response the selector cannot use, and
#' resamples of other data; `stabilect_error_runs` when no run of a selector succeeded;
#' `stabilect_error_learner` when the learner does not predict a class.
#' @references Dernoncourt D, Hanczar B, Zucker J-D (2014). Stability of ensemble feature selection
#'   on high-dimension and low-sample size data. *ICPRAM 2014*.
#'
#'   Harrell FE, Califf RM, Pryor DB, Lee KL, Rosati RA (1982). Evaluating the yield of medical
#'   tests. *JAMA* 247(18), 2543-2546.
#' @family aggregation
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- select_ensemble(x, mcl_sll$MCL, selector_filter("t"), n_features = 10, seed = 1)
#' fit
#' select_ensemble(
#'   x, mcl_sll$MCL, selector_filter("t"), n_features = 10, learner = learner_svm(), seed = 1
#' )$oob
#' selected(aggregate_runs(fit, aggregate_rank("mean")))
#' both <- list(selector_filter("t"), selector_filter("wilcoxon"))
#' select_ensemble(x, mcl_sll$MCL, both, subspace = 0.5, n_features = 10, seed = 1)$features
#' @order 1
#' @export
select_ensemble <- function(x, y, selector, resampling = NULL,
                            aggregation = aggregate_score(), n_features = NULL, subspace = NULL,
                            parameters = NULL, aggregation_across = aggregate_rank("mean"),
                            learner = NULL, permute = 0, covariates = NULL,
                            control = run_control(), ..., seed = NULL, data = NULL) {
  check_given(except = "y")
  control <- read_dots(list(...), control)$control
  label <- deparse1(substitute(selector))
  store <- function(x) store_x(x, selector, subspace, parameters)
  study <- open_study(
    x, y, takes_of("select_ensemble"), "an ensemble", store, covariates = covariates
  )
  check_varying(study$x)
  selectors <- check_selectors(selector, parameters, label)
  check_selectors_take(selectors, study)
  check_factor_use(selectors, study, learner)
  study <- hold_covariates(study)
  check_selectors_hold(selectors, study)
  warn_small_class(study)
  asked <- list(
    selector = names(selectors), selector_hash = hash_identity(list(selectors, parameters)),
    aggregation = check_aggregation(aggregation), n_features = check_set_size(n_features, study$p),
    subspace = if (!is.null(subspace)) check_fraction(subspace),
    parameters = parameters,
    aggregation_across = check_aggregation(aggregation_across, "aggregation_across"),
    learner = ensemble_learner(learner, study$response), covariates = study$response$covariates,
    rule = "best"
  )
  if (length(selectors) == 1L) asked["aggregation_across"] <- list(NULL)
  permute <- check_permute(permute)
  if (permute > 0L) held_in_null(study)
  seed <- check_seed(seed)
  if (is.null(resampling)) {
    resampling <- resample_bootstrap(40, stratify = can_stratify(study, 1))
  }
  draws <- study_draws(study, resampling, seed)
  procedure <- ensemble_procedure(asked, draws$plan, selectors, seed)
  fit <- carry_out(procedure, study, draws, control, study_record(study))
  add_null(fit, procedure, study, permute, control)
}

# @param learner (stabilect_learner, or NULL).
ensemble_learner <- function(learner, response) {
  if (is.null(learner)) {
    return(NULL)
  }
  check_learner(learner, "learner")
  check_learner_takes(learner, response)
  hold_in_learner(learner, response)
}

# A list of selectors with unique names. Selectors whose arguments are drawn come as functions.
# @param label (string) what to call such a function.
check_selectors <- function(selector, parameters = NULL, label = "selector") {
  if (!is.null(parameters)) {
    check_parameters(selector, parameters)
    return(stats::setNames(list(selector), if (nchar(label) > 40L) "selector" else label))
  }
  if (inherits(selector, "stabilect_selector")) {
    return(stats::setNames(list(selector), selector$name))
  }
  if (!is.list(selector) || length(selector) == 0L) {
    check_selector(selector)
  }
  lapply(selector, check_selector)
  labels <- vapply(selector, function(one) one$name, "")
  given <- names(selector)
  if (!is.null(given)) labels <- ifelse(given == "", labels, given)
  stats::setNames(selector, make.unique(labels, sep = "_"))
}

check_parameters <- function(selector, parameters) {
  refuse(!is.function(selector),
    "With {.arg parameters}, {.arg selector} must be the function that makes the selector, such
      as {.code selector_filter} without brackets, not {describe_value(selector)}."
  )
  ok <- is.vector(parameters, "list") && length(parameters) > 0L && all(lengths(parameters) > 0L)
  refuse(!ok || is.null(names(parameters)) || anyDuplicated(names(parameters)),
    "{.arg parameters} must be a list of values with the names of arguments, not
      {describe_value(parameters)}."
  )
  unknown <- setdiff(names(parameters), names(formals(selector)))
  refuse(length(unknown) > 0L && !"..." %in% names(formals(selector)),
    "{.arg parameters} names {.val {unknown[1]}}, but {.arg selector} has the arguments
      {.val {names(formals(selector))}}."
  )
}

# The response must suit all selectors. With `parameters`, the selectors are not known before the
# runs.
check_selectors_take <- function(selectors, study) {
  for (one in Filter(Negate(is.function), selectors)) {
    check_takes(study$response, one$responses, one$label)
  }
}

# @return integer, or "own" for the sets of the runs themselves.
check_set_size <- function(n_features, p) {
  if (is.null(n_features)) {
    return(min(100L, p))
  }
  if (identical(n_features, "own")) {
    return(n_features)
  }
  refuse(is.character(n_features),
    "{.arg n_features} must be a whole number, {.val own} or NULL, not
      {describe_value(n_features)}."
  )
  check_count(n_features, max = p)
}
