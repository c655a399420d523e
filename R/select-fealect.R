#' Score features by lasso paths on many resamples
#'
#' Runs the lasso path on many subsamples, scores every feature by the models that contain it, and
#' cuts the sorted scores where their curve bends up (FeaLect; Zare et al. 2013). Returns the scores
#' with their standard errors, the features above the cut, a final model, and the out-of-bag error
#' of the whole procedure, which tells whether there is a signal. Its print begins with the verdict.
#'
#' @param x (numeric matrix, n samples x p features) or a data frame of numbers, or a sparse Matrix;
#'   no missing values, n >= 3. Unnamed columns are called `V1`, `V2`, ... Formulas, Bioconductor
#'   containers and prepared data go in as well, see [prepare_study()].
#' @param y (n values) response: two classes (factor, character, logical, 0/1 or -1/1), which enter
#'   the least squares as -1 and 1, several classes, numbers, counts (with `family = "poisson"`), or
#'   survival times ([survival::Surv()]).
#' @param data (data frame, or `NULL`) where the variables of a formula `x` are, such as that of
#'   `status ~ .`; `y` is then left out.
#' @param n_runs (whole number >= 1, or `NULL` for 100) number of subsamples, m in Zare et al.
#'   (2013). Two classes are drawn in their proportions, see Details.
#' @param fraction (number in (0, 1), or `NULL` for 3/4) size of a subsample relative to n, gamma in
#'   Zare et al.; sizes are rounded down.
#' @param max_features (whole number >= 1, or `NULL`) the largest model of a path that counts;
#'   `NULL` follows every path to its end.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`, or `NULL`) other resamples
#'   than `n_runs` subsamples of size `fraction`: a plan such as `resample_bootstrap(200)`, or drawn
#'   ones that are to be shared with another analysis.
#' @param model,lambda (string; number >= 0; or `NULL`) kind and penalty of the final model, see
#'   [fit_model()].
#' @param oob (flag) estimate the out-of-bag error?
#' @param permute (whole number >= 0) how often to repeat the whole procedure on permuted responses,
#'   for p values and for what scores chance gives; 199 is a good number, 0 for none. See
#'   [permutations].
#' @param clusters (clusters of [cluster_features()], a named list of feature names, or a label for
#'   each feature; `NULL` for none) score these, not features, see Details. Features in none, or
#'   with the label `NA`, are clusters of their own.
#' @param paths (`stabilect_path_control`) likelihood, elastic net, covariates and score rule of the
#'   paths, see [path_control()].
#' @param control (`stabilect_run_control`) threads, progress, checkpoint and early stopping, see
#'   [run_control()].
#' @param ... settings of [path_control()] and [run_control()] by name, such as
#'   `family = "binomial"` or `n_threads = 2`; and
#'   * `min_segment` (whole number >= 1; 1): smallest number of features in a bent part of the score
#'     curve;
#'   * `n_boot` (whole number >= 0; 200): how often the runs are drawn again for the column
#'     `above_cut`; 0 for none.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) `NULL` takes one integer from R's
#'   generator, so that [set.seed()] works.
#'
#' @details
#' **Score.** Let \eqn{F_k^b} be the set of features in the model of run b when exactly k features
#' are selected. Then (Zare et al., Eq. 2 and 3)
#' \deqn{S_k^b(f) = \frac{1}{k} [f \in F_k^b], \quad
#'       S(f) = \sum_k \frac{1}{m} \sum_{b=1}^m S_k^b(f).}
#' A lasso path can meet a size several times, because features may leave: the first model of that
#' size counts, the one at the largest lambda. A size that is skipped because several features enter
#' together contributes nothing.
#'
#' **Cut.** [three_segment()] fits a quadratic - linear - quadratic curve to the sorted logarithms
#' of the positive scores; the features above its upper knot are above the cut when the curve really
#' bends up there (`three_segment$reason` says why not, where it does not). The paper calls
#' them informative. Their number is no estimate of anything: it grows with `n_runs`, because more
#' runs give more features a small score, and a permuted response gives as many. With 10 of 1,000
#' features informative, the list contained 5.0 to 10 of them and 56 to 196 others, by setting, and
#' 157 features on average when there was no signal at all (`vignette("fealect")`). The order of
#' the scores is more reliable than the cut; for a short list with few false features use
#' [stability_selection()].
#'
#' The curve gives no cut where it has no bend: with few features, and with a few strong ones that
#' leave nothing between themselves and the rest. Then the features with at least half of the best
#' score are taken instead. With `max_features`, where the curve lacks the tail of rare features
#' that it would bend away from, it is the features in at least half of the runs (half of the best
#' score where there are none). `cut` and the print say so. These stand-ins are rules of thumb, no
#' tests either: whether there is a signal is answered by the out-of-bag error and by `permute`.
#'
#' `above_cut` comes from drawing the runs with replacement `n_boot` times: it tells how much the
#' cut would vary with other *subsamples of the same data*, and nothing about new data. A feature
#' that is noise can have 1.
#'
#' **Subsamples.** When `resampling` is not given and `y` has two classes, every subsample has them
#' in their proportions (`resample_subsample(stratify = TRUE)`), unless a class has fewer than two
#' samples or blocks hold both. The paper draws without regard to classes; `resampling =
#' resample_subsample(100)` does that.
#'
#' **Out-of-bag error.** For each sample, the scores, the cut and the final model are computed again
#' from the runs that did not contain it, and the final model is fitted without it. This model
#' predicts the sample, which has played no part in it. So the error is that of the whole procedure
#' with about `n_runs * (1 - fraction)` runs; no further paths are computed.
#'
#' Leaving out one sample makes its class rarer in the rest, so that a model of noise prefers the
#' other class: with ten samples of either class and no signal, the error would be 0.68 on average,
#' not 0.5. So one random sample of the other class is left out with it, by a fixed seed. When the
#' plan has blocks, the whole block of the sample is left out, with a block of every class that it
#' has none of.
#'
#' Predictions of samples that were in each other's models are correlated, so that the error varies
#' more than that of as many independent samples. The 95 % interval is Wilson's for n / 2 samples
#' (blocks, where there are any); in simulations it held the true error in 90 to 100 % of the data
#' sets (`experiments/honest-error`). For a numeric response it is the mean squared error
#' times \eqn{\exp(\pm 1.96 \sqrt 3 \, s / (\sqrt n \, \mathrm{MSE}))}, s the standard deviation
#' of the squared errors; so it is for counts, whose error is the mean Poisson deviance.
#'
#' **Survival times and other likelihoods.** The paper scores paths of least squares. With another
#' `family`, or the elastic net, the paths are those of [lasso_path()], in which models are stated
#' where one feature enters or leaves at a time; score, cut and error follow from them in the same
#' way. Such paths end where they explain 99.9 % of the deviance, and have no `score_rule = "step"`.
#'
#' **Covariates.** What is known beside the features, such as age or batch, is in the model of every
#' run without a penalty, so that a feature is scored by what it adds. For least squares these are
#' the paths of what the covariates leave of response and features in the run (Frisch and Waugh
#' 1933, Lovell 1963); for the other families they are in every step. A feature that the covariates
#' explain scores 0. The final model and those of the out-of-bag error have them without a penalty,
#' too, and the error is compared with that of the covariates alone, which is estimated in the same
#' way: each sample is predicted by a model of the covariates that has not seen it. How responses
#' are permuted beside covariates is told in [permutations].
#'
#' **Clusters.** Features that rise and fall together share their votes. With `clusters` the runs
#' are the same, but models are counted in clusters: \eqn{F_k^b} is the set of clusters of which the
#' model has a feature when these are exactly k, `max_features` ends paths at so many clusters, and
#' scores, cut, permutations and `stability_selection()` of the result are of clusters. In the final
#' model each is represented by its most frequent feature; for the out-of-bag error that is found
#' without the sample, too. A large cluster is met by most models, also by chance: `permute` says
#' how often. `score_rule = "step"` counts no clusters.
#'
#' **Final model.** Ridge-logistic regression on all features above the cut for two classes; for
#' other responses the ridge regression of [fit_model()] on the best of them, at most a fifth as
#' many as samples.
#'
#' **What the R package FeaLect 1.20 does instead.** It draws with replacement and then drops
#' duplicates (about 0.53 n distinct rows for `fraction = 0.75`), and balances the classes by
#' oversampling. It counts the model after step k of the path (`score_rule = "step"`), sums over
#' runs instead of averaging, and has no threshold. `resampling = resample_bootstrap(100, 3/4,
#' balance = TRUE)` comes close; there, rows drawn twice have twice the weight.
#'
#' **Failed runs.** A subsample with one class is drawn again, at most 1000 times (see
#' [draw_resamples()]). A run that still fails is kept with its reason in `selection$status` and
#' left out of the averages.
#'
#' @return An object of class `stabilect_fealect`, a list with
#' \describe{
#'   \item{table}{(data frame, p rows, best first) `feature`, `direction` (string: the class in
#'     which it is higher on average; `"+"` or `"-"`, the sign of its correlation with a numeric
#'     response; `NA` for constant features), `same_sign` (share of the runs with the feature in
#'     which its coefficient, as it enters the path, has the sign of `direction`; far below 1 for a
#'     feature that matters only beside others; `NA` when it is in no run), `score` \eqn{S(f)}, `se`
#'     (its standard error over runs, `NA` for one run), `frequency` (share of runs in which the
#'     feature was in a model that counts), `above_cut` (share of the `n_boot` draws of the runs in
#'     which the cut keeps it; `NA` when `n_boot = 0`), `selected` (flag: one of `features`). With
#'     `clusters` a row for each cluster, whose name is in `feature`, with `size`, `representative`
#'     (its most frequent feature, to which `direction` and `same_sign` belong) and `members`
#'     (string: its selected features with their weights, the five largest); `features` and
#'     `selection` are about clusters, too.}
#'   \item{members, member_selection}{(data frame; `stabilect_selection`; with `clusters` only) as
#'     in [stability_selection()], of the features in the models that count.}
#'   \item{features}{(character) the features above the cut, or what stands in for it, best first.
#'     [selected()] gives the same.}
#'   \item{cut}{(string) what the cut is: `"bend"` of the score curve; where it gives none,
#'     `"majority"` (in at least half of the runs; only with `max_features`) or `"half"` (with at
#'     least half of the best score); `"none"` when no feature has a score.}
#'   \item{three_segment}{(`stabilect_three_segment`) the curve and its knots, see
#'     [three_segment()].}
#'   \item{model}{(`stabilect_model`) final model, see [fit_model()]; `NULL` in a result that was
#'     merged without the data.}
#'   \item{oob}{(`stabilect_oob`) `error` (misclassification rate, mean squared error, mean
#'     Poisson deviance, or discordance), `lower`,
#'     `upper` and `conf_level` (its interval), `baseline` (the error of always predicting the
#'     largest class, the variance of the response, the deviance of the mean count, or 0.5; with
#'     covariates
#'     the out-of-bag error of these alone, whose names are then in `covariates`), `balanced_error`
#'     (mean over classes of their error rates) and `auc` (`NA` for numbers), `n` (samples
#'     predicted), `n_empty` (of these, by a model without features), `measure` and `type` (strings:
#'     what the error is, and the outcome), `n_blocks` (with blocks) and `predictions` (data frame:
#'     `sample`, `observed`, `predicted`, `link`, `n_runs`, `n_features`; `NA` for samples in every
#'     run; several classes have a link each, `link_` before its name). `NULL` when `oob = FALSE` or
#'     no sample was ever left out.}
#'   \item{convergence}{(data frame) `n_runs`, `correlation` (of the scores of the first `n_runs`
#'     runs with those of the other runs), `overlap` (share of the best features in common, as many
#'     as are selected or ten).}
#'   \item{selection}{(`stabilect_selection`) scores of every run, see [selection].}
#'   \item{paths}{(list) events, their signs and lambda of all paths in compact form, for `plot()`.}
#'   \item{resamples}{(`stabilect_resamples`)}
#'   \item{null}{(`stabilect_null`) what permutations say, see [permutations]; `NULL` without. The
#'     table then also has the columns `expected_by_chance`, `p_fwer` and `q_fdr`.}
#'   \item{asked}{(list) `max_features`, `score_rule`, `min_segment`, `n_boot`, `model`, `lambda`,
#'     `oob`, `rule` (`"bend"`), `likelihood` (as in [stability_selection()]): the arguments,
#'     defaults filled in.}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' @section Errors:
#' Class `stabilect_error_input`, with the argument, the place and what to do: missing or infinite
#' values, in `covariates` too, fewer than three samples, one class, lengths or
#' names that disagree, covariates that are constant, combinations of each other or tell `y`, a
#' `fraction` outside (0, 1), all columns constant. Class `stabilect_error_runs` when no run
#' succeeded. An interrupt ends the call; it never returns part of the runs. A warning of class
#' `stabilect_warning_small_class` for a class with fewer than five samples.
#' @references Frisch R, Waugh FV (1933). Partial time regressions as compared with individual
#'   trends. *Econometrica* 1, 387-401.
#'
#'   Lovell MC (1963). Seasonal adjustment of economic time series and multiple regression analysis.
#'   *Journal of the American Statistical Association* 58, 993-1010.
#'
#'   Zare H, Haffari G, Gupta A, Brinkman RR (2013). Scoring relevancy of features based
#'   on combinatorial analysis of Lasso with application to lymphoma diagnosis. *BMC Genomics*
#'   14(Suppl 1), S14. \doi{10.1186/1471-2164-14-S1-S14}
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
    own = fealect_settings, unused = c(strata = "", weakness = "")
  )
  control <- given$control
  paths <- given$paths
  study <- open_study(
    x, y, family_takes(paths$family), "FeaLect", family = paths$family,
    covariates = paths$covariates
  )
  check_varying(study$x)
  warn_leak(study)
  warn_small_class(study)
  model <- check_model(model, study$response$type)
  asked <- list(
    max_features = check_count(max_features, null_ok = TRUE),
    score_rule = paths$score_rule,
    min_segment = check_count(given$own$min_segment, name = "min_segment"),
    n_boot = check_count(given$own$n_boot, min = 0, name = "n_boot"),
    model = model, lambda = check_lambda(lambda, model),
    oob = check_flag(oob), rule = "bend"
  )
  likelihood <- ask_likelihood(study, paths)
  asked["likelihood"] <- list(likelihood)
  asked$clusters <- check_clusters(clusters, study$feature_names, asked$score_rule)
  study <- with_covariates(study, likelihood$covariates)
  check_covariates_leave(study$response)
  permute <- check_permute(permute)
  draws <- study_draws(study, fealect_plan(study, n_runs, fraction, resampling), seed)
  unit <- unit_of(asked, study$feature_names)
  record <- c(study_record(study), unit$scale(study$x))
  procedure <- fealect_procedure(asked, draws$plan)
  fit <- carry_out(procedure, study, draws, control, record)
  add_null(fit, procedure, study, permute, control)
}

# Settings of fealect() alone, which come by name.
fealect_settings <- list(min_segment = 1, n_boot = 200)
