# Survival times as risk sets: the samples still observed at each time with an event. Cox's partial
# likelihood, its derivatives, residuals and baselines are sums over them, with the ties of Breslow
# (1974).

# Rows go from the longest time down: the samples at risk at a time are the first rows.
# @return list(order, event (of the rows in this order), last (the last row at risk at each time
#   with an event), deaths (their numbers), first (for each row, the place in `last` of the longest
#   event time that it has lived through; length + 1 if none)).
cox_times <- function(time, event) {
  order <- order(-time)
  time <- time[order]
  event <- event[order]
  ends <- which(c(diff(time) != 0, TRUE))
  deaths <- diff(c(0, cumsum(event)[ends]))
  last <- ends[deaths > 0]
  own_end <- ends[match(time, time[ends])]
  list(
    order = order, event = event, last = last, deaths = deaths[deaths > 0],
    first = findInterval(own_end, last, left.open = TRUE) + 1L
  )
}

# @param link (numeric matrix) log hazards, rows in the order of `times`, a column for each model.
# @return list(link (0 for the largest of a column), risk, at_risk (their sum at each time with an
#   event)).
risk_sums <- function(times, link) {
  for (j in seq_len(ncol(link))) link[, j] <- link[, j] - max(link[, j])
  # No sum may be 0.
  risk <- exp(if (min(link) < -700) pmax(link, -700) else link)
  list(link = link, risk = risk, at_risk = running_sums(risk)[times$last, , drop = FALSE])
}

# The hazard of a sample of link 0, cumulative up to the time of each row.
risk_hazard <- function(times, sums) lived_through(times, times$deaths / sums$at_risk)

# The log partial likelihood of each column.
partial_likelihood <- function(times, sums) {
  total <- log(sums$at_risk)
  far <- if (min(sums$link) < -700) which(colSums(sums$link < -700) > 0)
  for (j in far) {
    # Log sums of risks that underflow.
    total[, j] <- Reduce(function(one, other) {
      max(one, other) + log1p(exp(-abs(one - other)))
    }, sums$link[, j], accumulate = TRUE)[times$last]
  }
  colSums(times$event * sums$link) - colSums(times$deaths * total)
}

# Means of columns over the samples at risk, weighted by their risks, times the root of deaths.
risk_means <- function(times, sums, z) {
  totals <- running_sums(z * as.vector(sums$risk))[times$last, , drop = FALSE]
  totals * (sqrt(times$deaths) / as.vector(sums$at_risk))
}

# The sum of values at the event times that a row has lived through.
# @param values (numeric matrix) a row for each of these times, the longest first.
lived_through <- function(times, values) {
  sums <- matrix(0, nrow(values) + 1L, ncol(values))
  back <- rev(seq_len(nrow(values)))
  for (j in seq_len(ncol(values))) sums[back, j] <- cumsum(values[back, j])
  sums[times$first, , drop = FALSE]
}

running_sums <- function(values) {
  for (j in seq_len(ncol(values))) values[, j] <- cumsum(values[, j])
  values
}
