#' Tests on many splits of the samples
#'
#' Selects features by the lasso on one half of the samples and tests them on the other half, by
#' least squares; many random splits together give every feature a p value that holds for all
#' features at once (Meinshausen, Meier and Buehlmann 2009), or a list with a false discovery rate
#' (mirror statistics; Dai et al. 2022). Unlike a bound on selection frequencies, this is about
#' coefficients: a feature is false when it adds nothing to the other features of the model.
#'
#' @param x (numeric matrix, n x p, n >= 16) or what [prepare_study()] takes.
#' @param y (n values) response: two classes (as -1 and 1) or numbers.
#' @param data (data frame, or `NULL`) where the variables of a formula `x` are, such as that of
#'   `status ~ .`; `y` is then left out.
#' @param method (string) `"p_value"`, p values of many splits; `"mirror"`, mirror statistics.
#' @param fwer (number in (0, 1), or `NULL` for 0.05) for p values: the accepted probability that
#'   any feature is selected falsely (family-wise error rate).
#' @param fdr (number in (0, 1), or `NULL` for 0.1) for mirror statistics: the accepted share of
#'   false features among the selected ones.
#' @param n_features (whole number >= 1, or `NULL`) the first half selects the first so many
#'   features of the lasso path, such as n / 6; `NULL` takes the penalty with the smallest
#'   cross-validated squared error. Never more than a quarter of n, half of the samples for least
#'   squares.
#' @param n_runs (whole number >= 2) how many splits.
#' @param n_folds (whole number >= 2) folds of the cross-validation within a half.
#' @param groups (clusters of [cluster_features()], factor or character vector of length p, named
#'   list of character vectors, `hclust`, or `NULL`) groups of features that are tested besides,
#'   each feature in one group at most, see [group_features()]; features without a group are their
#'   own. An `hclust` of the p features, such as the field `tree` of [cluster_features()], is tested
#'   from the top down, see Details. For p values only.
#' @param ... Not used.
#' @param seed,n_threads,progress as for [fealect()].
#'
#' @details
#' **P values.** \eqn{S_b} is what the first half of split b selects, and \eqn{p_{bj}} the p value
#' of the t test of j in the regression of y on \eqn{S_b} in the second half, times \eqn{|S_b|} and
#' at most 1; 1 for features outside of \eqn{S_b}. With \eqn{\gamma} from 0.05 in steps of 1/B,
#' \deqn{p_j = \min\{1, (1 - \log 0.05) \min_\gamma Q_\gamma(p_{1j}, \ldots, p_{Bj}) / \gamma\},} Q
#' being R's quantile (their Eq. 2.3, with the arithmetic of the package hdi). That any noise
#' feature has a p value of at most `fwer` has about this probability at most, if the first halves
#' select all true features and errors are normal with one variance, which responses of two classes
#' fulfil only roughly.
#'
#' With `groups`, the p value of a group C in a split is that of the F test of all features of
#' \eqn{C \cap S_b} together, given the others of \eqn{S_b}, times \eqn{|S_b| / |C \cap S_b|}
#' (Mandozzi and Buehlmann 2016, one level of their hierarchy), joined over the splits in the same
#' way. Where correlated features take turns in \eqn{S_b}, their group is in every model, so that it
#' can be significant when none of them is.
#'
#' With a tree (`groups = cluster_features(x)$tree`) no threshold has to be chosen. The first group
#' holds all features. Where a group is significant, the two that it divides into are tested, down
#' to single features; a group that is not ends its branch. Its p value is the largest of its own,
#' as above, and those of all groups that it lies in, so that the probability of any false group in
#' the whole tree is at most `fwer` (Meinshausen 2008; Mandozzi and Buehlmann 2016, without the
#' refinements of inheritance and of Shaffer, which find a little more). The smallest significant
#' groups say how closely the data can tell features apart.
#'
#' **Mirror statistics.** With the lasso coefficient \eqn{b_1} of the first half and the least
#' squares coefficient \eqn{b_2} of the second, of columns with standard deviation one, \eqn{M_j =
#' sign(b_1 b_2)(|b_1| + |b_2|)} is symmetric about zero for noise. A split selects the features
#' above the smallest t with \eqn{(1 + \#\{M < -t\}) / \#\{M > t\}} of at most `fdr`, so that it
#' selects none or at least 1 / `fdr` features. The inclusion rate of a feature is the mean over
#' splits of 1 over the number of features of the split that selected it, 0 where it is not among
#' them; features with the smallest inclusion rates are left out as long as their sum is at most
#' `fdr`.
#'
#' **What it delivers.** In `vignette("error-rates")`, with models of n / 6 features and 3 to 30
#' true ones, a list of p values had any false feature in 1.3 % of 540 responses, and found a share
#' of 0.20 of the true ones on real features: the list to take when no name may be wrong. Mirror
#' statistics kept their rate, too, but found little unless there were many true features.
#'
#' Half of the samples remain for tests, so that few samples bring few discoveries: with 62 samples,
#' and 31 for least squares, expect none or one. Features that are nearly copies of one another
#' share their selections, and none of them may be significant; [cluster_features()] and
#' [group_features()] make one of them.
#'
#' @return An object of class `stabilect_split_test`, a list with
#' \describe{
#'   \item{features}{(character) selected features, best first; may be empty.}
#'   \item{table}{(data frame, p rows, best first) `feature`, `direction` and `same_sign` (as in
#'     [fealect()]), `coefficient` (median over the splits that selected it of the least squares
#'     coefficient, on the scale of `x`; `NA` when none did), `frequency` (share of first halves
#'     that select it), `p_fwer` (number in \[0, 1\], family-wise) or `inclusion` (inclusion rate,
#'     0 to 1), `selected` (flag).}
#'   \item{groups}{(data frame, one row per group, best first; `NULL` without `groups`) `group`,
#'     `size` (features), `frequency` (share of first halves that select any of them), `p_fwer`,
#'     `selected`. For a tree, a row per group that was tested, named after its first feature and
#'     its size, and besides `above` (the group that it is a half of, `NA` for all features),
#'     `smallest` (flag: significant, and no group within it is) and `features` (list of their
#'     names).}
#'   \item{splits}{(data frame, n_runs rows) `size`, features of the model; `n_tested`, samples in
#'     the second half; `lambda`, penalty of the first half on the scale of glmnet; `n_selected`:
#'     for p values features with \eqn{p_{bj} \le} `fwer`, for mirror statistics those of the
#'     split.}
#'   \item{selection}{(`stabilect_selection`) what every first half selected.}
#'   \item{resamples}{(`stabilect_resamples`) the first halves.}
#'   \item{asked}{(list) `method`, `fwer` or `fdr`, `n_features`, `n_folds`.}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' @section Errors:
#' Class `stabilect_error_input` as [fealect()], and for less than 16 samples, samples in blocks
#' (least squares takes them for independent), `fwer` or `groups` with mirror statistics or `fdr`
#' with p values, a feature in several groups, a tree of other features, and an `fdr` that no model
#' is large enough for.
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
                       n_features = NULL, n_runs = 100, n_folds = 10, groups = NULL, ...,
                       seed = NULL, n_threads = 1, progress = interactive(), data = NULL) {
  refuse_dots(...)
  check_given(except = "y")
  study <- open_study(x, y, takes_of("split_test"), "tests on splits")
  check_varying(study$x)
  check_splittable(study)
  n_runs <- check_count(n_runs, min = 2)
  largest <- study$n %/% 4L
  asked <- ask_split(method, fwer, fdr, n_features, n_folds, min(largest, study$p), study$n)
  members <- ask_groups(groups, study$feature_names, asked$method)
  control <- check_run(n_threads, progress)
  draws <- study_draws(study, resample_subsample(n_runs, 1 / 2), seed)
  procedure <- split_procedure(asked, draws$plan, members)
  carry_out(procedure, study, draws, control, study_record(study))
}
