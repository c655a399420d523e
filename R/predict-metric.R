# A metric is a record: its inputs, its value, and its value without features. The file that
# registers a metric contains all of it.

# @param name (string) as users give it; outcomes (character): kinds of y; place (number): the order
#   of tables, the first of an outcome is its default.
# @param value function(truth, prediction). truth: codes from 1, numbers or a Surv; prediction:
#   list(class (codes), probability, decision), or list(value (numbers), and for survival times
#   possibly survival (of check_curves()) and tau).
# @param needs (string) its input: "predict", "probability", "decision" or "survival".
# @param sign (number) 1 if larger is better, -1 for losses.
# @param chance function(record): its value without features, if the study record determines it;
#   chance_words function(record): name of this value.
# @param chooses (flag) may it choose models? usual (flag): is it computed by default?
# @param check function(truth, predicted): stops if it is undefined.
new_metric <- function(name, outcomes, place, value, needs = "predict", sign = 1,
                       chance = function(record) NA_real_,
                       chance_words = function(record) "by chance", chooses = TRUE, usual = TRUE,
                       check = function(truth, predicted) NULL) {
  as.list(environment())
}

metric_registry <- new_registry()
# The files of metrics call this.
register_metric <- function(name, ...) {
  metric_registry$add(name, function() new_metric(name, ...))
}
metric_record <- function(metric) metric_registry$all()[[metric]]

# Metrics of an outcome, or of the outcome as learners take it; the first is the default.
metrics_of <- function(type) {
  one <- outcome_records()[[type]]
  kinds <- c(one$name, one$learns)
  names(Filter(function(metric) any(kinds %in% metric$outcomes), metric_registry$all()))
}

# Metrics that choose models.
choosing_metrics <- function(type) {
  Filter(function(name) metric_record(name)$chooses, metrics_of(type))
}

metric_value <- function(metric, truth, prediction) metric_record(metric)$value(truth, prediction)
metric_needs <- function(metric) metric_record(metric)$needs
metric_sign <- function(metric) metric_record(metric)$sign

# The value without features, if the outcome alone determines it, else NA.
# @param record of study_record().
value_by_chance <- function(metric, record) {
  one <- metric_record(metric)
  if (is.null(one)) NA_real_ else one$chance(record)
}

# A metric in prints, an accuracy as its error: "2.8 %", "AUC 0.99".
# @param named (flag) with its name?
say_metric <- function(metric, value, named = TRUE) {
  if (metric == "accuracy") {
    return(as_percent(1 - value))
  }
  paste0(if (named) paste0(in_words(metric), " "), figure(value, digits = 3))
}

# A mean over runs: "2.8 % in cross-validation (SE 1.7 %; accuracy 0.972)".
# @param how (string) which samples were predicted.
say_mean_metric <- function(metric, value, se, how) {
  spread <- if (metric == "accuracy") as_percent(se) else figure(se, digits = 2)
  inside <- c(
    # One run has none.
    if (!is.na(se)) paste("SE", spread),
    if (metric == "accuracy") paste("accuracy", figure(value, digits = 3))
  )
  said <- paste(say_metric(metric, value), how)
  if (length(inside) > 0L) sprintf("%s (%s)", said, paste(inside, collapse = "; ")) else said
}

# The metric without features, or with the covariates alone if there are some; NULL if unknown.
# @param alone (number, or NULL) its value with these.
say_reference <- function(metric, record, alone = NULL) {
  if (!is.null(alone)) {
    return(paste(say_metric(metric, alone, FALSE), "with the covariates alone"))
  }
  value <- value_by_chance(metric, record)
  if (metric == "accuracy" && !is.na(value)) {
    return(paste(as_percent(1 - value), metric_record(metric)$chance_words(record)))
  }
  describe_chance(metric, record)
}

# For example "0.65 when always predicting normal"; NULL if unknown.
describe_chance <- function(metric, record) {
  value <- value_by_chance(metric, record)
  if (is.na(value)) {
    return(NULL)
  }
  paste(figure(value, digits = 2), metric_record(metric)$chance_words(record))
}
