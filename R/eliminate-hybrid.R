#' Hybrid recursive feature elimination: stability against accuracy
#'
#' Some features are kept because a stable criterion, which looks at one feature at a time, ranks
#' them first. Recursive elimination with a logistic regression finds the others. `n_stable = 0` is
#' elimination alone, `n_stable = n_features` a filter; values between trade accuracy for stability
#' (Hamer and Dupont 2021, Algorithm 1 and Section 6.2). [tune_tradeoff()] searches the settings.
#'
#' @inheritParams arguments
#' @param y (n values) outcome of two classes: factor, character, logical, 0/1 or -1/1.
#' @param n_features (whole number >= 1, or `NULL`) number of features that every run selects, k in
#'   Hamer and Dupont (2021). `NULL` takes 20, or all if there are fewer.
#' @param n_stable (whole number from 0 to `n_features`, or `NULL`) number of stable features among
#'   them, N in Hamer and Dupont: the first ones by `criterion` in the run. `NULL` takes a quarter
#'   of `n_features`, rounded down.
#' @param lambda,lambda_final (number > 0) ridge penalty while features are dropped, and of the
#'   final model of the run.
#' @param epsilon (number in (0, 1\]) factor of the stable features' weights in the penalty while
#'   features are dropped. With smaller values the stable features explain more, and the others are
#'   chosen for what they add.
#' @param alpha (number >= 0) additional penalty in the final model on features that are likely to
#'   be selected rarely.
#' @param step (number in (0, 1), or `"one"`) share of the remaining features that is dropped after
#'   each fit, rounded down but at least one.
#' @param criterion (string, or `stabilect_selector`) `"t_variance"`, `"welch"`, `"variance"`, or
#'   any selector, for example `selector_filter("wilcoxon")`.
#' @param variance_weight (number in \[0, 1\]) share of the variance in `"t_variance"`.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`) a plan, for example
#'   [resample_bootstrap()], or drawn resamples.
#' @param ... settings of [run_control()] by name, for example `n_threads = 2`.
#'
#' @details
#' Let \eqn{z} be the features standardised in the run, \eqn{c_i} its in-bag counts and S the stable
#' features. Each fit before the last minimises
#' \deqn{\sum_i c_i \log(1 + \exp(-y_i (w'z_i + w_0))) + \frac{\lambda}{2} \sum_f (\beta_f w_f)^2,
#'   \quad \beta_f = \epsilon \textrm{ for } f \in S, \textrm{ else } 1,}
#' and the features outside of S with the smallest \eqn{|w_f|} are dropped, until `n_features` are
#' left. The final model has the penalty (Eq. 16)
#' \deqn{\frac{\lambda_f}{2} \sum_f (1 + \alpha (1 - sc_f)) w_f^2.}
#' Hamer and Dupont print norms without their square, also for the elastic net, but mean squares.
#' The intercept \eqn{w_0} is free.
#'
#' **Frequency score** (Eq. 15). Let \eqn{|F_s|} features be left after step s, and let \eqn{r_f(s)}
#' be the rank of f at that step. Then
#' \deqn{sc_f = \frac{|F_0|}{|F_\#|} \prod_s \frac{|F_s| - r_f(s) + 1}{|F_{s-1}| - r_f(s) + 1}}
#' is between 0 and 1, and 1 for a feature that is always first. It is high for features that were
#' never close to being dropped. Stable features rank before all others, in the order of the
#' criterion, and have the highest frequency scores.
#'
#' **Criterion.** Hamer and Dupont combine Welch's t and the variance linearly but do not give the
#' weights. `"t_variance"` is \eqn{(1 - v) |t_f| / \textrm{sd}(|t|) + v \, s_f^2 / \textrm{sd}(s^2)}
#' with the standard deviations over the features of the run and v = `variance_weight`. Variances
#' are computed from `x` as given: do not standardise the data.
#'
#' `n_stable = 0` drops the same features as [selector_learner()] with `learner_logistic(lambda)`
#' and the same `step`, but has another final fit.
#'
#' **Accuracy** is measured for each run's final model on the out-of-bag samples.
#' @return An object of class `stabilect_hybrid_rfe`, a list with
#' \describe{
#'   \item{table}{(data frame, a row per feature that any run selected, the most frequent first)
#'   `feature`, `frequency`, `mean_importance` (over all runs), `frequency_score` (mean over the
#'   runs that selected it), `stable` (share of the runs in which it was stable), `selected` (flag:
#'   on all samples).}
#'   \item{features}{(character) selected on all samples, the largest weight first.}
#'   \item{model}{(data frame, one row per selected feature, same order) `feature`, `stable`
#'     (logical), `weight` (standardised), `frequency_score`, `coefficient` (scale of `x`).}
#'   \item{intercept}{(number)}
#'   \item{selection}{(`stabilect_selection`) of all runs. Scores are the order of leaving, from 1,
#'   then the selected features by \eqn{|w_f|}; the importance is Eq. 7 of [feature_importance()].}
#'   \item{frequency_score}{(sparse matrix, p x B) \eqn{sc_f} of the selected features.}
#'   \item{stable}{(sparse pattern matrix, p x B) the stable features of every run.}
#'   \item{accuracy}{(numeric, B) out of bag; `NA` for failed runs, and without out-of-bag samples.}
#'   \item{link}{(numeric matrix, n x B) log odds of the second class out of bag, else `NA`.}
#'   \item{resamples}{(`stabilect_resamples`) the runs' samples.}
#'   \item{asked}{(list) the arguments from `n_features` to `variance_weight`, as used.}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' `summary()` gives a list that prints its tables, `stability` (of the runs) and `best` (the
#' features selected most often). `predict()` and `coef()` use the model of all samples.
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range and an outcome without two classes;
#' `stabilect_error_runs` if all runs failed, or the fit to all samples.
#' @references Hamer V, Dupont P (2021). An importance weighted feature selection stability measure.
#'   *Journal of Machine Learning Research* 22(116), 1-57.
#' @family trade-off
#' @concept hybrid-RFE
#' @concept differential shrinkage
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- hybrid_rfe(x, mcl_sll$MCL, n_features = 8, n_stable = 4, seed = 1)
#' fit
#' fit$model
#' stability(fit$selection, c("nogueira", "phi_pears", "phi_iw"))
#' head(fit$table)
#' @order 1
#' @export
hybrid_rfe <- function(x, y, n_features = NULL, n_stable = NULL, lambda = 3, lambda_final = 3,
                       epsilon = 1, alpha = 0, step = 0.2,
                       criterion = c("t_variance", "welch", "variance"), variance_weight = 0.5,
                       resampling = resample_bootstrap(30), control = run_control(), ...,
                       seed = NULL, data = NULL) {
  check_given(except = "y")
  control <- read_dots(list(...), control)$control
  study <- open_study(x, y, "binary", "hybrid-RFE")
  check_varying(study$x)
  settings <- hybrid_settings(
    list(
      n_features = n_features, n_stable = n_stable, lambda = lambda, lambda_final = lambda_final,
      epsilon = epsilon, alpha = alpha, step = step, criterion = criterion,
      variance_weight = variance_weight
    ), study$p
  )
  seed <- check_seed(seed)
  draws <- study_draws(study, resampling, seed)
  procedure <- hybrid_procedure(settings, draws$plan, seed)
  carry_out(procedure, study, draws, control, study_record(study))
}
register_verb("hybrid_rfe", place = 13, only = "binary")
