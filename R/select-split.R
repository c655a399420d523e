#' Tests on many sample splits: p-values and mirror statistics
#'
#' Selects features by the lasso on one half of the samples and tests them by least squares on the
#' other half: numbers, two or several classes, survival times or counts. Many random splits
#' together give every feature a p-value that is corrected for all features (Meinshausen, Meier and
#' Buehlmann 2009), or a list with a false discovery rate (mirror statistics; Dai et al. 2022).
#' Unlike bounds on selection frequencies, this is about coefficients: a feature is false if it adds
#' nothing to the other features of the model.
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param x (numeric matrix, n x p, n >= 16; or another form of [prepare_study()]) data.
#' @param y (n values) outcome: two classes (coded -1 and 1), several classes (also ordered),
#'   numbers, counts (`family = "poisson"`), or survival times, `survival::Surv(time, event)`.
#' @param method (string) `"p_value"`, p-values of many splits; `"mirror"`, mirror statistics.
#' @param fwer (number in (0, 1), or `NULL`) for p-values: accepted probability of any false
#'   selection (family-wise error rate); `NULL` takes 0.05.
#' @param fdr (number in (0, 1), or `NULL`) for mirror statistics: accepted share of false features
#'   among the selected ones; `NULL` takes 0.1.
#' @param n_features (whole number >= 1, or `NULL`) number of features of the lasso path that the
#'   first half selects, for example n / 6. `NULL` takes the penalty with the smallest
#'   cross-validated squared error among models of at most 250 features, and n / 6 features for
#'   several classes, at most 250. The cross-validation takes `n_runs * n_folds` lassos, and most of
#'   the time; a number needs none. It is at most a quarter of n, half of the samples for least
#'   squares.
#' @param n_runs (whole number >= 2) number of splits. Each has a cross-validated path: at 2,000 x
#'   500 they take as long as 287 paths of glmnet.
#' @param n_folds (whole number >= 2) number of folds of the cross-validation within a half.
#' @param groups (clusters of [cluster_features()], factor or character vector of length p, named
#'   list of character vectors, `hclust`, or `NULL`) groups of features to test in addition, each
#'   feature in at most one group, see [group_features()]. Features in no group are their own
#'   groups. An `hclust` of the p features, for example the field `tree` of [cluster_features()], is
#'   tested from the top down, see Details. For p-values only.
#' @param family (string or `NULL`) `"poisson"`: the numbers of `y` are counts. Other outcomes need
#'   none.
#'
#' @details
#' **What the numbers mean.** `p_fwer` is the p-value of what a feature adds to all others that were
#' selected. Features with a p of at most `fwer` are selected. The list has any false feature with
#' about this probability at most, if the first halves select all true features and errors are
#' normal with one variance. Two classes fulfil the latter only roughly. With `method = "mirror"`
#' features are selected so that at most a share `fdr` of them is false; `inclusion` is the
#' inclusion rate.
#'
#' Half of the samples remain for tests: with 62 samples, 31 of them for least squares, expect no
#' feature or one. Near copies share their selections, and perhaps none is significant. Give
#' `groups`: a group can be significant although none of its features is. A tree (`groups =
#' cluster_features(x)$tree`) needs no threshold: groups are divided as long as they are
#' significant, and the smallest significant ones show how precisely the data can distinguish
#' features.
#'
#' **Simulations.** In `vignette("error-rates")`, with models of n / 6 features and 3 to 30 true
#' ones, a list of p values had any false feature in 1.3 % of 540 responses, and found a share of
#' 0.20 of the true ones on real features. Use it if no name may be wrong. With the defaults, on
#' 1512 outcomes of `experiments/peers`, 4.1 % of the lists had a false feature, and 0.53 true ones
#' were named an outcome. Each has five or ten true features: there mirror statistics for a share of
#' 0.1 selected nothing in any of 336 outcomes.
#'
#' **How it is computed.** In each split a model is chosen in one half; the other half tests its
#' features by least squares, with p-values times the size of the model. Quantiles of the p-values
#' over splits are combined (Meinshausen et al. 2009). Groups have F tests (Mandozzi and Buehlmann
#' 2016), trees the hierarchy of Meinshausen (2008). Mirror statistics (Dai et al. 2022) compare the
#' coefficients of both halves. Other outcomes than numbers are replaced by the scores of
#' [find_signals()]: hazards need not be proportional. Several classes have a test of all together
#' (Rao 1951). `vignette("how-computed")` has the formulas.
#' @return An object of class `stabilect_split_test`, a list with
#' \describe{
#'   \item{features}{(character) selected features, best first; can be empty.}
#'   \item{table}{(data frame, p rows, best first) `feature`, `direction` and `same_sign` (as in
#'     [fealect()]), `coefficient` (least squares coefficient on the scale of `x`, median over the
#'     splits that selected the feature and told it from the others; `NA` if none did, or with
#'     several classes), `frequency`
#'     (share of first halves that select it), `p_fwer` (number in \[0, 1\], family-wise) or
#'     `inclusion` (inclusion rate, 0 to 1), `selected` (flag).}
#'   \item{groups}{(data frame, one row per group, best first; `NULL` without `groups`) `group`,
#'     `size` (features), `frequency` (share of first halves that select any of them), `p_fwer`,
#'     `selected`. For a tree, a row per tested group, named after its first feature and its size,
#'     and also `above` (the group that it is a part of, `NA` for all features), `smallest` (flag:
#'     significant, and no group within it is) and `features` (list of their names).}
#'   \item{splits}{(data frame, n_runs rows) `size`, features of the model; `n_tested`, samples in
#'   the second half; `lambda`, penalty of the first half on the scale of glmnet (for scores, where
#'   these are explained); `n_selected`, number of features with \eqn{p_{bj} \le} `fwer`, or
#'   features selected by mirror statistics.}
#'   \item{selection}{(`stabilect_selection`) what every first half selected.}
#'   \item{resamples}{(`stabilect_resamples`) the first halves.}
#'   \item{asked}{(list) `method`, `fwer` or `fdr`, `n_features`, `n_folds`.}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' @section Errors:
#' Class `stabilect_error_input` as in [fealect()], and for less than 16 samples, samples in blocks
#' (least squares assumes that they are independent), `fwer` or `groups` with mirror statistics or
#' `fdr` with p-values, mirror statistics of several classes, a feature in several groups, a tree of
#' other features, and an `fdr` for which no model is large enough.
#' @references Dai C, Lin B, Xing X, Liu JS (2022). False discovery rate control via data splitting.
#'   *Journal of the American Statistical Association* 118, 2503-2520.
#'
#'   Mandozzi J, Buehlmann P (2016). Hierarchical testing in the high-dimensional setting with
#'   correlated variables. *Journal of the American Statistical Association* 111, 331-343.
#'
#'   Meinshausen N (2008). Hierarchical testing of variable importance. *Biometrika* 95, 265-278.
#'
#'   Meinshausen N, Meier L, Buehlmann P (2009). p-values for high-dimensional regression. *Journal
#'   of the American Statistical Association* 104, 1671-1681.
#'
#'   Rao CR (1951). An asymptotic expansion of the distribution of Wilks' criterion. *Bulletin of
#'   the International Statistical Institute* 33(2), 177-180.
#' @concept multi-split p-values
#' @concept false discovery rate
#' @concept p >> n
#' @family evidence
#' @examples
#' x <- matrix(rnorm(100 * 50), 100)
#' y <- x[, 1] + x[, 2] + rnorm(100)
#' split_test(x, y, n_runs = 20, n_features = 10, seed = 1)
#' x[, 3] <- x[, 2] + rnorm(100) / 20
#' tree <- cluster_features(x)$tree
#' split_test(x, y, n_runs = 20, n_features = 10, groups = tree, seed = 1)
#' @export
split_test <- function(x, y, method = c("p_value", "mirror"), fwer = NULL, fdr = NULL,
                       n_features = NULL, n_runs = 100, n_folds = 10, groups = NULL,
                       family = NULL, ..., seed = NULL,
                       n_threads = getOption("stabilect.n_threads", 1),
                       progress = interactive(), data = NULL) {
  refuse_dots(...)
  check_given(except = "y")
  takes <- takes_with("split_test", family)
  # A tree joins copies of features itself.
  study <- open_study(
    x, y, takes, "tests on splits", family = family, merge = !inherits(groups, "hclust")
  )
  check_varying(study$x)
  check_splittable(study)
  n_runs <- check_count(n_runs, min = 2)
  largest <- study$n %/% 4L
  asked <- ask_split(method, fwer, fdr, n_features, n_folds, min(largest, study$p), study)
  members <- ask_groups(groups, study, asked$method)
  control <- check_run(n_threads, progress)
  # Halves without a rare class or an event would have nothing to select by.
  stratify <- !outcome_of(study$response)$is_number && can_stratify(study, 1 / 2)
  draws <- study_draws(study, resample_subsample(n_runs, 1 / 2, stratify = stratify), seed)
  usual <- if (is.null(n_features)) "n_features"
  procedure <- split_procedure(asked, draws$plan, members, usual)
  carry_out(procedure, study, draws, control, study_record(study))
}
register_verb("split_test", place = 2)
