# The error of an evaluation by a metric of the user's choice.

check_evaluation_metric <- function(metric, type, learners) {
  if (is.null(metric)) {
    return(NULL)
  }
  metric <- check_choice(metric, choosing_metrics(type))
  lapply(learners, check_learner_judged, metric)
  metric
}

# "error: 1 - concordance_uno"; NULL for the share of wrong classes.
describe_error <- function(metric, type) {
  if (is.null(metric)) {
    return(outcome_records()[[type]]$error)
  }
  if (metric_sign(metric) < 0) metric else paste("1 -", metric)
}

# Losses as they are, of others what is missing to 1.
as_error <- function(value, metric) if (metric_sign(metric) < 0) value else 1 - value
