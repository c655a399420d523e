# The optimality conditions of a path, computed here from x, y and the weights alone. They decide
# what is right: no other implementation is needed, and a path that satisfies them at every knot
# and between the knots is the path (Efron et al. 2004, eq. 3.1-3.3; Tibshirani 2013 for the lasso).

# Largest violations at both ends of every step and at a random point within, relative to the
# largest lambda (coefficients: relative to their largest): named numbers.
kkt_residuals <- function(beta, lambda, actions, type, x, y, weights = NULL, intercept = TRUE,
                          normalize = TRUE, seed = 1) {
  std <- standardize_for_kkt(x, y, weights, intercept, normalize)
  k <- length(actions)
  share <- withr::with_seed(seed, stats::runif(k))
  inner <- beta[, seq_len(k), drop = FALSE] * rep(1 - share, each = nrow(beta)) +
    beta[, seq_len(k) + 1, drop = FALSE] * rep(share, each = nrow(beta))
  lambda_inner <- lambda[seq_len(k)] * (1 - share) + lambda[seq_len(k) + 1] * share
  correlation <- function(b) crossprod(std$x, std$w * (std$y - std$x %*% b))
  active <- active_matrix(sets_from_actions(actions), nrow(beta))
  views <- list(
    list(b = beta[, seq_len(k), drop = FALSE], lambda = lambda[seq_len(k)]),
    list(b = inner, lambda = lambda_inner),
    list(b = beta[, seq_len(k) + 1, drop = FALSE], lambda = lambda[seq_len(k) + 1])
  )
  seen <- lapply(views, function(v) {
    kkt_of_steps(v$b, correlation(v$b), v$lambda, active, type, lambda[1])
  })
  worst <- do.call(pmax, seen)
  # A feature that enters starts at zero; one that leaves has come to zero.
  moves <- do.call(rbind, Map(cbind, lapply(actions, abs), seq_len(k)))
  c(worst, at_move = max(0, abs(beta[moves])) / max(abs(beta), .Machine$double.xmin))
}

# Columns are steps: all of them at once, at their start, within or at their end.
kkt_of_steps <- function(b, correlation, lambda, active, type, lambda_max) {
  gap <- abs(correlation) - rep(lambda, each = nrow(b))
  # At lambda = 0 the sign of a correlation is that of rounding errors.
  signed <- active & rep(lambda > 1e-9 * lambda_max, each = nrow(b)) & type == "lasso"
  size <- max(abs(b), .Machine$double.xmin)
  c(
    inactive = max(0, gap[!active]) / lambda_max,
    active = max(0, abs(gap[active])) / lambda_max,
    sign = max(0, -(b * sign(correlation))[signed]) / size,
    outside = max(0, abs(b[!active])) / size
  )
}

active_matrix <- function(sets, p) {
  vapply(sets, function(set) seq_len(p) %in% set, logical(p))
}

standardize_for_kkt <- function(x, y, weights, intercept, normalize) {
  w <- if (is.null(weights)) rep(1, nrow(x)) else weights
  centred <- if (intercept) sweep(x, 2, colMeans(x)) else x
  range <- apply(abs(centred), 2, max)
  # What centring leaves of a constant is rounding error, not a direction.
  rounding <- range <= 4 * nrow(x) * .Machine$double.eps * apply(abs(x), 2, max)
  if (intercept) {
    x <- sweep(x, 2, colSums(w * x) / sum(w))
    # A second pass takes out the rounding error of a mean far from zero.
    x <- sweep(x, 2, colSums(w * x) / sum(w))
    y <- y - sum(w * y) / sum(w)
  }
  if (normalize) {
    norm <- sqrt(colSums(w * x^2))
    norm[rounding | norm <= 1e-12 * range * sqrt(sum(w))] <- 0
    x[, norm == 0] <- 0
    x <- sweep(x, 2, ifelse(norm > 0, norm, 1), `/`)
  }
  list(x = x, y = y, w = w)
}

# Active set of each step by replaying the actions; stops when an action makes no sense.
sets_from_actions <- function(actions) {
  active <- integer(0)
  lapply(actions, function(action) {
    stopifnot(length(action) > 0, !anyDuplicated(action))
    # One by one: among collinear columns one can leave and come back at the same knot.
    for (event in action) {
      stopifnot(if (event > 0) !event %in% active else -event %in% active)
      active <<- if (event > 0) c(active, event) else setdiff(active, -event)
    }
    active
  })
}

expect_kkt <- function(path, x, y, weights = NULL, tol = 1e-9, label = "path") {
  beta <- unname(as.matrix(path$coefficients)) * unname(path$scale)
  actions <- lapply(path$actions, unname)
  lambda <- path$lambda
  residuals <- kkt_residuals(
    beta, lambda, actions, path$asked$type, x, y, weights, path$asked$intercept,
    path$asked$scaling == "sd"
  )
  bad <- residuals[residuals > tol]
  ends_early <- path$status == "complete" && lambda[length(lambda)] > tol * lambda[1]
  problems <- c(
    sprintf("%s %.1e (relative)", names(bad), bad),
    if (any(diff(lambda) >= 0)) "lambda does not fall at every step",
    if (path$asked$type == "lar" && any(unlist(actions) < 0)) "a feature left a lar path",
    if (ends_early) "a complete path ends at lambda > 0"
  )
  testthat::expect(
    length(problems) == 0, paste0(label, ": ", paste(problems, collapse = "; "))
  )
  invisible(path)
}
