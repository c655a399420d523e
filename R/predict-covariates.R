# Ridge regression with unpenalised covariates, for final models, learners and the errors of both.
# Features enter as coordinates of their singular vectors, at most as many as samples; before them
# stand the covariates as an orthogonal basis.

# Minimises the loss of fit_final_model() over intercept, covariates and features, plus lambda / 2
# times the sum of squared coefficients of standardised features.
# @param x (double matrix, n x p; p = 0 for covariates alone); z (double matrix, n x k; k >= 0).
# @param kind (string) of final_models().
# @param y (double, n) numbers, -1 and 1, codes of classes from 1, counts, or times; event (0 and 1,
#   n) of times.
# @param lambda (number >= 0, or NULL to choose it).
# @param n_classes (integer) several classes, some of which may have no sample.
# @return list(intercept (NULL for Cox), offset (link of a sample with mean features and covariates;
#   Cox only), covariates (k), coefficients, scale (p), lambda, converged and separated (flags),
#   told (share of the classes that are certain)). Several classes have a column each in covariates
#   and coefficients, and an intercept each.
fit_ridge <- function(x, z, kind, y, event, lambda, n_classes = max(y), rows = NULL) {
  model <- final_model_record(kind)
  # Only survival times ask which rows are one sample.
  if (!is.null(event)) attr(event, "rows") <- rows
  # Without covariates the core does the same, some twenty times as fast.
  fast <- if (ncol(z) == 0L && !is.null(model$core)) model$core(x, y, event, lambda)
  if (!is.null(fast)) {
    return(c(fast, list(covariates = numeric(), separated = FALSE)))
  }
  features <- singular_parts(x)
  held <- held_basis(z)
  # The level of a hazard is no coefficient.
  level <- model$has_level
  basis <- if (level) held$columns else held$columns[, -1, drop = FALSE]
  fit <- model$fit(features$u, basis, y, event, lambda, n_classes)
  beta <- as.matrix(fit$beta)
  free <- seq_len(nrow(beta)) <= ncol(basis)
  of_z <- held$on_z(beta[free & seq_len(nrow(beta)) > level, , drop = FALSE])
  of_x <- features$v %*% beta[!free, , drop = FALSE]
  of_x <- of_x / ifelse(features$scale > 0, features$scale, Inf)
  offset <- drop(crossprod(of_z, colMeans(z)) + crossprod(of_x, features$centre))
  plain <- if (model$by_class) identity else as.vector
  out <- list(
    covariates = plain(of_z), coefficients = plain(of_x), scale = features$scale,
    lambda = fit$lambda, converged = fit$converged, separated = fit$separated, told = fit$told
  )
  last <- if (level) {
    list(intercept = (if (is.null(fit$cuts)) beta[1, ] else fit$cuts) - offset)
  } else {
    list(offset = offset)
  }
  c(out, last)
}

# The features at mean 0 and standard deviation 1 (divisor n) are u v'; constant features are 0.
singular_parts <- function(x) {
  centre <- colMeans(x)
  z <- x - rep(centre, each = nrow(x))
  scale <- sqrt(colMeans(z^2))
  scale[scale <= 1e-13 * cpp_column_sizes(x)] <- 0
  parts <- list(
    centre = centre, scale = scale, u = matrix(0, nrow(x), 0L), v = matrix(0, ncol(x), 0L)
  )
  if (any(scale > 0)) {
    found <- svd(z / rep(ifelse(scale > 0, scale, Inf), each = nrow(x)))
    keep <- found$d > 1e-10 * found$d[1]
    parts$u <- found$u[, keep, drop = FALSE] * rep(found$d[keep], each = nrow(x))
    parts$v <- found$v[, keep, drop = FALSE]
  }
  parts
}

# Frisch and Waugh (1933), Lovell (1963): the coefficients of the features come from the residuals
# of y and of the features given the covariates. lambda is chosen as in the core's ridge regression;
# covariates count as degrees of freedom.
held_least_squares <- function(u, basis, y, lambda) {
  along <- function(values) crossprod(basis, values) / nrow(basis)
  done <- function(beta, lambda) {
    free <- drop(along(y - u %*% beta))
    list(beta = c(free, beta), lambda = lambda, converged = TRUE, separated = FALSE)
  }
  if (ncol(u) == 0L) {
    return(done(numeric(), if (is.null(lambda)) 0 else lambda))
  }
  rest <- drop(y - basis %*% along(y))
  own <- u - basis %*% along(u)
  parts <- svd(own)
  keep <- parts$d > 1e-10 * max(sqrt(colSums(u^2)))
  d <- parts$d[keep]
  toward <- drop(crossprod(parts$u[, keep, drop = FALSE], rest))
  if (is.null(lambda)) lambda <- choose_ridge(d^2, toward, sum(rest^2), nrow(u), ncol(basis))
  done(drop(parts$v[, keep, drop = FALSE] %*% (toward * d / (d^2 + lambda))), lambda)
}

# Generalised cross-validation (Golub, Heath & Wahba 1979) among penalties with n_free + df <= n /
# 2.
choose_ridge <- function(squares, toward, total, n, n_free) {
  if (length(squares) == 0L) {
    return(0)
  }
  lambda <- max(squares) * 10^(-10 + 0.1 * 0:140)
  error <- vapply(lambda, function(one) {
    rest <- n - n_free - sum(squares / (squares + one))
    rss <- total - sum(toward^2) + sum((toward * one / (squares + one))^2)
    if (rest >= n / 2) n * rss / rest^2 else Inf
  }, 0)
  lambda[if (all(is.infinite(error))) length(lambda) else which.min(error)]
}

# @return fit_ridge() of a study's response; an error if it has no limit.
fit_model_part <- function(x, response, model, lambda) {
  core <- if (is.null(response$covariates)) final_model_record(model)$core
  # Without covariates the core does the same, some twenty times as fast.
  fit <- if (!is.null(core)) core(x, response$y, response$event, lambda)
  if (!is.null(fit)) {
    fit <- c(fit, list(covariates = numeric(), separated = FALSE))
  } else {
    fit <- fit_ridge(x, held_columns(response), model, response$y, response$event, lambda)
  }
  # Features with a small penalty can also separate the classes.
  alone <- if (fit$separated) fit_without(response, model)
  refuse(isTRUE(alone$told == 1),
    c("{.arg covariates} determine {.arg y} completely: their coefficients have no limit.",
      i = "Leave out the covariate that determines {.arg y}."
    )
  )
  if (isTRUE(alone$separated)) {
    warn_separated()
  } else if (!fit$converged) {
    abort(c("The model did not converge.", i = "Use a larger {.arg lambda} than {fit$lambda}."),
      class = "convergence")
  }
  fit
}

fit_without <- function(response, kind) {
  z <- held_columns(response)
  fit_ridge(matrix(0, nrow(z), 0L), z, kind, response$y, response$event, 0)
}

# @return (named numeric, or a matrix with a column for each of several classes) intercept (but not
#   for Cox) and coefficients of the covariates alone.
covariates_alone <- function(response, kind) {
  fit <- fit_without(response, kind)
  model_coefficients(fit, character(), colnames(response$covariates), response$levels)
}

# @param fit of a model: intercept (or none), covariates (or none), coefficients.
# @param levels (character, or NULL) classes; several classes have a column each.
model_coefficients <- function(fit, features, held, levels) {
  several <- is.matrix(fit$covariates)
  level <- if (length(fit$intercept) > 1L && !several) paste(">=", levels[-1]) else "(Intercept)"
  names <- c(if (!is.null(fit$intercept)) level, held, features)
  if (several) {
    values <- rbind(fit$intercept, fit$covariates, fit$coefficients)
    return(named_rows(values, names, levels))
  }
  named_rows(c(fit$intercept, fit$covariates, fit$coefficients), names, levels)
}

named_rows <- function(values, names, levels) {
  if (is.matrix(values)) {
    dimnames(values) <- list(names, levels)
    return(values)
  }
  stats::setNames(values, names)
}

link_held <- function(fit, x, z) {
  constant <- if (is.null(fit$intercept)) -fit$offset else fit$intercept
  link <- at_levels(x %*% fit$coefficients + z %*% fit$covariates, constant)
  if (ncol(link) == 1L) drop(link) else link
}

# Slopes plus one constant for each link; several links may share one column of slopes.
at_levels <- function(slopes, constant) {
  if (length(constant) > ncol(slopes)) slopes <- slopes[, rep(1L, length(constant)), drop = FALSE]
  slopes + rep(constant, each = nrow(slopes))
}

# predict_left_out(), in R. Models of the same samples and features are fitted once.
predict_each_left_out <- function(x, response, sets, left_out, model, lambda, predicted,
                                  progress = FALSE) {
  paste_each <- function(values) vapply(values, paste, "", collapse = " ")
  key <- paste(paste_each(sets), paste_each(left_out), sep = "|")
  links <- vector("list", length(sets))
  report <- progress_reporter(progress, "Out-of-bag error")
  done <- 0L
  for (same in split(seq_along(sets), match(key, key))) {
    if (!is.null(report)) report(done, length(sets))
    done <- done + length(same)
    part <- x[, sets[[same[1L]]], drop = FALSE]
    rows <- seq_len(nrow(x))[-left_out[[same[1L]]]]
    link <- links_of_rows(part, response, rows, unlist(predicted[same]), model, lambda)
    last <- cumsum(lengths(predicted[same]))
    links[same] <- Map(function(from, to) link[from:to, , drop = FALSE],
      last - lengths(predicted[same]) + 1L, last
    )
  }
  if (!is.null(report)) report(done, length(sets))
  links <- do.call(rbind, links)
  if (ncol(links) > 1L) links else drop(links)
}

# @param rows,at (integer) samples of the model, and those that it predicts.
# @return (matrix) a row for each of `at`, a column for each link.
links_of_rows <- function(x, response, rows, at, model, lambda) {
  z <- held_columns(response)
  record <- final_model_record(model)
  n_classes <- max(1L, length(response$levels))
  y <- response$y[rows]
  lone <- record$lone(y)
  if (!is.null(lone)) {
    return(matrix(lone, length(at), record$n_links(n_classes), byrow = TRUE))
  }
  fit <- fit_ridge(
    x[rows, , drop = FALSE], z[rows, , drop = FALSE], model, y, response$event[rows], lambda,
    n_classes
  )
  # One by one: a product with several rows may differ in the last bit.
  each <- lapply(at, function(i) {
    as.vector(link_held(fit, x[i, , drop = FALSE], z[i, , drop = FALSE]))
  })
  do.call(rbind, each)
}
