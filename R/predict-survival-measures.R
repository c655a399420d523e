# Measures of predicted survival, corrected for censoring: each observed sample also represents
# samples censored before it (inverse probability of censoring weights).

# The Kaplan-Meier curve of the censoring; an event precedes a censoring at the same time.
# @return function(t, before): the probability not to be censored up to t, or `before` t.
censoring_curve <- function(time, event) {
  at <- sort(unique(time[event == 0]))
  leaving <- vapply(at, function(t) sum(time == t & event == 0), 0)
  watched <- leaving + vapply(at, function(t) sum(time > t), 0)
  curve <- c(1, cumprod(1 - leaving / watched))
  function(t, before = FALSE) curve[findInterval(t, at, left.open = before) + 1L]
}

# The last judged time: the last event if `tau` is NULL.
last_judged <- function(time, event, tau) {
  if (is.null(tau)) max(c(0, time[event == 1])) else tau
}

# Uno et al. (2011): a pair whose earlier sample has the event at t, up to tau, has the weight 1 /
# G(t-)^2, which makes up for pairs lost by censoring.
# @return see concordance_of(); the weights 1 / G^2 are treated as known.
concordance_uno <- function(time, event, risk, tau = NULL) {
  judged <- event == 1 & time <= last_judged(time, event, tau)
  pairs <- numeric(length(time))
  pairs[judged] <- 1 / censoring_curve(time, event)(time[judged], before = TRUE)^2
  concordance_of(time, judged + 0, risk, pairs = pairs)
}

# The Brier score of predicted curves, as a mean over time (Graf et al. 1999). At t, it has the
# squared distance of a curve from 1 for samples known to live, over G(t), and from 0 for samples
# with the event at T, over G(T-).
# @param curves (numeric matrix, n x times) probabilities; a curve is 1 before its first time, and
#   constant from one time to the next and after the last.
# @return (number) the integral from 0 to tau over tau, exact since all curves are steps; NA without
#   event.
integrated_brier <- function(time, event, curves, times, tau = NULL) {
  tau <- last_judged(time, event, tau)
  if (tau <= 0) {
    return(NA_real_)
  }
  from <- sort(unique(c(0, time, times)))
  from <- from[from < tau]
  scores <- brier_scores(time, event, curves, times, from)
  sum(scores * diff(c(from, tau))) / tau
}

# The score at each of the times `at`.
brier_scores <- function(time, event, curves, times, at) {
  order <- order(times)
  curves <- cbind(1, curves[, order, drop = FALSE])
  column <- findInterval(at, times[order]) + 1L
  not_censored <- censoring_curve(time, event)
  dead <- ifelse(event == 1, 1 / not_censored(time, before = TRUE), 0)
  vapply(seq_along(at), function(k) {
    own <- curves[, column[k]]
    lives <- time > at[k]
    # Where all are censored, nobody is known to live.
    losses <- own^2 * dead
    losses[lives] <- (1 - own[lives])^2 / not_censored(at[k])
    mean(losses)
  }, 0)
}

# The coefficient of predicted log hazards in a Cox model, and its standard error. Below 1,
# predictions are too extreme (van Houwelingen 2000). NA if there is none.
calibration_of_risk <- function(time, event, risk) {
  times <- cox_times(time, event)
  z <- cbind(risk - mean(risk))[times$order, , drop = FALSE]
  start <- cox_point(z, times, 0)$information[1, 1]
  fit <- maximise_cox(z, times, 0, 0)
  # The curvature vanishes where the slope has no limit: equal risks, or all risks in the right
  # order.
  if (!fit$converged || fit$information[1, 1] <= 1e-6 * start) {
    return(c(NA_real_, NA_real_))
  }
  c(fit$beta, 1 / sqrt(fit$information[1, 1]))
}
