# The metrics of classes, numbers, counts and survival times.

# Classes.

register_metric("accuracy", "multiclass", 1,
  function(truth, prediction) mean(truth == prediction$class),
  chance = function(record) max(record$class_sizes) / sum(record$class_sizes),
  chance_words = function(record) {
    sprintf("when always predicting %s", say_class(record$levels[which.max(record$class_sizes)]))
  }
)

register_metric("kappa", "multiclass", 2,
  function(truth, prediction) kappa_of(truth, prediction$class), chance = function(record) 0
)

mean_recall <- function(truth, prediction) mean(recalls_of(truth, prediction$class))
one_of_classes <- function(record) 1 / length(record$class_sizes)

register_metric("macro_recall", "multiclass", 3, mean_recall, chance = one_of_classes)
register_metric("balanced_accuracy", "multiclass", 4, mean_recall, chance = one_of_classes)

register_metric("g_mean", "multiclass", 5,
  function(truth, prediction) exp(mean(log(recalls_of(truth, prediction$class)))),
  chance = function(record) 0
)

register_metric("g_mean_floored", "multiclass", 6, function(truth, prediction) {
  recalls <- recalls_of(truth, prediction$class)
  exp(mean(log(ifelse(recalls == 0, 0.001, recalls))))
})

register_metric("log_loss", "multiclass", 7, function(truth, prediction) {
  chosen <- prediction$probability[cbind(seq_along(truth), truth)]
  -mean(log(pmax(chosen, 1e-15)))
}, needs = "probability", sign = -1)

register_metric("auc", "multiclass", 8,
  function(truth, prediction) auc_of(truth, prediction$decision), needs = "decision",
  chance = function(record) 0.5
)

register_metric("brier", "multiclass", 9, function(truth, prediction) {
  ideal <- diag(ncol(prediction$probability))[truth, , drop = FALSE]
  mean(rowSums((prediction$probability - ideal)^2)) / 2
}, needs = "probability", sign = -1)

# Numbers.

register_metric("r_squared", "numeric", 10,
  function(truth, prediction) r_squared_of(truth, prediction$value), chance = function(record) 0
)

register_metric("rmse", "numeric", 11,
  function(truth, prediction) rmse_of(truth, prediction$value), sign = -1
)

# Survival times.

register_metric("concordance", "survival", 12, function(truth, prediction) {
  concordance_of_labels(truth, prediction$value)$concordance
}, chance = function(record) 0.5)

register_metric("concordance_uno", "survival", 13, function(truth, prediction) {
  times <- surv_matrix(truth)
  concordance_uno(times[, 1L], times[, 2L], prediction$value, prediction$tau)$concordance
}, chance = function(record) 0.5)

register_metric("integrated_brier", "survival", 14, function(truth, prediction) {
  times <- surv_matrix(truth)
  curves <- prediction$survival
  integrated_brier(times[, 1L], times[, 2L], curves, attr(curves, "times"), prediction$tau)
}, needs = "survival", sign = -1)

# A slope is best at 1, and does not show how well samples are distinguished.
register_metric("calibration_slope", c("numeric", "survival"), 15, function(truth, prediction) {
  if (!is_survival(truth)) {
    return(slope_of(truth, prediction$value))
  }
  times <- surv_matrix(truth)
  calibration_of_risk(times[, 1L], times[, 2L], prediction$value)[1]
}, chooses = FALSE)

# Least squares may predict counts below 0.
register_metric("poisson_deviance", c("numeric", "count"), 16,
  function(truth, prediction) mean(poisson_deviances(truth, prediction$value)),
  sign = -1, chooses = FALSE, usual = FALSE, check = function(truth, predicted) {
    refuse(any(truth < 0) || any(predicted <= 0),
      "The metric {.val poisson_deviance} needs {.arg y} >= 0 and {.arg predicted} > 0."
    )
  }
)
