# Out-of-bag errors: what is known about the error of a whole procedure from predictions of samples
# by models that have not seen them. fealect() and select_ensemble() share it.

# @param outcome (record). @param predictions (data frame) one row per sample: `observed` (or `time` and `event`),
#   `predicted` (`NA` for samples without a prediction), `n_features` (of the model), and more.
# @param decision (numeric matrix, n x classes, larger for the likelier class; or NULL).
# @param blocks (factor or NULL) of the plan.
# @param by_covariates (as `predicted`, or NULL) what the covariates alone predict; covariates:
#   their names.
new_oob <- function(outcome, predictions, decision = NULL, blocks = NULL, by_covariates = NULL,
                    covariates = NULL, ...) {
  known <- which(!is.na(predictions$predicted))
  seen <- predictions[known, ]
  n_blocks <- if (!is.null(blocks)) length(unique(blocks[known]))
  conf_level <- 0.95
  judge <- function(seen, decision) outcome$judge(seen, decision, blocks[known], conf_level)
  judged <- judge(seen, decision[known, , drop = FALSE])
  baseline <- if (is.null(by_covariates)) {
    outcome$baseline(predictions)
  } else {
    alone <- seen
    alone$predicted <- by_covariates[known]
    judge(alone, NULL)$error
  }
  oob <- list(
    error = judged$error, lower = judged$limits[1], upper = judged$limits[2],
    conf_level = conf_level, baseline = baseline,
    n = length(known), n_empty = sum(seen$n_features == 0L), measure = judged$measure,
    balanced_error = judged$balanced_error, auc = judged$auc, ..., predictions = predictions,
    type = outcome$name
  )
  if (!is.null(blocks)) oob$n_blocks <- n_blocks
  if (!is.null(covariates)) oob$covariates <- covariates
  structure(oob, class = "stabilect_oob")
}

#' @export
print.stabilect_oob <- function(x, ...) {
  cat(describe_oob(x), sep = "\n")
  invisible(x)
}

reference_of <- function(oob) {
  if (!is.null(oob$covariates)) {
    return("a model of the covariates alone")
  }
  outcome_of(oob)$reference
}

# Prints speak of a concordance, never of what is missing to 1; fields keep the error.
# @param oob (stabilect_oob, or NULL).
shown_oob <- function(oob) {
  if (identical(oob$measure, "discordance")) {
    oob[c("error", "lower", "upper", "baseline")] <- 1 - unlist(
      oob[c("error", "upper", "lower", "baseline")]
    )
    oob$measure <- "concordance"
  }
  oob
}

# The error of permuted responses, beside such an error.
# @param error (list, or NULL) mean, sd, p; oob as in the result.
shown_permuted <- function(error, oob) {
  if (!is.null(error) && identical(oob$measure, "discordance")) error$mean <- 1 - error$mean
  error
}

# @return (character) the lines of a print.
describe_oob <- function(x) {
  x <- shown_oob(x)
  is_class <- x$measure == "misclassification rate"
  number <- function(value) figure(value, digits = 2)
  errors <- if (is_class) {
    sprintf("%d of %d samples", round(x$error * x$n), x$n)
  } else {
    sprintf("%d samples", x$n)
  }
  # The mean gives the variance.
  reference <- reference_of(x)
  if (reference == "predicting the mean") reference <- "variance of the response"
  c(
    sprintf("out-of-bag %s: %s (%s)", x$measure, number(x$error), errors),
    sprintf("  %s%s: %s", describe_interval(x), reference, number(x$baseline)),
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
    "%s%% interval: %s to %s; ", figure(100 * x$conf_level), figure(x$lower, digits = 2),
    figure(x$upper, digits = 2)
  )
}
