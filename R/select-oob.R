# Out-of-bag errors: what is known about the error of a whole procedure from predictions of samples
# by models that have not seen them. fealect() and select_ensemble() share it.

# @param predictions (data frame) one row per sample: `observed` (or `time` and `event`),
#   `predicted` (`NA` for samples without a prediction), `n_features` (of the model), and more.
# @param decision (numeric matrix, n x classes, larger for the likelier class; or NULL).
# @param blocks (factor or NULL) of the plan.
# @param by_covariates (as `predicted`, or NULL) what the covariates alone predict; covariates:
#   their names.
# @param counts (flag) are numbers counts, and predictions their means?
new_oob <- function(predictions, decision = NULL, blocks = NULL, by_covariates = NULL,
                    covariates = NULL, counts = FALSE, ...) {
  known <- which(!is.na(predictions$predicted))
  seen <- predictions[known, ]
  n_blocks <- if (!is.null(blocks)) length(unique(blocks[known]))
  conf_level <- 0.95
  judge <- function(seen, decision) {
    if (!is.null(seen$event)) {
      judge_risks(seen, blocks[known], conf_level)
    } else if (is.factor(seen$observed)) {
      n_units <- if (is.null(blocks)) length(known) else n_blocks
      judge_classes(seen, decision, n_units, conf_level)
    } else {
      judge_numbers(seen, blocks[known], conf_level, counts)
    }
  }
  judged <- judge(seen, decision[known, , drop = FALSE])
  baseline <- if (is.null(by_covariates)) {
    error_without_features(predictions$observed, counts)
  } else {
    alone <- seen
    alone$predicted <- by_covariates[known]
    judge(alone, NULL)$error
  }
  oob <- list(
    error = judged$error, lower = judged$limits[1], upper = judged$limits[2],
    conf_level = conf_level, baseline = baseline,
    n = length(known), n_empty = sum(seen$n_features == 0L), measure = judged$measure,
    balanced_error = judged$balanced_error, auc = judged$auc, ..., predictions = predictions
  )
  if (!is.null(blocks)) oob$n_blocks <- n_blocks
  if (!is.null(covariates)) oob$covariates <- covariates
  structure(oob, class = "stabilect_oob")
}

new_judgement <- function(measure, error, limits, balanced_error = NA_real_, auc = NA_real_) {
  list(
    measure = measure, error = error, limits = limits, balanced_error = balanced_error, auc = auc
  )
}

judge_classes <- function(seen, decision, n_units, conf_level) {
  error <- mean(seen$predicted != seen$observed)
  by_class <- measure_by_class(seen$observed, seen$predicted, decision)
  new_judgement(
    "misclassification rate", error, wilson_interval(error, n_units / 2, conf_level),
    by_class$balanced_error, by_class$auc
  )
}

judge_numbers <- function(seen, blocks, conf_level, counts) {
  losses <- if (counts) {
    poisson_deviances(seen$observed, seen$predicted)
  } else {
    (seen$observed - seen$predicted)^2
  }
  new_judgement(
    if (counts) "mean Poisson deviance" else "mean squared error", mean(losses),
    interval_of_loss(losses, blocks, conf_level)
  )
}

# Three times the variance, because out-of-bag predictions depend on each other: in 140 simulated
# data sets of 60 samples, without and with signal, 95% of the intervals held the true discordance
# (with twice the variance 89%).
judge_risks <- function(seen, blocks, conf_level) {
  found <- concordance_of(seen$time, seen$event, seen$predicted)
  influence <- found$influence
  if (!is.null(blocks)) influence <- rowsum(influence, as.integer(blocks))
  error <- 1 - found$concordance
  new_judgement(
    "discordance", error, logit_interval(error, sum(influence^2), conf_level, inflation = 3)
  )
}

# Always naming the largest class, the mean of the numbers, or (without `observed`) one risk for all
# survival times.
error_without_features <- function(observed, counts = FALSE) {
  if (is.null(observed)) {
    return(0.5)
  }
  if (counts) {
    return(mean(poisson_deviances(observed, mean(observed))))
  }
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
interval_of_loss <- function(losses, blocks, conf_level) {
  se <- standard_error(losses, blocks)
  if (!isTRUE(mean(losses) > 0)) {
    return(c(NA_real_, NA_real_))
  }
  half <- stats::qnorm((1 + conf_level) / 2) * sqrt(3) * se / mean(losses)
  mean(losses) * exp(c(-half, half))
}

# What an error of the outcome's kind is compared with.
error_references <- c(
  "mean squared error" = "when always predicting the mean",
  "mean Poisson deviance" = "when always predicting the mean", concordance = "by chance"
)

reference_of <- function(oob) {
  if (!is.null(oob$covariates)) {
    return("with the covariates alone")
  }
  if (!is_rate(oob)) {
    return(error_references[[oob$measure]])
  }
  sizes <- table(oob$predictions$observed)
  sprintf(
    "when always predicting %s", if (length(sizes) > 0L) names(sizes)[which.max(sizes)] else
      "the largest class"
  )
}

is_rate <- function(oob) oob$measure == "misclassification rate"

format_two <- function(value) figure(value, digits = 2)

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

# "4 % out of bag (3 of 72 samples; 95 % CI 1 to 16 %); 35 % when always predicting ALL"
# @param permuted (list, or NULL) error of the permutations. It has no p value of its own in a
#   print: one set of permutations, one p.
describe_error_rate <- function(oob, permuted = NULL) {
  permuted <- shown_permuted(permuted, oob)
  oob <- shown_oob(oob)
  rate <- is_rate(oob)
  number <- if (rate) as_percent else format_two
  seen <- if (rate) {
    sprintf("%d of %d samples", round(oob$error * oob$n), oob$n)
  } else {
    sprintf("%d samples", oob$n)
  }
  sprintf(
    "%s%s out of bag (%s%s); %s%s %s", if (rate) "" else paste0(oob$measure, " "),
    number(oob$error), seen, describe_limits(oob),
    if (is.null(permuted)) {
      ""
    } else {
      sprintf(
        "%s on permuted outcomes (SD %s), ", number(permuted$mean), number(permuted$sd)
      )
    },
    number(oob$baseline), reference_of(oob)
  )
}

describe_limits <- function(oob) {
  if (is.na(oob$lower)) {
    return("")
  }
  scale <- if (is_rate(oob)) 100 else 1
  sprintf(
    "; %s\u00a0%% CI\u00a0%s to %s%s", figure(100 * oob$conf_level),
    format_two(scale * oob$lower), format_two(scale * oob$upper),
    if (scale == 100) "\u00a0%" else ""
  )
}

# What else there is to know of an error.
describe_left_samples <- function(oob) {
  c(
    if (oob$n_empty > 0L) {
      sprintf("for %s no feature was selected", count_of(oob$n_empty, "sample"))
    },
    if (!is.null(oob$n_blocks)) sprintf("each of %d blocks was left out as a whole", oob$n_blocks)
  )
}

# By class, where the outcome has classes.
describe_by_class <- function(oob) {
  if (!is_rate(oob)) {
    return(NULL)
  }
  c(
    sprintf(
      "balanced error %s; %s by chance", as_percent(oob$balanced_error),
      as_percent(1 - 1 / nlevels(oob$predictions$observed))
    ),
    if (!is.na(oob$auc)) sprintf("AUC %s; 0.5 by chance", figure(oob$auc, digits = 2))
  )
}

#' @exportS3Method
facts_of.stabilect_oob <- function(x, n = 10L) {
  new_facts("Out-of-bag error", verdict = list(
    Error = c(describe_error_rate(x), describe_by_class(x), describe_left_samples(x))
  ))
}
