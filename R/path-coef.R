#' Coefficients and predictions of an exact lasso path
#'
#' The path is linear between its knots, so both are exact at any point.
#'
#' @details
#' What `at` means:
#' * `mode = "step"`: 0 (empty model) to K (end of the path); fractions lie within a step.
#'   `lars::coef.lars()` counts the same points from 1 to K + 1.
#' * `mode = "lambda"`: the penalty. Above `lambda[1]` all coefficients are zero. Below the end of a
#'   complete path, the last model is used. Below the end of a path stopped by `max_steps` or
#'   `max_features`, the model is unknown, which is an error. (`lars::coef.lars()` takes the last
#'   model for lambda = 0 there.)
#' * `mode = "norm"`: the L1 norm \eqn{\sum_j |b_j|} of the coefficients of scaled columns, from 0
#'   to its value at the end of the path.
#' * `mode = "fraction"`: this norm divided by its value at the end, from 0 to 1.
#'
#' On a least angle path the norm can fall while a coefficient passes through zero. Several points
#' can then have the requested norm; the point with the largest lambda is used.
#'
#' @inheritParams arguments
#' @param object (`stabilect_path`) result of [lars_path()].
#' @param at (numeric, any length, or `NULL`) points on the path; `NULL` takes every knot in any
#'   `mode`.
#' @param mode (string) unit of `at`: `"step"`, `"lambda"`, `"fraction"` or `"norm"`, see Details.
#' @param intercept (flag) add the intercept as the first element or row, `"(Intercept)"`?
#' @return `coef()`: a named numeric vector of length p if `at` is one number, otherwise a p x
#'   `length(at)` matrix, on the scale of `x`.
#' @family lasso paths
#' @examples
#' x <- as.matrix(mtcars[, -1])
#' path <- lars_path(x, mtcars$mpg)
#' coef(path, at = c(1, 2.5), mode = "step")
#' predict(path, x[1:2, ], at = 0.5, mode = "fraction")
#' @export
coef.stabilect_path <- function(object, at = NULL,
                                mode = c("step", "lambda", "fraction", "norm"),
                                intercept = FALSE, ...) {
  refuse_dots(...)
  mode <- check_choice(mode, path_modes)
  intercept <- check_flag(intercept)
  weights <- knot_weights(object, at, mode)
  coefficients <- as.matrix(object$coefficients %*% weights)
  if (intercept) {
    level <- as.vector(Matrix::crossprod(weights, object$intercepts))
    coefficients <- rbind(`(Intercept)` = level, coefficients)
  }
  if (length(at) == 1) coefficients[, 1] else coefficients
}

#' @rdname coef.stabilect_path
#' @param newdata (numeric matrix, samples x features, or data frame, or sparse Matrix) new samples
#'   in rows. There must be a column for every feature that enters the path, found by name.
#' @param type (string, or `NULL`) for labels in `y`, `"class"` (the default; the second class where
#'   the link is positive) or `"link"` (the fitted value on the scale of -1 and 1); for numbers
#'   `"response"`.
#' @return `predict()`: a vector with a value for each row if `at` is one number (a factor for
#'   `"class"`), otherwise a matrix with a column for each value of `at`.
#' @export
predict.stabilect_path <- function(object, newdata, at = NULL,
                                   mode = c("step", "lambda", "fraction", "norm"), type = NULL,
                                   ...) {
  refuse_dots(...)
  mode <- check_choice(mode, path_modes)
  type <- check_predict_type(type, object$study$type, "link")
  newdata <- read_newdata(newdata, object$study, names(features_entered(object)))
  fit <- path_fit(object, newdata, knot_weights(object, at, mode))
  if (length(at) == 1L) fit <- fit[, 1L]
  if (type != "class") {
    return(fit)
  }
  class <- class_of_link(fit, object$study$levels)
  if (length(at) == 1L) {
    return(stats::setNames(class, names(fit)))
  }
  fit[] <- as.character(class)
  fit
}

# Fitted values, one column for each column of `weights` (see knot_weights()). Only used features
# are read: of thousands, some tens enter.
# @param x (matrix) has them among its columns.
path_fit <- function(path, x, weights) {
  used <- features_entered(path)
  columns <- x[, match(names(used), colnames(x)), drop = FALSE]
  fit <- columns %*% (path$coefficients[used, , drop = FALSE] %*% weights)
  fit <- sweep(as.matrix(fit), 2, as.vector(Matrix::crossprod(weights, path$intercepts)), `+`)
  dimnames(fit) <- list(rownames(x), colnames(weights))
  fit
}

# Named positions.
features_entered <- function(path) which(Matrix::rowSums(path$coefficients != 0) > 0)

path_modes <- c("step", "lambda", "fraction", "norm")

#' Interpolation weights of the knots
#'
#' @param object (`stabilect_path`).
#' @param at,mode see [coef.stabilect_path()].
#' @param call environment named in errors.
#' @return sparse (K + 1) x m matrix; its columns have at most two entries and sum to 1. Values at
#'   the knots times this matrix are the values at `at`.
#' @noRd
knot_weights <- function(object, at, mode) {
  n_knots <- length(object$lambda)
  if (is.null(at)) {
    position <- seq_len(n_knots) - 1
    labels <- sprintf("%d", position)
  } else {
    at <- check_at(at, mode, object)
    position <- path_position(object, at, mode)
    labels <- format_at(at)
  }
  weights <- weights_at(position, n_knots)
  colnames(weights) <- labels
  weights
}

# The same without labels.
weights_at <- function(position, n_knots) {
  rows <- seq_len(min(n_knots, 2L))
  left <- pmin(floor(position), max(n_knots - 2, 0))
  share <- position - left
  new_sparse(
    as.integer(rbind(left, left + 1)[rows, ]), length(rows) * c(0L, seq_along(position)), NULL,
    as.vector(rbind(1 - share, share)[rows, ]), n_knots
  )
}

format_at <- function(at) {
  vapply(at, function(value) figure(value, digits = 6), character(1))
}

#' First position on the path, in steps, with a given value
#' @noRd
path_position <- function(object, at, mode) {
  switch(mode,
    step = at,
    lambda = first_crossing(-object$lambda, seq_along(object$lambda) - 1, -at),
    fraction = ,
    norm = {
      norm <- path_norm(object)
      target <- if (mode == "fraction") at * norm$value[length(norm$value)] else at
      first_crossing(norm$value, norm$position, target)
    }
  )
}

#' L1 norm of the coefficients of scaled columns at all its kinks
#'
#' Only least angle coefficients can change sign inside a step, which bends the norm there.
#' @return list(position, value), both ascending in position.
#' @noRd
path_norm <- function(object) {
  used <- features_entered(object)
  b <- as.matrix(object$coefficients[used, , drop = FALSE]) * object$scale[used]
  last <- ncol(b)
  position <- seq_len(last) - 1
  before <- b[, -last, drop = FALSE]
  after <- b[, -1, drop = FALSE]
  flips <- which(before * after < 0, arr.ind = TRUE)
  kinks <- flips[, 2] - 1 + before[flips] / (before[flips] - after[flips])
  position <- sort(unique(c(position, kinks)))
  left <- pmin(floor(position), max(last - 2, 0))
  right <- pmin(left + 1, last - 1)
  share <- rep(position - left, each = nrow(b))
  values <- colSums(abs(b[, left + 1, drop = FALSE] * (1 - share) +
    b[, right + 1, drop = FALSE] * share))
  list(position = position, value = values)
}

#' First point at which a piecewise linear function reaches each target
#'
#' @param value,position (numeric) function values and ascending places; `value[1]` is below every
#'   target that is reached later.
#' @param target (numeric) clamped to the range of `value`.
#' @return (numeric) places, one per target.
#' @noRd
first_crossing <- function(value, position, target) {
  # The running maximum is constant where the function falls below an earlier value; it first
  # reaches the target where the function does.
  reach <- cummax(value)
  target <- pmin(pmax(target, reach[1]), reach[length(reach)])
  right <- findInterval(target, reach, left.open = TRUE) + 1
  left <- pmax(right - 1, 1)
  rise <- value[right] - value[left]
  share <- ifelse(rise > 0, (target - value[left]) / rise, 0)
  position[left] + share * (position[right] - position[left])
}

# Points on the path, checked against the range of their mode.
check_at <- function(at, mode, object) {
  refuse(!is.numeric(at) || length(at) == 0L,
    "{.arg at} must be numbers or NULL, not {describe_value(at)}."
  )
  n_steps <- length(object$actions)
  # Tolerates rounding in a norm that the caller summed in another order.
  norm_end <- if (mode == "norm") utils::tail(path_norm(object)$value, 1) * (1 + 1e-10)
  complete <- object$status == "complete"
  lambda_end <- if (complete) 0 else object$lambda[n_steps + 1]
  range <- switch(mode,
    step = c(0, n_steps),
    lambda = c(lambda_end, Inf),
    fraction = c(0, 1),
    norm = c(0, norm_end)
  )
  bad <- which(is.na(at) | at < range[1] | at > range[2])
  refuse(length(bad) > 0L,
    c("{.arg at} must lie between {figure(range[1])} and {figure(range[2])} for
       {.code mode = \"{mode}\"}, but is {figure(at[bad[1]])} at position {bad[1]}.",
      i = if (mode == "lambda" && !complete) "The path was stopped early; follow it further."
    )
  )
  as.double(at)
}
