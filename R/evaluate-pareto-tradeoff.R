# The area under the fronts of a search, and how much it depends on the runs.

tradeoff_volume <- function(front, reference, n_boot, conf_level, seed) {
  metric <- front$asked$metric
  reference <- check_reference(reference)
  n_boot <- check_count(n_boot, min = 100)
  conf_level <- check_fraction(conf_level, open_right = TRUE)
  seed <- check_seed(seed)
  m <- nrow(front$scores)
  times <- with_seed(seed, stats::rmultinom(n_boot, m, rep(1, m)))
  fine <- which(front$table$status == "ok")
  # More is better from here on.
  sign <- metric_sign(metric)
  reference[1] <- sign * reference[1]
  gain <- sign * redraw_means(front$scores[, fine, drop = FALSE], times)
  bind_rows_of(front$index, function(name) {
    redrawn <- redraw_index(front$selections[fine], name, times, front$made$seed)
    areas <- vapply(seq_len(n_boot), function(r) {
      area_of(gain[, r], redrawn[, r], reference)
    }, 0)
    area <- area_of(sign * front$table[[metric]][fine], front$table[[name]][fine], reference)
    tails <- stats::quantile(areas, c(1 - conf_level, 1 + conf_level) / 2, names = FALSE)
    data.frame(
      index = name, hypervolume = area, se = stats::sd(areas),
      lower = area + tails[1] - mean(areas), upper = area + tails[2] - mean(areas),
      optimism = mean(areas) - area
    )
  })
}

area_of <- function(a, b, reference) {
  known <- !is.na(a) & !is.na(b)
  if (!any(known)) 0 else staircase_area(a[known] - reference[1], b[known] - reference[2])
}

# Means of the columns (runs in rows) under each redrawing: settings x redrawings.
redraw_means <- function(values, times) {
  known <- !is.na(values)
  values[!known] <- 0
  crossprod(values, times) / crossprod(known + 0, times)
}

# The index of each selection under each redrawing: settings x redrawings.
redraw_index <- function(selections, name, times, seed) {
  rows <- lapply(selections, function(selection) {
    value <- index_values(selection, name, seed = seed)[[1]]
    value$replicate(times[ok_runs(selection), , drop = FALSE])
  })
  do.call(rbind, rows)
}

check_reference <- function(reference) {
  ok <- is.numeric(reference) && length(reference) == 2L && isTRUE(all(abs(reference) < 1e150))
  refuse(!ok, "{.arg reference} must be two numbers, a point that is worse than the front in both
    objectives, not {describe_value(reference)}.")
  as.double(reference)
}

# Area between the axes and any points (both gains counted from the reference).
staircase_area <- function(a, b) {
  at <- order(-a, -b, method = "radix")
  a <- pmax(a[at], 0)
  b <- pmax(b[at], 0)
  top <- c(0, cummax(b))
  sum(a * diff(top))
}
