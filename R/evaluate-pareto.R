#' Pareto front, knee and hypervolume of two objectives
#'
#' Finds the points that no other point beats in both objectives (the Pareto front). Marks the
#' points that are best for some weighting of the objectives, and computes the area below the front.
#'
#' @param x (data frame or numeric matrix with two columns, one row per point; or
#'   `stabilect_tradeoff`, see [tune_tradeoff()]) the objectives. With more columns name two by
#'   `objectives`. Points with a missing value are never on the front.
#' @param objectives (two column names or numbers, or `NULL`) the objectives; `NULL` takes the first
#'   two.
#' @param direction (two strings) `"max"` or `"min"` for each objective; one value is used for both.
#' @param index (string) for a `stabilect_tradeoff`: the stability index to compare with its metric;
#'   by default the first computed one. Losses, for example `"rmse"`, are minimised there.
#' @param gamma (numbers in \[0, 1\]) weight of the first objective.
#' @param reference (two numbers, or `NULL`) the corner from which the area is measured, worse than
#'   the front in both objectives, for example `c(0, 0)` for maximised ones; `NULL` measures none.
#' @param n_boot (whole number >= 100) for a `stabilect_tradeoff`: redrawings of the runs.
#' @param conf_level (number in (0, 1)) confidence level of its intervals.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) seed of the redrawings; `NULL` takes one
#'   integer from R's generator.
#'
#' @details
#' A point is on the front unless another one is at least as good in both objectives and better in
#' one. Equal points do not dominate each other: all of them are on the front.
#'
#' The **hull** consists of the points that maximise \eqn{o_\gamma = \gamma a + (1 - \gamma) b} for
#' some \eqn{\gamma} in \[0, 1\] (Hamer and Dupont 2021, Section 7.1; a minimised objective counts
#' negative). They are the corners of the convex hull of the front. `gamma_from` and `gamma_to` are
#' the range of \eqn{\gamma}. A point on an edge of the hull between two corners is chosen for one
#' \eqn{\gamma} only, together with them, and is no corner.
#'
#' `selected()` takes the best point for \eqn{\gamma}; ties go to the better first objective,
#' then to the first row.
#'
#' The **knee** is the point farthest above the line between the ends of the front, both objectives
#' scaled to the range of the front. Without a point above that line there is none.
#'
#' The field `volume` is the hypervolume, in two dimensions the area that the front dominates, up to
#' `reference`. Points that are not better than it in both objectives add nothing.
#'
#' For a [tune_tradeoff()] the area is given for every index. Its standard error and interval come
#' from redrawing the runs `n_boot` times, the same for all settings: mean metrics, indices, the
#' front and its area are computed again. A front favours points that are good by chance, which
#' makes its area too large. `optimism`, the mean of the redrawn areas minus the area, estimates by
#' how much. The interval is the spread of the redrawn areas, placed around the estimate. All of
#' this describes more runs on resamples of the same data, not new data.
#' @return `pareto_front()`: an object of class `stabilect_pareto`, a list with
#' \describe{
#'   \item{table}{(data frame, from the best in the first objective to the best in the second) `row`
#'   (of the field `points`), the two objectives, `hull` (logical), `gamma_from`, `gamma_to` (`NA`
#'   for points that are not corners), `knee` (logical).}
#'   \item{points}{(data frame) the objectives of all points.}
#'   \item{on_front}{(logical) for each row of `points`.}
#'   \item{volume}{(with `reference`; a number; for a `stabilect_tradeoff` a data frame with one row
#'   per index: `index`, `hypervolume`, `se`, `lower`, `upper`, `optimism`) the area.}
#'   \item{asked}{(list) `objectives` (names) and `direction`, two strings each.}
#' }
#' `selected()`: data frame with one row for each \eqn{\gamma}: `gamma`, `row`, the two
#' objectives and `value` (\eqn{o_\gamma}).
#' @section Errors:
#' Class `stabilect_error_input` if all points have missing values, for unknown or non-numeric
#' objectives, and for a `reference` that is not worse than the front.
#' @references Hamer V, Dupont P (2021). An importance weighted feature selection stability measure.
#'   *Journal of Machine Learning Research* 22(116), 1-57.
#' @family trade-off
#' @examples
#' points <- data.frame(accuracy = c(0.9, 0.88, 0.8, 0.7), stability = c(0.3, 0.5, 0.6, 0.55))
#' front <- pareto_front(points)
#' front
#' selected(front, gamma = c(0.2, 0.5, 0.9))
#' pareto_front(points, reference = c(0, 0))$volume
#' @order 1
#' @export
pareto_front <- function(x, objectives = NULL, direction = "max", index = NULL,
                         reference = NULL, n_boot = 500, conf_level = 0.95, seed = NULL) {
  check_given()
  front <- if (inherits(x, "stabilect_pareto")) x else find_front(x, objectives, direction, index)
  if (is.null(reference)) {
    return(front)
  }
  front$volume <- if (inherits(x, "stabilect_tradeoff")) {
    tradeoff_volume(x, reference, n_boot, conf_level, seed)
  } else {
    front_volume(front, reference)
  }
  front
}

find_front <- function(x, objectives, direction, index) {
  if (inherits(x, "stabilect_tradeoff")) {
    if (is.null(index)) index <- x$index[1]
    index <- check_choice(index, x$index)
    metric <- x$asked$metric
    direction <- c(metric_direction(metric), "max")
    x <- x$table[c(metric, index)]
  }
  values <- pareto_points(x, objectives)
  direction <- check_direction(direction)
  known <- which(stats::complete.cases(values))
  refuse(length(known) == 0L, "{.arg x} has no row without a missing value.")
  gain <- oriented(values, direction)
  on_front <- rep(FALSE, nrow(values))
  on_front[known] <- is_efficient(gain[known, 1], gain[known, 2])
  new_pareto(values, on_front, direction)
}

pareto_points <- function(points, objectives) {
  refuse(!(is.data.frame(points) || is.matrix(points)) || ncol(points) < 2L,
    "{.arg x} must be a data frame or a matrix with a column for each of two objectives,
      not {describe_value(points)}."
  )
  points <- as.data.frame(points)
  if (is.null(objectives)) objectives <- names(points)[1:2]
  refuse(length(objectives) != 2L || !all(objectives %in% c(names(points), seq_along(points))) ||
    anyDuplicated(objectives),
    "{.arg objectives} must be two columns of {.arg x}: {.val {names(points)}}."
  )
  values <- points[objectives]
  # Areas are products of two differences.
  numbers <- vapply(values, function(v) is.numeric(v) && all(abs(v) < 1e150, na.rm = TRUE), NA)
  refuse(!all(numbers),
    "The objective {.val {names(values)[!numbers][1]}} must hold finite numbers (< 1e150)."
  )
  rownames(values) <- NULL
  values
}

check_direction <- function(direction) {
  known <- is.character(direction) && all(direction %in% c("max", "min"))
  refuse(!known || !length(direction) %in% 1:2,
    "{.arg direction} must be {.val max} or {.val min}, for both objectives or for each."
  )
  rep_len(direction, 2L)
}

# Both columns, oriented to be maximised.
oriented <- function(values, direction) {
  as.matrix(values) * rep(ifelse(direction == "max", 1, -1), each = nrow(values))
}

# Best first objective first. Among equal ones only those with the best second objective remain, and
# these only if no earlier point attains it.
is_efficient <- function(a, b) {
  at <- order(-a, -b, method = "radix")
  first <- match(a[at], a[at])
  best_before <- c(-Inf, cummax(b[at]))[first]
  keep <- b[at] > best_before & b[at] == b[at][first]
  keep[order(at)]
}

new_pareto <- function(values, on_front, direction) {
  gain <- oriented(values, direction)
  rows <- which(on_front)
  rows <- rows[order(-gain[rows, 1], gain[rows, 2], rows, method = "radix")]
  gain <- gain[rows, , drop = FALSE]
  front <- data.frame(row = rows, values[rows, ], check.names = FALSE)
  corner <- hull_corners(gain[, 1], gain[, 2])
  front$hull <- corner$hull
  front$gamma_from <- corner$from
  front$gamma_to <- corner$to
  knee <- find_knee(gain[, 1], gain[, 2])
  front$knee <- seq_along(rows) %in% knee
  rownames(front) <- NULL
  new_result(
    "stabilect_pareto", front, points = values, on_front = on_front,
    asked = list(objectives = names(values), direction = direction), study = NULL, made = NULL
  )
}

# Gains of the points of a front in both objectives.
gains_of <- function(front) oriented(front$table[front$asked$objectives], front$asked$direction)

# Corners of the upper right hull of a front in order (a falls, b rises), and the weights of `a` for
# which they are best. Equal points are one corner.
hull_corners <- function(a, b) {
  # On a front, equal `a` means equal `b`.
  single <- which(!duplicated(a))
  chain <- integer()
  for (i in single) {
    while (length(chain) > 1L && !is_left_turn(a, b, chain, i)) {
      chain <- chain[-length(chain)]
    }
    chain <- c(chain, i)
  }
  # gamma a + (1 - gamma) b is equal for neighbours at gamma = db / (db - da).
  rise <- diff(b[chain])
  fall <- -diff(a[chain])
  cut <- rise / (rise + fall)
  key <- match(a, a[single])
  at <- match(single[key], chain)
  list(hull = !is.na(at), from = c(cut, 0)[at], to = c(1, cut)[at])
}

# Is the last point of the chain outside of the line from the previous one to point i?
is_left_turn <- function(a, b, chain, i) {
  last <- chain[length(chain)]
  before <- chain[length(chain) - 1L]
  (a[last] - a[before]) * (b[i] - b[before]) - (b[last] - b[before]) * (a[i] - a[before]) >
    1e-14 * max(abs(c(a, b)), 1e-300)^2
}

# Position of the point farthest above the line between the ends.
find_knee <- function(a, b) {
  n <- length(a)
  if (n < 3L || a[1] == a[n]) {
    return(integer())
  }
  above <- (a - a[n]) / (a[1] - a[n]) + (b - b[1]) / (b[n] - b[1]) - 1
  best <- which.max(above)
  if (above[best] > 1e-12) best else integer()
}

#' @rdname pareto_front
#' @rawNamespace S3method(stabs::selected,stabilect_pareto)
#' @exportS3Method
selected.stabilect_pareto <- function(object, gamma = 0.5, ...) {
  refuse_dots(...)
  ok <- is.numeric(gamma) && length(gamma) > 0L && !anyNA(gamma) && all(gamma >= 0 & gamma <= 1)
  refuse(!ok, "{.arg gamma} must hold numbers from 0 to 1, not {describe_value(gamma)}.")
  gain <- gains_of(object)
  bind_rows_of(gamma, function(g) {
    value <- g * gain[, 1] + (1 - g) * gain[, 2]
    best <- which(value >= max(value) - 1e-12 * max(abs(value)))[1]
    data.frame(
      gamma = g, object$table[best, c("row", object$asked$objectives)], value = value[best],
      check.names = FALSE
    )
  })
}

#' @rdname pareto_front
#' @rawNamespace S3method(stabs::selected,stabilect_tradeoff)
#' @exportS3Method
selected.stabilect_tradeoff <- function(object, gamma = 0.5, ...) {
  selected(pareto_front(object), gamma, ...)
}

front_volume <- function(front, reference) {
  direction <- front$asked$direction
  reference <- check_reference(reference)
  gain <- gains_of(front)
  zero <- oriented(as.data.frame(as.list(reference)), direction)
  area <- staircase_area(gain[, 1] - zero[1], gain[, 2] - zero[2])
  refuse(area == 0, "No point of the front is better than {.arg reference} ({reference}) in both
    objectives.")
  area
}

metric_direction <- function(metric) if (metric_sign(metric) < 0) "min" else "max"
