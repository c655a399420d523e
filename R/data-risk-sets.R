# Survival times as risk sets: the samples still observed at each time with an event. Cox's partial
# likelihood, its derivatives, residuals and baselines are sums over them. With the ties of Efron
# (1977) a time with m events is m steps: at step l = 0, ..., m - 1 each of these events counts
# 1 - l / m. With those of Breslow (1974) it is one step.

# Rows go from the longest time down: the samples at risk at a time are the first rows.
# @param event (numeric) 0, or the weight of an event, which is one event with any weight.
# @param rows (integer, or NULL) the sample of each row: repeats are one event with their number as
#   weight, no tie.
# @return list(order, event (of the rows in this order), last (the last row at risk at each step),
#   start (the first step of its time), deaths (the weight of events), gone (l / m), first (for each
#   row, the first step of the longest event time that it has lived through; their number + 1 if
#   none), tied (rows of events that share their time)).
cox_times <- function(time, event, ties = "efron", rows = NULL) {
  order <- order(-time)
  time <- time[order]
  event <- event[order]
  ends <- which(c(diff(time) != 0, TRUE))
  deaths <- diff(c(0, cumsum(event)[ends]))
  last <- ends[deaths > 0]
  own_end <- ends[match(time, time[ends])]
  counts <- event > 0 & !(if (is.null(rows)) FALSE else duplicated(rows[order]))
  m <- if (ties == "efron") tabulate(match(own_end[counts], last), length(last))
  if (!any(m > 1L)) m <- rep(1L, length(last))
  steps <- rep(last, m)
  list(
    order = order, event = event, last = steps, start = match(steps, steps),
    deaths = rep(deaths[deaths > 0] / m, m), gone = (sequence(m) - 1) / rep(m, m),
    first = findInterval(own_end, steps, left.open = TRUE) + 1L,
    tied = which(event > 0 & own_end %in% last[m > 1L])
  )
}

# For each step, what the events at its time have lost of a sum over rows.
# @param values (numeric matrix) a row for each row.
lost_of_ties <- function(times, values) {
  own <- rowsum(values[times$tied, , drop = FALSE], times$first[times$tied])
  at <- match(times$start, as.integer(rownames(own)))
  lost <- times$gone * own[at, , drop = FALSE]
  lost[is.na(at), ] <- 0
  lost
}

# @param link (numeric matrix) log hazards, rows in the order of `times`, a column for each model.
# @return list(link (0 for the largest of a column), risk, at_risk (their sum at each time with an
#   event)).
risk_sums <- function(times, link) {
  for (j in seq_len(ncol(link))) link[, j] <- link[, j] - max(link[, j])
  # No sum may be 0.
  risk <- exp(if (min(link) < -700) pmax(link, -700) else link)
  list(link = link, risk = risk, at_risk = step_sums(times, risk))
}

# Sums over the samples at risk, for each step.
step_sums <- function(times, values) {
  sums <- running_sums(values)[times$last, , drop = FALSE]
  if (length(times$tied) > 0L) sums - lost_of_ties(times, values) else sums
}

# The hazard of a sample of link 0, cumulative up to the time of each row.
# @param ... of lived_through().
risk_hazard <- function(times, sums, ...) lived_through(times, times$deaths / sums$at_risk, ...)

# The log partial likelihood of each column.
partial_likelihood <- function(times, sums) {
  total <- log(sums$at_risk)
  far <- if (min(sums$link) < -700) which(colSums(sums$link < -700) > 0)
  for (j in far) {
    # Log sums of risks that underflow.
    link <- sums$link[, j]
    at <- Reduce(log_sum, link, accumulate = TRUE)[times$last]
    own <- tapply(link[times$tied], times$first[times$tied], Reduce, f = log_sum)
    own <- own[match(times$start, names(own))]
    total[, j] <- at + ifelse(is.na(own), 0, log1p(-times$gone * exp(pmin(own - at, 0))))
  }
  colSums(times$event * sums$link) - colSums(times$deaths * total)
}

log_sum <- function(one, other) max(one, other) + log1p(exp(-abs(one - other)))

# Means of columns over the samples at risk, weighted by their risks, times the root of deaths.
risk_means <- function(times, sums, z) {
  step_sums(times, z * as.vector(sums$risk)) * (sqrt(times$deaths) / as.vector(sums$at_risk))
}

# The sum of values at the steps that a row has lived through; of those at its own time, an event
# with ties has lived through 1 - l / m.
# @param values (numeric matrix) a row for each of these steps, the longest time first.
# @param whole (flag) do all samples live through their own time?
lived_through <- function(times, values, whole = FALSE) {
  sums <- matrix(0, nrow(values) + 1L, ncol(values))
  back <- rev(seq_len(nrow(values)))
  for (j in seq_len(ncol(values))) sums[back, j] <- cumsum(values[back, j])
  lived <- sums[times$first, , drop = FALSE]
  if (length(times$tied) > 0L && !whole) {
    own <- match(times$first[times$tied], unique(times$start))
    spared <- rowsum(times$gone * values, times$start)[own, , drop = FALSE]
    lived[times$tied, ] <- lived[times$tied, ] - spared
  }
  lived
}

# Values at the time of each event, means over its steps.
at_event <- function(times, values) {
  own <- rbind(values, 0)[times$first, , drop = FALSE]
  if (length(times$tied) > 0L) {
    means <- rowsum(values, times$start) / tabulate(match(times$start, unique(times$start)))
    own[times$tied, ] <- means[match(times$first[times$tied], unique(times$start)), ]
  }
  own
}

running_sums <- function(values) {
  for (j in seq_len(ncol(values))) values[, j] <- cumsum(values[, j])
  values
}
