# Measures of predictions.

#' Performance metrics of predictions
#'
#' Measures how good predictions are. [eliminate_features()] compares numbers of features by these
#' metrics.
#'
#' @param y (factor, or n labels) true classes of the samples; or numbers, or survival times
#'   (`survival::Surv(time, event)`). Numbers that are 0 and 1, or -1 and 1, are classes.
#' @param predicted (n labels) predicted classes; or numbers; for survival times larger numbers for
#'   a higher risk.
#' @param probability (numeric matrix, or `NULL`) n x classes: probabilities, with the classes as
#'   column names; for `"log_loss"` and `"brier"`. For survival times n x times: probabilities to
#'   live without the event up to the times in the column names, as from [`predict(type =
#'   "survival")`][predict.stabilect_model]; for `"integrated_brier"`.
#' @param decision (numeric matrix, n x classes, or `NULL`) values that are larger for the likelier
#'   class; for `"auc"`. `NULL` takes `probability`.
#' @param metric (character) names from the list below; `NULL` for all that can be computed, except
#'   `"poisson_deviance"`, which is for counts.
#' @param tau (number > 0, or `NULL`) for survival times: last time for `"concordance_uno"` and
#'   `"integrated_brier"`; `NULL` takes the last event.
#'
#' @section Which metric for which outcome:
#' | outcome | first choice | say it in words | without features |
#' |---|---|---|---|
#' | classes of similar size | `"accuracy"` | share of correct predictions | the largest share |
#' | of unequal size | `"balanced_accuracy"` | the same, classes weighted equally | 1 / classes |
#' | two, as an order | `"auc"` | who of two of unlike class is ill? | 0.5 |
#' | ordered classes | `"mean_distance"` | how many classes off? | of the median class |
#' | their probabilities | `"log_loss"`, `"brier"` | is 20% right? | value of the shares |
#' | numbers | `"r_squared"` | share of the variance that is predicted | 0 |
#' | numbers, in their unit | `"rmse"` | how far off is a prediction? | standard deviation |
#' | counts | `"poisson_deviance"` | how far off, where large ones vary more? | of the mean |
#' | survival times | `"concordance"` | who of two has the event first? | 0.5 |
#' | the same, many censored | `"concordance_uno"` | the same, whoever was censored | 0.5 |
#' | survival probabilities | `"integrated_brier"` | is 80% right? | Kaplan-Meier |
#'
#' Accuracy, AUC and concordance only measure the right order or side. Calibration asks whether the
#' numbers themselves are right. `"calibration_slope"` is 1 for calibrated numbers and log hazards,
#' below 1 if they are too extreme (a sign of overfitting), and above 1 if they are too moderate. It
#' does not show how well samples are distinguished, and [eliminate_features()] cannot choose by it.
#'
#' @section Classes:
#' * `"accuracy"`: share of correct predictions. `"kappa"`: Cohen's kappa, `NA` if y and
#'   prediction are one and the same single class.
#' * `"macro_recall"` and `"balanced_accuracy"` (two names of one metric): mean of the recalls of
#'   the classes in `y`.
#' * `"g_mean"`: geometric mean of these recalls, 0 if a class is never found. `"g_mean_floored"`
#'   counts a recall of 0 as 0.001, as the code of Brzezinski (2020) does.
#' * `"log_loss"`: mean of \eqn{-\log} of the probability of the true class, at least 1e-15. It is
#'   half the mean deviance; smaller is better.
#' * `"brier"`: half the sum over classes of the squared distance of the probability from 1 for the
#'   true class and from 0 for the others, as a mean over samples. For two classes this is the mean
#'   squared error of the probability of one class (Brier 1950 has no half). Smaller is better.
#' * `"auc"`: area under the ROC curve, ties half; for several classes the mean of the areas of each
#'   class against the rest. `NA` if `y` has one class.
#'
#' @section Ordered classes:
#' For `y` as an ordered factor of three or more levels, in addition to all metrics of classes:
#' * `"mean_distance"`: mean distance of a prediction in classes, the mean absolute error of ordinal
#'   regression (Gaudette and Japkowicz 2009). Smaller is better.
#' * `"weighted_kappa"`: 1 minus the mean distance over the mean distance of independent
#'   predictions, Cohen's kappa with linear weights (1968); `NA` as for `"kappa"`.
#' * `"ranked_probability"`: the Brier score of "this class or a higher one", as a mean over classes
#'   except the lowest (Epstein 1969, divided by the number of cuts). Smaller is better.
#'
#' @section Numbers:
#' * `"r_squared"`: \eqn{1 - \sum (y - \hat y)^2 / \sum (y - \bar y)^2}, `NA` if all are equal;
#'   below 0 if the mean predicts better. `"rmse"`: root of the mean squared error.
#' * `"calibration_slope"`: slope of the regression of `y` on `predicted`; `NA` if all
#'   predictions are equal.
#' * `"poisson_deviance"`: mean of \eqn{2 (y \log(y / \hat y) - y + \hat y)}, with \eqn{y \log y} =
#'   0 for \eqn{y = 0}; for counts with predicted means > 0. Smaller is better.
#'
#' @section Survival times:
#' * `"concordance"`: share of pairs of samples in which the sample with the earlier event has the
#'   higher predicted risk (Harrell et al. 1982). Only pairs with a known order of events count.
#'   Equal risks count one half, and a sample censored at the time of an event has outlived it, as
#'   in `survival::concordance()`. `NA` without a pair. Its expected value depends on the number and
#'   times of censored samples.
#' * `"concordance_uno"`: the same with a weight of \eqn{1 / G(t-)^2} for a pair whose first event
#'   is at t, up to `tau` (Uno et al. 2011). G is the Kaplan-Meier curve of the censoring of these
#'   samples, with events before censorings at the same time. It is `survival::concordance(timewt =
#'   "n/G2", ymax = tau)`. Censoring that is independent of the features does not change it.
#' * `"integrated_brier"`: the Brier score of survival at t (Graf et al. 1999),
#'   \deqn{\frac{1}{n} \sum_i \frac{S_i(t)^2 \, 1(t_i \le t, \textrm{event})}{G(t_i-)} +
#'     \frac{(1 - S_i(t))^2 \, 1(t_i > t)}{G(t)},}
#'   as a mean over t from 0 to `tau`. Curves are steps between the times of `probability`: the
#'   integral is exact. 0 is perfect, and always 0.5 gives about 0.25. Compare it with the
#'   Kaplan-Meier curve of all samples, which uses no features, as [validate_model()] does.
#' * `"calibration_slope"`: the coefficient of `predicted` in a Cox model of `y` (van
#'   Houwelingen 2000), for predictions that are log hazards; `NA` if there is no finite one.
#' @return Named numeric.
#' @section Errors:
#' Class `stabilect_error_input`: different lengths, unknown names, a metric without what it needs.
#' @references Brier GW (1950). Verification of forecasts expressed in terms of probability.
#'   *Monthly Weather Review* 78(1), 1-3.
#'
#'   Cohen J (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement
#'   or partial credit. *Psychological Bulletin* 70(4), 213-220.
#'
#'   Epstein ES (1969). A scoring system for probability forecasts of ranked categories. *Journal of
#'   Applied Meteorology* 8, 985-987.
#'
#'   Gaudette L, Japkowicz N (2009). Evaluation methods for ordinal classification. *Advances in
#'   Artificial Intelligence*, LNCS 5549, 207-210.
#'
#'   Graf E, Schmoor C, Sauerbrei W, Schumacher M (1999). Assessment and comparison of prognostic
#'   classification schemes for survival data. *Statistics in Medicine* 18, 2529-2545.
#'
#'   Harrell FE, Califf RM, Pryor DB, Lee KL, Rosati RA (1982). Evaluating the yield of
#'   medical tests. *JAMA* 247(18), 2543-2546.
#'
#'   Uno H, Cai T, Pencina MJ, D'Agostino RB, Wei LJ (2011). On the C-statistics for evaluating
#'   overall adequacy of risk prediction procedures with censored survival data. *Statistics in
#'   Medicine* 30, 1105-1117.
#'
#'   van Houwelingen HC (2000). Validation, calibration, revision and combination of prognostic
#'   survival models. *Statistics in Medicine* 19, 3401-3415.
#' @family elimination
#' @concept G-mean
#' @concept AUC
#' @concept class imbalance
#' @concept macro recall
#' @examples
#' measure_predictions(c("a", "a", "b", "b"), c("a", "b", "b", "b"))
#' measure_predictions(c(2.1, 3.5, 4.4), c(2, 3, 5))
#' if (requireNamespace("survival", quietly = TRUE)) {
#'   times <- survival::Surv(c(2, 5, 3, 8, 6, 9), c(1, 1, 0, 1, 0, 1))
#'   risk <- c(0.9, 0.2, 0.4, -0.5, 0.1, 0.3)
#'   survival <- cbind("2" = c(0.5, 0.8, 0.7, 0.9, 0.8, 0.8), "5" = c(0.3, 0.6, 0.5, 0.8, 0.7, 0.6))
#'   measure_predictions(times, risk, survival)
#' }
#' @export
measure_predictions <- function(y, predicted, probability = NULL, decision = NULL,
                                metric = NULL, tau = NULL) {
  check_given()
  type <- type_of_truth(y, predicted)
  samples <- samples_of_values(y, "y")
  check_samples(predicted, samples, "predicted")
  check_samples(probability, samples, "probability")
  check_samples(decision, samples, "decision")
  tau <- check_tau(tau, type)
  if (type != "class") {
    return(measure_values(y, predicted, type, metric, probability, tau))
  }
  check_labels(y, "y")
  check_labels(predicted, "predicted")
  refuse_blank(y, "{.arg y}")
  refuse_blank(predicted, "{.arg predicted}")
  # A class between two others counts also where nobody has it.
  y <- if (is.ordered(y)) y else droplevels(as.factor(y))
  refuse(length(y) == 0L || anyNA(y) || length(predicted) != length(y),
    "{.arg y} and {.arg predicted} must be classes without missing values, of one length,
      not {length(y)} and {length(predicted)}."
  )
  refuse(is.ordered(y) && !all(predicted %in% levels(y)),
    "{.arg predicted} has {figure(setdiff(predicted, levels(y))[[1]])}, which is not a level of
      {.arg y}."
  )
  check_values_of_classes(probability, "probability", length(y))
  check_values_of_classes(decision, "decision", length(y))
  if (is.null(decision)) decision <- probability
  given <- c(
    "predict", if (!is.null(probability)) "probability", if (!is.null(decision)) "decision"
  )
  metric <- check_metrics(metric, metrics_of(outcome_of_labels(y)$name), given)
  classes <- union(levels(y), as.character(predicted))
  prediction <- list(
    class = match(as.character(predicted), classes),
    # All of them: the Brier score also uses classes that are neither true nor predicted.
    probability = columns_of_classes(probability, union(classes, colnames(probability)), 0),
    decision = columns_of_classes(decision, classes, -Inf)
  )
  codes <- match(as.character(y), classes)
  vapply(stats::setNames(metric, metric), metric_value, 0, truth = codes, prediction = prediction)
}

# Numbers are classes by the rule of read_response().
type_of_truth <- function(truth, predicted) {
  if (is_survival(truth)) {
    return("survival")
  }
  plain <- is.numeric(truth) && is.numeric(predicted) && is.null(dim(truth))
  values <- if (plain) sort(unique(truth))
  is_code <- all(values %in% c(0, 1)) || all(values %in% c(-1, 1))
  if (plain && !is_code) "numeric" else "class"
}

# @param probability (numeric matrix, n x times, named by the times; or NULL).
measure_values <- function(truth, predicted, type, metric, probability = NULL, tau = NULL) {
  n <- n_labels(truth)
  sound <- is.numeric(predicted) && length(predicted) == n && n > 0L &&
    all(is.finite(predicted)) && !anyNA(if (type == "survival") surv_matrix(truth) else truth)
  refuse(!sound,
    "{.arg y} and {.arg predicted} must be without missing values and of one length, the
      predictions numbers, not {n} values and {describe_value(predicted)}."
  )
  if (type == "survival") {
    check_right_censored(attr(truth, "type"), name = "y")
  }
  prediction <- list(
    value = as.double(predicted), tau = tau,
    survival = check_curves(probability, type, n)
  )
  given <- c("predict", if (!is.null(prediction$survival)) "survival")
  metric <- check_metrics(metric, metrics_of(type), given)
  for (name in metric) metric_record(name)$check(truth, predicted)
  vapply(stats::setNames(metric, metric), metric_value, 0, truth = truth, prediction = prediction)
}
