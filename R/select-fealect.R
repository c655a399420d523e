#' Feature scores from lasso paths on many subsamples (FeaLect)
#'
#' Runs the lasso path on many subsamples and scores every feature by the models that contain it
#' (FeaLect; Zare et al. 2013). The sorted scores are cut where their curve bends up. Returns the
#' scores with standard errors, the features above the cut, a final model, and the out-of-bag error
#' of the whole procedure, which shows whether there is a signal.
#'
#' @inheritParams arguments
#' @param x (numeric matrix, n samples x p features) data, or another form that [prepare_study()]
#'   takes; n >= 3.
#' @param y (n values) outcome: two or several classes, numbers, counts (with `family = "poisson"`),
#'   or survival times ([survival::Surv()]).
#' @param n_runs (whole number >= 1, or `NULL`) number of subsamples; `NULL` takes 100. Two classes
#'   are drawn in their proportions.
#' @param fraction (number in (0, 1), or `NULL`) size of a subsample relative to n, rounded down;
#'   `NULL` takes 3/4.
#' @param max_features (whole number >= 1, or `NULL`) size of the largest model of a path that
#'   counts; `NULL` follows every path to its end, of more than 1,000 samples to 250 features (100
#'   by likelihood), see `vignette("scaling-out")`.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`, or `NULL`) a plan, for
#'   example `resample_bootstrap(200)`, or drawn resamples to share; instead of `n_runs` and
#'   `fraction`.
#' @param model,lambda (string; number >= 0; or `NULL`) kind and penalty of the final model, see
#'   [fit_model()].
#' @param oob (flag, or `"views"`) estimate the out-of-bag error? `"views"` also estimates what each
#'   view adds, with further runs.
#' @param permute (whole number >= 0) number of permutations of the outcome, each with the whole
#'   procedure, see [permutations]. 0 for none; 199 is a good number.
#' @param clusters (clusters of [cluster_features()], a named list of feature names, or a label for
#'   each feature; `NULL` for none) score clusters instead of features. Features in none are
#'   clusters of their own.
#' @param paths (`stabilect_path_control`) likelihood, elastic net, covariates and score rule of the
#'   paths, see [path_control()].
#' @param ... settings of [path_control()] and [run_control()] by name, for example `family =
#'   "binomial"` or `n_threads = 2`; and
#'   * `min_segment` (whole number >= 1; 1): smallest number of features in a bent part of the score
#'     curve;
#'   * `n_boot` (whole number >= 0; 200): number of times that the runs are drawn again for the
#'     column `above_cut`; 0 for none.
#'
#' @details
#' **What the numbers mean.** In each model of k features that contains it, a feature scores 1 / k.
#' `score` is the sum over sizes, averaged over runs (Zare et al., Eq. 2 and 3). Read it as an
#' order. `frequency` is the share of runs with the feature.
#'
#' `oob$error` is the error of the whole procedure. Each sample is predicted from the runs that did
#' not contain it: their scores, their cut, and a model without the sample. An error like
#' `oob$baseline` means that nothing was found, whatever the list. `permute` adds p-values.
#' Concordance and AUC compare only samples that one model has not seen.
#'
#' **The cut is no test.** Features above the upper bend of the sorted scores are above the cut, see
#' [three_segment()]. Their number grows with `n_runs`, and permuted outcomes give as many. On 1512
#' outcomes of `experiments/peers`, 4.24 true and 38.00 false features were above the cut on
#' average, 26.00 of them unrelated to any true one. [stability_selection()] gives a short list with
#' few false features. Where the curve has no bend, features with at least half of the best score
#' are taken; with `max_features`, those in at least half of the runs. `above_cut` says how the cut
#' would vary with other subsamples of the *same data*.
#'
#' **Covariates** are in every model, without a penalty: a feature is scored by what it adds, and
#' the error is compared with the error of the covariates alone.
#'
#' **Views** (`oob = "views"`). The procedure is repeated without each view, and with the views up
#' to it in their order (Boulesteix and Sauerbrei 2011): 2K - 2 further calls for K views.
#'
#' **Clusters** share their votes: sizes of models count clusters, and each cluster is represented
#' by its most frequent feature in the final model. Most models contain a feature of a large
#' cluster, even by chance.
#'
#' **Final model.** Ridge regression (see [fit_model()]) on all features above the cut for two
#' classes, for other outcomes on the best, at most a fifth of the number of samples.
#'
#' `vignette("how-computed")` has scores, out-of-bag errors and intervals in full, and what differs
#' from the R package FeaLect 1.20; `vignette("error-rates")` how often intervals were right.
#' @return An object of class `stabilect_fealect`, a list with
#' \describe{
#'   \item{table}{(data frame, p rows, best first) `feature`; `direction` (string: the class in
#'   which it is higher on average; `"+"` or `"-"`, the sign of its correlation with numbers; `NA`
#'   for constant features); `same_sign` (share of its runs in which it enters with this sign; far
#'   below 1 if it matters only together with others); `score` and `se`, its standard error over
#'   runs; `frequency`; `above_cut`; `selected` (flag). With `clusters` a row for each, with `size`,
#'   `representative` (its most frequent feature) and `members` (string: its selected features with
#'   their weights, the five largest).}
#'   \item{members, member_selection}{(with `clusters` only) as in [stability_selection()].}
#'   \item{features}{(character) the features above the cut, or their replacement, best first; also
#'   from [selected()].}
#'   \item{cut}{(string) `"bend"`; without one `"majority"` (in at least half of the runs; with
#'   `max_features`) or `"half"` (of the best score); `"none"` if no feature has a score.}
#'   \item{three_segment}{(`stabilect_three_segment`) the curve and its knots.}
#'   \item{model}{(`stabilect_model`) final model, see [fit_model()].}
#'   \item{oob}{(`stabilect_oob`, or `NULL`) `error` (misclassification rate, mean squared error,
#'   mean Poisson deviance, or discordance) with `lower`, `upper`, `conf_level`; `baseline` (the
#'   error when always predicting the largest class or the mean, 0.5, or the error of the covariates
#'   alone, named in `covariates`); `balanced_error` (mean over classes); `auc`, `auc_lower`,
#'   `auc_upper`, `auc_baseline`; `n` of `n_samples` predicted, `n_empty` of them by a model without
#'   features, `n_blocks`; `measure`, `type` (strings); `predictions` (data frame: `sample`,
#'   `observed`, `predicted`, `link`, `n_runs`, `n_features`); `order` (the compared predictions:
#'   `row`, `group`, `value`).}
#'   \item{views}{(data frame; with views only) as in [results]. With `oob = "views"` also `without`
#'   (error without the view), `adds` (`without` - `oob$error`) with `lower`, `upper`; `up_to`
#'   (error with the views up to this one) and `adds_in_order` with its interval.}
#'   \item{convergence}{(data frame) `n_runs`, `correlation` between the scores of the first
#'   `n_runs` runs and of the others, `overlap` of the best of both.}
#'   \item{selection}{(`stabilect_selection`) scores of every run, see [selection].}
#'   \item{paths, resamples}{paths in compact form, and (`stabilect_resamples`) their samples.}
#'   \item{null}{(`stabilect_null`, or `NULL`) see [permutations]; `table` then has
#'   `expected_by_chance`, `p_fwer` and `q_fdr`.}
#'   \item{asked, study, made}{(lists) arguments with defaults filled in; about data and runs, see
#'   [results].}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for data that cannot be used: missing values, fewer than three
#' samples, one class, covariates that determine `y`. Class `stabilect_error_runs` if no run
#' succeeded. A warning of class `stabilect_warning_small_class` for a class with fewer than five
#' samples.
#' @references Boulesteix AL, Sauerbrei W (2011). Added predictive value of high-throughput
#'   molecular data to clinical data and its validation. *Briefings in Bioinformatics* 12(3),
#'   215-229.
#'
#'   Zare H, Haffari G, Gupta A, Brinkman RR (2013). Scoring relevancy of features based on
#'   combinatorial analysis of Lasso with application to lymphoma diagnosis. *BMC Genomics* 14(Suppl
#'   1), S14. \doi{10.1186/1471-2164-14-S1-S14}
#' @concept biomarker
#' @concept gene selection
#' @concept gene signature
#' @concept feature ranking
#' @concept variable selection
#' @concept p >> n
#' @concept overfitting
#' @concept gene panel
#' @concept survival analysis
#' @family fealect
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' y <- factor(mcl_sll$MCL, levels = c(0, 1), labels = c("SLL", "MCL"))
#' fit <- fealect(x, y, n_runs = 100, seed = 1)
#' fit
#' head(as.data.frame(fit))
#' predict(fit, x[1:3, ])
#' fealect(x, y, clusters = cluster_features(x, threshold = 0.8), seed = 1)
#' @export
fealect <- function(x, y, n_runs = NULL, fraction = NULL, max_features = NULL, resampling = NULL,
                    model = NULL, lambda = NULL, oob = TRUE, permute = 0, clusters = NULL,
                    paths = path_control(), control = run_control(), ..., seed = NULL,
                    data = NULL) {
  check_given(except = "y")
  given <- read_dots(list(...), control, paths,
    own = fealect_settings, unused = fealect_unused
  )
  control <- given$control
  paths <- given$paths
  study <- open_study(
    x, y, family_takes(paths$family), "FeaLect", family = paths$family,
    covariates = paths$covariates, roles = c(paths[path_roles], list(clusters = clusters))
  )
  check_varying(study$x)
  warn_leak(study)
  warn_scarce(study$response)
  by_view <- identical(oob, "views")
  asked <- ask_fealect(
    study, paths$score_rule, max_features, given$own$min_segment, given$own$n_boot, model, lambda,
    if (by_view) TRUE else oob
  )
  asked["likelihood"] <- list(ask_likelihood(study, paths))
  if ("clusters" %in% study$given) check_size_rule(asked$score_rule)
  if (by_view) check_view_errors(study$features$views)
  permute <- check_permute(permute)
  draws <- study_draws(study, fealect_plan(study, n_runs, fraction, resampling), seed)
  if (!is.null(draws$plan$blocks)) study <- with_blocks(study, draws)
  unit <- unit_of(study)
  record <- c(study_record(study), record_constant(study), unit$scale(study$x))
  procedure <- fealect_procedure(asked, draws$plan, unit)
  expect_permutations(permute, procedure)
  fit <- carry_out(procedure, study, draws, control, record)
  if (by_view) fit <- add_view_errors(fit, procedure, study, control)
  if (permute > 0L) add_null(fit, procedure, study, permute, control) else fit
}
register_verb("fealect", place = 3)

# Settings of fealect() alone, which come by name.
fealect_settings <- list(min_segment = 1, n_boot = 200)
fealect_unused <- c(
  strata = "", weakness = "", offset = "The final model has none: give it as {.arg covariates}, or
    take {.fn stability_selection} or {.fn bolasso}."
)
