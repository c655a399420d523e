# Ridge regression for survival times: Cox's partial likelihood by Newton's method in coordinates of
# the singular vectors of the features, at most as many as samples.

# The log partial likelihood at given coefficients, its gradient and its information.
# @param z (numeric matrix) features, rows in the order of `times`; offset: added to their link.
cox_point <- function(z, times, beta, offset = 0) {
  sums <- risk_sums(times, z %*% beta + offset)
  hazard <- drop(sums$risk * risk_hazard(times, sums))
  list(
    beta = beta, likelihood = partial_likelihood(times, sums),
    gradient = drop(crossprod(z, times$event - hazard)),
    information = crossprod(z, z * hazard) - crossprod(risk_means(times, sums, z))
  )
}

# The maximum of the likelihood minus the sum of lambda / 2 beta^2.
# @param lambda (number, or one for each column).
# @return cox_point() there, with `converged`.
maximise_cox <- function(z, times, lambda, beta, offset = 0) {
  lambda <- rep_len(as.double(lambda), ncol(z))
  cpp_fit_ridge_cox(z, times, lambda, as.double(beta), rep_len(as.double(offset), nrow(z)))
}

# The coefficient of the first column for weighted samples, and the influence of each sample on it
# (Lin & Wei 1989). A weight multiplies the risk of a sample, and its event.
# @return list(link (NA if Newton's method does not converge), influence (n)).
weighted_cox <- function(columns, time, event, weights) {
  kept <- which(weights > 0)
  times <- cox_times(time[kept], (weights * event)[kept])
  rows <- kept[times$order]
  if (length(times$deaths) == 0L) {
    return(list(link = NA_real_))
  }
  z <- columns[rows, , drop = FALSE]
  offset <- log(weights[rows])
  fit <- maximise_cox(z, times, 0, numeric(ncol(z)), offset)
  sums <- risk_sums(times, z %*% fit$beta + offset)
  risk <- drop(sums$risk)
  means <- step_sums(times, z * risk) / drop(sums$at_risk)
  hazard <- times$deaths / drop(sums$at_risk)
  score <- times$event * (z - at_event(times, means)) -
    risk * (z * drop(lived_through(times, cbind(hazard))) - lived_through(times, means * hazard))
  influence <- numeric(length(weights))
  moved <- tryCatch(solve(fit$information, t(score)), error = function(e) NULL)
  if (!is.null(moved)) influence[rows] <- moved[1, ]
  done <- fit$converged && !is.null(moved)
  list(link = if (done) fit$beta[1] else NA_real_, influence = influence)
}

# The coefficient of each column by itself beside covariates z, per standard deviation; NA where
# weighted_cox() has none.
cox_of_columns <- function(values, z, time, event) {
  times <- cox_times(time, as.vector(event))
  if (length(times$deaths) == 0L) {
    return(rep(NA_real_, ncol(values)))
  }
  z <- z[times$order, , drop = FALSE]
  vapply(seq_len(ncol(values)), function(j) {
    v <- values[, j]
    if (all(v == v[1])) {
      return(NA_real_)
    }
    columns <- cbind(((v - mean(v)) / stats::sd(v))[times$order], z)
    fit <- maximise_cox(columns, times, 0, numeric(ncol(columns)))
    if (fit$converged && rcond(fit$information) > .Machine$double.eps) fit$beta[1] else NA_real_
  }, 0)
}

# Newton's method with halved steps.
# @param point function(beta): list(beta, likelihood, gradient, information).
# @param penalty (numeric) of each coefficient; tolerance: for the gradient.
maximise_likelihood <- function(point, penalty, beta, tolerance) {
  at <- point(beta)
  value <- function(point) point$likelihood - sum(penalty * point$beta^2) / 2
  at$converged <- FALSE
  for (iteration in 1:50) {
    slope <- at$gradient - penalty * at$beta
    if (max(abs(slope), 0) <= tolerance) {
      at$converged <- TRUE
      break
    }
    system <- at$information + diag(penalty, length(beta))
    move <- tryCatch(solve(system, slope), error = function(e) NULL)
    if (is.null(move)) break
    for (halving in 0:30) {
      following <- point(at$beta + move / 2^halving)
      if (isTRUE(value(following) >= value(at) - 1e-12 * abs(value(at)))) break
    }
    following$converged <- FALSE
    at <- following
  }
  at
}

# The penalty with the smallest error, from large penalties down to where the error is infinite.
# @param maximise function(lambda, beta): the fit, starting at `beta`.
# @param size (number) of the relevant penalties; penalised (flags) of the columns.
# @param start (numeric) first coefficients.
# @param error function(fit, df), where df is the trace of (I + lambda)^-1 I with the information I.
# @return list(beta, information, converged, lambda).
choose_likelihood_ridge <- function(maximise, size, penalised, start, error) {
  best <- NULL
  beta <- start
  for (lambda in size * 10^seq(2, -4, by = -1 / 3)) {
    fit <- maximise(lambda, beta)
    if (!fit$converged) break
    beta <- fit$beta
    penalty <- diag(lambda * penalised, length(beta))
    value <- error(fit, sum(diag(solve(fit$information + penalty, fit$information))))
    if (is.infinite(value)) break
    if (is.null(best) || value < best$error) {
      best <- c(fit[c("beta", "information", "converged")], lambda = lambda, error = value)
    }
  }
  if (is.null(best)) {
    lambda <- 100 * size
    # Almost no weight for features; without other columns, none.
    best <- if (all(penalised)) list(beta = start, converged = TRUE) else maximise(lambda, start)
    best$lambda <- lambda
  }
  best
}
