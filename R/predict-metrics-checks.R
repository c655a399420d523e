# Checks of the arguments of measure_predictions().

# @param known (character) metrics of the outcome; given (character): the available arguments that
#   metrics need.
check_metrics <- function(metric, known, given) {
  can <- function(metrics) vapply(metrics, metric_needs, "", USE.NAMES = FALSE) %in% given
  if (is.null(metric)) {
    return(Filter(function(name) can(name) && metric_record(name)$usual, known))
  }
  lapply(metric, check_choice, name = "metric", choices = known)
  lacking <- metric[!can(metric)]
  if (length(lacking) > 0L) {
    argument <- if (metric_needs(lacking[1]) == "decision") "decision" else "probability"
    abort("The metric {.val {lacking[1]}} needs {.arg {argument}}.")
  }
  metric
}

check_tau <- function(tau, type) {
  if (is.null(tau)) {
    return(NULL)
  }
  refuse(type != "survival", "{.arg tau} is for survival times only; leave it out.")
  check_positive(tau)
}

# @param probability (numeric matrix, n x times, named by the times or of predicted_curves(); or
#   NULL).
# @return (numeric matrix with the attribute `times`, or NULL).
check_curves <- function(probability, type, n) {
  if (is.null(probability) || !is.null(attr(probability, "times"))) {
    return(probability)
  }
  refuse(type != "survival",
    "{.arg probability} is for classes and survival times, not for numbers."
  )
  sound <- is.matrix(probability) && is.numeric(probability) && nrow(probability) == n &&
    ncol(probability) > 0L && all(probability >= 0 & probability <= 1)
  times <- if (isTRUE(sound)) suppressWarnings(as.double(colnames(probability)))
  refuse(length(times) == 0L || anyNA(times) || anyDuplicated(times),
    c("{.arg probability} must be a matrix of numbers from 0 to 1 with {n} row{?s} and a column,
       named by it, for each time, not {describe_value(probability)}.",
      i = "{.code predict(model, newdata, type = \"survival\")} returns one; times after the last
        one of the fit are {.val {NA}} and must be left out."
    )
  )
  structure(probability, times = times)
}

check_labels <- function(x, name) {
  refuse(!is.atomic(x) || is.null(x) || !is.null(dim(x)),
    "{.arg {name}} must be a vector of classes, not {describe_value(x)}."
  )
}

check_values_of_classes <- function(x, name, n) {
  sound <- is.null(x) || is.matrix(x) && is.numeric(x) && nrow(x) == n && !is.null(colnames(x)) &&
    !anyNA(x)
  refuse(!sound,
    "{.arg {name}} must be a numeric matrix without missing values, with {n} rows and a column
      named after each class, not {describe_value(x)}."
  )
}
