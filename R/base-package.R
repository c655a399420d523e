#' stabilect: stable feature selection from many resamples
#'
#' Finds *which* features (such as genes) matter when there are far more features than samples, and
#' tells how far the answer can be trusted. Start with the question:
#'
#' | question | verb | outcome it takes |
#' |---|---|---|
#' | Is there signal, and which features carry it? | [find_signals()] | two classes, numbers |
#' | Which features matter, ranked by many lasso paths? | [fealect()] | two classes, numbers |
#' | Which features, with a bound on false ones? | [stability_selection()] | two classes, numbers |
#' | Which features does every run select? | [bolasso()] | two classes, numbers |
#' | Which features, by any selector on many resamples? | [select_ensemble()] | classes, numbers |
#' | How few features predict as well? | [eliminate_features()] | classes |
#' | Which features, accurate *and* stable? | [hybrid_rfe()], [tune_tradeoff()] | classes |
#' | How stable is this list? | [stability()], [compare_stability()], [explain_stability()] | runs |
#' | Would a new study give this list again? | [evaluate_replication()] | any |
#' | Which selector errs least, and which agrees with itself? | [evaluate_selectors()] | classes |
#' | How many runs for a stable list? | [estimate_stability()], [plan_ensemble()] | any |
#' | What can the chosen features predict? | [fit_model()] | two classes, numbers |
#' | Does the model predict new samples? | [validate_model()] | two classes, numbers |
#' | What would a procedure get right on my data? | [calibrate_selection()] | two classes, numbers |
#' | How many of the best may be false? | [fdp_bound()], after `permute =` | as its verb |
#' | How do I show it to others? | [write_report()] | any |
#' | What does one lasso path look like? | [lars_path()] | two classes, numbers |
#' | The same for survival times, classes by likelihood and counts? | [lasso_path()] | one outcome |
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
