# Measures of predicted survival that make up for censoring: each observed sample also stands for
# those that were censored before (inverse probability of censoring weights).

# The Kaplan-Meier curve of the censoring; an event at the time of a censoring comes before it.
# @return function(t, before): the probability not to be censored up to t, or `before` t.
censoring_curve <- function(time, event) {
  at <- sort(unique(time[event == 0]))
  leaving <- vapply(at, function(t) sum(time == t & event == 0), 0)
  watched <- leaving + vapply(at, function(t) sum(time > t), 0)
  curve <- c(1, cumprod(1 - leaving / watched))
  function(t, before = FALSE) curve[findInterval(t, at, left.open = before) + 1L]
}

# The last time that is judged: the last event, where `tau` is NULL.
last_judged <- function(time, event, tau) {
  if (is.null(tau)) max(c(0, time[event == 1])) else tau
}

# Uno et al. (2011): a pair whose earlier sample has the event at t, up to tau, counts
# 1 / G(t-)^2, and so also for those of such pairs that censoring has hidden.
# @return as concordance_of(), the weights 1 / G^2 taken as known.
concordance_uno <- function(time, event, risk, tau = NULL) {
  judged <- event == 1 & time <= last_judged(time, event, tau)
  pairs <- numeric(length(time))
  pairs[judged] <- 1 / censoring_curve(time, event)(time[judged], before = TRUE)^2
  concordance_of(time, judged + 0, risk, pairs = pairs)
}

# The Brier score of predicted curves, as a mean over time.
# Graf et al. (1999): at t, the squared distance of a curve from 1 for those who are
# known to live, over G(t), and from 0 for those who had the event at T, over G(T-).
# @param curves (numeric matrix, n x times) probabilities; a curve is 1 before its first time, and
#   keeps its value from one time to the next and after the last.
# @return (number) the integral from 0 to tau over tau, exact since all are steps; NA without event.
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
    # Nobody lives on where all are censored.
    losses <- own^2 * dead
    losses[lives] <- (1 - own[lives])^2 / not_censored(at[k])
    mean(losses)
  }, 0)
}

# The coefficient of predicted log hazards in a Cox model, and its standard error: below 1 they are
# too extreme (van Houwelingen 2000). NA where there is none.
calibration_of_risk <- function(time, event, risk) {
  times <- cox_times(time, event)
  z <- cbind(risk - mean(risk))[times$order, , drop = FALSE]
  start <- cox_point(z, times, 0)$information[1, 1]
  fit <- maximise_cox(z, times, 0, 0)
  # The curvature is gone where the slope runs away: one risk for all, or all in the right order.
  if (!fit$converged || fit$information[1, 1] <= 1e-6 * start) {
    return(c(NA_real_, NA_real_))
  }
  c(fit$beta, 1 / sqrt(fit$information[1, 1]))
}
