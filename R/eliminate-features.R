#' Recursive feature elimination
#'
#' A learner ranks the features, the least important ones are eliminated, and the learner ranks the
#' remaining ones again (Guyon et al. 2002). Resampling shows how well the learner predicts with
#' each number of features (size). The search decides which sizes are evaluated: Fibonacci search
#' and k-subsecting (Brzezinski 2020) need \eqn{O(\log p)} of the p sizes.
#'
#' @inheritParams arguments
#' @param y (n values) outcome: two or more classes (factor, character, logical, 0/1 or -1/1),
#'   numbers, or right-censored survival times (`survival::Surv(time, event)`).
#' @param learner (`stabilect_learner`, or `NULL`) learner with an importance, see
#'   [learner_logistic()]. `NULL`: [learner_svm()] for classes, [learner_ridge()] for numbers and
#'   survival times.
#' @param search (`stabilect_search`, or `NULL`) sizes to evaluate, see [search_peak()]. `NULL`:
#'   with `size_rule = "one_se"` from all features to one, 30 % fewer at a time
#'   (`search_sizes(step = 0.3)`), since the fewest that predict as well may be far fewer than the
#'   best number, around which `search_peak()` looks; `search_peak()` with `size_rule = "best"`.
#' @param resampling (`stabilect_resampling`, or drawn `stabilect_resamples`, or `NULL`) every run
#'   eliminates features on its in-bag samples and is judged on the others. `NULL`: five folds, or
#'   one per block if there are fewer blocks, stratified by class or event unless a block has
#'   several classes.
#' @param metric (string, or `NULL`) measure to maximise, see [measure_predictions()]. `NULL`:
#'   accuracy for classes, `"r_squared"` for numbers, `"concordance"` for survival times.
#' @param tie (string) the best size if several have the best mean score. The rule is the same for
#'   every search.
#' @param size_rule (string) `"one_se"`: the smallest evaluated size whose mean score is at most one
#'   standard error (of the best size's, over runs) worse than the best; or `"best"`: the size with
#'   the best mean score. See *One standard error* in [eliminate_features()].
#' @param max_features (whole number >= 1, or `NULL`) largest size that may be chosen, for example 8
#'   for a panel of at most eight features; it is evaluated beside the sizes of the search. `NULL`:
#'   no limit.
#' @param refit (flag) also eliminate on all samples, for the final features, ranking and model?
#' @param covariates (numeric vector, matrix or data frame with n rows, a formula like `~ age +
#'   batch`, or `NULL`) covariates to adjust for: they are in every model without a penalty (see
#'   [fit_model()]) and are never eliminated. A `learner` of `NULL` is then [learner_logistic()] for
#'   classes; [learner_ridge()] also adjusts. In `predict()`, covariates of the new samples; `NULL`
#'   takes them from the columns of `newdata`, by name.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) seed of the resamples and of learners
#'   that draw; `NULL` takes one integer from R's generator.
#' @param control (`stabilect_run_control`) threads, progress and checkpoint, see [run_control()].
#'   Every step of the search has its own checkpoint file. `until` does not apply: all runs together
#'   decide the next sizes.
#' @param ... settings of [run_control()] by name, for example `n_threads = 2`.
#'
#' @details
#' **Each run has its own ranking.** Only the mean score over runs is shared: it decides the next
#' sizes. The features of a size are the best ones of the model at the next larger size that the run
#' has evaluated by then. Scaling and ranking use the in-bag samples only, so the selection does not
#' bias a single score. The best of many scores is too optimistic, however; [evaluate_elimination()]
#' judges the whole procedure.
#'
#' **One standard error.** Which of many sizes is the best is partly chance. `"one_se"` takes the
#' fewest evaluated features that predict as well (Breiman et al. 1984); the result has both sizes.
#' A single usable run has no standard error: the rule then takes the smallest size with the best
#' score. When
#' each run leaves out one sample, the standard error is over samples.
#'
#' **`selection`** contains the features of every run at the chosen size; its [stability()] is the
#' stability of the procedure. The score of a feature is p + 1 minus its rank, where features
#' eliminated later have better ranks. The ranks follow the sizes above the chosen one, and the
#' sizes below it that were evaluated starting from it. Features eliminated together, or not at all,
#' are ranked by their importance. `importance` belongs to the model at the chosen size. This model
#' is fitted again if its importances were not kept (above 1000 features in the middle of a path).
#'
#' **Refit.** The evaluated sizes, down to the chosen one, form one elimination path on all samples;
#' the learner is fitted to its last set.
#'
#' **Early stop.** A search with `max_steps` may stop before it has finished. `interval` then shows
#' where a better size may be, provided that the scores have a single peak. It is one size if both
#' neighbours of the best size have been evaluated.
#'
#' Linear learners update the inner products of the samples: the products of eliminated features are
#' subtracted. The matrix is computed from scratch when fewer features remain than were eliminated
#' since the last time, or when its trace has fallen below a thousandth. Rounding errors therefore
#' do not accumulate. Below n / 2 features these learners are fitted in the coordinates of the
#' features.
#'
#' Numbers and survival times are eliminated by the squared weights of [learner_ridge()]. The linear
#' support vector regression in the unit tests of Brzezinski's code has no counterpart here.
#' @return An object of class `stabilect_elimination`, a list with
#' \describe{
#'   \item{table}{(data frame, p rows, best first) `feature`, `rank` and `selected` (by the final
#'     ranking; `NA` without refit), `frequency` (share of the runs that have it at the chosen
#'     size), `mean_rank` (over runs).}
#'   \item{features}{(character) the chosen features, the most important first; `NULL` without
#'     refit.}
#'   \item{n_features}{(integer) the chosen size; `best` and `one_se`: the size by either rule.}
#'   \item{ranking}{(integer, p, named) 1 is the most important; `NULL` without refit.}
#'   \item{model}{the fit of the learner; `NULL` without refit.}
#'   \item{sizes}{(data frame, a row per evaluated size, falling) `size`, `pass` (step of the
#'   search), `score` (mean over runs), `se`.}
#'   \item{scores}{(data frame) `size`, `run`, `score`.}
#'   \item{rankings}{(integer matrix, p x runs) rank of each feature in each run; `NA` for failed
#'   runs.}
#'   \item{selection}{(`stabilect_selection`) what each run selected at the chosen size.}
#'   \item{interval}{(integer, `lower` and `upper`) sizes that may be better.}
#'   \item{complete}{(flag) did the search finish?}
#'   \item{n_fits}{(integer) number of fitted models, including the refit.}
#'   \item{without_features}{(list) with covariates, `score` and `se`: the metric of the covariates
#'     alone in the same runs.}
#'   \item{resamples}{(`stabilect_resamples`)}
#'   \item{asked}{(list) `learner`, `search`, `metric`, `tie`, `size_rule`, `refit`, `max_features`
#'     (if given), `covariates` (matrix, or `NULL`).}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' `predict()` gives classes, for `type = "probability"` a matrix with a column per class, or
#' numbers. `summary()` gives a list that prints its tables, `sizes` and `stability` (of the
#' features of the runs).
#' @section Errors:
#' * Class `stabilect_error_input`: a learner that does not take the outcome, has no importance, or
#'   lacks what the metric needs.
#' * Class `stabilect_error_learner`: a function of the user fails, or the metric is not defined in
#'   any run.
#' * Class `stabilect_error_runs`: the package of a learner fails in every run, or on all samples.
#'   Runs in which it fails are left out at all sizes, and `resamples$status` gives the reason.
#' @references Breiman L, Friedman JH, Olshen RA, Stone CJ (1984). *Classification and Regression
#'   Trees*. Wadsworth.
#'
#'   Guyon I, Weston J, Barnhill S, Vapnik V (2002). Gene selection for cancer
#'   classification using support vector machines. *Machine Learning* 46, 389-422.
#'
#'   Brzezinski D (2020). Fibonacci and k-subsecting recursive feature elimination. *arXiv*
#'   2007.14920.
#' @concept gene selection
#' @concept recursive feature elimination
#' @concept gene signature
#' @family elimination
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- eliminate_features(x, mcl_sll$MCL, learner_svm(), seed = 1)
#' fit
#' stability(fit$selection)
#' table(predict(fit, x), mcl_sll$MCL)
#' # A panel of at most eight features; evaluate_elimination() with the same limit has its error.
#' selected(eliminate_features(x, mcl_sll$MCL, max_features = 8, seed = 1))
#' @export
eliminate_features <- function(x, y, learner = NULL, search = NULL,
                               resampling = NULL, metric = NULL,
                               tie = c("smallest", "largest"), size_rule = c("one_se", "best"),
                               refit = TRUE, covariates = NULL, control = run_control(), ...,
                               max_features = NULL, seed = NULL, data = NULL) {
  check_given(except = "y")
  control <- read_dots(list(...), control, unused = c(
    until = "The runs depend on each other: together they say which sizes come next."
  ))$control
  study <- open_study(
    x, y, takes_of("eliminate_features"), "recursive feature elimination",
    covariates = covariates
  )
  check_varying(study$x)
  asked <- check_elimination(
    study$response, learner, search, metric, tie, size_rule, refit,
    max_features = max_features
  )
  seed <- check_seed(seed)
  draws <- elimination_draws(study, resampling, 5, seed)
  tree <- new_tree(study, draws, asked, seed, control)
  expect_stages(costs_of_paths(asked, study$p, length(tree$runs)))
  found <- run_search(asked$search, study$p, evaluate_sizes, asked$tie, tree)
  know_interchangeable(new_elimination(tree, found), study)
}
register_verb("eliminate_features", place = 11, without = "count")

# The fewest features that predict as well may be far from the peak.
usual_search <- function(size_rule) {
  if (size_rule == "best") search_peak() else search_sizes(step = 0.3)
}

# The named arguments of elimination.
check_elimination <- function(response, learner, search, metric, tie, size_rule, refit = TRUE,
                              max_features = NULL) {
  if (is.null(learner)) {
    learner <- elimination_learner(outcome_of(response), !is.null(response$covariates))
  }
  check_learner(learner, "learner")
  check_learner_takes(learner, response)
  learner <- hold_in_learner(learner, response)
  size_rule <- check_choice(size_rule, c("one_se", "best"))
  if (is.null(search)) search <- usual_search(size_rule)
  check_search(search)
  metrics <- choosing_metrics(response$type)
  metric <- if (is.null(metric)) metrics[1] else check_choice(metric, metrics)
  check_learner_can(learner, metric)
  max_features <- check_count(max_features, null_ok = TRUE)
  asked <- list(
    learner = learner, search = with_largest(search, max_features), metric = metric,
    tie = check_choice(tie, c("smallest", "largest")),
    size_rule = size_rule,
    refit = check_flag(refit)
  )
  asked$max_features <- max_features
  asked
}

check_learner_can <- function(learner, metric) {
  refuse(is.null(learner$importance),
    "{.arg learner} must have an importance to eliminate by; see {.arg importance} in
      {.fn learner_custom}."
  )
  check_learner_judged(learner, metric)
}

check_learner_judged <- function(learner, metric) {
  refuse(is.null(learner[[metric_needs(metric)]]),
    "{.arg metric} {.val {metric}} needs probabilities, which the learner
      {.val {learner$name}} does not predict."
  )
}

# The usable runs: several classes in the bag and at least one sample out of it.
# @param n_folds (integer) of the plan for NULL.
elimination_draws <- function(study, resampling, n_folds, seed, name = "resampling") {
  if (is.null(resampling)) {
    resampling <- folds_for(n_folds, response_labels(study$response), study$response$blocks)
  }
  draws <- study_draws(study, resampling, seed, name = name)
  status <- status_of_runs(study$response, draws$counts, 2L)
  status[colSums(draws$counts == 0L) == 0L] <- "no sample left out"
  refuse(all(status != "ok"), "No run of {.arg {name}} can be used: {unique(status)}.")
  draws$status <- status
  draws
}

# The blocks of the data, or else of a plan; blocks of copies come last.
# @param of_data,... (n labels, or NULL).
first_blocks <- function(of_data, ...) {
  all <- Filter(Negate(is.null), list(of_data, ...))
  c(Filter(Negate(is_copied), all), all, list(NULL))[[1]]
}
