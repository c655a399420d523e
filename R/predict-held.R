# Maximum penalised likelihood for fit_ridge(): the first columns, `basis`, have no penalty, the
# others, `u`, the ridge penalty.

held_logistic <- function(u, basis, second, lambda) {
  columns <- cbind(basis, u)
  penalty <- rep(c(0, lambda), c(ncol(basis), ncol(u)))
  fit <- maximise_likelihood(
    function(beta) logistic_point(columns, second, beta), penalty, numeric(ncol(columns)),
    1e-11 * nrow(u)
  )
  list(
    beta = fit$beta, lambda = lambda, converged = fit$converged,
    separated = is_separated(fit$information, seq_len(ncol(basis)), nrow(u)),
    told = mean(abs(columns %*% fit$beta) > 10)
  )
}

# The log likelihood of two classes, its gradient and its information.
# @param second (flags) is a sample of the second class?
logistic_point <- function(z, second, beta) {
  link <- drop(z %*% beta)
  probability <- stats::plogis(link)
  list(
    beta = beta, likelihood = sum(stats::plogis(ifelse(second, link, -link), log.p = TRUE)),
    gradient = drop(crossprod(z, second - probability)),
    information = crossprod(z, z * (probability * (1 - probability)))
  )
}

# Several classes, by the symmetric model with coefficients for each class. The penalty is smallest
# where they sum to 0 over the classes; unpenalised coefficients are chosen likewise. Contrasts of
# the classes avoid this redundancy, and orthonormal contrasts have the same penalty.
# @param codes (whole numbers from 1) classes; a class without samples gets coefficients 0 and the
#   intercept -Inf.
held_multinomial <- function(u, basis, codes, n_classes, lambda) {
  classes <- sort(unique(codes))
  beta <- matrix(0, ncol(basis) + ncol(u), n_classes)
  beta[1, -classes] <- -Inf
  if (length(classes) == 1L) {
    return(list(beta = beta, lambda = lambda, converged = TRUE, separated = FALSE, told = 1))
  }
  columns <- cbind(basis, u)
  contrasts <- qr.Q(qr(stats::contr.helmert(length(classes))))
  penalty <- rep(c(0, lambda), c(ncol(basis), ncol(u)))
  own <- match(codes, classes)
  fit <- cpp_fit_ridge_multinomial(columns, own, contrasts, penalty)
  beta[, classes] <- tcrossprod(fit$beta, contrasts)
  links <- columns %*% beta[, classes, drop = FALSE]
  own <- cbind(seq_len(nrow(u)), own)
  others <- replace(links, own, -Inf)
  lead <- links[own] - others[cbind(own[, 1], max.col(others, "first"))]
  list(
    beta = beta, lambda = lambda, converged = fit$converged,
    separated = is_separated(
      fit$information, which(rep(penalty == 0, ncol(contrasts))), nrow(u)
    ),
    told = mean(lead > 10)
  )
}

# Default penalty: generalised cross-validation with the deviance in place of the residual sum of
# squares, which allows for overdispersed counts.
held_poisson <- function(u, basis, y, lambda) {
  columns <- cbind(basis, u)
  n <- nrow(u)
  penalised <- seq_len(ncol(columns)) > ncol(basis)
  # If all counts are 0, the intercept has no limit.
  start <- c(log(max(mean(y), 1e-10)), numeric(ncol(columns) - 1L))
  maximise <- function(lambda, beta) {
    maximise_likelihood(
      function(beta) poisson_point(columns, y, beta), lambda * penalised, beta,
      1e-11 * max(sum(y), n)
    )
  }
  error <- function(fit, df) {
    mean <- exp(drop(columns %*% fit$beta))
    if (df > n / 2) Inf else n * sum(poisson_deviances(y, mean)) / (n - df)^2
  }
  fit <- if (is.null(lambda) && ncol(u) > 0L) {
    size <- max(colSums(u^2)) * mean(y)
    choose_likelihood_ridge(maximise, size, penalised, start, error)
  } else {
    lambda <- if (is.null(lambda)) 0 else lambda
    c(maximise(lambda, start), lambda = lambda)
  }
  list(
    beta = fit$beta, lambda = fit$lambda, converged = fit$converged,
    separated = is_separated(fit$information, seq_len(ncol(basis))[-1], n * mean(y))
  )
}

# The log likelihood of counts without its constant, its gradient and its information.
poisson_point <- function(z, y, beta) {
  link <- pmin(drop(z %*% beta), 700)
  mean <- exp(link)
  list(
    beta = beta, likelihood = sum(y * link - mean), gradient = drop(crossprod(z, y - mean)),
    information = crossprod(z, z * mean)
  )
}

# Without a penalty dependent features need their singular vectors.
core_cox <- function(x, time, event, lambda) {
  if (!identical(as.double(lambda), 0)) {
    times <- times_of_events(time, event)
    cpp_fit_ridge_cox_features(x[times$order, , drop = FALSE], times, lambda)
  }
}

times_of_events <- function(time, event) {
  cox_times(time, as.vector(event), rows = attr(event, "rows"))
}

held_cox <- function(u, basis, time, event, lambda) {
  times <- times_of_events(time, event)
  columns <- cbind(basis, u)[times$order, , drop = FALSE]
  fit <- if (is.null(lambda) && ncol(u) > 0L) {
    cpp_choose_ridge_cox(columns, times, ncol(basis))
  } else {
    lambda <- if (is.null(lambda)) 0 else lambda
    penalty <- rep(c(0, lambda), c(ncol(basis), ncol(u)))
    c(maximise_cox(columns, times, penalty, numeric(ncol(columns))), lambda = lambda)
  }
  list(
    beta = fit$beta, lambda = fit$lambda, converged = fit$converged,
    separated = is_separated(fit$information, seq_len(ncol(basis)), sum(times$deaths))
  )
}

# Covariates that separate the classes or the order of events have coefficients without limit: the
# information vanishes in some direction of the unpenalised columns.
# @param free (whole numbers) places of these columns.
is_separated <- function(information, free, n) {
  own <- information[free, free, drop = FALSE]
  length(free) > 0L && min(eigen(own, TRUE, only.values = TRUE)$values) < 1e-6 * n
}
