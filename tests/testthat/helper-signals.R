# The search for signals in plain R, formula by formula: slow, and sharing no code with the core.

# Residuals on an intercept and covariates, columns at length one (or zero).
plain_unit <- function(x, z) {
  res <- stats::lm.fit(z, as.matrix(x))$residuals
  res <- matrix(res, nrow(z))
  len <- sqrt(colSums(res^2))
  sweep(res, 2, ifelse(len > 1e-7, len, Inf), `/`)
}

# Coordinates orthogonal to the covariates, with the weights of the trimmed metric.
plain_metric <- function(x, y, z = matrix(1, nrow(x), 1)) {
  xr <- plain_unit(x, z)
  yr <- drop(plain_unit(y, z))
  full <- qr.Q(qr(z), complete = TRUE)
  complement <- full[, -seq_len(qr(z)$rank), drop = FALSE]
  e <- eigen(crossprod(complement, tcrossprod(xr) %*% complement), symmetric = TRUE)
  d <- pmax(e$values, 0)
  w <- pmin(1, sqrt(stats::median(d[d > 1e-10 * max(d)]) / d))
  u <- complement %*% e$vectors
  list(xt = w * crossprod(u, xr), yt = drop(w * crossprod(u, yr)), u = u, w = w, xr = xr, yr = yr)
}

# Partial correlations with a response g when the columns `held` are in the model.
plain_statistics <- function(metric, g, held = integer()) {
  xt <- metric$xt
  total <- colSums(xt^2)
  rest <- xt
  if (length(held) > 0L) {
    q <- qr.Q(qr(xt[, held, drop = FALSE]))
    rest <- xt - q %*% crossprod(q, xt)
    g <- g - drop(q %*% crossprod(q, g))
  }
  left <- colSums(rest^2)
  ifelse(left >= 0.05 * total & total > 0, abs(drop(crossprod(rest, g))) / sqrt(left), 0) /
    sqrt(sum(g^2))
}

# SuSiE by the formulas of Wang et al. (2020), prior variances by optimize() on the log scale.
plain_susie <- function(x, y, n_effects = 8, sweeps = 200) {
  n <- nrow(x)
  x <- scale(x)
  y <- drop(scale(y))
  xx <- n - 1
  alpha <- matrix(0, n_effects, ncol(x))
  mu <- alpha
  v_post <- numeric(n_effects)
  sigma2 <- 1
  for (sweep in seq_len(sweeps)) {
    for (l in seq_len(n_effects)) {
      r <- y - drop(x %*% colSums((alpha * mu)[-l, , drop = FALSE]))
      b <- drop(crossprod(x, r)) / xx
      s2 <- sigma2 / xx
      z2 <- b^2 / s2
      log_bf <- function(v) 0.5 * log(s2 / (s2 + v)) + 0.5 * z2 * v / (v + s2)
      mean_bf <- function(log_v) {
        values <- log_bf(exp(log_v))
        max(values) + log(mean(exp(values - max(values))))
      }
      grid <- seq(log(s2) - 6, log(s2) + 12, length.out = 60)
      start <- grid[which.max(vapply(grid, mean_bf, 0))]
      best <- stats::optimize(mean_bf, start + c(-0.5, 0.5), maximum = TRUE, tol = 1e-9)
      if (best$objective <= 0) {
        alpha[l, ] <- mu[l, ] <- v_post[l] <- 0
        next
      }
      v <- exp(best$maximum)
      weight <- exp(log_bf(v) - max(log_bf(v)))
      alpha[l, ] <- weight / sum(weight)
      v_post[l] <- 1 / (1 / v + 1 / s2)
      mu[l, ] <- v_post[l] * b / s2
    }
    fits <- x %*% t(alpha * mu)
    sigma2 <- (sum((y - rowSums(fits))^2) + xx * sum(alpha * (mu^2 + v_post)) - sum(fits^2)) / n
  }
  alpha
}
