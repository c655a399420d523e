#' Stability selection
#'
#' Keeps the features that the lasso selects in at least a share `cutoff` of many subsamples, with a
#' bound on the expected number of false ones (Meinshausen and Buehlmann 2010; complementary pairs:
#' Shah and Samworth 2013). Or asks for one number only: how many false ones are accepted (`efp`),
#' or which share of them (`fdr`; integrated path stability selection, Melikechi and Miller 2025).
#' Without any of these numbers, `efp = 1`.
#'
#' @param x (numeric matrix, n x p, or what [fealect()] takes) data; or the result of [fealect()] or
#'   of `stability_selection()`, whose paths are used again: no path is run twice.
#' @param y (n values) response, as for [fealect()].
#' @param data (data frame, or `NULL`) where the variables of a formula `x` are, such as that of
#'   `status ~ .`; `y` is then left out.
#' @param q,cutoff,pfer one or two of: how many features each run selects (whole number), the
#'   smallest selection frequency of a stable feature (number), the bound on the expected number of
#'   false ones (number > 0). The third follows, see [error_bound()]. Where one is given alone, a
#'   second has its usual value: `q` or `pfer` alone take `cutoff = 0.75`, `cutoff` alone takes
#'   `pfer = 1`; the print says so. For a result of
#'   `stability_selection()`, a given `pfer` with a given `q` sets the cutoff,
#'   and with a given `cutoff` the q; one of them alone keeps the q of the result, or for a new `q`
#'   its cutoff. `cutoff = "calibrated"` finds q and cutoff in the data, see *Calibrated cutoff*;
#'   `q` is then the largest that is looked at, and `pfer` the largest bound. With `efp` or `fdr`
#'   only `q` may be given: how many features models have on average at the lowest penalty that
#'   counts.
#' @param efp (number > 0) the expected number of false positives that is accepted; in place of
#'   `cutoff` and `pfer`.
#' @param fdr (number in (0, 1)) the accepted share of false ones among the selected features (false
#'   discovery rate); in place of `efp`.
#' @param n_pairs (whole number >= 2, or `NULL` for 50) complementary pairs of halves of the
#'   samples; two runs each.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`, or `NULL`) other resamples;
#'   anything but pairs allows `assumption = "none"` only, and should draw halves. For samples in
#'   blocks, `resample_pairs(n_pairs, blocks = )`: the bounds ask for independent halves.
#' @param clusters (clusters of [cluster_features()], a named list of feature names, or a label for
#'   each feature; `NULL` for none) select these, not features: see *Clusters*. Features in none,
#'   or with the label `NA`, are clusters of their own.
#' @param permute (whole number >= 0, or `NULL`) how often to repeat everything on permuted
#'   responses, see [permutations]; 0 for none. `NULL`: 39 with `clusters` or a calibrated cutoff,
#'   otherwise none.
#' @param paths (`stabilect_path_control`) likelihood, elastic net, covariates, strata, weakness and
#'   score rule of the paths, see [path_control()].
#' @param control (`stabilect_run_control`) threads, progress, checkpoint and early stopping, see
#'   [run_control()].
#' @param ... settings of [path_control()] and [run_control()] by name, such as
#'   `family = "binomial"` or `n_threads = 2`; and
#'   * `assumption` (string; `"unimodal"`): `"unimodal"`, `"r_concave"` or `"none"`, see
#'     [error_bound()].
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) `NULL` takes one integer from R's
#'   generator.
#'
#' @details Plain least squares follows exact paths ([lars_path()]); other families, the elastic net
#' and covariates follow [lasso_path()], in which models are stated where one feature enters or
#' leaves at a time. Survival times are drawn in the proportion of events, several classes in that
#' of the classes.
#'
#' A pair with a failed run is dropped as a whole; the bound is then recomputed with the
#' pairs that are left, and the result says so. p counts all columns, constant ones too.
#'
#' **One number.** With `efp` or `fdr` the runs are compared at equal penalties:
#' \eqn{\pi_j(\lambda)} is the share of the 2B runs with feature j in the model at \eqn{\lambda},
#' \eqn{q(\lambda)} the mean size of these models. The score of a feature is
#' \deqn{s_j = \frac{1}{\log(b / a)} \int_a^b \max\{0, 2 \pi_j(\lambda) - 1\}^2
#'   \frac{d\lambda}{\lambda},}
#' b being the largest penalty of any run at which a feature enters. Let I be the same integral of
#' \eqn{q^2 / (pB) + (B - 1) q^4 / (B p^3)} (Melikechi and Miller 2025, for their
#' function \eqn{h_2}). Then \eqn{I / t} bounds the expected number of noise features with a score
#' of at least t, if they are all equally likely to be selected: `efp` is \eqn{I / \max(s_j, I /
#' p)}, between I and p, and p for a feature that is never in more than half of the models. `fdr` (a
#' q value) is the smallest, over all cuts of the list that keep j, of the largest efp above the cut
#' over the number of features there. Paths change at their knots only, so the integrals are exact
#' sums over the knots of all runs.
#'
#' The lower end a is fixed by the sizes of models, before their stability is looked at: the lowest
#' penalty above which models have at most `q` features on average and no path was cut. The default
#' of `q` is n / 10, rounded down, and not so many that the bound at this penalty alone exceeds
#' 0.05. Paths are followed up to 4 q features. The result prints the best efp and the number of
#' selected features for q / 2 and 2 q, too: read the efp as an order of magnitude where they
#' differ, and do not choose the q that selects most. The authors' program takes the same integrals
#' over a grid of 25 penalties, keeps 200 features beforehand by looking at y, and gives too small
#' an efp when its cutoff ends the grid early, because it divides bound and scores by different
#' measures.
#'
#' *What it delivers.* On 28 kinds of simulated data (`experiments/integrated`; 60 or 120
#' samples, 1,000 features with or without blocks of correlation, and real genes), `efp = 1` brought
#' at most 0.58 false features on average with the default q, and 0.95 with twice as many. `fdr =
#' 0.2` held but in blocks with correlation 0.8: there a share of up to 0.30 was not itself true,
#' but at most 0.03 had nothing to do with a true feature. Of five features that together explain
#' half of the variance, 60 samples found 0.1 on average, 120 one to two.
#'
#' **Which to take.** In `vignette("error-rates")` real features with 3 to 30 true ones were tried.
#' Lists of `q = 20, pfer = 1` had 0.43 false features on average and found a share of 0.29 of the
#' true ones, those of `efp = 1` 0.65 and 0.29, but 1.7 (standard error 0.2) false ones with 500
#' genes of 319 patients. `fdr = 0.1` brought a share of 0.16 on correlated normal features, of
#' which 0.04 unrelated to any true one: where features are correlated, read a rate up to
#' neighbours. Without signal it named something in 11 % of the responses on independent features
#' and 8 % on real ones, most often where samples are nearly as many as features: chances of
#' different pairs are multiplied, which share the samples. Ask by `permute` whether there is any
#' signal.
#'
#' @section Clusters:
#' Of features that rise and fall together each run takes another one, so that none is frequent.
#' With `clusters` a run ends with the first model that meets q of them, that is, has a feature in
#' each of q clusters; when one step leads past q, with the model before it that meets the most. A
#' cluster is selected by the runs that meet it (Faletto and Bien 2022, who take the model at one
#' penalty instead). `q`, `cutoff`, `pfer` and the bounds count clusters, p is their number.
#'
#' The bounds take all clusters that have nothing to do with the response to be equally likely to
#' be selected. Clusters of unequal size are not: a large one is met by most models. The
#' procedure is therefore repeated on permuted responses, and the print compares how many clusters
#' it names there with the bound; it begins with that number where it is more than the bound by two
#' standard errors. On the 2,000 colon genes, clusters at |r| >= 0.6 have up to 427
#' genes, and with q = 10 and a bound of 1 this procedure names 2.1 clusters on average when the
#' classes are permuted; clusters of at most 100 genes (`max_size` of [cluster_features()]) bring
#' that to 0.15, as does a threshold of 0.7 (a test repeats this).
#'
#' *What it delivers.* `experiments/clusters` has 100 simulated responses a row, with five true
#' features that explain half, q = 10 and a bound of 1. In equal blocks of ten features with
#' correlation 0.8, the named clusters (found at 0.7) held 0.86 true features on average, and 0.09
#' clusters held none; of single features 0.21 true and 0.15 false ones were named. Of the colon
#' genes, named clusters of at most 100 held 0.58, and 0.52 clusters held none; of single genes 0.03
#' true and 0.20 false ones were named. More false clusters than the bound came only without signal
#' and with clusters of any size.
#'
#' The features of a cluster are told apart by their own shares of the runs only: `weight` in
#' `members` says how much each contributes, which is no error rate. `predict()` makes one column
#' of each stable cluster, see [stability_selection-methods].
#'
#' @return An object of class `stabilect_stability_selection`, a list with
#' \describe{
#'   \item{features}{(character) stable features, most frequent first; may be empty.}
#'   \item{table}{(data frame, p rows, most frequent first) `feature`, `direction` and
#'     `same_sign` (as in [fealect()]), `frequency`, `simultaneous`
#'     (share of pairs that selected it in both runs; `NA` without pairs), `selected` (flag:
#'     stable). With `efp` or `fdr`, the smallest efp first, also `score`, `efp` and `fdr` (see
#'     Details); `frequency` and `simultaneous` are those at the lowest penalty.}
#'   \item{bound}{(`stabilect_error_bound`) q, cutoff and the bound that holds for the runs used,
#'     see [error_bound()]. With `efp` or `fdr`, a list of class `stabilect_integral_bound`:
#'     `n_total` (p), `q`, `cutoff` (`NA`), `pfer` (the `efp` asked for; `NA` with `fdr`),
#'     `n_pairs`, `integral` (I), `lambda` (a and b, divided by the root of the number of samples of
#'     a half for least squares), `size` (mean size of models at a) and `sensitivity` (data frame,
#'     rows for q / 2, q and 2 q: `q`, `size`, `lambda` (a), `integral`, `best_efp` (of the feature
#'     that is best for q), `n_selected`).}
#'   \item{calibration}{(list, with `cutoff = "calibrated"`) `largest` (the largest q), `scores`
#'     (data frame, a row for each pair: `q`, `cutoff`, `n_selected`, `z`, `allowed`: does the bound
#'     hold, and keep to `pfer`?) and `peaks` (data frame, the largest z first: those q whose best z
#'     is not below that of the next smaller and larger q, with the highest cutoff that gives it;
#'     each list once).}
#'   \item{selection}{(`stabilect_selection`) what every run selected.}
#'   \item{paths, resamples}{as in [fealect()].}
#'   \item{null}{(`stabilect_null`) what permutations say, see [permutations]; `NULL` without.}
#'   \item{asked}{(list) `q`, `cutoff`, `pfer` (`NULL` for the one that followed), `assumption`,
#'     `efp` and `fdr` where one was asked for, `rule` (string: how runs become a list, `"bound"`,
#'     `"rate"` or `"calibrated"`), `score_rule`, `weakness`, `likelihood` (list of
#'     `family`, `alpha`, `covariates` (matrix) and `strata`, `NULL` for plain least squares), and
#'     with clusters `clusters` (factor, p: the cluster of each feature).}
#'   \item{study,made}{(lists) about the data and the runs, see [results]; `made` has `n_short`,
#'     too: runs that ended before q features (0 for `score_rule = "step"`).}
#' }
#' With `clusters`, `table` has a row for each cluster, whose name is in `feature`, and besides
#' `size` (integer), `representative` (its most frequent feature; the first of equals, to which
#' `direction` and `same_sign` belong) and `members` (string: its selected features with their
#' weights, the five largest). `features` and `selection` are about clusters, too. Further fields
#' are
#' \describe{
#'   \item{members}{(data frame, p rows in the order of the columns) `cluster`, `feature`,
#'     `frequency` (share of runs whose model has the feature), `weight` (the share of that in the
#'     sum over its cluster; equal weights in clusters that no run met), and for `predict()` `mean`,
#'     `sd` (1 for constant features) and `sign`.}
#'   \item{member_selection}{(`stabilect_selection`) the features in the model of every run.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` as [fealect()], for `until` with a calibrated cutoff, for a q
#' larger than the paths of a result hold or larger than the number of clusters, for all three of
#' `q`, `cutoff` and `pfer`, for `clusters` that
#' do not fit the features, share a feature, are one, or come with `efp` or `fdr`, and for `efp` or
#' `fdr` with one another, with `cutoff`, `pfer` or `score_rule = "step"`, or without pairs;
#' `stabilect_error_bound` for combinations of `q`, `cutoff` and `pfer` that no bound allows;
#' `stabilect_error_runs` when no run, or no pair, is left.
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
#' @family stability selection
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- stability_selection(x, mcl_sll$MCL, q = 10, pfer = 1, seed = 1)
#' fit
#' stability_selection(fit, cutoff = 0.6)
#' stability_selection(fit, cutoff = "calibrated", pfer = 1)
#' stability_selection(x, mcl_sll$MCL, efp = 1, q = 4, seed = 1)
#' stability_selection(x, mcl_sll$MCL, q = 10, pfer = 1, family = "binomial", seed = 1)
#' clusters <- cluster_features(x, threshold = 0.8)
#' grouped <- stability_selection(x, mcl_sll$MCL, q = 6, pfer = 1, clusters = clusters, seed = 1)
#' grouped
#' fit_model(predict(grouped, x), mcl_sll$MCL)
#' @export
stability_selection <- function(x, y, q = NULL, cutoff = NULL, pfer = NULL, efp = NULL,
                                fdr = NULL, n_pairs = NULL, resampling = NULL, clusters = NULL,
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
    given <- list(q = q, cutoff = cutoff, pfer = pfer, efp = efp, fdr = fdr)
    return(read(x, given, ...))
  }
  given <- read_dots(list(...), control, paths, own = stability_settings)
  control <- given$control
  paths <- given$paths
  study <- open_study(
    x, y, family_takes(paths$family), "stability selection", family = paths$family,
    covariates = paths$covariates
  )
  check_varying(study$x)
  warn_leak(study)
  warn_small_class(study)
  asked <- c(
    ask_list(q, cutoff, pfer, given$own$assumption, efp, fdr, paths$score_rule),
    paths[c("score_rule", "weakness")]
  )
  asked["likelihood"] <- list(ask_likelihood(study, paths))
  asked$clusters <- check_clusters(clusters, study$feature_names, asked$score_rule)
  rule <- rule_of(asked)
  unit <- unit_of(asked, study$feature_names)
  rule$fits(asked)
  permute <- check_permute(if (is.null(permute)) max(rule$permute, unit$permute) else permute)
  draws <- study_draws(study, pairs_plan(study, n_pairs, resampling), seed)
  asked <- rule$size(asked, study, unit, draws, longest = NULL)
  record <- c(study_record(study), unit$scale(study$x))
  procedure <- stable_procedure(asked, draws$plan)
  fit <- carry_out(procedure, study, draws, control, record)
  fit$made$usual <- rule$usual(list(q = q, cutoff = cutoff, pfer = pfer), asked)
  add_null(fit, procedure, study, permute, control)
}

# The paths of fealect() read again: every prefix of a path is there.
stable_of_fealect <- function(x, given, assumption = assumptions, ...) {
  refuse_dots(...)
  asked <- c(
    do.call(ask_list, c(given, list(assumption = assumption))),
    list(score_rule = x$asked$score_rule, weakness = 1), list(likelihood = x$asked$likelihood)
  )
  again <- plan_again(x, asked, x$asked$max_features)
  longest <- x$asked$max_features
  refuse(!is.null(longest) && again$plan$q > longest,
    "The paths of {.arg x} end at {longest} {unit_word(again$asked)}s ({.arg max_features}), but
      {.arg q} is {again$plan$q}."
  )
  fit <- select_again(x, again$asked, again$plan)
  fit$made$usual <- rule_of(asked)$usual(given, again$asked)
  fit
}

# Runs of stability_selection() read again with another q, cutoff or bound.
stable_of_stable <- function(x, given, ...) {
  refuse_dots(...)
  if (all(vapply(given, is.null, NA))) abort_unasked()
  rule <- rule_wanted(given)
  given$assumption <- x$asked$assumption
  given <- rule$again(given, x, identical(rule$name, x$asked$rule))
  asked <- c(
    do.call(ask_list, given), x$asked[c("score_rule", "weakness")],
    list(likelihood = x$asked$likelihood)
  )
  again <- plan_again(x, asked)
  unit <- unit_of(again$asked)
  largest <- choose_first(.Machine$integer.max, "size")
  longest <- max(lengths(path_sets(unit$paths(x$paths), largest)))
  held <- rule_of(x$asked)$held(x)
  refuse(again$plan$q > max(longest, held),
    "The paths of {.arg x} were run for at most {held} {unit$word}s, but
      {.arg q} is {again$plan$q}: give {.fn stability_selection} the data."
  )
  select_again(x, again$asked, again$plan)
}

abort_unasked <- function() {
  abort("Give one or two of {.arg q}, {.arg cutoff} and {.arg pfer}, or one of {.arg efp} and
    {.arg fdr}.")
}

# @param longest (integer, or NULL) where the paths of the result x end.
# @return list(asked, plan) for its runs and units.
plan_again <- function(x, asked, longest = NULL) {
  rule <- rule_of(asked)
  asked$clusters <- x$asked$clusters
  rule$fits(asked)
  unit <- unit_of(asked, x$study$feature_names)
  asked <- rule$size(asked, x$study, unit, x$resamples, longest)
  list(asked = asked, plan = rule$plan(asked, unit, x$resamples))
}
