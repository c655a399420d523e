# Right-censored survival times.

register_outcome("survival", function() {
  new_outcome(
    "survival", NULL, "survival times", place = 4, got = "survival times", advice = NULL,
    direction = "hazard", lacks = "no events",
    shared = c("pairs", "halves"), needs = c("predict", "survival"), wanted = "a finite number",
    expected = "survival times, {.code survival::Surv(time, event)}", error = "1 - concordance",
    metric = "concordance", measured = "discordance", ranked = "error", panels = "curves",
    family = "cox", models = "ridge_cox", selector = "cox", learners = learners_of_numbers,
    holders = "{.fn learner_ridge} has."
  )
})

claims_y.outcome_survival <- function(outcome, y, family) is_survival(y)

code_response.outcome_survival <- function(outcome, y) {
  values <- read_survival(y)
  new_response("survival", values$time, event = values$event)
}

holds_labels.outcome_survival <- function(outcome, y) is_survival(y)

response_labels.outcome_survival <- function(response) new_surv(response$y, response$event)

observed_columns.outcome_survival <- function(response) {
  data.frame(time = response$y, event = response$event)
}

kept_of_response.outcome_survival <- function(response) {
  list(n_events = sum(response$event), follow_up = median_follow_up(response$y, response$event))
}

describe_outcome.outcome_survival <- function(outcome, record) {
  describe_events(record$n_events, record$follow_up)
}

strata_of.outcome_survival <- function(response) response$event + 1L

strata_words.outcome_survival <- function(response, what) {
  c("censored samples", "samples with the event")
}

# Runs with only events are valid; runs without events are drawn again.
draw_codes.outcome_survival <- function(response) 1L + cumsum(response$event) * response$event

useless_runs.outcome_survival <- function(response, counts) {
  colSums(counts[response$event == 1L, , drop = FALSE]) == 0
}

run_status.outcome_survival <- function(response, weights, min_class) {
  ifelse(colSums(weights * response$event) < 2L, "fewer than 2 events", "ok")
}

describe_scarce.outcome_survival <- function(outcome, record) {
  if (isTRUE(record$n_events < 5L)) {
    sprintf("the outcome has only %s", count_of(record$n_events, "event"))
  }
}

linear_response.outcome_survival <- function(response) {
  martingale_residuals(response$y, response$event)
}

# Martingale residuals of a Cox model of covariates have a larger variance where the hazard is
# larger: exchanged, they find a signal where there is none. Deviance residuals (Therneau et al.
# 1990) do not (experiments/times).
outcome_scores.outcome_survival <- function(response, z) {
  if (ncol(z) == 0L) {
    return(linear_response(response))
  }
  times <- cox_times(response$y, response$event)
  columns <- held_basis(z)$columns[times$order, -1L, drop = FALSE]
  # The penalty matters only where a level has no events, and no finite coefficient.
  fit <- maximise_cox(columns, times, 1e-6, numeric(ncol(columns)))
  sums <- risk_sums(times, columns %*% fit$beta)
  hazard <- drop(sums$risk * risk_hazard(times, sums))[order(times$order)]
  # An event is treated as a Poisson count whose mean is the cumulative hazard.
  deviance_residuals(
    response$event, hazard, poisson_deviances(response$event, pmax(hazard, 1e-10))
  )
}

# The posterior treats scores as numbers. Its probabilities hold where 30 % of the samples have the
# event or more, and are far too large where 20 % have it (experiments/times).
why_unnamed.outcome_survival <- function(response) {
  if (mean(response$event) < 0.3) "probabilities do not hold with so few events"
}

# Times move together with their events.
distinct_codes.outcome_survival <- function(response) 2L * NextMethod() + response$event

outcome_noise.outcome_survival <- function(response) gumbel_noise(length(response$y), 1L)

# The permutational algorithm (Sylvestre and Abrahamowicz 2008): in the order of time, an event
# takes the sample with the largest log hazard plus noise, as in a Cox model, and a censored time
# any that is left.
arrange_outcome.outcome_survival <- function(response, value) {
  by_hazard <- order(-value)
  by_chance <- sample.int(length(value))
  free <- rep(TRUE, length(value))
  at <- integer(length(value))
  for (i in order(response$y, -response$event)) {
    waiting <- if (response$event[i] == 1L) by_hazard else by_chance
    row <- waiting[free[waiting]][1L]
    free[row] <- FALSE
    at[row] <- i
  }
  at
}

working_targets.outcome_survival <- function(response, rows) {
  cbind(martingale_residuals(response$y[rows], response$event[rows], rows))
}

# Of one Cox model for each feature.
single_effects.outcome_survival <- function(response, values, weights = NULL) {
  effects_by_column(
    "hazard_ratio", paste(
      "hazard of a sample one standard deviation higher, relative to the hazard of the other (Cox",
      if (is.null(response$covariates)) {
        "model of this feature alone)"
      } else {
        "model of this feature and the covariates)"
      }
    ),
    values, weights, function(v, w) {
      columns <- cbind((v - mean(v)) / stats::sd(v), response$covariates)
      weighted_cox(columns, response$y, response$event, w)
    }, exp, 1
  )
}

plain_effects.outcome_survival <- function(response, values) {
  effects <- single_effects(response, values[, 0L, drop = FALSE])[c("name", "meaning")]
  effects$value <- exp(cox_of_columns(values, response$covariates, response$y, response$event))
  effects
}

prediction_of_answers.outcome_survival <- function(outcome, answers, y) {
  list(value = answers$predict, survival = answers$survival)
}

# The Kaplan-Meier curve for each of n samples.
predict_alone.outcome_survival <- function(outcome, y, n) {
  values <- surv_matrix(y)
  baseline <- baseline_hazard(values[, 1L], values[, 2L], numeric(nrow(values)))
  times <- check_times(NULL, baseline)
  curve <- baseline$survival[match(times, baseline$time)]
  list(
    value = numeric(n), constant = TRUE,
    survival = structure(matrix(curve, n, length(times), byrow = TRUE), times = times)
  )
}

outcome_loss.outcome_survival <- function(outcome, y, newy, prediction) {
  # A constant risk is as good as chance, even if no pair can be compared.
  if (isTRUE(prediction$constant)) {
    return(0.5)
  }
  1 - concordance_of_labels(newy, prediction$value)$concordance
}

judge_outcome.outcome_survival <- function(outcome, seen, decision, blocks, conf_level, order) {
  if (is.null(order)) {
    order <- list(row = seq_len(nrow(seen)))
    found <- concordance_of(seen$time, seen$event, seen$predicted)
  } else {
    found <- rank_agreement(outcome, seen, order)
  }
  judged <- judge_order(found, order$row, blocks, conf_level, sum(seen$event))
  new_judgement(outcome$measured, 1 - judged$share, rev(1 - judged$limits))
}

baseline_error.outcome_survival <- function(outcome, predictions, within) 0.5

name_reference.outcome_survival <- function(outcome, observed) "by chance"

rank_agreement.outcome_survival <- function(outcome, seen, order) {
  rows <- order$row
  concordance_within(seen$time[rows], seen$event[rows], order$value[, 1L], order$group)
}

comparable_pairs.outcome_survival <- function(response, i, j) {
  is_before(response$y, response$event, i, j) | is_before(response$y, response$event, j, i)
}

scarcest_samples.outcome_survival <- function(outcome, seen) {
  n <- sum(seen$event)
  list(n = n, words = count_of(n, "event"))
}

# 1 - concordance for the risks in each column, over pairs of samples in the same part.
# @param part (integer, n).
link_errors.outcome_survival <- function(response, links, part) {
  risks <- links[[1]]
  risks[] <- apply(risks, 2L, without_rounding)
  group <- match(part, unique(part))
  errors <- cpp_discordances(response$y, as.numeric(response$event), risks, group)
  errors[is.nan(errors)] <- NA_real_
  errors
}

fits_outcome.outcome_survival <- function(outcome, y) is_survival(y)

read_new_outcome.outcome_survival <- function(outcome, y, study) as.data.frame(read_survival(y))

measure_outcome.outcome_survival <- function(outcome, model, observed, link, conf_level, tau) {
  measure_survival(observed$time, observed$event, link, model$baseline, conf_level, tau)
}

default_learner.outcome_survival <- function(outcome, held) learner_ridge()

predict_types.outcome_survival <- function(outcome, known) c("risk", intersect("survival", known))

say_output.outcome_survival <- function(outcome, levels) {
  "a risk score, and the probability of survival up to a time"
}

say_towards.outcome_survival <- function(outcome, levels) "earlier events"

say_favours.outcome_survival <- function(outcome, levels) "early events"
