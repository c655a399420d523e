#' @export
format.stabilect_path <- function(x, ...) {
  n_steps <- length(x$actions)
  asked <- x$asked
  c(
    paste0(path_kind(asked$type), if (!is.null(asked$weights)) ", weighted"),
    unlist(lapply(describe_data(x$study), wrap_text)),
    sprintf(
      "%s; %s", if (asked$intercept) "intercept" else "no intercept",
      if (asked$scaling == "sd") "columns scaled" else "columns as they are"
    ),
    sprintf(
      "%d step%s, lambda %s to %s, R-squared %s at the end", n_steps, if (n_steps == 1) "" else "s",
      figure(x$lambda[1], digits = 4), figure(x$lambda[n_steps + 1], digits = 4),
      figure(x$r_squared[n_steps + 1], digits = 4)
    ),
    paste("Ended:", describe_status(x)),
    if (n_steps > 0) wrap_text(paste("First actions:", first_actions(x$actions))),
    describe_set_aside("Excluded as collinear", x$excluded),
    describe_set_aside("Constant", x$constant)
  )
}

path_kind <- function(type) if (type == "lasso") "Lasso path" else "Least angle path"

describe_status <- function(path) {
  switch(path$status,
    complete = "complete (lambda can fall no further)",
    max_steps = sprintf("`max_steps` = %d reached", path$asked$max_steps),
    max_features = sprintf("`max_features` = %d reached", path$asked$max_features),
    no_signal = "at the start, no feature is correlated with y",
    path$status
  )
}

first_actions <- function(actions, n = 6) {
  shown <- vapply(utils::head(actions, n), describe_action, character(1))
  paste0(paste(shown, collapse = ", "), if (length(actions) > n) ", ...")
}

describe_action <- function(action) {
  paste0(ifelse(action > 0, "+", "-"), names(action), collapse = " ")
}

describe_set_aside <- function(title, features, n = 5) {
  if (length(features) == 0) {
    return(NULL)
  }
  shown <- paste(utils::head(names(features), n), collapse = ", ")
  more <- if (length(features) > n) ", ..." else ""
  wrap_text(sprintf("%s: %d (%s%s)", title, length(features), shown, more))
}

#' Summary of an exact lasso path: steps, degrees of freedom, Cp
#'
#' @param object (`stabilect_path`) result of [lars_path()].
#' @param sigma2 (number > 0, or `NULL`) error variance for Cp; `NULL` estimates it from the last
#'   model of the path, as `lars::lars()` does.
#' @param ... Not used.
#' @return (data frame, K + 1 rows, the empty model first) All columns describe the end of the step:
#'   `step` (0 to K), `action` (text: `+` entered, `-` left), `n_active` (features active during the
#'   step), `df`, `rss`, `cp` (`NA` without a variance estimate; `cp_note` of the path says why),
#'   `lambda`, `r_squared`.
#' @family lasso paths
#' @examples
#' summary(lars_path(as.matrix(mtcars[, -1]), mtcars$mpg))
#' @export
summary.stabilect_path <- function(object, sigma2 = NULL, ...) {
  refuse_dots(...)
  sigma2 <- check_positive(sigma2, null_ok = TRUE)
  data.frame(
    step = seq_along(object$lambda) - 1L,
    action = c("", vapply(object$actions, describe_action, character(1))),
    n_active = as.integer(object$df - object$asked$intercept),
    df = object$df, rss = object$rss,
    cp = path_cp(object$rss, object$df, object$weight_sum, sigma2)$cp, lambda = object$lambda,
    r_squared = object$r_squared
  )
}

#' Coefficients of an exact lasso path as a data frame
#'
#' @inheritParams arguments
#' @param x (`stabilect_path`) result of [lars_path()].
#' @return data frame with a row for each non-zero coefficient at each knot: `step` (0 to K),
#'   `lambda`, `feature` (name), `index` (column of `x`), `coefficient` (scale of `x`) and
#'   `coefficient_scaled` (of the scaled column).
#' @family lasso paths
#' @examples
#' head(as.data.frame(lars_path(as.matrix(mtcars[, -1]), mtcars$mpg)))
#' @export
as.data.frame.stabilect_path <- function(x, row.names = NULL, # nolint: object_name_linter.
                                         optional = FALSE, ...) {
  coefficients <- x$coefficients
  index <- coefficients@i + 1L
  knot <- rep(seq_along(x$lambda), diff(coefficients@p))
  data.frame(
    step = knot - 1L, lambda = x$lambda[knot], feature = rownames(coefficients)[index],
    index = index, coefficient = coefficients@x,
    coefficient_scaled = coefficients@x * unname(x$scale[index])
  )
}

#' Active sets of a lasso path
#'
#' @param object (`stabilect_path`) result of [lars_path()].
#' @param size (whole numbers >= 1, or `NULL`) model sizes of interest; `NULL` gives the sets of all
#'   steps.
#' @param ... not used.
#' @return List of named integer vectors, the positions of features in order of entry.
#'   * Without `size`: the features active during steps 0 (empty) to K, named "0" to "K". A feature
#'     whose coefficient reaches zero at the end of step s is still in the set of step s.
#'   * With `size`: for each k of `size`, the set when exactly k features are selected, named by k.
#'     A path with drops can have a size several times; the first time, which has the largest
#'     lambda, counts. `NULL` if the path ends before this size or jumps over it because several
#'     features enter or leave together.
#' @family lasso paths
#' @examples
#' path <- lars_path(as.matrix(mtcars[, -1]), mtcars$mpg)
#' selected(path)[["3"]]
#' selected(path, size = 1:3)
#' @rawNamespace S3method(stabs::selected,stabilect_path)
#' @exportS3Method
selected.stabilect_path <- function(object, size = NULL, ...) {
  refuse_dots(...)
  size <- check_sizes(size)
  step <- function(set, action) c(set[!set %in% -action], action[action > 0])
  empty <- stats::setNames(integer(0), character(0))
  sets <- list(empty)
  for (action in object$actions) sets <- c(sets, list(step(sets[[length(sets)]], action)))
  names(sets) <- seq_along(sets) - 1L
  if (is.null(size)) {
    return(sets)
  }
  found <- lapply(match(size, lengths(sets)), function(at) if (!is.na(at)) sets[[at]])
  stats::setNames(found, size)
}

check_sizes <- function(size) {
  if (is.null(size)) {
    return(NULL)
  }
  bad <- if (is.numeric(size)) which(!is.finite(size) | size < 1 | size != floor(size)) else 1L
  if (length(bad) > 0L) {
    first <- if (is.numeric(size)) size[bad[1]] else size
    abort("{.arg size} must hold whole numbers >= 1, not {describe_value(first)}.")
  }
  as.integer(size)
}
