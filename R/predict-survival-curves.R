# Probabilities of survival from risk scores.

# The baseline without features: the cumulative hazard of a sample of risk 0, summed over the steps
# of Efron's likelihood as in survival::survfit(), and the Kaplan-Meier curve of all samples, at the
# observed times.
# @param risk (numeric, n) log hazards. @param rows of cox_times().
# @return (data frame, a row per distinct time, rising) time, hazard, survival.
baseline_hazard <- function(time, event, risk, rows = NULL) {
  times <- cox_times(time, event, rows = rows)
  # The last rows of their times.
  row <- rev(which(!duplicated(time[times$order], fromLast = TRUE)))
  sums <- risk_sums(times, cbind(unname(risk), 0)[times$order, , drop = FALSE])
  alive <- rev(cumprod(1 - rev(times$deaths / sums$at_risk[, 2L])))
  data.frame(
    time = time[times$order][row],
    hazard = risk_hazard(times, sums, whole = TRUE)[row, 1L] * exp(-max(risk)),
    survival = c(alive, 1)[times$first[row]]
  )
}

# @param fit list(coefficients, offset) of a Cox model of the features x, and of the covariates of
#   the response, if any, with the coefficients `covariates`.
baseline_of_fit <- function(x, response, fit, rows = NULL) {
  risk <- drop(x %*% fit$coefficients) - fit$offset
  if (!is.null(response$covariates)) risk <- risk + drop(response$covariates %*% fit$covariates)
  baseline_hazard(response$y, response$event, risk, rows)
}

# @return (numeric matrix, risks x times) exp(-exp(risk) H(t)), constant after the last time.
curves_of_risk <- function(baseline, risk, times) {
  hazard <- c(0, baseline$hazard)[findInterval(times, baseline$time) + 1L]
  # An infinite hazard times 0 would be NaN.
  curves <- exp(-outer(exp(pmin(risk, 700)), hazard))
  dimnames(curves) <- list(names(risk), label_times(times))
  curves
}

# Numbers as text that is read back as the same numbers.
label_times <- function(times) {
  labels <- sprintf("%.15g", times)
  # Smaller and larger numbers may be shorter with an exponent.
  odd <- times < 0.01 | times >= 1e5
  labels[odd] <- figures(times[odd])
  lost <- as.double(labels) != times
  labels[lost] <- sprintf("%.17g", times[lost])
  labels
}

# NULL: the times at which curves can fall.
check_times <- function(times, baseline) {
  if (is.null(times)) {
    return(baseline$time[diff(c(1, baseline$survival)) < 0])
  }
  sound <- is.numeric(times) && is.null(dim(times)) && length(times) > 0L
  bad <- if (sound) which(!is.finite(times) | times < 0)
  if (!sound || length(bad) > 0L) {
    where <- if (sound) {
      sprintf("%s at position %d", figure(times[bad[1]]), bad[1])
    } else {
      describe_value(times)
    }
    abort(
      c("{.arg times} must hold finite numbers >= 0, not {where}.",
        i = "They are in the unit of the survival times of {.arg y}."
      )
    )
  }
  as.double(times)
}

# Predicted curves at the times at which curves made from some of `y` can fall.
# @param y (Surv) of the training samples, and possibly of others.
# @return (numeric matrix, samples x times, with the attribute `times`), or NULL for a learner
#   without curves.
predicted_curves <- function(learner, model, newdata, y) {
  if (is.null(learner$survival)) {
    return(NULL)
  }
  values <- surv_matrix(y)
  times <- sort(unique(values[values[, 2L] == 1, 1L]))
  curves <- learner$survival(model, newdata, times)
  sound <- is.matrix(curves) && is.numeric(curves) &&
    identical(dim(curves), c(nrow(newdata), length(times))) && !anyNA(curves) &&
    all(curves >= 0 & curves <= 1)
  refuse(!sound,
    c("The learner {.val {learner$name}} must predict survival by a matrix of {nrow(newdata)}
        sample{?s} x {length(times)} time{?s} with numbers from 0 to 1, not
        {describe_value(curves)}.",
        i = "See {.arg survival} in {.fn learner_custom}."
      ),
      class = "learner", call = NULL
  )
  structure(curves, times = times)
}
