# The error of an evaluation by a metric that the user names.

check_evaluation_metric <- function(metric, type, learners) {
  if (is.null(metric)) {
    return(NULL)
  }
  metric <- check_choice(metric, choosing_metrics(type))
  lapply(learners, check_learner_judged, metric)
  metric
}

# Losses as they are, of others what is missing to 1.
# @param y,newy (factor, numbers or Surv) responses of training and of the test samples.
# @param prediction as of metric_value().
error_by_metric <- function(metric, y, newy, prediction) {
  truth <- if (is.factor(y)) match(as.character(newy), levels(y)) else newy
  value <- metric_value(metric, truth, prediction)
  if (metric_sign(metric) < 0) value else 1 - value
}

# The shares of the classes, the mean, or the Kaplan-Meier curve, for each of n samples.
prediction_of_no_features <- function(y, n) {
  if (is.factor(y)) {
    shares <- tabulate(y, nlevels(y)) / length(y)
    odds <- matrix(shares, n, nlevels(y), byrow = TRUE)
    return(list(class = rep(which.max(shares), n), probability = odds, decision = odds))
  }
  if (!is_survival(y)) {
    return(list(value = rep(mean(y), n)))
  }
  values <- surv_matrix(y)
  baseline <- breslow_baseline(values[, 1L], values[, 2L], numeric(nrow(values)))
  times <- check_times(NULL, baseline)
  curve <- baseline$survival[match(times, baseline$time)]
  list(
    value = numeric(n),
    survival = structure(matrix(curve, n, length(times), byrow = TRUE), times = times)
  )
}

# "error: 1 - concordance_uno"; NULL for the share of wrong classes.
describe_error <- function(metric, type) {
  if (is.null(metric)) {
    return(switch(type,
      survival = "1 - concordance", numeric = "mean squared error"
    ))
  }
  if (metric_sign(metric) < 0) metric else paste("1 -", metric)
}
