# Measures of predicted classes.

metric_names <- c(
  "accuracy", "kappa", "macro_recall", "balanced_accuracy", "g_mean", "g_mean_floored", "log_loss",
  "auc"
)

#' How good are predicted classes?
#'
#' The measures by which [eliminate_features()] compares numbers of features.
#'
#' @param truth (factor, or n labels) classes of the samples.
#' @param predicted (n labels) predicted classes.
#' @param probability (numeric matrix, n x classes, or `NULL`) probabilities, with the classes as
#'   column names; for `"log_loss"`.
#' @param decision (numeric matrix, n x classes, or `NULL`) values that are larger for the likelier
#'   class; for `"auc"`. `probability` when `NULL`.
#' @param metric (character) names from the list below; `NULL` for all that can be computed.
#' @details
#' * `"accuracy"`: share of correct predictions. `"kappa"`: Cohen's kappa, `NA` when truth and
#'   prediction are one and the same single class.
#' * `"macro_recall"` and `"balanced_accuracy"` (two names of one measure): the mean of the recalls
#'   of the classes that `truth` has.
#' * `"g_mean"`: their geometric mean, 0 when a class is never found. `"g_mean_floored"` counts a
#'   recall of 0 as 0.001, as the code of Brzezinski (2020) does.
#' * `"log_loss"`: mean of \eqn{-\log} of the probability of the true class, at least 1e-15; smaller
#'   is better.
#' * `"auc"`: area under the ROC curve, ties half; for several classes the mean over those of each
#'   against the rest. `NA` when `truth` has one class.
#' @return Named numeric.
#' @section Errors:
#' Class `stabilect_error_input`: different lengths, unknown names, a metric without what it needs.
#' @family elimination
#' @examples
#' measure_predictions(c("a", "a", "b", "b"), c("a", "b", "b", "b"))
#' @export
measure_predictions <- function(truth, predicted, probability = NULL, decision = NULL,
                                metric = NULL) {
  check_given()
  check_labels(truth, "truth")
  check_labels(predicted, "predicted")
  truth <- droplevels(as.factor(truth))
  if (length(truth) == 0L || anyNA(truth) || length(predicted) != length(truth)) {
    abort("{.arg truth} and {.arg predicted} must be classes without missing values, of one length,
      not {length(truth)} and {length(predicted)}.")
  }
  check_values_of_classes(probability, "probability", length(truth))
  check_values_of_classes(decision, "decision", length(truth))
  if (is.null(decision)) decision <- probability
  known <- c(
    setdiff(metric_names, c("log_loss", "auc")), if (!is.null(probability)) "log_loss",
    if (!is.null(decision)) "auc"
  )
  if (is.null(metric)) metric <- known
  lapply(metric, check_choice, name = "metric", choices = metric_names)
  lacking <- setdiff(metric, known)
  if (length(lacking) > 0L) {
    abort("The metric {.val {lacking[1]}} needs {.arg {if (lacking[1] == 'auc') 'decision' else
      'probability'}}.")
  }
  classes <- union(levels(truth), as.character(predicted))
  outcome <- list(
    class = match(as.character(predicted), classes),
    probability = columns_of_classes(probability, classes, 0),
    decision = columns_of_classes(decision, classes, -Inf)
  )
  codes <- match(as.character(truth), classes)
  vapply(stats::setNames(metric, metric), metric_value, 0, truth = codes, outcome = outcome)
}

check_labels <- function(x, name, call = rlang::caller_env()) {
  if (!is.atomic(x) || is.null(x) || !is.null(dim(x))) {
    abort("{.arg {name}} must be a vector of classes, not {describe_value(x)}.", call = call)
  }
}

check_values_of_classes <- function(x, name, n, call = rlang::caller_env()) {
  sound <- is.null(x) || is.matrix(x) && is.numeric(x) && nrow(x) == n && !is.null(colnames(x)) &&
    !anyNA(x)
  if (!sound) {
    abort("{.arg {name}} must be a numeric matrix without missing values, with {n} rows and a column
      named after each class, not {describe_value(x)}.", call = call)
  }
}

# A column for each class, in order; `absent` for those that a model does not know.
columns_of_classes <- function(values, classes, absent) {
  if (is.null(values)) {
    return(NULL)
  }
  out <- matrix(absent, nrow(values), length(classes))
  at <- match(classes, colnames(values))
  out[, !is.na(at)] <- values[, at[!is.na(at)]]
  out
}

# truth: codes from 1; outcome: list(class (codes), probability, decision).
metric_value <- function(metric, truth, outcome) {
  switch(metric,
    accuracy = mean(truth == outcome$class),
    kappa = kappa_of(truth, outcome$class),
    macro_recall = ,
    balanced_accuracy = mean(recalls_of(truth, outcome$class)),
    g_mean = exp(mean(log(recalls_of(truth, outcome$class)))),
    g_mean_floored = {
      recalls <- recalls_of(truth, outcome$class)
      exp(mean(log(ifelse(recalls == 0, 0.001, recalls))))
    },
    log_loss = {
      chosen <- outcome$probability[cbind(seq_along(truth), truth)]
      -mean(log(pmax(chosen, 1e-15)))
    },
    auc = auc_of(truth, outcome$decision)
  )
}

recalls_of <- function(truth, predicted) {
  vapply(sort(unique(truth)), function(class) mean(predicted[truth == class] == class), 0)
}

kappa_of <- function(truth, predicted) {
  n_classes <- max(truth, predicted)
  chance <- sum(tabulate(truth, n_classes) / length(truth) *
    tabulate(predicted, n_classes) / length(truth))
  if (chance == 1) NA_real_ else (mean(truth == predicted) - chance) / (1 - chance)
}

# Two classes: column 2 against column 1.
auc_of <- function(truth, decision) {
  present <- sort(unique(truth))
  if (length(present) < 2L) {
    return(NA_real_)
  }
  if (ncol(decision) == 2L) {
    present <- 2L
    decision <- decision - decision[, 1L]
  }
  mean(vapply(present, function(class) {
    inside <- truth == class
    ranks <- rank(decision[, class])
    (mean(ranks[inside]) - (sum(inside) + 1) / 2) / sum(!inside)
  }, 0))
}

# Larger is better for all but the log loss.
metric_sign <- function(metric) if (metric == "log_loss") -1 else 1
