#' Stability selection
#'
#' Keeps the features that the lasso selects in at least a share `cutoff` of many subsamples, with a
#' bound on the expected number of false positives (Meinshausen and Buehlmann 2010; complementary
#' pairs: Shah and Samworth 2013). Or give one number: the accepted number of false positives
#' (`pfer`) or their share (`fdr`), bounded along whole paths (integrated path stability selection,
#' Melikechi and Miller 2025). The default is `pfer = 1`.
#'
#' @inheritParams arguments
#' @inheritParams fealect
#' @param x (as in [fealect()]) the data; or a result of [fealect()] or `stability_selection()`,
#'   whose paths are used again without new runs.
#' @param q,cutoff,pfer (numbers) how many features each run selects, smallest selection frequency
#'   of a stable feature, bound on the expected number of false positives.
#'   * `pfer` alone: without a cutoff, see `bound`. With `bound = "cutoff"`, see
#'     *Default of q*.
#'   * Two of them: the third follows, see [error_bound()]. With `q` or `cutoff` alone the second
#'     takes its usual value, as the print says: `cutoff = 0.75`, or `pfer = 1`.
#'   * For a result of `stability_selection()`: `pfer` with `q` sets the cutoff, `pfer` with
#'     `cutoff` sets q. `cutoff` or `pfer` alone keeps the q of the result; `q` alone keeps its
#'     cutoff.
#'   * `cutoff = "calibrated"` finds q and cutoff in the data, see *Calibrated cutoff*. `q` is then
#'     the largest q to try, and `pfer` the largest bound.
#' @param fdr (number in (0, 1)) accepted share of false positives among the selected features
#'   (false discovery rate); instead of `pfer` and `cutoff`.
#' @param bound (string, or `NULL`) how false positives are bounded: `"cutoff"`, by a cutoff of the
#'   selection frequencies at one q, or `"integrated"`, along the whole paths. `NULL` takes
#'   `"integrated"` for `pfer` or `fdr` alone and without any number, otherwise, and always with
#'   `clusters`, `"cutoff"`; another `q` or `pfer` alone for a result of `stability_selection()`
#'   keeps its bound. Beside
#'   `"integrated"` (or `fdr`), `q` is the mean number of features of the models at the lowest
#'   penalty that counts.
#' @param n_pairs (whole number >= 2, or `NULL`) number of complementary pairs of halves of the
#'   samples, two runs each; `NULL` takes 50.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`, or `NULL`) other resamples.
#'   Without pairs only `assumption = "none"` is allowed, and the resamples should be halves. Halves
#'   given by [resample_custom()], for example those of stabs, count as pairs. For
#'   samples in blocks, use `resample_pairs(n_pairs, blocks = )`: the bounds require independent
#'   halves.
#' @param clusters (clusters of [cluster_features()], a named list of feature names, or a label for
#'   each feature; `NULL` for none) select clusters instead of features, see *Clusters*. Features in
#'   no cluster, or with the label `NA`, are clusters of their own.
#' @param permute (whole number >= 0, or `NULL`) number of permutations of the outcome, each with
#'   the whole procedure, see [permutations]; 0 for none. `NULL` takes 39 with `clusters` or a
#'   calibrated cutoff, otherwise 0.
#' @param paths (`stabilect_path_control`) likelihood, elastic net, covariates, strata, weakness and
#'   score rule of the paths, see [path_control()].
#' @param ... settings of [path_control()] and [run_control()] by name, for example `family =
#'   "binomial"` or `n_threads = 2`; `assumption` (string): `"unimodal"` (default), `"r_concave"` or
#'   `"none"`, see [error_bound()]; and `selector` (`stabilect_selector`), which ranks the features
#'   of every run in place of the lasso, see *Any selector*.
#'
#' @details
#' **What to ask for.** Begin with `pfer = 1`, the default: at most one feature of the list is
#' expected to be a false positive, and there is no q or cutoff to choose.
#'
#' **What the numbers mean.** The bounds hold if all noise features are equally likely to be
#' selected. Correlated ones are not: neighbours of true features are likelier, so read rates as "up
#' to neighbours", or select `clusters`. `frequency` is the share of runs that selected the feature.
#' In `table`, `pfer` and `fdr` are the false positives expected in the list down to this feature,
#' as a number and as a share. Use `permute` to test whether there is any signal.
#'
#' **Which rate?** `vignette("error-rates")` compares them on real features with 3 to 30 true ones.
#' Lists of `q = 20, pfer = 1` had 0.43 false features on average and found a share of 0.29 of the
#' true ones, those of `pfer = 1` alone 0.65 and 0.29, but 1.7 (standard error 0.2) false ones with
#' 500 genes of 319 patients. On 1512 outcomes of `experiments/peers`, `pfer = 1, cutoff = 0.75`
#' named 1.48 true and 0.19 false features on average, 0.05 of them unrelated to any true one;
#' `pfer = 1` alone named 1.45, 0.45 and 0.06. `fdr = 0.1` had a share of 0.17 false features, 0.02
#' unrelated. *Without signal*, on 60 to 5,000 samples and 30 to 1,000 features, `pfer = 1` named
#' 0.06 to 1.26 features, `pfer = 0.1` 0.03 to 0.20. `fdr = 0.1` named something in 3 to 19 % of the
#' responses.
#'
#' **How it is computed.** Runs are halves of the samples in complementary pairs, with events or
#' several classes in proportion. Least squares follows exact paths ([lars_path()]), other families,
#' the elastic net and covariates [lasso_path()]. With a cutoff, each run selects its first `q`
#' features, and [error_bound()] has the bound.
#'
#' With `bound = "integrated"` runs are compared at equal penalties: the score of a feature is an
#' integral over the path of what the share of runs exceeds a half by, and the bound is an integral
#' of the sizes of models (Melikechi and Miller 2025, their \eqn{h_2}). `q` sets the lowest penalty
#' that counts, where models have `q` features on average; the default is at most n / 10. The
#' result also has the list for q / 2 and 2 q: if these differ, read `pfer` as an order of
#' magnitude.
#'
#' `vignette("how-computed")` has the formulas.
#' @section Clusters:
#' Each run selects another one of several correlated features, and none of them is frequent. With
#' `clusters`, `q`, `cutoff`, `pfer` and the bounds count clusters: a run selects a cluster if its
#' model contains a feature of it (Faletto and Bien 2022). Within a cluster, only selection
#' frequencies distinguish the features: `weight` in `members` is no error rate. `predict()` makes
#' one column of each stable cluster, see [stability_selection-methods].
#'
#' Clusters of unequal size are not equally likely to be selected: most models contain a feature of
#' a large cluster. The procedure is therefore repeated on permuted outcomes, and the print compares
#' the mean number of clusters selected there with the bound. On the 2,000 colon genes, clusters at
#' |r| >= 0.6 have up to 427 genes. With q = 10 and a bound of 1 the procedure selects 2.1 clusters
#' on average when the classes are permuted. Clusters of at most 100 genes (`max_size` of
#' [cluster_features()]) reduce this to 0.15, as does a threshold of 0.7. `vignette("error-rates")`
#' has simulations.
#' @return An object of class `stabilect_stability_selection`, a list with
#' \describe{
#'   \item{features}{(character) stable features, most frequent first; may be empty.}
#'   \item{table}{(data frame, p rows, most frequent first) `feature`, `direction` and `same_sign`
#'   (as in [fealect()]), `frequency`, `simultaneous` (share of pairs that selected it in both runs;
#'   `NA` without pairs), `selected` (flag: stable). With `bound = "integrated"`, the smallest pfer
#'   first, also `score`, `pfer` and `fdr` (see Details); `frequency` and `simultaneous` are then at
#'   the lowest penalty.}
#'   \item{bound}{(`stabilect_error_bound`) q, cutoff and the bound for the runs used, see
#'   [error_bound()]; with views also `by_view` (data frame: `view`, `n_total`, `q`,
#'   the mean number of its features in a run, and `pfer`, its bound, `Inf` if none holds). With
#'   `bound = "integrated"`, a list of class `stabilect_integrated_bound`: `n_total` (p), `q`,
#'   `cutoff` (`NA`), `pfer` (the accepted one; `NA` with `fdr`), `n_pairs`, `integral` (of the
#'   bound), `lambda` (lowest and highest penalty, for least squares divided by the root of the
#'   number of samples of a half), `size` (mean size of models at the lowest) and `sensitivity`
#'   (data frame, rows for q / 2, q and 2 q: `q`, `size`, `lambda`, `integral`, `best_pfer` (of the
#'   best feature for q), `n_selected`) and `ranked` (flag: are the runs those of a `selector`?).}
#'   \item{calibration}{(list, with `cutoff = "calibrated"`) `largest` (the largest q), `scores`
#'   (data frame, a row for each pair: `q`, `cutoff`, `n_selected`, `z`, `allowed`: is there a bound
#'   of at most `pfer`?) and `peaks` (data frame, the largest z first: every q whose best z is not
#'   below those of the next smaller and larger q, with its highest cutoff; each list once).}
#'   \item{selection}{(`stabilect_selection`) what every run selected.}
#'   \item{paths, resamples}{as in [fealect()].}
#'   \item{null}{(`stabilect_null`) what permutations say, see [permutations]; `NULL` without.}
#'   \item{asked}{(list) `q`, `cutoff`, `pfer` (`NULL` if computed), `assumption`, `fdr` if
#'   given, `rule` (string: `"cutoff"`, `"integrated"` or `"calibrated"`),
#'   `score_rule`, `weakness`, `likelihood` (list of `family`, `alpha`, `covariates` (matrix) and
#'   `strata`, `NULL` for plain least squares), with clusters `clusters` (factor, p: the cluster of
#'   each feature), and with a selector `selector` and `covariates` (matrix, or `NULL`).}
#'   \item{study,made}{(lists) about the data and the runs, see [results]; `made` also has
#'   `n_short`: the number of runs that ended before q features (0 for `score_rule = "step"`).}
#' }
#' With `clusters`, `table` has a row for each cluster, named in `feature`, and also `size`
#' (integer), `representative` (its most frequent feature, the first among equals, to which
#' `direction` and `same_sign` belong) and `members` (string: its selected features with their
#' weights, the five largest). `features` and `selection` then refer to clusters. Further fields are
#' \describe{
#'   \item{members}{(data frame, p rows in the order of the columns) `cluster`, `feature`,
#'   `frequency` (share of runs whose model contains the feature), `weight` (its share of the sum of
#'   frequencies of its cluster; equal weights in clusters that no run selected), and for
#'   `predict()` `mean`, `sd` (1 for constant features) and `sign`.}
#'   \item{member_selection}{(`stabilect_selection`) the features in the model of every run.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` as in [fealect()], and for `until` with a
#' calibrated cutoff, a q above the size of the paths of a result or the number of clusters, all
#' three of `q`, `cutoff` and `pfer`, and `clusters` that do not fit the features, share a feature,
#' are only one, or are combined with `bound = "integrated"`. Also for `pfer` with `fdr`, for
#' `"integrated"` with a `cutoff` or `score_rule = "step"`, or without pairs, and for settings of
#' lasso paths beside a `selector`. `stabilect_error_bound` for combinations of `q`, `cutoff` and
#' `pfer` that no bound allows. `stabilect_error_runs` if no run, or no pair, is left.
#' @references Meinshausen N, Buehlmann P (2010). Stability selection. *Journal of the Royal
#'   Statistical Society B* 72, 417-473.
#'
#'   Melikechi O, Miller JW (2025). Integrated path stability selection. *Journal of the American
#'   Statistical Association*. arXiv:2403.15877.
#'
#'   Shah RD, Samworth RJ (2013). Variable selection with error control: another look at stability
#'   selection. *Journal of the Royal Statistical Society B* 75, 55-80.
#'
#'   Faletto G, Bien J (2022). Cluster stability selection. arXiv:2201.00494.
#' @concept biomarker
#' @concept gene selection
#' @concept false discovery rate
#' @concept false positives
#' @concept multiple testing
#' @concept p >> n
#' @family stability selection
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- stability_selection(x, mcl_sll$MCL, q = 10, pfer = 1, seed = 1)
#' fit
#' stability_selection(fit, cutoff = 0.6)
#' stability_selection(fit, cutoff = "calibrated", pfer = 1)
#' stability_selection(x, mcl_sll$MCL, pfer = 1, seed = 1)
#' stability_selection(x, mcl_sll$MCL, q = 10, pfer = 1, family = "binomial", seed = 1)
#' by_t <- selector_filter("moderated_t")
#' stability_selection(x, mcl_sll$MCL, pfer = 1, selector = by_t, seed = 1)
#' clusters <- cluster_features(x, threshold = 0.8)
#' grouped <- stability_selection(x, mcl_sll$MCL, q = 6, pfer = 1, clusters = clusters, seed = 1)
#' grouped
#' fit_model(predict(grouped, x), mcl_sll$MCL)
#' @export
stability_selection <- function(x, y, q = NULL, cutoff = NULL, pfer = NULL, fdr = NULL,
                                bound = NULL, n_pairs = NULL, resampling = NULL, clusters = NULL,
                                permute = NULL, paths = path_control(), control = run_control(),
                                ..., seed = NULL, data = NULL) {
  check_given(except = "y")
  without_nan_warning(x)
  if (inherits(x, c("stabilect_fealect", "stabilect_stability_selection"))) {
    refuse_data(c(
      y = !missing(y), n_pairs = !missing(n_pairs), resampling = !missing(resampling),
      clusters = !missing(clusters), permute = !missing(permute), paths = !missing(paths),
      control = !missing(control), seed = !missing(seed), data = !missing(data)
    ))
    read <- if (inherits(x, "stabilect_fealect")) stable_of_fealect else stable_of_stable
    given <- list(q = q, cutoff = cutoff, pfer = pfer, fdr = fdr, bound = bound)
    return(read(x, given, ...))
  }
  given <- read_dots(list(...), control, paths, own = stability_settings)
  control <- given$control
  paths <- given$paths
  selector <- given$own$selector
  takes <- taken_by_runs(selector, paths)
  study <- open_study(
    x, y, takes$outcomes, takes$what, family = paths$family, covariates = paths$covariates,
    roles = c(paths[path_roles], list(clusters = clusters))
  )
  check_varying(study$x)
  if (!is.null(selector)) check_for_runs(study, selector)
  warn_leak(study)
  warn_scarce(study$response)
  if (is.null(bound) && is.null(fdr)) bound <- unit_of(study)$bound
  asked <- c(
    ask_list(q, cutoff, pfer, given$own$assumption, fdr, bound, paths$score_rule),
    paths[c("score_rule", "weakness")]
  )
  asked["likelihood"] <- list(if (is.null(selector)) ask_likelihood(study, paths))
  asked$selector <- selector
  if ("clusters" %in% study$given) check_size_rule(asked$score_rule)
  rule <- rule_of(asked)
  unit <- unit_of(study)
  rule$fits(asked, unit)
  if (is.null(permute)) permute <- max(rule$permute, unit$permute)
  permute <- check_permute(permute)
  draws <- study_draws(study, pairs_plan(study, n_pairs, resampling), seed)
  if (!is.null(draws$plan$blocks)) study <- with_blocks(study, draws)
  asked <- rule$size(asked, study, unit, draws, longest = NULL)
  record <- c(study_record(study), record_constant(study), unit$scale(study$x))
  # Values of clusters are predicted.
  if (unit$grouped) record <- know_means(record, study$x)
  procedure <- stable_procedure(asked, draws$plan, unit)
  expect_permutations(permute, procedure)
  fit <- carry_out(procedure, study, draws, control, record)
  fit$made$usual <- rule$usual(list(q = q, cutoff = cutoff, pfer = pfer), asked)
  if (permute > 0L) add_null(fit, procedure, study, permute, control) else fit
}
register_verb("stability_selection", place = 4)
