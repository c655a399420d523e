#' Feature scores from lasso paths on many subsamples (FeaLect)
#'
#' Runs the lasso path on many subsamples and scores every feature by the models that contain it
#' (FeaLect; Zare et al. 2013). The sorted scores are cut where their curve bends up. Returns the
#' scores with standard errors, the features above the cut, a final model, and the out-of-bag error
#' of the whole procedure, which shows whether there is a signal. The print begins with the verdict.
#'
#' @inheritParams arguments
#' @param x (numeric matrix, n samples x p features) data; or a data frame of numbers, a sparse
#'   Matrix, a formula, a Bioconductor container or prepared data, see [prepare_study()]. No missing
#'   values, n >= 3. Unnamed columns are called `V1`, `V2`, ...
#' @param y (n values) outcome: two classes (factor, character, logical, 0/1 or -1/1), coded -1 and
#'   1 in least squares; several classes; numbers; counts (with `family = "poisson"`); or survival
#'   times ([survival::Surv()]).
#' @param n_runs (whole number >= 1, or `NULL`) number of subsamples, m in Zare et al. (2013);
#'   `NULL` takes 100. Two classes are drawn in their proportions, see Details.
#' @param fraction (number in (0, 1), or `NULL`) size of a subsample relative to n, rounded down,
#'   gamma in Zare et al.; `NULL` takes 3/4.
#' @param max_features (whole number >= 1, or `NULL`) size of the largest model of a path that
#'   counts; `NULL` follows every path to its end, of more than 1,000 samples to 250 features. Those
#'   of survival times then take long, at 2,000 x 500 as long as 134 paths of glmnet; with 30
#'   features as 24.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`, or `NULL`) a plan, for
#'   example `resample_bootstrap(200)`, or drawn resamples to share with another analysis; instead
#'   of `n_runs` and `fraction`.
#' @param model,lambda (string; number >= 0; or `NULL`) kind and penalty of the final model, see
#'   [fit_model()].
#' @param oob (flag, or `"views"`) estimate the out-of-bag error? `"views"` also estimates, with
#'   further runs, what each view adds, see Details.
#' @param permute (whole number >= 0) number of permutations of the outcome, each with the whole
#'   procedure. They give p-values and the scores expected by chance, see [permutations]. 0 for
#'   none; 199 is a good number.
#' @param clusters (clusters of [cluster_features()], a named list of feature names, or a label for
#'   each feature; `NULL` for none) score clusters instead of features, see Details. Features in no
#'   cluster, or with the label `NA`, are clusters of their own.
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
#' **Score.** Let \eqn{F_k^b} be the set of features in the model of run b when exactly k features
#' are selected. Then (Zare et al., Eq. 2 and 3)
#' \deqn{S_k^b(f) = \frac{1}{k} [f \in F_k^b], \quad
#'       S(f) = \sum_k \frac{1}{m} \sum_{b=1}^m S_k^b(f).}
#' A lasso path can have a size several times, because features may leave. The first model of that
#' size counts, which has the largest lambda. A size that is skipped because several features enter
#' together contributes nothing.
#'
#' **Cut.** [three_segment()] fits a quadratic - linear - quadratic curve to the sorted logarithms
#' of the positive scores. The features above its upper knot are above the cut if the curve really
#' bends up there; otherwise `three_segment$reason` gives the reason. The paper calls these features
#' informative. Their number estimates nothing: it grows with `n_runs`, because more runs give more
#' features a small score, and permuted outcomes give as many. With 10 of 1,000 features
#' informative, the list contained 5.0 to 10 of them and 56 to 196 others, by setting, and 157
#' features on average when there was no signal at all (`vignette("fealect")`). The order of the
#' scores is more reliable than the cut. For a short list with few false features use
#' [stability_selection()]. On 1512 outcomes of `experiments/peers`, 4.24 true and 38.00 false
#' features were above the cut on average, 26.00 of them unrelated to any true one.
#'
#' With few features, or a few strong features far above the rest, the curve has no bend and gives
#' no cut. The features with at least half of the best score are then taken instead. With
#' `max_features` the curve lacks the tail of rare features; then the features in at least half of
#' the runs are taken (or those with half of the best score, if there are none). `cut` and the print
#' say so. These rules are rules of thumb and no tests. The out-of-bag error and `permute` answer
#' whether there is a signal.
#'
#' `above_cut` comes from drawing the runs with replacement `n_boot` times. It shows how much the
#' cut would vary with other *subsamples of the same data*, and nothing about new data. A noise
#' feature can have 1.
#'
#' **Subsamples.** Without `resampling`, subsamples contain two classes in their proportions
#' (`resample_subsample(stratify = TRUE)`), unless a class has fewer than two samples or blocks
#' contain both. The paper ignores classes; `resampling = resample_subsample(100)` does the same.
#'
#' **Out-of-bag error.** For each sample, the scores, the cut and the final model are computed again
#' from the runs that did not contain it; the final model is fitted without it. This model then
#' predicts the sample. The error is therefore the error of the whole procedure with about `n_runs *
#' (1 - fraction)` runs. No further paths are computed. All models of n samples take a time in
#' proportion to \eqn{n^2}. Of more than 1,000 samples 3,000,000 / n are judged, or 500,000 / n with
#' covariates and survival times, and at least 300. They are drawn in proportion to classes or
#' events by a fixed seed, and more where fewer than 30 of a class were drawn. The print then says,
#' for example, "600 of 20,000 samples judged", and the interval is that of 600. To judge more
#' samples, leave them out of `x` and give them to [validate_model()].
#'
#' Leaving out one sample makes its class rarer in the rest, and a model of noise then prefers the
#' other class. With ten samples of either class and no signal, the error would be 0.68 on average,
#' not 0.5. Therefore one random sample of the other class is left out with it, by a fixed seed. If
#' the plan has blocks, the whole block of the sample is left out, with a block of every class that
#' it does not contain. Beside covariates of a balanced design, with as many samples of each class
#' in each batch, it is a sample of the same batch, and ranks are compared in groups with the
#' classes of each batch in proportion. A design counts as balanced where classes and covariates are
#' less correlated than all but 2 % of covariates drawn at random.
#'
#' **Concordance and AUC out of bag** compare samples in pairs, and each pair is judged by one
#'   model, as if both samples were new: its features come from the runs that drew neither sample,
#'   and it is fitted without the small group of samples (or blocks) that contains both. Ranks of
#'   predictions by different models would be below chance: each model is shifted against the
#'   outcome of the sample that it leaves out, by enough to decide between samples that are
#'   otherwise equal (Parker, Guenter and Bedo 2007; Airola et al. 2011). If no run drew neither
#'   sample, each has its own features. The covariates alone are judged in the same groups. About as
#'   many pairs are judged as there are samples: other resamples, or another order of the rows, move
#'   the value within its interval. The
#'   interval is that of Student's t on the logit scale, with twice the infinitesimal-jackknife
#'   variance of `survival::concordance()` and as many degrees of freedom as there are events, or
#'   samples of the rarest class, but one. In simulations (`experiments/honest-ranks`) both were
#'   within 0.02 of the value on new samples on average, and the interval contained it in 94 % or
#'   more, with 15 samples of a class or about 20 events and more, and 50 runs. With four samples of
#'   a class they were up to 0.03 too low; prints say that they say little.
#'
#' Out-of-bag predictions are correlated, because samples were in each other's models. The error
#' therefore varies more than with as many independent samples. The 95 % interval is the exact one
#' of Clopper and Pearson (1934) for n / 2 samples (or blocks). For numbers the interval is the mean
#' squared error times \eqn{\exp(\pm 2 t s / (\sqrt n \, \mathrm{MSE}))}, with s the standard
#' deviation of the squared errors and t a quantile of the t distribution with n / 4 - 1 degrees of
#' freedom; fewer than eight have none. Counts use the same formula with their mean Poisson
#' deviance. In samples of 20 to 160 from ten published data sets, intervals contained the error on
#' the other samples in 87 to 100 % of the draws for classes (97 % on average) and in 88 to 99 % for
#' numbers (96 %). In samples of 20 and 40 from other sets it was 83 to 100 % (97 %) and 83 to 97 %
#' (90 %). They hold least where samples are near copies of each other and where numbers are skewed.
#' The interval of classes was chosen before the other sets were looked at
#' (`experiments/honest-error`).
#'
#' **Views** (`oob = "views"`; see [prepare_study()]). What does expression add to clinical values?
#' The whole procedure is repeated on the same resamples without each view, and with the views up to
#' it in the order given (Boulesteix and Sauerbrei 2011). For K views these are 2K - 2 further
#' calls. `views` has both answers: how much the error rises without a view and how much it falls
#' when a view joins those before it. A view that shares its information with others adds little by
#' the first. Intervals are normal, for paired differences of out-of-bag predictions. Their standard
#' error is a jackknife over samples (or blocks of samples), for survival times the infinitesimal
#' one, over the same pairs with and without the view. These predictions are correlated: the
#' variance is taken twice for error rates and survival times, and three times for other errors. In
#' simulations (`experiments/views`) the intervals contained what a view adds on new samples in 93
#' to 100 % of the data sets for classes and 88 to 100 % for numbers. For a view without signal they
#' were above 0 in at most 2 %.
#'
#' **Survival times and other likelihoods.** The paper scores paths of least squares. With another
#' `family`, or the elastic net, the paths are those of [lasso_path()], whose models are known where
#' one feature enters or leaves at a time. Score, cut and error follow in the same way. These paths
#' end where they explain 99.9 % of the deviance, and have no `score_rule = "step"`.
#'
#' **Covariates.** The model of every run contains the covariates, for example age or batch, without
#' a penalty. A feature is therefore scored by what it adds. For least squares these are the paths
#' of the residuals of outcome and features given the covariates in the run (Frisch and Waugh 1933,
#' Lovell 1963). For the other families covariates take part in every step. A feature that the
#' covariates explain scores 0. The final model and the out-of-bag models also contain the
#' covariates without a penalty. The error is compared with the error of the covariates alone,
#' estimated in the same way: a model of the covariates predicts each sample that it has not seen.
#' [permutations] describes how outcomes are permuted with covariates.
#'
#' **Clusters.** Correlated features share their votes. With `clusters` the runs are the same, but
#' model sizes count clusters: \eqn{F_k^b} is the set of clusters with a feature in the model when
#' there are exactly k. `max_features` ends paths at this number of clusters. Scores, cut,
#' permutations and `stability_selection()` of the result then refer to clusters. In the final model
#' each cluster is represented by its most frequent feature; for the out-of-bag error this feature
#' is found without the sample. Most models contain a feature of a large cluster, even by chance;
#' `permute` shows how often. `score_rule = "step"` does not allow clusters.
#'
#' **Final model.** Ridge-logistic regression on all features above the cut for two classes. For
#' other outcomes the ridge regression of [fit_model()] on the best features, at most a fifth of the
#' number of samples.
#'
#' **Differences from the R package FeaLect 1.20.** FeaLect draws with replacement and then drops
#' duplicates (about 0.53 n distinct rows for `fraction = 0.75`), and balances the classes by
#' oversampling. It counts the model after step k of the path (`score_rule = "step"`), sums over
#' runs instead of averaging, and has no threshold. `resampling = resample_bootstrap(100, 3/4,
#' balance = TRUE)` comes close, but gives rows drawn twice twice the weight.
#'
#' **Failed runs.** A subsample with one class is drawn again, at most 1000 times (see
#' [draw_resamples()]). A run that still fails is kept with its reason in `selection$status` and
#' left out of the averages.
#'
#' @return An object of class `stabilect_fealect`, a list with
#' \describe{
#'   \item{table}{(data frame, p rows, best first) `feature`, `direction` (string: the class in
#'   which it is higher on average; `"+"` or `"-"`, the sign of its correlation with numbers; `NA`
#'   for constant features), `same_sign`, `score` \eqn{S(f)}, `se` (its standard error over runs,
#'   `NA` for one run), `frequency` (share of runs in which the feature was in a model that counts),
#'   `above_cut` (share of the `n_boot` draws in which the feature is above the cut; `NA` if `n_boot
#'   = 0`), `selected` (flag: one of `features`). `same_sign` is the share of the runs with the
#'   feature in which its coefficient enters the path with the sign of `direction`. It is far below
#'   1 for a feature that matters only together with others, and `NA` for a feature in no run. With
#'   `clusters` a row for each cluster, named in `feature`, with `size`, `representative` (its most
#'   frequent feature, to which `direction` and `same_sign` belong) and `members` (string: its
#'   selected features with their weights, the five largest). `features` and `selection` then also
#'   refer to clusters.}
#'   \item{members, member_selection}{(data frame; `stabilect_selection`; with `clusters` only) as
#'     in [stability_selection()], of the features in the models that count.}
#'   \item{features}{(character) the features above the cut, or their replacement, best first; also
#'   from [selected()].}
#'   \item{cut}{(string) kind of the cut: `"bend"` of the score curve; without a bend `"majority"`
#'   (in at least half of the runs; only with `max_features`) or `"half"` (at least half of the best
#'   score); `"none"` if no feature has a score.}
#'   \item{three_segment}{(`stabilect_three_segment`) the curve and its knots, see
#'     [three_segment()].}
#'   \item{model}{(`stabilect_model`) final model, see [fit_model()]; `NULL` in a result merged
#'   without the data.}
#'   \item{oob}{(`stabilect_oob`) `NULL` if `oob = FALSE` or no sample was ever left out; otherwise
#'   `error` (misclassification rate, mean squared error, mean Poisson deviance, or discordance)
#'   with its interval `lower`, `upper` and `conf_level`; `baseline` (the error of always predicting
#'   the largest class, the variance of the outcome (within groups its mean square about the mean of
#'   the group), the deviance of the mean count, or 0.5; with covariates the out-of-bag error of the
#'   covariates, which `covariates` names); `balanced_error`
#'   (mean of the error rates of the classes); `auc` with its interval `auc_lower` and `auc_upper`,
#'   and `auc_baseline` (0.5, or the AUC of the covariates alone; all `NA` for other outcomes);
#'   `order` (list, for survival times and classes: `row`, `group` and `value` of the compared
#'   predictions; those of one group are of one model, or of a pair without a common run); `n`
#'   (samples predicted), `n_samples` (all, if some were drawn), `n_empty`
#'   (samples predicted by a model without features), `n_blocks` (with blocks); `measure`
#'   and `type` (strings: the error measure and the outcome); `predictions` (data frame: `sample`,
#'   `observed`, `predicted`, `link`, `n_runs`, `n_features`; `NA` for samples in every run, or not
#'   judged; several classes have a link each, `link_` before its name).}
#'   \item{views}{(data frame; with views only) as in [results]. With `oob = "views"`
#'   also `without` (error without the view), `adds` (`without` - `oob$error`) and its interval
#'   `lower` and `upper`; `up_to` (error with the views up to this one), `adds_in_order` (what
#'   `up_to` falls by, for the first view from `baseline`) and `lower_in_order`, `upper_in_order`
#'   (`NA` for the first). `NA` without successful runs. Merged results lack these columns.}
#'   \item{convergence}{(data frame) `n_runs`, `correlation` (between the scores of the first
#'   `n_runs` runs and those of the other runs), `overlap` (share of common features among the best
#'   of both; as many as are selected, or ten).}
#'   \item{selection}{(`stabilect_selection`) scores of every run, see [selection].}
#'   \item{paths}{(list) events, their signs and lambda of all paths in compact form, for `plot()`.}
#'   \item{resamples}{(`stabilect_resamples`)}
#'   \item{null}{(`stabilect_null`) what permutations say, see [permutations]; `NULL` without. The
#'     table then also has the columns `expected_by_chance`, `p_fwer` and `q_fdr`.}
#'   \item{asked}{(list) the arguments, with defaults filled in: `max_features`, `score_rule`,
#'   `min_segment`, `n_boot`, `model`, `lambda`, `oob`, `rule` (`"bend"`), `likelihood` (as in
#'   [stability_selection()]).}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' @section Errors:
#' Class `stabilect_error_input`, with argument, place and remedy: missing or infinite values (also
#' in `covariates`), fewer than three samples, one class, lengths or names that disagree, a
#' `fraction` outside (0, 1), all columns constant, or covariates that are constant, linear
#' combinations of each other or determine `y`. Class `stabilect_error_runs` if no run succeeded. An
#' interrupt ends the call; it never returns part of the runs. A warning of class
#' `stabilect_warning_small_class` for a class with fewer than five samples.
#' @references Boulesteix AL, Sauerbrei W (2011). Added predictive value of high-throughput
#'   molecular data to clinical data and its validation. *Briefings in Bioinformatics* 12(3),
#'   215-229.
#'
#'   Clopper CJ, Pearson ES (1934). The use of confidence or fiducial limits illustrated in the case
#'   of the binomial. *Biometrika* 26, 404-413.
#'
#'   Frisch R, Waugh FV (1933). Partial time regressions as compared with individual
#'   trends. *Econometrica* 1, 387-401.
#'
#'   Lovell MC (1963). Seasonal adjustment of economic time series and multiple regression analysis.
#'   *Journal of the American Statistical Association* 58, 993-1010.
#'
#'   Zare H, Haffari G, Gupta A, Brinkman RR (2013). Scoring relevancy of features based
#'   on combinatorial analysis of Lasso with application to lymphoma diagnosis. *BMC Genomics*
#'   14(Suppl 1), S14. \doi{10.1186/1471-2164-14-S1-S14}
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
