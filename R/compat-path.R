# The field linear.models of a doctor: a lasso path in a compact form with the interface of class
# lars.

# @param raw (list) field `path` of cpp_train_doctors()'s answer.
# @param features (character) the considered features, the columns that lars() would see.
# @param n (number) training samples, with those that balance repeats.
new_doctor_path <- function(raw, features, n) {
  structure(
    c(list(type = "LASSO", features = features, n = n), raw), class = "stabilect_doctor_path"
  )
}

# Steps + 1 rows, the empty model first; `normalised` as lars scales its columns.
path_beta <- function(path, normalised = FALSE) {
  raw <- unclass(path)
  n_steps <- length(raw$end)
  beta <- matrix(0, n_steps + 1L, length(raw$features),
    dimnames = list(seq_len(n_steps + 1L) - 1L, raw$features)
  )
  step <- rep(seq_len(n_steps), diff(c(0L, raw$end)))
  scale <- if (normalised) raw$scale else 1
  beta[cbind(step + 1L, raw$feature + 1L)] <- raw$coefficient * scale
  beta
}

path_actions <- function(path) {
  raw <- unclass(path)
  step <- rep(seq_along(raw$event_end), diff(c(0L, raw$event_end)))
  event <- stats::setNames(raw$event, raw$features[abs(raw$event)])
  unname(split(event, factor(step, seq_along(raw$event_end))))
}

#' @rdname train.doctor
#' @export
`$.stabilect_doctor_path` <- function(x, name) {
  raw <- unclass(x)
  switch(name,
    beta = path_beta(x),
    actions = path_actions(x),
    R2 = 1 - x$RSS / x$RSS[1],
    df = c(Intercept = 1, 1 + cumsum(vapply(path_actions(x), function(a) sum(sign(a)), 0))),
    RSS = stats::setNames(raw$RSS, seq_along(raw$RSS) - 1L),
    Cp = doctor_cp(x),
    type = ,
    lambda = ,
    mu = raw[[name]],
    abort("A path of {.fn FeaLect} has no field {.val {name}}: {.fn lars_path} on the training
      samples has all about one path.")
  )
}

# Mallows' Cp with the variance of the last step; NaN if that is a perfect fit or has no degrees of
# freedom left, as in lars.
doctor_cp <- function(x) {
  n <- unclass(x)$n
  last <- utils::tail(x$RSS, 1L)
  left <- n - utils::tail(x$df, 1L)
  variance <- if (last < 1e-12 || left < 1e-12) NaN else last / left
  x$RSS / variance - n + 2 * x$df
}

#' @rdname train.doctor
#' @export
summary.stabilect_doctor_path <- function(object, ...) {
  refuse_dots(...)
  steps <- data.frame(Df = object$df, Rss = object$RSS, Cp = object$Cp)
  rownames(steps) <- seq_len(nrow(steps)) - 1L
  heading <- c("LARS/LASSO", sprintf("Lasso path of a doctor, %d samples", unclass(object)$n))
  structure(steps, heading = heading, class = c("anova", "data.frame"))
}

#' @rdname train.doctor
#' @export
coef.stabilect_doctor_path <- function(object, s = NULL, mode = c("step", "fraction", "norm",
                                                                  "lambda"), ...) {
  refuse_dots(...)
  stats::predict(object, s = s, type = "coefficients", mode = mode)$coefficients
}

#' @rdname train.doctor
#' @export
predict.stabilect_doctor_path <- function(object, newx, s = NULL, type = c("fit", "coefficients"),
                                          mode = c("step", "fraction", "norm", "lambda"), ...) {
  refuse_dots(...)
  type <- check_choice(type, c("fit", "coefficients"))
  if (missing(newx)) type <- "coefficients"
  mode <- check_choice(mode, c("step", "fraction", "norm", "lambda"))
  raw <- unclass(object)
  n_knots <- length(raw$end) + 1L
  norm <- rowSums(abs(path_beta(object, normalised = TRUE)))
  knot <- switch(if (is.null(s)) "step" else mode,
    step = seq_len(n_knots),
    fraction = norm / norm[n_knots],
    norm = norm,
    lambda = -c(raw$lambda, 0)
  )
  if (is.null(s)) s <- knot
  at <- if (mode == "lambda" && !identical(s, knot)) -pmin(pmax(s, 0), raw$lambda[1]) else s
  refuse(!is.numeric(s) || anyNA(s) || any(at < min(knot) | at > max(knot)),
    "{.arg s} must be numbers on the path, from {figure(min(abs(knot)))} to
      {figure(max(abs(knot)))} for {.code mode = \"{mode}\"}."
  )
  place <- stats::approx(knot, seq_len(n_knots), at, ties = "min")$y
  left <- pmin(floor(place), n_knots - 1L)
  beta <- path_beta(object)
  beta <- beta[left, , drop = FALSE] * (left + 1 - place) +
    beta[left + 1L, , drop = FALSE] * (place - left)
  rownames(beta) <- if (length(s) == n_knots) seq_len(n_knots) - 1L
  answer <- list(s = s, mode = mode)
  answer[[type]] <- if (type == "fit") doctor_fit(raw, beta, newx) else drop(beta)
  answer
}

# Centred before the product: large means would lose digits.
doctor_fit <- function(raw, beta, newx) {
  refuse(!is.matrix(newx) || !is.numeric(newx) || ncol(newx) != length(raw$features),
    "{.arg newx} must be a numeric matrix of the {length(raw$features)} considered features,
      not {describe_value(newx)}."
  )
  first <- !duplicated(raw$feature)
  used <- raw$feature[first] + 1L
  centred <- sweep(newx[, used, drop = FALSE], 2L, raw$center[first])
  drop(centred %*% t(beta[, used, drop = FALSE])) + raw$mu
}

#' @export
print.stabilect_doctor_path <- function(x, ...) {
  raw <- unclass(x)
  cat(sprintf(
    "Lasso path of a doctor: %d steps, %d of %d features met\n", length(raw$end),
    length(unique(raw$feature)), length(raw$features)
  ))
  invisible(x)
}
