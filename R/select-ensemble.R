#' Ensemble feature selection
#'
#' Runs a selector on many resamples of the data and aggregates the runs into one ranking. An
#' ensemble may also consist of several selectors, random parts of the features, or random settings.
#' Its list has no error rate; [stability_selection()] with `selector` has one.
#'
#' @inheritParams arguments
#' @param x (numeric matrix, n samples x p features) data; or a data frame of numbers, a sparse
#'   Matrix, factors (for filters), a matrix in a file (see section *x in a file*), or another form
#'   of [prepare_study()]. No missing values.
#' @param y (n values) outcome: classes (factor, character, logical, 0/1 or -1/1), numbers, or
#'   right-censored survival times (`survival::Surv(time, event)`). [list_available()] shows which
#'   outcomes a selector supports.
#' @param selector (`stabilect_selector`, or a list of several) for example `selector_filter("t")`.
#'   Several make a heterogeneous ensemble, each on all resamples. With `parameters`, the function
#'   that makes the selector, for example `selector_filter` itself.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`, or `NULL`) a plan, for
#'   example [resample_bootstrap()], or drawn resamples to share with another analysis. `NULL` takes
#'   40 bootstrap samples that keep the proportions of classes, or of samples with and without event
#'   (`stratify = TRUE`).
#' @param aggregation (`stabilect_aggregation`) rule that aggregates the runs, see [aggregate_by()].
#' @param n_features (whole number >= 1, `NULL` or `"own"`) number of features that each run and the
#'   ensemble select, d in Dernoncourt et al. (2014). `NULL` takes 100, or all if there are fewer.
#'   `"own"` takes the runs' own sets and their median size, for selectors that choose a number
#'   themselves.
#' @param subspace (number in (0, 1\], or `NULL`) share of the features that each run looks at,
#'   drawn at random (rounded up).
#' @param parameters (named list of vectors or lists, or `NULL`) values of arguments of `selector`.
#'   Each run draws one value of each at random.
#' @param aggregation_across (`stabilect_aggregation`) rule that combines the rankings of several
#'   selectors. The runs of each selector are first aggregated by `aggregation`, which keeps scales
#'   apart.
#' @param learner (`stabilect_learner`, or `NULL`) learner whose out-of-bag error on the selected
#'   features is estimated, for example [learner_lda()], or [learner_ridge()] for numbers and
#'   survival times.
#' @param permute (whole number >= 0) number of permutations of the outcome, each with the whole
#'   procedure, see [permutations]; 0 for none.
#' @param covariates (numeric vector, matrix or data frame with n rows, a formula, for example `~
#'   age + batch`, or `NULL`) variables to adjust for. Features are scored given the covariates, see
#'   [selector_filter()], and models of the `learner` contain them without a penalty, see
#'   [fit_model()]. The out-of-bag error is then compared with the error of the covariates alone.
#' @param ... settings of [run_control()] by name, for example `n_threads = 2`.
#' @details
#' The selected features of a run are its `n_features` best. Features with equal scores are ordered
#' at random, by the seed of the run and their names; the print warns if many were selected so. A
#' list contains what has a score: with scores of 0 or more, a feature that scored 0 is never
#' selected, and lists are shorter where fewer features have a score. A selector that makes sets
#' (for example the lasso) selects at most its own set. The features of the
#' ensemble are ordered by `aggregation`, ties as in [aggregate()][aggregate.stabilect_selection].
#'
#' Runs that fail, for example on a resample with one class, are kept with their reason in
#' `selection$status` and left out of all averages.
#'
#' With `subspace`, the score of a feature is `NA` in the runs that did not look at it. Means and
#' frequencies use the runs that did.
#'
#' **Out-of-bag error.** With a `learner`, every sample in turn is left out of the whole procedure,
#' without further runs. The runs that did not draw the sample are aggregated. The learner is
#' trained with these features on all other samples except one of every other class, left out at
#' random (see [fealect()] for the reason). It then predicts the sample. These are fewer runs than
#' in the full ensemble (about a third with the bootstrap): the estimated error is rather too high
#' than too low. If the plan has blocks, whole blocks are left out. The interval is computed as in
#' [fealect()]. With numbers and survival times no other samples are left out.
#'
#' For survival times the error is the discordance, 1 minus Harrell's concordance (Harrell et al.
#' 1982). It uses the pairs of samples of which one is known to have had the event first, and is the
#' share in which the other one has the higher predicted risk; equal risks count one half. Without
#' features it is 1/2. Concordance and AUC compare pairs of samples by models that have seen
#' neither, as in [fealect()]: at most 200 pairs, or as many as there are samples, up to 1,000, each
#' with a training of the learner.
#'
#' [aggregate()][aggregate.stabilect_selection] ranks the runs of an ensemble again by another rule.
#' @section x in a file:
#' `x` can be an `FBM` (or `FBM.code256`) of bigstatsr, or a `DelayedMatrix` of DelayedArray, for
#' example an `HDF5Matrix` of HDF5Array, n samples x p features. It is read by slabs of 4,096
#' columns and never in memory as a whole; results are the same as in memory, bit for bit. An `FBM`
#' has no column names: its features are called V1, V2, ... One pass before the runs looks for
#' missing values. With samples in columns, `t()` transposes a `DelayedMatrix` at no cost, and
#' `bigstatsr::big_transpose()` writes another `FBM`.
#'
#' These matrices need selectors that look at one feature at a time ([selector_filter()]) or
#' [selector_screened()]; `subspace` and `parameters` need a matrix in memory. Workers open the file
#' under its own name. The scores of a filter are kept for all features and runs, 8 p B bytes; the
#' scores of [selector_screened()] are sparse.
#'
#' A sparse Matrix stays sparse, and is also read by slabs, for selectors that look at one feature
#' at a time. All others, for example [selector_lasso_path()], get a dense matrix.
#' `vignette("scaling-out")` shows which selectors support which form of x.
#' @return An object of class `stabilect_ensemble`, a list with
#' \describe{
#'   \item{table}{(data frame, all features, the best first) the table of `ranking`, with
#'   `direction` (string) as in [fealect()]; for survival times `"+"` if large values come with
#'   early events; `NA` for factors.}
#'   \item{features}{(character) the selected features, best first.}
#'   \item{ranking}{(`stabilect_ranking`) ranking of all features, see
#'   [aggregate()][aggregate.stabilect_selection].}
#'   \item{selection}{(`stabilect_selection`) score and selected features of every run; several
#'   selectors follow one another.}
#'   \item{runs}{(data frame, one row per run) `run`, `selector`, `resample` (column of the
#'     resamples), `status`, and one column for each of `parameters`.}
#'   \item{resamples}{(`stabilect_resamples`)}
#'   \item{oob}{(`stabilect_oob`) as in [fealect()], and `learner`; its `predictions` have no
#'   `link`, and `auc` is `NA` for a learner without decision values. For survival times `measure`
#'   is `"discordance"`, and `predictions` has `time` and `event` instead of `observed`. `NULL`
#'   without `learner`, or if no sample could be predicted.}
#'   \item{null}{(`stabilect_null`) what permutations say, see [permutations]; `NULL` without.}
#'   \item{asked}{(list) `selector` (character: their labels), `selector_hash` (string, of the
#'     settings of the selectors), `aggregation`, `n_features`, `subspace`, `parameters`,
#'     `aggregation_across` (`NULL` for a single selector), `learner`, `covariates` (matrix, or
#'     `NULL`) and `rule` (`"best"`).}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' `summary()` gives a list with `fit`, `best` (the first rows of `table`), `stability` (data frame,
#' one row per selector: agreement of the runs, see [stability()]; `NULL` for a single run) and
#' `sizes` (of the runs).
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range, an outcome that the selector does not
#' support, and resamples of other data; `stabilect_error_runs` if no run of a selector succeeded;
#' `stabilect_error_learner` if the learner does not predict a class.
#' @references Dernoncourt D, Hanczar B, Zucker J-D (2014). Stability of ensemble feature selection
#'   on high-dimension and low-sample size data. *ICPRAM 2014*.
#'
#'   Harrell FE, Califf RM, Pryor DB, Lee KL, Rosati RA (1982). Evaluating the yield of medical
#'   tests. *JAMA* 247(18), 2543-2546.
#' @concept biomarker
#' @concept gene selection
#' @concept ensemble feature selection
#' @concept HDF5
#' @concept DelayedArray
#' @concept bagging
#' @family aggregation
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- select_ensemble(x, mcl_sll$MCL, selector_filter("t"), n_features = 10, seed = 1)
#' fit
#' select_ensemble(
#'   x, mcl_sll$MCL, selector_filter("t"), n_features = 10, learner = learner_svm(), seed = 1
#' )$oob
#' selected(aggregate(fit, aggregate_by("mean_rank")))
#' both <- list(selector_filter("t"), selector_filter("wilcoxon"))
#' select_ensemble(x, mcl_sll$MCL, both, subspace = 0.5, n_features = 10, seed = 1)$features
#' @order 1
#' @export
select_ensemble <- function(x, y, selector, resampling = NULL,
                            aggregation = aggregate_by(), n_features = NULL, subspace = NULL,
                            parameters = NULL, aggregation_across = aggregate_by("mean_rank"),
                            learner = NULL, permute = 0, covariates = NULL,
                            control = run_control(), ..., seed = NULL, data = NULL) {
  check_given(except = "y")
  control <- read_dots(list(...), control)$control
  label <- deparse1(substitute(selector))
  store <- function(x) store_x(x, selector, subspace, parameters)
  study <- open_study(
    x, y, takes_of("select_ensemble"), "an ensemble", store, covariates = covariates,
    roles = list(within = NULL)
  )
  check_varying(study$x)
  selectors <- check_selectors(selector, parameters, label)
  check_selectors_take(selectors, study)
  check_factor_use(selectors, study, learner)
  check_selectors_hold(selectors, study)
  warn_scarce(study$response)
  asked <- list(
    selector = names(selectors), selector_hash = hash_identity(list(selectors, parameters)),
    aggregation = check_aggregation(aggregation), n_features = check_set_size(n_features, study$p),
    subspace = if (!is.null(subspace)) check_fraction(subspace),
    parameters = parameters,
    aggregation_across = check_aggregation(aggregation_across, "aggregation_across"),
    learner = ensemble_learner(learner, study$response), rule = "best"
  )
  if (length(selectors) == 1L) asked["aggregation_across"] <- list(NULL)
  permute <- check_permute(permute)
  if (permute > 0L) check_residuals(study)
  seed <- check_seed(seed)
  if (is.null(resampling)) {
    resampling <- resample_bootstrap(40, stratify = can_stratify(study, 1))
  }
  draws <- study_draws(study, resampling, seed)
  if (!is.null(draws$plan$blocks)) study <- with_blocks(study, draws)
  procedure <- ensemble_procedure(asked, draws$plan, selectors, seed)
  expect_permutations(permute, procedure)
  fit <- carry_out(procedure, study, draws, control, study_record(study))
  if (permute > 0L) add_null(fit, procedure, study, permute, control) else fit
}
register_verb("select_ensemble", place = 8, without = "count")

# @param learner (stabilect_learner, or NULL).
ensemble_learner <- function(learner, response) {
  if (is.null(learner)) {
    return(NULL)
  }
  check_learner(learner, "learner")
  check_learner_takes(learner, response)
  hold_in_learner(learner, response)
}

# @return integer, or "own" for the runs' own sets.
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
