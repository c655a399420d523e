# Right-censored survival times.

register_outcome("survival", function() {
  new_outcome(
    "survival", "survival times", place = 4, survival_reading(), survival_drawing(),
    survival_judging(), showing(hazard_ratios, "curves"),
    defaults(
      family = "cox", models = "ridge_cox", learner = function(held) learner_ridge(),
      selector = "cox", said = function(link, levels) link,
      types = function(known) c("risk", intersect("survival", known)),
      towards = function(levels) "earlier events", favours = function(levels) "early events",
      learners = learners_of_numbers,
      holders = "{.fn learner_ridge} has."
    )
  )
})

survival_reading <- function() {
  reading(
    claims = function(y, family) is_survival(y),
    code = function(y) {
      values <- read_survival(y)
      new_response("survival", values$time, event = values$event)
    },
    holds = is_survival, labels = function(response) new_surv(response$y, response$event),
    observed = function(response) data.frame(time = response$y, event = response$event),
    record = function(response) {
      list(
        n_events = sum(response$event), follow_up = median_follow_up(response$y, response$event)
      )
    },
    describe = function(record) describe_events(record$n_events, record$follow_up),
    direction = "hazard", signs = c("+" = "up", "-" = "down"), got = "survival times",
    advice = NULL
  )
}

survival_drawing <- function() {
  drawing(
    strata = function(response) response$event + 1L, shared = c("pairs", "halves"),
    strata_words = function(response, what) c("censored samples", "samples with the event"),
    # Runs with only events are valid; runs without events are drawn again.
    draw = function(response) 1L + cumsum(response$event) * response$event,
    lacks = "no events",
    useless = function(response, counts) {
      colSums(counts[response$event == 1L, , drop = FALSE]) == 0
    },
    status = function(response, weights, min_class) {
      ifelse(colSums(weights * response$event) < 2L, "fewer than 2 events", "ok")
    },
    scarce = warn_few_events,
    number = function(response) martingale_residuals(response$y, response$event),
    score = score_of_times, unnamed = too_few_events,
    working = function(response, rows) {
      cbind(martingale_residuals(response$y[rows], response$event[rows], rows))
    },
    noise = function(response) gumbel_noise(length(response$y), 1L), arrange = arrange_times,
    # Times move together with their events.
    distinct = function(response) {
      2L * match(response$y, sort(unique(response$y))) + response$event
    }
  )
}

# The permutational algorithm (Sylvestre and Abrahamowicz 2008): in the order of time, an event
# takes the sample with the largest log hazard plus noise, as in a Cox model, and a censored time
# any that is left.
arrange_times <- function(response, value) {
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

# Martingale residuals of a Cox model of covariates have a larger variance where the hazard is
# larger: exchanged, they find a signal where there is none. Deviance residuals (Therneau et al.
# 1990) do not (experiments/times).
score_of_times <- function(response, z) {
  if (ncol(z) == 0L) {
    return(martingale_residuals(response$y, response$event))
  }
  times <- cox_times(response$y, response$event)
  columns <- held_basis(z)$columns[times$order, -1L, drop = FALSE]
  # The penalty matters only where a level has no events, and no finite coefficient.
  fit <- maximise_cox(columns, times, 1e-6, numeric(ncol(columns)))
  sums <- risk_sums(times, columns %*% fit$beta)
  hazard <- drop(sums$risk * risk_hazard(times, sums))[order(times$order)]
  # An event is a count of expected hazard.
  deviance_residuals(
    response$event, hazard, poisson_deviances(response$event, pmax(hazard, 1e-10))
  )
}

# The posterior treats scores as numbers. Its probabilities hold where 30 % of the samples have the
# event or more, and are far too large where 20 % have it (experiments/times).
too_few_events <- function(response) {
  if (mean(response$event) < 0.3) "probabilities do not hold with so few events"
}

# Of one Cox model for each feature.
hazard_ratios <- function(values, response, weights = NULL) {
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

survival_judging <- function() {
  judging(
    needs = c("predict", "survival"), values = finite_numbers, wanted = "a finite number",
    prediction = function(answers, y) list(value = answers$predict, survival = answers$survival),
    plain = function(prediction) prediction$value, truth = function(newy, y) newy,
    alone = survival_alone,
    loss = function(y, newy, prediction) {
      # A constant risk is as good as chance, even if no pair can be compared.
      if (isTRUE(prediction$constant)) {
        return(0.5)
      }
      1 - concordance_of_labels(newy, prediction$value)$concordance
    },
    error = "1 - concordance", metric = "concordance",
    judge = judge_risks, measured = "discordance", baseline = function(predictions) 0.5,
    ranked = "error", agreement = agreement_of_risks,
    scarcest = function(seen) {
      n <- sum(seen$event)
      list(n = n, words = count_of(n, "event"))
    },
    comparable = function(response, i, j) {
      is_before(response$y, response$event, i, j) | is_before(response$y, response$event, j, i)
    },
    errors = errors_of_risks, reference = function(observed) "by chance", fits = is_survival,
    expected = "survival times, {.code survival::Surv(time, event)}",
    read = function(y, study) as.data.frame(read_survival(y)),
    measure = function(model, observed, link, conf_level, tau) {
      measure_survival(observed$time, observed$event, link, model$baseline, conf_level, tau)
    }
  )
}

# Too few events for an error rate.
warn_few_events <- function(response) {
  n_events <- sum(response$event)
  if (n_events < 5L) {
    warn(
      c("{.arg y} has only {n_events} events.",
        i = "Errors and frequencies that rest on fewer than five events say little."
      ),
      class = "small_class"
    )
  }
}

# The Kaplan-Meier curve for each of n samples.
survival_alone <- function(y, n) {
  values <- surv_matrix(y)
  baseline <- baseline_hazard(values[, 1L], values[, 2L], numeric(nrow(values)))
  times <- check_times(NULL, baseline)
  curve <- baseline$survival[match(times, baseline$time)]
  list(
    value = numeric(n), constant = TRUE,
    survival = structure(matrix(curve, n, length(times), byrow = TRUE), times = times)
  )
}

agreement_of_risks <- function(seen, order) {
  rows <- order$row
  concordance_within(seen$time[rows], seen$event[rows], order$value[, 1L], order$group)
}

judge_risks <- function(seen, decision, blocks, conf_level, order) {
  if (is.null(order)) {
    order <- list(row = seq_len(nrow(seen)))
    found <- concordance_of(seen$time, seen$event, seen$predicted)
  } else {
    found <- agreement_of_risks(seen, order)
  }
  judged <- judge_order(found, order$row, blocks, conf_level, sum(seen$event))
  new_judgement("discordance", 1 - judged$share, rev(1 - judged$limits))
}

# 1 - concordance for the risks in each column, over pairs of samples in the same part.
# @param part (integer, n).
errors_of_risks <- function(response, links, part) {
  risks <- links[[1]]
  risks[] <- apply(risks, 2L, without_rounding)
  agree <- numeric(ncol(risks))
  total <- 0
  for (rows in split(seq_along(part), part)) {
    time <- response$y[rows]
    event <- response$event[rows]
    for (i in which(event == 1L)) {
      later <- rows[time > time[i] | time == time[i] & event == 0L]
      total <- total + length(later)
      ahead <- rep(risks[rows[i], ], each = length(later)) - risks[later, , drop = FALSE]
      agree <- agree + colSums((sign(ahead) + 1) / 2)
    }
  }
  if (total > 0) 1 - agree / total else rep(NA_real_, ncol(risks))
}
