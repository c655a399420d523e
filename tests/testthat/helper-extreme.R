# Extreme designs for lars_path(): design k of a seed. tools/attack-engine.R makes thousands,
# test-path-lars.R some.

extreme_kinds <- c("normal", "integers", "signs", "collinear", "scales", "weights", "all")

extreme_design <- function(seed, k) {
  withr::local_seed(seed + 7919 * k)
  kind <- sample(extreme_kinds, 1L)
  n <- round(exp(stats::runif(1, log(3), log(300))))
  p <- round(exp(stats::runif(1, 0, log(min(3000, 3e5 / n)))))
  x <- matrix(stats::rnorm(n * p), n)
  if (kind == "integers" || (kind == "all" && stats::runif(1) < 0.3)) {
    x[] <- sample(0:2, n * p, replace = TRUE)
  }
  if (kind == "signs") x <- sign(x)
  if (kind %in% c("collinear", "all") && p > 1L) {
    twins <- sample.int(p, p %/% 2L)
    others <- setdiff(seq_len(p), twins)
    noise <- 10^-stats::runif(length(twins), 8, 14)
    x[, twins] <- x[, sample(rep_len(others, p), length(twins)), drop = FALSE] +
      matrix(stats::rnorm(n * length(twins)), n) * rep(noise, each = n)
  }
  y <- drop(x[, sample.int(p, min(p, 5L)), drop = FALSE] %*% rep_len(c(2, -1.5, 1), min(p, 5L)))
  y <- if (kind %in% c("integers", "signs")) {
    c(-1, 1, 0, sample(-2:2, n - 3, replace = TRUE))
  } else {
    y / max(abs(y), 1e-300) + stats::rnorm(n)
  }
  # Powers of two, so that the conditions can be checked on moderate numbers; up to 1e99 each, for
  # coefficients up to 1e198.
  columns <- rep(1, p)
  response <- 1
  if (kind %in% c("scales", "all")) {
    columns <- 2^round(stats::runif(p, -330, 330))
    response <- 2^round(stats::runif(1, -330, 330))
  }
  weights <- if (kind %in% c("weights", "all")) {
    w <- round(10^stats::runif(n, 0, 6)) * stats::rbinom(n, 1, 0.8)
    replace(w, 1:3, pmax(w[1:3], 1))
  }
  list(
    k = k, kind = kind, x = x, y = y, columns = columns, response = response, weights = weights,
    type = sample(c("lasso", "lar"), 1L), intercept = stats::runif(1) < 0.8
  )
}

# @return (data frame, one row) k, kind, n, p, how ("ok" or the message), worst (of the violations),
#   what (which one).
check_extreme <- function(design) {
  row <- data.frame(
    k = design$k, kind = design$kind, n = nrow(design$x), p = ncol(design$x), type = design$type,
    how = "ok", worst = 0, what = ""
  )
  x <- design$x
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  path <- tryCatch(
    stabilect::lars_path(
      sweep(x, 2, design$columns, "*"), design$y * design$response, type = design$type,
      weights = design$weights, intercept = design$intercept
    ),
    error = function(e) e
  )
  if (inherits(path, "error")) {
    constant <- all(apply(x, 2, function(column) diff(range(column)) == 0))
    row$how <- if (constant) "ok" else sub("\n.*", "", conditionMessage(path))
    return(row)
  }
  if (length(path$actions) == 0L) {
    return(row)
  }
  # Coefficients of the standardised columns, for the moderate response.
  beta <- unname(as.matrix(path$coefficients)) * unname(path$scale) / design$response
  lambda <- path$lambda / design$response
  seen <- kkt_residuals(
    beta, lambda, lapply(path$actions, unname), design$type, x, design$y, design$weights,
    design$intercept, TRUE
  )
  row$worst <- max(seen)
  row$what <- names(seen)[which.max(seen)]
  # Equal ones are two events that doubles cannot tell apart.
  if (any(diff(lambda) > 0)) row$how <- "lambda rises"
  row
}
