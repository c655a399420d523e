# Stored lasso paths as tables. Only this file and src/r_paths.h know the format: the events of all
# runs one after the other (the number of an entering feature, minus the number of a leaving one),
# the ends of steps counted within their run, and for each run the lambda of every step and of the
# path's end.

# A row for each event, run by run.
# @return list(run, step (of all runs), feature, change (1: enters, -1: leaves), lambda).
path_events <- function(paths) {
  steps <- path_steps(paths)
  step <- rep(seq_along(steps$run), diff(c(0L, steps$end)))
  list(
    run = steps$run[step], step = step, feature = abs(paths$event), change = sign(paths$event),
    lambda = steps$lambda[step]
  )
}

# Is an event of path_events() the first of its feature in the run?
is_first_entry <- function(events) {
  !duplicated(events$run * (max(0, events$feature) + 1) + events$feature)
}

# A row for each step.
# @return list(run, begin and end (events of all runs before it and up to its end), size (of its
#   model), lambda).
path_steps <- function(paths) {
  run <- rep(seq_along(paths$run_steps), diff(c(0L, paths$run_steps)))
  before <- c(0L, paths$run_events)[run]
  end <- before + paths$event_end
  total <- c(0, cumsum(sign(paths$event)))
  list(
    run = run, before = before, end = end, size = total[end + 1L] - total[before + 1L],
    lambda = paths$lambda[seq_along(run) + run - 1L]
  )
}

# A row for each run.
# @return list(n_steps, first and last (lambda at the first step, and where the path was cut)).
path_ends <- function(paths) {
  n_steps <- diff(c(0L, paths$run_steps))
  last <- cumsum(n_steps + 1L)
  list(n_steps = n_steps, first = paths$lambda[last - n_steps], last = paths$lambda[last])
}

# The path of run b: event, end (number of events up to the end of each step) and lambda.
path_of_run <- function(paths, b) {
  part <- function(ends, extra = 0L) {
    before <- if (b > 1L) ends[b - 1L] + extra * (b - 1L) else 0L
    before + seq_len(ends[b] + extra * b - before)
  }
  list(
    event = paths$event[part(paths$run_events)], end = paths$event_end[part(paths$run_steps)],
    lambda = paths$lambda[part(paths$run_steps, 1L)]
  )
}

# Paths of the same steps with other events; events of 0 are left out.
replace_events <- function(paths, event) {
  kept <- event != 0L
  count <- c(0L, cumsum(kept))
  steps <- path_steps(paths)
  paths$event_end <- count[steps$end + 1L] - count[steps$before + 1L]
  paths$run_events <- count[paths$run_events + 1L]
  paths$event <- event[kept]
  paths$positive <- paths$positive[kept]
  paths
}

# The paths of several parts one after the other.
# @param parts (list) of stored paths.
join_paths <- function(parts) {
  gather <- function(field) unlist(lapply(parts, `[[`, field))
  ends <- function(field) {
    cumsum(unlist(lapply(parts, function(part) diff(c(0L, part[[field]])))))
  }
  joined <- list(
    event = gather("event"), positive = gather("positive"), event_end = gather("event_end"),
    lambda = gather("lambda"), run_events = ends("run_events"), run_steps = ends("run_steps")
  )
  joined$weights <- do.call(cbind, lapply(parts, `[[`, "weights"))
  joined
}

# The model sizes of each run: a list of vectors.
run_sizes <- function(paths) {
  steps <- path_steps(paths)
  split_by_code(steps$size, steps$run, length(paths$run_steps))
}

# Share of the selecting runs in which the coefficient has the sign of `direction`, at the first
# entry into the path; among several classes, in which it is largest for that class. NA for features
# that no run selected.
# @param record (list) of study_record().
# @param selection (selection) read off these paths.
same_sign <- function(record, selection, paths) {
  # Repeats have no directions.
  if (is.null(paths$positive) || all(is.na(record$direction))) {
    return(rep(NA_real_, record$p))
  }
  runs <- ok_runs(selection)
  selected <- selection$selected[, runs, drop = FALSE]
  feature <- selected@i + 1L
  events <- path_events(paths)
  entry <- which(events$change > 0)
  p <- as.double(record$p)
  at <- match(
    (rep(runs, diff(selected@p)) - 1) * p + feature,
    (events$run[entry] - 1) * p + events$feature[entry]
  )
  if (length(record$levels) > 2L) {
    agrees <- paths$positive[entry[at]] == match(record$direction, record$levels)[feature]
    share <- tabulate(feature[which(agrees)], p) / tabulate(feature, p)
    share[is.na(record$direction)] <- NA
    return(replace(share, is.nan(share), NA))
  }
  positive <- tabulate(feature[paths$positive[entry[at]]], p) / tabulate(feature, p)
  upwards <- record$direction == if (is.null(record$levels)) "+" else record$levels[2]
  share <- ifelse(upwards, positive, 1 - positive)
  share[is.nan(share)] <- NA
  share
}
