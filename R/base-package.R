#' stabilect: stable feature selection from many resamples
#'
#' stabilect finds *which* features (for example genes) matter when features far outnumber samples.
#' It also says how far the answer can be trusted. Lists answer one of two questions. Which features
#' *mark* the outcome, each by itself? Of a hundred correlated genes each one does. Which *add* to
#' the others? Of a hundred correlated genes one is enough. A list of hundreds and a list of two may
#' both be right. Start with the question:
#'
#' | question | verb |
#' |---|---|
#' | Is there signal, which features mark the outcome, and which carry it? | [find_signals()] |
#' | Which mark the outcome, by any filter? | [score_features()] |
#' | Which features add to the others, ranked by many lasso paths? | [fealect()] |
#' | Which add to the others, with few expected false positives? | [stability_selection()] |
#' | Which features add to the others, with p-values? | [split_test()] |
#' | Which features does every run select? | [bolasso()] |
#' | Which features, by any selector on many resamples? | [select_ensemble()] |
#' | How few features predict as well? | [eliminate_features()] |
#' | Which features, accurate *and* stable? | [hybrid_rfe()], [tune_tradeoff()] |
#' | How stable is this list? | [stability()], [test_stability()], [explain_stability()] |
#' | Which features replace each other? | [cluster_features()], [group_features()] |
#' | Which features could replace a selected one? | [substitutes()] |
#' | Which groups, with a bound on false positives? | [stability_selection()], `clusters` |
#' | Would a new study recover this list? | [evaluate_replication()] |
#' | Would random features predict as well as this list? | [test_signature()] |
#' | Is this list the only one? | [alternative_lists()] |
#' | In how many cohorts is a feature found? | [compare_cohorts()] |
#' | How large are the effects, without the luck of selection? | [feature_effects()] |
#' | Which selector has the lowest error, which is stable? | [evaluate_selectors()] |
#' | How many more samples for the same list? | [estimate_sample_size()] |
#' | How many runs for a stable list? | [estimate_stability()], [estimate_ensemble_size()] |
#' | What can the chosen features predict? | [fit_model()] |
#' | Does the model predict new samples? | [validate_model()] |
#' | What would a procedure get right on my data? | [estimate_error_rates()] |
#' | How many of the best may be false positives? | [fdp_bound()], after `permute =` |
#' | How do I show it to others? | [write_report()], [write_tables()] |
#' | What does one lasso path look like? | [lars_path()], [lasso_path()] |
#'
#' Every verb takes the data as `x` (samples in rows, features in columns) and `y`, or in another
#' form that [prepare_study()] describes. It returns a result that prints, plots, and has
#' [as.data.frame()] and [selected()]; see [results]. [as_selection()] reads runs made elsewhere.
#' Two data sets come with the package, [colon_genes] and [mcl_sll]; [experiment_data()] reads
#' others.
#' On one page: `browseURL(system.file("cheatsheet", "stabilect.pdf", package = "stabilect"))`.
#'
#' @section Conventions:
#' An argument means the same in all verbs:
#'
#' * `n_features` (how many to keep), `n_total` (how many there are), `n_runs` (how many resamples);
#' * `cutoff` (sufficient selection frequency), `threshold` (sufficient similarity);
#' * `step` (share of the features eliminated at a time);
#' * `learner`, `aggregation`, `scaling`, `newdata`, `conf_level`.
#'
#' Verbs that run long end with `seed`, `n_threads`, `progress`, `checkpoint` and `until`; see
#' [run_control()]. The same `seed` gives bit-identical results for any `n_threads`. `seed = NULL`
#' draws one integer from R's generator, which [set.seed()] controls; the result stores it.
#'
#' Measurements on help pages name the folder of their script and results, for example
#' `experiments/evidence`. These folders are in the sources of the package and are not installed.
#'
#' @eval outcome_section()
#' @eval covariate_section()
#'
#' @section Words:
#' \describe{
#'   \item{run}{one resample of the samples, and the work done on it. Drawn samples are *in bag*,
#'   the others *out of bag*: only these can be predicted honestly.}
#'   \item{complementary pair}{two runs on the two halves of the samples.}
#'   \item{block}{samples that belong together, for example all samples of one patient. They are
#'   always drawn together.}
#'   \item{view}{features of one kind, for example clinical values or expression.}
#'   \item{cohort}{samples of one study or site, in comparisons of several.}
#'   \item{selector}{what gives every feature a score in a run; some select a set. A *learner*
#'     predicts the outcome.}
#'   \item{score, frequency}{the quality of a feature, by the rule of the verb; the share of runs
#'   that selected it.}
#'   \item{path, knot}{the lasso models from the largest penalty down; a penalty at which a feature
#'   enters or leaves.}
#'   \item{PFER, FWER, FDR}{expected number of false positives in the list; probability of at least
#'   one; expected share of false positives.}
#'   \item{q}{the number of features that a run selects. `q_fdr`: the smallest FDR at which a list
#'   contains the feature.}
#'   \item{null, permutation}{data in which the outcome does not depend on any feature; made by
#'   assigning the outcomes to other samples.}
#'   \item{stability}{how much the runs agree: 1 if all select the same features, 0 by chance.}
#'   \item{jackknife}{a standard error from leaving out one run at a time.}
#'   \item{front, knee, gamma}{the settings that no other setting beats in both aims; the setting
#'   where the front bends most; the weight of the first aim.}
#' }
#'
#' @section Errors:
#' Every error that the package raises on purpose has the class `stabilect_error` and a finer class,
#' for example `stabilect_error_input`. [tryCatch()] can catch both.
#'
#' @keywords internal
#' @useDynLib stabilect, .registration = TRUE
#' @importClassesFrom Matrix Matrix
#' @importFrom Rcpp evalCpp
#' @importFrom RcppParallel RcppParallelLibs
"_PACKAGE"
