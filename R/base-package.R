#' stabilect: stable feature selection from many resamples
#'
#' Finds *which* features (such as genes) matter when there are far more features than samples, and
#' tells how far the answer can be trusted. Start with the question:
#'
#' | question | verb |
#' |---|---|
#' | Is there signal, and which features carry it? | [find_signals()] |
#' | Which features matter, ranked by many lasso paths? | [fealect()] |
#' | Which features, with at most so many false ones? | [stability_selection()] |
#' | Which features add to the others, by p values? | [split_test()] |
#' | Which features does every run select? | [bolasso()] |
#' | Which features, by any selector on many resamples? | [select_ensemble()] |
#' | How few features predict as well? | [eliminate_features()] |
#' | Which features, accurate *and* stable? | [hybrid_rfe()], [tune_tradeoff()] |
#' | How stable is this list? | [stability()], [test_stability()], [explain_stability()] |
#' | Which features stand for each other? | [cluster_features()], [group_features()] |
#' | Which can be taken instead of a selected one? | [substitutes()] |
#' | Which groups of them, with a bound on false ones? | [stability_selection()], `clusters` |
#' | Would a new study give this list again? | [evaluate_replication()] |
#' | Which selector errs least, and which agrees with itself? | [evaluate_selectors()] |
#' | How many more samples for the same list? | [plan_samples()] |
#' | How many runs for a stable list? | [estimate_stability()], [plan_ensemble()] |
#' | What can the chosen features predict? | [fit_model()] |
#' | Does the model predict new samples? | [validate_model()] |
#' | What would a procedure get right on my data? | [calibrate_selection()] |
#' | How many of the best may be false? | [fdp_bound()], after `permute =` |
#' | How do I show it to others? | [write_report()] |
#' | What does one lasso path look like? | [lars_path()], [lasso_path()] |
#'
#' Every verb takes the data as `x` (samples in rows, features in columns) and `y`, or in another
#' form that [prepare_study()] knows, and returns a result that prints, plots, and has
#' [as.data.frame()] and [selected()]; see [results]. [as_selection()] brings in runs made
#' elsewhere. Two data sets come with the package, [colon_genes] and [mcl_sll]; [experiment_data()]
#' reads others.
#'
#' @section Conventions:
#' An argument means one thing everywhere: `n_features` (how many to keep), `n_total` (how many
#' there are), `n_runs` (how many resamples), `cutoff` (selection frequency that suffices),
#' `threshold` (similarity that suffices), `learner`, `aggregation`, `step` (share of the features
#' that goes at a time), `scaling`, `newdata`, `conf_level`. Verbs that run long end with `seed`,
#' `n_threads`, `progress`, `checkpoint` and `until`. The same `seed` gives bit-identical results
#' for any `n_threads`. With `seed = NULL` one integer is drawn from R's generator, so that
#' [set.seed()] works; it is kept in the result.
#'
#' Where a page tells what was measured, it names the folder of the script and its results, such as
#' `experiments/evidence`. These folders are in the sources of the package and are not installed.
#'
#' @eval outcome_section()
#' @eval covariate_section()
#'
#' @section Words:
#' \describe{
#'   \item{run}{one resample of the samples, and what was done with it. Samples that were drawn are
#'     *in the bag*, the others *out of the bag*: these can be predicted honestly.}
#'   \item{complementary pair}{two runs on the two halves of the samples.}
#'   \item{block}{samples that belong together, such as those of one patient, and are drawn
#'     together.}
#'   \item{selector}{what gives every feature a score in a run; some select a set. A *learner*
#'     predicts the response.}
#'   \item{score, frequency}{how good a feature is, by the rule of the verb; in which share of the
#'     runs it was selected.}
#'   \item{path, knot}{the lasso models from the largest penalty down; a penalty at which a feature
#'     enters or leaves.}
#'   \item{PFER, FWER, FDR}{expected number of false features in the list; chance that there is any;
#'     expected share of them.}
#'   \item{q}{how many features a run selects. `q_fdr`: the smallest FDR at which a list has the
#'     feature.}
#'   \item{null, permutation}{data in which no feature has to do with the response; made by giving
#'     the responses to other samples.}
#'   \item{stability}{how much the runs agree: 1 when all select the same, 0 when no more than by
#'     chance.}
#'   \item{jackknife}{a standard error from leaving out one run at a time.}
#'   \item{front, knee, gamma}{the settings that no other one beats in both aims; the one where the
#'     front bends most; the weight of the first aim.}
#' }
#'
#' @section Errors:
#' Every error that the package raises on purpose has the class `stabilect_error` and a finer one
#' such as `stabilect_error_input`, so that it can be caught by [tryCatch()].
#'
#' @keywords internal
#' @useDynLib stabilect, .registration = TRUE
#' @importClassesFrom Matrix Matrix
#' @importFrom Rcpp evalCpp
#' @importFrom RcppParallel RcppParallelLibs
"_PACKAGE"
