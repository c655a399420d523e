#' @export
print.stabilect_path <- function(x, ...) {
  n_steps <- length(x$actions)
  cat(sprintf(
    "%s path of %d x %d (rows x features)%s\n", if (x$type == "lasso") "Lasso" else "LAR",
    x$n, length(x$feature_names), if (x$weighted) ", weighted" else ""
  ))
  print_input_notes(x)
  cat(sprintf(
    "%s; %s\n", if (x$intercept) "intercept" else "no intercept",
    if (x$normalize) "columns normalised" else "columns not normalised"
  ))
  cat(sprintf(
    "%d step%s, lambda %s to %s, R-squared %s at the end\n", n_steps, if (n_steps == 1) "" else "s",
    format(x$lambda[1], digits = 4), format(x$lambda[n_steps + 1], digits = 4),
    format(x$r_squared[n_steps + 1], digits = 4)
  ))
  cat("Ended:", describe_status(x), "\n")
  if (n_steps > 0) cat("First actions:", first_actions(x$actions), "\n")
  cat_features("Excluded as collinear", x$excluded)
  cat_features("Constant", x$constant)
  invisible(x)
}

describe_status <- function(path) {
  switch(path$status,
    complete = "complete (lambda can fall no further)",
    max_steps = sprintf("`max_steps` = %d reached", path$max_steps),
    max_features = sprintf("`max_features` = %d reached", path$max_features),
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

cat_features <- function(title, features, n = 5) {
  if (length(features) == 0) {
    return(invisible())
  }
  shown <- paste(utils::head(names(features), n), collapse = ", ")
  more <- if (length(features) > n) ", ..." else ""
  cat(sprintf("%s: %d (%s%s)\n", title, length(features), shown, more))
}

#' Table of a path's steps
#'
#' @param object (`stabilect_path`) answer of [lars_path()].
#' @param sigma2 (number > 0, or `NULL`) error variance for Cp; `NULL` takes it from the last model
#'   of the path, as `lars::lars()` does.
#' @param ... not used.
#' @return An object of class `stabilect_path_summary`: a list with
#' \describe{
#'   \item{steps}{data frame with K + 1 rows, the empty model first: `step` (0 to K), `action` (`+`
#'     entered, `-` left; text), `n_active` (features active during the step), `df`, `rss`, `cp`
#'     (`NA` when there is no variance estimate), `lambda`, `r_squared`, all at the end of the
#'     step.}
#'   \item{sigma2, cp_note}{the variance used and, when `NA`, why.}
#'   \item{type, status}{as in [lars_path()].}
#' }
#' `as.data.frame()` of it gives `steps`.
#' @family lasso paths
#' @examples
#' path <- lars_path(as.matrix(mtcars[, -1]), mtcars$mpg)
#' as.data.frame(summary(path))
#' @export
summary.stabilect_path <- function(object, sigma2 = NULL, ...) {
  call <- rlang::current_env()
  sigma2 <- check_number(sigma2, "sigma2", min = 0, null_ok = TRUE, call = call)
  if (identical(sigma2, 0)) abort("`sigma2` must be > 0, not 0.", call = call)
  fit <- path_cp(object$rss, object$df, object$weight_sum, sigma2)
  steps <- data.frame(
    step = seq_along(object$lambda) - 1L,
    action = c("", vapply(object$actions, describe_action, character(1))),
    n_active = as.integer(object$df - object$intercept),
    df = object$df, rss = object$rss, cp = fit$cp, lambda = object$lambda,
    r_squared = object$r_squared
  )
  new_path_summary(steps, fit, object)
}

new_path_summary <- function(steps, fit, path) {
  structure(
    list(
      steps = steps, sigma2 = fit$sigma2, cp_note = fit$note, type = path$type,
      status = describe_status(path)
    ),
    class = "stabilect_path_summary"
  )
}

#' @export
print.stabilect_path_summary <- function(x, n = 20, ...) {
  n_rows <- nrow(x$steps)
  cat(if (x$type == "lasso") "Lasso" else "LAR", "path; ended:", x$status, "\n")
  print(utils::head(x$steps, n), digits = 4, row.names = FALSE)
  if (n_rows > n) cat(sprintf("... %d more; print(x, n = %d) shows all\n", n_rows - n, n_rows))
  if (!is.na(x$cp_note)) cat("cp is NA:", x$cp_note, "\n")
  invisible(x)
}

#' @export
as.data.frame.stabilect_path_summary <- function(x, ...) {
  x$steps
}

#' Coefficients of a path as a data frame
#'
#' @param x (`stabilect_path`) answer of [lars_path()].
#' @param row.names,optional,... not used.
#' @return data frame with a row for each non-zero coefficient at each knot: `step` (0 to K),
#'   `lambda`, `feature` (name), `index` (column of `x`), `coefficient` (scale of `x`) and
#'   `coefficient_normalized`.
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
    step = knot - 1L, lambda = x$lambda[knot], feature = x$feature_names[index], index = index,
    coefficient = coefficients@x, coefficient_normalized = coefficients@x * unname(x$scale[index])
  )
}

#' Features in the model along a path
#'
#' @param path (`stabilect_path`) answer of [lars_path()].
#' @return `active_sets()`: list of K + 1 named integer vectors, the features active during steps 0
#'   (empty) to K, in order of entry; names are "0" to "K". A feature whose coefficient reaches zero
#'   at the end of step s is still in the set of step s.
#' @family lasso paths
#' @examples
#' path <- lars_path(as.matrix(mtcars[, -1]), mtcars$mpg)
#' active_sets(path)[["3"]]
#' sets_of_size(path, 1:3)
#' @export
active_sets <- function(path) {
  check_path(path)
  step <- function(set, action) c(set[!set %in% -action], action[action > 0])
  empty <- stats::setNames(integer(0), character(0))
  sets <- list(empty)
  for (action in path$actions) sets <- c(sets, list(step(sets[[length(sets)]], action)))
  stats::setNames(sets, seq_along(sets) - 1L)
}

#' @rdname active_sets
#' @param k (whole numbers >= 1) sizes of interest; `NULL` takes 1 to the largest size on the path.
#' @return `sets_of_size()`: list of the same length as `k`, named by it: the features "when exactly
#'   k are selected". A path with drops meets a size several times: the first meeting, that with the
#'   largest lambda, counts. `NULL` for a size that never occurs because the path ends before it, or
#'   jumps over it when several features enter or leave together.
#' @export
sets_of_size <- function(path, k = NULL) {
  sets <- active_sets(path)
  sizes <- lengths(sets)
  k <- if (is.null(k)) seq_len(max(sizes)) else check_sizes(k, rlang::current_env())
  found <- lapply(match(k, sizes), function(at) if (is.na(at)) NULL else sets[[at]])
  stats::setNames(found, k)
}

check_sizes <- function(k, call) {
  if (!is.numeric(k)) {
    abort("`k` must hold whole numbers >= 1, not be {.cls {class(k)}}.", call = call)
  }
  bad <- which(!is.finite(k) | k < 1 | k != floor(k))
  if (length(bad) > 0) {
    abort("`k` must hold whole numbers >= 1; `k[{bad[1]}]` is {k[bad[1]]}.", call = call)
  }
  as.integer(k)
}

check_path <- function(path, call = rlang::caller_env()) {
  if (!inherits(path, "stabilect_path")) {
    abort("`path` must come from `lars_path()`, not be {.cls {class(path)}}.", call = call)
  }
}
