# Numbers, and their common part with counts.

# @param ... further traits.
number_traits <- function(name, words, place, got, ...) {
  new_outcome(
    name, "numbers", words, place, got, ..., lacks = "constant y", needs = "predict",
    wanted = "a finite number", expected = "numbers", panels = "scatter",
    learners = learners_of_numbers, holders = "{.fn learner_ridge} has."
  )
}

learners_of_numbers <- "{.fn learner_ridge}, {.fn learner_lasso} and {.fn learner_forest} predict
  numbers and survival times, {.fn learner_custom} makes a learner of any functions."

register_outcome("numeric", function() {
  number_traits(
    "numeric", "numbers", place = 3, got = "numbers", compares_within = TRUE, is_number = TRUE,
    is_scale = TRUE, error = "mean squared error", metric = "mse",
    measured = "mean squared error", axis = "Outcome", models = "least_squares",
    selector = "pearson"
  )
})

claims_y.outcome_numeric <- function(outcome, y, family) {
  !identical(family, "poisson") && is.numeric(y) && !is_survival(y) && !is_two_codes(y)
}

code_response.outcome_numeric <- function(outcome, y) code_numbers(as.double(y))

# Other programs code classes as 1 and 2, or 0, 1 and 2; here these would be numbers.
check_meaning.outcome_numeric <- function(response) {
  values <- sort(unique(response$y))
  refuse(length(values) == 2L,
    c("{.arg y} has 2 distinct values, {.val {values}}; are they classes?",
      i = "Give classes as a factor, {.code factor(y)}, or as 0 and 1."
    )
  )
  is_code <- identical(values, c(0, 1, 2)) || identical(values, c(1, 2, 3))
  if (is_code && length(response$y) >= 10L) {
    warn(
      c("{.arg y} has only 3 distinct values, {.val {values}}, and is read as numbers.",
        i = "Give classes as a factor, {.code factor(y)}."
      ),
      class = "few_values"
    )
  }
}

holds_labels.outcome_numeric <- function(outcome, y) is.numeric(y) && !is_survival(y)

response_labels.outcome_numbers <- function(response) response$y

describe_outcome.outcome_numbers <- function(outcome, record) outcome$words

response_within.outcome_numeric <- function(response, groups) {
  response$y <- drop(centre_within(cbind(response$y), groups))
  refuse(all(response$y == 0), "{.arg y} does not differ within any group of {.arg within}.")
  response
}

draw_codes.outcome_numbers <- function(response) distinct_codes(response)

run_status.outcome_numbers <- function(response, weights, min_class) {
  constant <- apply(weights, 2L, function(w) length(unique(response$y[w > 0L])) < 2L)
  ifelse(constant, "constant y", "ok")
}

arrange_outcome.outcome_numeric <- function(response, value) NULL

single_effects.outcome_numbers <- function(response, values, weights = NULL) {
  correlations_with(response, values, weights, identity)
}

# @param scale (function) identity, or rank for skewed numbers.
correlations_with <- function(response, values, weights, scale) {
  y <- scale(response$y)
  effects_by_column(
    "correlation", "correlation with the outcome, from -1 to 1", values, weights,
    function(v, w) correlation_effect(apply(v, 2L, scale), y, w, response$covariates), tanh,
    together = TRUE
  )
}

prediction_of_answers.outcome_numbers <- function(outcome, answers, y) {
  list(value = answers$predict)
}

predict_alone.outcome_numbers <- function(outcome, y, n) list(value = rep(mean(y), n))

outcome_loss.outcome_numbers <- function(outcome, y, newy, prediction) {
  mean((newy - prediction$value)^2)
}

link_errors.outcome_numeric <- function(response, links, part = NULL) {
  colMeans((links[[1]] - response$y)^2)
}

judge_outcome.outcome_numeric <- function(outcome, seen, decision, blocks, conf_level, order) {
  judge_losses((seen$observed - seen$predicted)^2, outcome$measured, blocks, conf_level)
}

judge_losses <- function(losses, measure, blocks, conf_level) {
  new_judgement(measure, mean(losses), interval_of_loss(losses, blocks, conf_level))
}

# Interval of the logarithm, as if from a quarter of the samples: out-of-bag losses are correlated.
interval_of_loss <- function(losses, blocks, conf_level) {
  se <- standard_error(losses, blocks)
  n_units <- if (is.null(blocks)) length(losses) else length(unique(blocks))
  if (!isTRUE(mean(losses) > 0) || n_units < fewest_for_interval) {
    return(c(NA_real_, NA_real_))
  }
  half <- stats::qt((1 + conf_level) / 2, n_units / 4 - 1) * 2 * se / mean(losses)
  mean(losses) * exp(c(-half, half))
}

# Differences from the mean of the group, which is then the prediction.
baseline_error.outcome_numeric <- function(outcome, predictions, within) {
  if (within) mean(predictions$observed^2) else stats::var(predictions$observed)
}

name_reference.outcome_numbers <- function(outcome, observed) "when always predicting the mean"

read_new_outcome.outcome_numbers <- function(outcome, y, study) {
  bad <- if (is.numeric(y)) which(!is.finite(y)) else 1L
  refuse(length(bad) > 0L,
    "{.arg y} must be finite numbers, as for {.arg object}; value {bad[1]} is
      {figure(y[[bad[1]]])}."
  )
  data.frame(observed = as.double(y))
}

measure_outcome.outcome_numeric <- function(outcome, model, observed, link, conf_level, tau) {
  measure_numbers(observed$observed, link, conf_level)
}

default_learner.outcome_numbers <- function(outcome, held) learner_ridge()

predict_types.outcome_numeric <- function(outcome, known) "response"

say_towards.outcome_numbers <- function(outcome, levels) paste("larger", outcome$words)
