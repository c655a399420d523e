# Numbers, and their common part with counts.

number_drawing <- function(...) {
  drawing(
    ..., lacks = "constant y",
    status = function(response, weights, min_class) {
      constant <- apply(weights, 2L, function(w) length(unique(response$y[w > 0L])) < 2L)
      ifelse(constant, "constant y", "ok")
    },
    draw = function(response) match(response$y, sort(unique(response$y)))
  )
}

number_judging <- function(...) {
  judging(
    ..., needs = "predict", values = finite_numbers, wanted = "a finite number",
    prediction = function(answers, y) list(value = answers$predict),
    plain = function(prediction) prediction$value, truth = function(newy, y) newy,
    alone = function(y, n) list(value = rep(mean(y), n)),
    loss = function(y, newy, prediction) mean((newy - prediction$value)^2)
  )
}

# @param ranked (flag) counts are skewed, and have ranks.
number_showing <- function(axis, ranked = FALSE) {
  effects <- function(values, response, weights = NULL) {
    scale <- if (ranked) rank else identity
    y <- scale(response$y)
    effects_by_column(
      "correlation", "correlation with the outcome, from -1 to 1", values, weights,
      function(v, w) correlation_effect(scale(v), y, w, response$covariates), tanh
    )
  }
  showing(effects, "scatter", axis)
}

numbers_within <- function(response, groups) {
  response$y <- drop(centre_within(cbind(response$y), groups))
  refuse(all(response$y == 0), "{.arg y} does not differ within any group of {.arg within}.")
  response
}

finite_numbers <- function(predicted, y) if (is.numeric(predicted)) as.double(predicted) else NA

register_outcome("numeric", function() {
  new_outcome(
    "numeric", "numbers", place = 3,
    reading(
      claims = function(y, family) {
        !identical(family, "poisson") && is.numeric(y) && !is_survival(y) && !is_two_codes(y)
      },
      code = function(y) code_numbers(as.double(y)), check = check_few_values,
      holds = function(y) is.numeric(y) && !is_survival(y),
      labels = function(response) response$y, got = "numbers",
      describe = function(record) "numbers", within = numbers_within
    ),
    number_drawing(
      is_number = TRUE, is_scale = TRUE, arrange = function(response, value) NULL
    ),
    number_judging(
      error = "mean squared error", metric = "mse",
      errors = function(response, links) colMeans((links[[1]] - response$y)^2),
      judge = function(seen, decision, blocks, conf_level, order) {
        judge_losses(
          (seen$observed - seen$predicted)^2, "mean squared error", blocks, conf_level
        )
      },
      measured = "mean squared error",
      baseline = function(predictions) stats::var(predictions$observed),
      reference = function(observed) "when always predicting the mean", expected = "numbers",
      read = numbers_observed,
      measure = function(model, observed, link, conf_level, tau) {
        measure_numbers(observed$observed, link, conf_level)
      }
    ),
    number_showing("Outcome"),
    numbers_defaults()
  )
})

numbers_defaults <- function() {
  defaults(
    models = "least_squares", learner = function(held) learner_ridge(), selector = "pearson",
    said = function(link, levels) link, types = function(known) "response",
    towards = function(levels) "larger numbers", learners = learners_of_numbers,
    holders = "{.fn learner_ridge} has."
  )
}

learners_of_numbers <- "{.fn learner_ridge}, {.fn learner_lasso} and {.fn learner_forest} predict
  numbers and survival times, {.fn learner_custom} makes a learner of any functions."

judge_losses <- function(losses, measure, blocks, conf_level) {
  new_judgement(measure, mean(losses), interval_of_loss(losses, blocks, conf_level))
}

# Interval of the logarithm, as if from a quarter of the samples: out-of-bag losses are correlated.
interval_of_loss <- function(losses, blocks, conf_level) {
  se <- standard_error(losses, blocks)
  if (!isTRUE(mean(losses) > 0)) {
    return(c(NA_real_, NA_real_))
  }
  n_units <- if (is.null(blocks)) length(losses) else length(unique(blocks))
  df <- max(n_units / 4 - 1, 1)
  half <- stats::qt((1 + conf_level) / 2, df) * 2 * se / mean(losses)
  mean(losses) * exp(c(-half, half))
}

numbers_observed <- function(y, study) {
  bad <- if (is.numeric(y)) which(!is.finite(y)) else 1L
  refuse(length(bad) > 0L,
    "{.arg y} must be finite numbers, as for {.arg object}; value {bad[1]} is
      {figure(y[[bad[1]]])}."
  )
  data.frame(observed = as.double(y))
}
