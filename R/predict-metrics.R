# Measures of predictions.

metric_names <- c(
  "accuracy", "kappa", "macro_recall", "balanced_accuracy", "g_mean", "g_mean_floored", "log_loss",
  "auc"
)

# Of an outcome; the first one is the default.
metrics_of <- function(type) {
  switch(type, numeric = c("r_squared", "rmse"), survival = "concordance", metric_names)
}

#' How good are predictions?
#'
#' The measures by which [eliminate_features()] compares numbers of features.
#'
#' @param truth (factor, or n labels) classes of the samples; or numbers, or survival times
#'   (`survival::Surv(time, event)`). Numbers that are 0 and 1, or -1 and 1, are classes.
#' @param predicted (n labels) predicted classes; or numbers, for survival times larger ones for a
#'   higher risk.
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
#'
#' Numbers: `"r_squared"` is \eqn{1 - \sum (y - \hat y)^2 / \sum (y - \bar y)^2}, `NA` when all are
#' equal; `"rmse"` the root of the mean squared error, smaller is better.
#'
#' Survival times: `"concordance"` is Harrell's (Harrell et al. 1982). Of the pairs of samples of
#' which one is known to have had the event first, it is the share in which that one has the higher
#' predicted risk; equal risks count one half, and a sample censored at the time of an event has
#' outlived it, as in `survival::concordance()`. `NA` when there is no such pair.
#' @return Named numeric.
#' @section Errors:
#' Class `stabilect_error_input`: different lengths, unknown names, a metric without what it needs.
#' @references Harrell FE, Califf RM, Pryor DB, Lee KL, Rosati RA (1982). Evaluating the yield of
#'   medical tests. *JAMA* 247(18), 2543-2546.
#' @family elimination
#' @examples
#' measure_predictions(c("a", "a", "b", "b"), c("a", "b", "b", "b"))
#' measure_predictions(c(2.1, 3.5, 4.4), c(2, 3, 5))
#' @export
measure_predictions <- function(truth, predicted, probability = NULL, decision = NULL,
                                metric = NULL) {
  check_given()
  type <- type_of_truth(truth, predicted)
  if (type != "class") {
    return(measure_values(truth, predicted, type, metric))
  }
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

measure_values <- function(truth, predicted, type, metric, call = rlang::caller_env()) {
  n <- n_labels(truth)
  sound <- is.numeric(predicted) && length(predicted) == n && n > 0L &&
    all(is.finite(predicted)) && !anyNA(if (type == "survival") surv_matrix(truth) else truth)
  if (!sound) {
    abort("{.arg truth} and {.arg predicted} must be without missing values and of one length, the
      predictions numbers, not {n} values and {describe_value(predicted)}.", call = call)
  }
  if (is.null(metric)) metric <- metrics_of(type)
  lapply(metric, check_choice, name = "metric", choices = metrics_of(type), call = call)
  vapply(stats::setNames(metric, metric), metric_value, 0,
    truth = truth, outcome = list(value = as.double(predicted))
  )
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

# truth: codes from 1, numbers or a Surv; outcome: list(class (codes), probability, decision), or
# list(value (numbers)).
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
    auc = auc_of(truth, outcome$decision),
    r_squared = r_squared_of(truth, outcome$value),
    rmse = sqrt(mean((truth - outcome$value)^2)),
    concordance = concordance_of_labels(truth, outcome$value)$concordance
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

r_squared_of <- function(truth, predicted) {
  spread <- sum((truth - mean(truth))^2)
  if (spread > 0) 1 - sum((truth - predicted)^2) / spread else NA_real_
}

# Larger is better for all but losses.
metric_sign <- function(metric) if (metric %in% c("log_loss", "rmse")) -1 else 1
