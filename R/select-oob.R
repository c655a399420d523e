# Out-of-bag errors: what is known about the error of a whole procedure from predictions of samples
# by models that have not seen them. fealect() and select_ensemble() share it.

# @param predictions (data frame) one row per sample: `observed`, `predicted` (`NA` for samples
#   without a prediction), `n_features` (of the model), and more.
# @param decision (numeric matrix, n x classes, larger for the likelier class; or NULL).
# @param blocks (factor or NULL) of the plan.
new_oob <- function(predictions, decision = NULL, blocks = NULL, ...) {
  known <- which(!is.na(predictions$predicted))
  observed <- predictions$observed[known]
  predicted <- predictions$predicted[known]
  n_blocks <- if (!is.null(blocks)) length(unique(blocks[known]))
  n_units <- if (is.null(blocks)) length(known) else n_blocks
  conf_level <- 0.95
  if (is.factor(observed)) {
    measure <- "misclassification rate"
    error <- mean(predicted != observed)
    limits <- wilson_interval(error, n_units / 2, conf_level)
    by_class <- measure_by_class(observed, predicted, decision[known, , drop = FALSE])
  } else {
    measure <- "mean squared error"
    losses <- (observed - predicted)^2
    error <- mean(losses)
    limits <- squared_error_interval(losses, blocks[known], conf_level)
    by_class <- list(balanced_error = NA_real_, auc = NA_real_)
  }
  oob <- list(
    error = error, lower = limits[1], upper = limits[2], conf_level = conf_level,
    baseline = error_without_features(predictions$observed), n = length(known),
    n_empty = sum(predictions$n_features[known] == 0L), measure = measure,
    balanced_error = by_class$balanced_error, auc = by_class$auc, ..., predictions = predictions
  )
  if (!is.null(blocks)) oob$n_blocks <- n_blocks
  structure(oob, class = "stabilect_oob")
}

# Always naming the largest class, or the mean of the numbers.
error_without_features <- function(observed) {
  if (!is.factor(observed)) {
    return(stats::var(observed))
  }
  1 - max(table(observed)) / length(observed)
}

measure_by_class <- function(observed, predicted, decision) {
  recalls <- recalls_of(as.integer(observed), as.integer(predicted))
  list(
    balanced_error = 1 - mean(recalls),
    auc = if (is.null(decision)) NA_real_ else auc_of(as.integer(observed), decision)
  )
}

# Normal interval of the logarithm; the factor 3 because out-of-bag losses are correlated.
squared_error_interval <- function(losses, blocks, conf_level) {
  se <- standard_error(losses, blocks)
  if (!isTRUE(mean(losses) > 0)) {
    return(c(NA_real_, NA_real_))
  }
  half <- stats::qnorm((1 + conf_level) / 2) * sqrt(3) * se / mean(losses)
  mean(losses) * exp(c(-half, half))
}

#' @export
print.stabilect_oob <- function(x, ...) {
  cat(describe_oob(x), sep = "\n")
  invisible(x)
}

# @return (character) the lines of a print.
describe_oob <- function(x) {
  is_class <- x$measure == "misclassification rate"
  number <- function(value) format(value, digits = 2)
  errors <- if (is_class) {
    sprintf("%d of %d samples", round(x$error * x$n), x$n)
  } else {
    sprintf("%d samples", x$n)
  }
  c(
    sprintf("out-of-bag %s: %s (%s%s)", x$measure, number(x$error), errors, describe_interval(x)),
    sprintf(
      "  %s: %s", if (is_class) "always naming the largest class" else "variance of the response",
      number(x$baseline)
    ),
    if (is_class) {
      auc <- if (!is.na(x$auc)) sprintf("; AUC: %s (by chance 0.5)", number(x$auc))
      sprintf(
        "  balanced error: %s (by chance %s)%s", number(x$balanced_error),
        number(1 - 1 / nlevels(x$predictions$observed)), paste0(auc, collapse = "")
      )
    },
    if (x$n_empty > 0L) {
      sprintf("  %d of these samples were predicted by a model without features", x$n_empty)
    },
    if (!is.null(x$n_blocks)) sprintf("  each of %d blocks left out as a whole", x$n_blocks)
  )
}

describe_interval <- function(x) {
  if (is.na(x$lower)) {
    return("")
  }
  sprintf(
    "; %s%% interval %s to %s", format(100 * x$conf_level), format(x$lower, digits = 2),
    format(x$upper, digits = 2)
  )
}
