#' stabilect: stable feature selection from many resamples
#'
#' Names *which* features matter when there are far more features than samples, and says how far
#' the answer can be trusted. The verbs, in reading order:
#'
#' 1. [fealect()] scores every feature on many resamples and thresholds the scores;
#'    [stability_selection()] and [bolasso()] choose features from the same paths.
#' 2. [select_ensemble()] runs any selector, such as `selector_filter("t")`, on many resamples;
#'    [aggregate_runs()] combines what the runs say.
#' 3. [stability()] measures how much the runs agree, with an interval; [test_stability()] compares,
#'    [explain_stability()] says where instability comes from, [plot_stability_map()] shows it.
#'    [as_selection()] brings in runs made elsewhere.
#' 4. [evaluate_selectors()] compares selectors by error and stability.
#' 5. [lars_path()] gives one exact least-angle or lasso path.
#' 6. [resample_subsample()] and its family make resamples that several analyses can share.
#'
#' Two data sets come with the package, [colon_genes] and [mcl_sll]; [experiment_data()] reads
#' others.
#'
#' @section Conventions:
#' Arguments mean one thing everywhere: `x` (samples in rows, features in columns), `y` (the
#' response), `n_features` (how many to keep), `n_runs` (how many resamples), `fraction` (in
#' (0, 1]), `seed`, `n_threads`, `conf_level`. The same `seed` gives bit-identical results for any
#' `n_threads`. With `seed = NULL` one integer is drawn from R's generator, so that [set.seed()]
#' works; it is kept in the result.
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
