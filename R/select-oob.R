# Out-of-bag errors: the error of a whole procedure from predictions of samples by models that have
# not seen them. For fealect() and select_ensemble().

# @param outcome of outcome_of(). @param predictions (data frame) one row per sample: `observed` (or
#   `time` and `event`), `predicted` (`NA` for samples without a prediction), `n_features` (of the
#   model), and more.
# @param decision (numeric matrix, n x classes, larger for the likelier class; or NULL).
# @param blocks (factor or NULL) of the plan.
# @param by_covariates (as `predicted`, or NULL) predictions of the covariates alone; covariates:
#   their names.
# @param order,order_alone of new_order(): what is ranked in which groups, by all features and by
#   the covariates alone; NULL if one model predicted all samples, or they are not ranked.
# @param n_samples (integer, or NULL) number of samples, if some of them were drawn to be judged.
# @param within of baseline_error().
new_oob <- function(outcome, predictions, decision = NULL, blocks = NULL, by_covariates = NULL,
                    covariates = NULL, order = NULL, order_alone = NULL, n_samples = NULL,
                    within = FALSE, ...) {
  known <- which(!is.na(predictions$predicted))
  seen <- predictions[known, ]
  n_blocks <- if (!is.null(blocks)) length(unique(blocks[known]))
  conf_level <- 0.95
  judge <- function(seen, decision, order) {
    judge_outcome(outcome, seen, decision, blocks[known], conf_level, order_among(order, known))
  }
  judged <- judge(seen, decision[known, , drop = FALSE], order)
  chance <- if (is.null(by_covariates)) {
    list(
      error = baseline_error(outcome, predictions, within),
      auc = if (is.na(judged$auc)) NA_real_ else 0.5
    )
  } else {
    alone <- seen
    alone$predicted <- by_covariates[known]
    judge(alone, NULL, order_alone)
  }
  oob <- list(
    error = judged$error, lower = judged$limits[1], upper = judged$limits[2],
    conf_level = conf_level, baseline = chance$error,
    n = length(known), n_empty = sum(seen$n_features == 0L), measure = judged$measure,
    balanced_error = judged$balanced_error, auc = judged$auc, auc_lower = judged$auc_limits[1],
    auc_upper = judged$auc_limits[2], auc_baseline = chance$auc, ..., predictions = predictions,
    type = outcome$name
  )
  oob$order <- order
  oob$n_samples <- n_samples
  if (!is.null(blocks)) oob$n_blocks <- n_blocks
  if (!is.null(covariates)) oob$covariates <- covariates
  structure(oob, class = c("stabilect_oob", "stabilect"))
}

reference_of <- function(oob) {
  if (!is.null(oob$covariates)) {
    return("with the covariates alone")
  }
  name_reference(outcome_of(oob), oob$predictions$observed)
}

is_rate <- function(oob) oob$measure == "misclassification rate"

format_two <- function(value) figure(value, digits = 2)

# Prints give a concordance, not its difference to 1; fields keep the error.
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

# The error under permutation, next to the error.
# @param error (list, or NULL) mean, sd, p; oob as in the result.
shown_permuted <- function(error, oob) {
  if (identical(oob$measure, "discordance")) error$mean <- 1 - error$mean
  error
}

# For example: 4 % out of bag (3 of 72 samples; 95 % CI 1 to 16 %); 35 % when always predicting ALL.
# @param permuted (list, or NULL) error of the permutations. Prints give no p-value for it: one set
#   of permutations, one p.
describe_error_rate <- function(oob, permuted = NULL, how = "out of bag") {
  if (!is.null(permuted)) permuted <- shown_permuted(permuted, oob)
  oob <- shown_oob(oob)
  rate <- is_rate(oob)
  number <- if (rate) as_percent else format_two
  seen <- if (rate) {
    sprintf("%d of %d samples", round(oob$error * oob$n), oob$n)
  } else {
    sprintf("%d samples%s", oob$n, describe_pairs(oob, before = " in "))
  }
  sprintf(
    "%s%s %s (%s%s); %s%s %s", if (rate) "" else paste0(oob$measure, " "),
    number(oob$error), how, seen, describe_limits(oob),
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

# In how many pairs samples were compared; "" where whole parts were ranked.
describe_pairs <- function(oob, before = "", after = "") {
  group <- match(oob$order$group, unique(oob$order$group))
  pairs <- length(group) > 0L && all(tabulate(group) <= 2L)
  if (pairs) paste0(before, count_of(max(group), "pair"), after) else ""
}

describe_limits <- function(oob) {
  if (is.na(oob$lower)) {
    units <- if (is.null(oob$n_blocks)) oob$n else oob$n_blocks
    what <- if (is.null(oob$n_blocks)) "samples" else "blocks"
    return(if (units < fewest_for_interval) sprintf("; no CI from %d %s", units, what) else "")
  }
  paste0("; ", describe_interval(oob, oob$conf_level, is_rate(oob)))
}

# Further facts about an error.
describe_left_samples <- function(oob) {
  count <- function(n) figure(n, big.mark = ",")
  c(
    if (!is.null(oob$n_samples)) {
      sprintf("%s of %s samples judged", count(oob$n), count(oob$n_samples))
    },
    if (oob$n_empty > 0L) {
      sprintf("for %s no feature was selected", count_of(oob$n_empty, "sample"))
    },
    if (!is.null(oob$n_blocks)) sprintf("each of %d blocks was left out as a whole", oob$n_blocks),
    if (!is_rate(oob)) describe_few_ranked(oob)
  )
}

# By class, if the outcome has classes.
describe_by_class <- function(oob) {
  if (!is_rate(oob)) {
    return(NULL)
  }
  c(
    sprintf(
      "balanced error %s; %s by chance", as_percent(oob$balanced_error),
      as_percent(1 - 1 / nlevels(oob$predictions$observed))
    ),
    describe_auc(oob), describe_few_ranked(oob)
  )
}

# Rank measures of few samples say little, whatever their interval.
describe_few_ranked <- function(oob) {
  one <- outcome_of(oob)
  if (one$ranked == "none" || is.null(oob$order)) {
    return(NULL)
  }
  few <- scarcest_samples(one, oob$predictions[!is.na(oob$predictions$predicted), ])
  if (few$n >= 10L) {
    return(NULL)
  }
  sprintf(
    "%s of %s says little", if (one$ranked == "auc") "an AUC" else "a concordance", few$words
  )
}

# For example: AUC 0.71 (95 % CI 0.55 to 0.83); 0.65 with the covariates alone.
describe_auc <- function(oob) {
  if (is.na(oob$auc)) {
    return(NULL)
  }
  limits <- if (is.na(oob$auc_lower)) {
    ""
  } else {
    between <- describe_interval(list(lower = oob$auc_lower, upper = oob$auc_upper), oob$conf_level)
    sprintf(" (%s%s)", describe_pairs(oob, after = "; "), between)
  }
  alone <- !is.null(oob$covariates) && !is.na(oob$auc_baseline)
  sprintf(
    "AUC %s%s; %s", format_two(oob$auc), limits,
    if (alone) paste(format_two(oob$auc_baseline), "with the covariates alone") else "0.5 by chance"
  )
}

#' @exportS3Method
facts_of.stabilect_oob <- function(x, n = 10L) {
  new_facts("Out-of-bag error", verdict = list(
    Error = c(describe_error_rate(x), describe_by_class(x), describe_left_samples(x))
  ))
}
