# Right-censored survival times. A Surv object is a matrix with a class; here it is read and made by
# its attributes, since the package survival need not be attached.

is_survival <- function(y) inherits(y, "Surv")

# Every use of times begins here. Times that only rounding tells apart are equal.
surv_matrix <- function(y) {
  values <- unclass(y)
  values <- matrix(as.double(values), nrow(values), dimnames = list(NULL, colnames(values)))
  if (identical(attr(y, "type"), "right")) values[, 1L] <- tied_times(values[, 1L])
  values
}

# The rule of survival::aeqSurv(), which coxph() and survfit() apply: differences between neighbours
# of up to 1.5e-8, or of this share of the mean, as those of `end - entry`, are ties; the first time
# stands for them.
tied_times <- function(time, tolerance = sqrt(.Machine$double.eps)) {
  known <- sort(unique(time[is.finite(time)]))
  gaps <- diff(known)
  tied <- gaps <= tolerance | gaps / mean(abs(known)) <= tolerance
  if (any(tied)) {
    finite <- is.finite(time)
    cuts <- known[c(TRUE, !tied)]
    time[finite] <- cuts[findInterval(time[finite], cuts)]
  }
  time
}

new_surv <- function(time, event) {
  structure(cbind(time = time, status = event), type = "right", class = "Surv")
}

# Two columns as survival times.
# @param column function(name): its values; names (character): of the time and the event.
surv_of_columns <- function(column, names) {
  time <- column(names[1])
  event <- column(names[2])
  if (length(names) == 3L) check_right_censored("counting")
  refuse(!is.numeric(time),
    "Column {.val {names[1]}} must hold times, not {describe_value(time)}."
  )
  refuse(!is.numeric(event) && !is.logical(event) || !all(event %in% c(0, 1, NA)),
    c("Column {.val {names[2]}} must hold 1 or {.code TRUE} where the event occurred, and 0 or
        {.code FALSE} elsewhere.",
      i = if (all(event %in% c(1, 2, NA))) {
        "If 2 is the event: {.code x${names[2]} <- x${names[2]} == 2}."
      }
    )
  )
  new_surv(as.double(time), as.double(event))
}

is_label <- function(y) is.factor(y) || is.character(y) || is.logical(y)

is_two_codes <- function(y) {
  # A Surv is also numeric, and cannot be matched without its package.
  is.numeric(y) && !is_survival(y) && length(unique(y)) == 2L &&
    (all(y %in% c(0, 1)) || all(y %in% c(-1, 1)))
}

is_wide <- function(y) !is.null(dim(y)) && !is_survival(y)

# Outcomes as users and learners have them: a factor, numbers, or a Surv. A Surv is subset here:
# without its package it would be subset as a vector.
label_rows <- function(y, rows) {
  if (!is_survival(y)) {
    return(y[rows])
  }
  values <- surv_matrix(y)[rows, , drop = FALSE]
  new_surv(values[, 1L], values[, 2L])
}

n_labels <- function(y) if (is_survival(y)) nrow(unclass(y)) else length(y)

n_distinct_labels <- function(y) {
  if (is_survival(y)) nrow(unique(surv_matrix(y))) else length(unique(y))
}

# @return list(time (double, n), event (integer, n: 1, or 0 where the time is censored)).
read_survival <- function(y) {
  check_right_censored(attr(y, "type"))
  values <- surv_matrix(y)
  time <- values[, 1L]
  event <- values[, 2L]
  check_survival_coding(time, event)
  check_survival_times(time)
  check_events(time, event)
  list(time = time, event = as.integer(event))
}

check_right_censored <- function(type, name = "y") {
  if (identical(type, "right")) {
    return(invisible())
  }
  type <- if (is.null(type)) "unknown" else type
  what <- switch(type,
    left = "left-censored times", interval = , interval2 = "interval-censored times",
    counting = "times of entry, {.code Surv(start, stop, event)}",
    mright = , mcounting = "several kinds of event", "times of the type {.val {type}}"
  )
  advice <- switch(type,
    counting = "Samples must be under observation from time 0 on: {.code Surv(time, event)}.",
    mright = , mcounting = "A factor as event gives this. Say which of its levels is the event:
      {.code Surv(time, event == \"dead\")}.",
    "Give {.code Surv(time, event)}: the time, and whether it ended with the event."
  )
  abort(
    c(paste0("{.arg {name}} holds ", what, "; survival times must be right-censored."), i = advice)
  )
}

# Surv() turns unknown event codes into NA.
check_survival_coding <- function(time, event) {
  refuse(all(time %in% c(0, 1, NA)),
    c("All times in {.arg y} are 0 or 1: are times and events swapped?",
      i = "Times come first: {.code Surv(time, event)}."
    )
  )
  refuse_at(!event %in% c(0, 1), c("{.arg y} has no known event status at position {at}.",
    i = "The second argument of {.code Surv(time, event)} is 1 (or TRUE) where the event was
      seen and 0 (or FALSE) where the time is censored; leave out samples without."
  ))
}

check_survival_times <- function(time) {
  refuse_at(!is.finite(time), c("{.arg y} has the time {figure(time[at])} at position {at}.",
    i = "Leave out samples without a time, in {.arg x} too."
  ))
  refuse_at(time <= 0,
    c("{.arg y} has the time {figure(time[at])} at position {at}; times must be > 0.",
      i = "Leave out samples that were not followed, or give those of the first day half a day."
    )
  )
  refuse(length(unique(time)) == 1L,
    "All times in {.arg y} are {figure(time[1])}; there is nothing to explain."
  )
}

check_events <- function(time, event) {
  n_events <- sum(event)
  refuse(n_events == 0, c("{.arg y} has no event: all {length(event)} times are censored.",
    i = "Is the event coded the other way round? 1 (or TRUE) is the event."
  ))
  refuse(n_events == 1,
    c("{.arg y} has a single event, at position {which(event == 1)}; at least 2 are needed.",
      i = "Is the event coded the other way round? 1 (or TRUE) is the event."
    )
  )
}

# Median time of observation if nobody had the event (Schemper & Smith 1996): where the Kaplan-Meier
# curve of the censoring falls to 0.5; NA if it does not.
median_follow_up <- function(time, event) {
  at <- sort(unique(time[event == 0L]))
  leaving <- vapply(at, function(t) sum(time == t & event == 0L), 0L)
  watched <- vapply(at, function(t) sum(time >= t), 0L)
  curve <- cumprod(1 - leaving / watched)
  if (any(curve <= 0.5)) at[which(curve <= 0.5)[1]] else NA_real_
}

# Observed minus expected events without features (Nelson-Aalen): the martingale residuals of an
# empty Cox model. Their product with a feature is its score.
# @param rows of cox_times().
martingale_residuals <- function(time, event, rows = NULL, risk = numeric(length(time))) {
  times <- cox_times(time, event, rows = rows)
  hazard <- risk_hazard(times, risk_sums(times, cbind(unname(risk)[times$order])))
  event - exp(risk - max(risk)) * hazard[order(times$order)]
}

# "38 events, median follow-up 4.2"
describe_events <- function(n_events, follow_up) {
  text <- count_of(n_events, "event")
  if (is.na(follow_up)) text else paste0(text, ", median follow-up ", figure(follow_up, digits = 3))
}
