# New samples similar to the observed ones, in any number, with known true features.
#
# simulate_response() makes a response from features. With few samples and shrunken correlations,
# such a response depends less on single features than real ones do (each of s independent features
# explains 1 / s of it), and lists hardly agree. Here features are made from the response.

# The material of new samples: deviations of features from their means given the response.
# @return list(x (n x varying), columns (of x), centre, scale, shrinkage, response).
read_likeness <- function(study) {
  u <- standard_response(study$response)
  centre <- colMeans(study$x)
  x <- sweep(study$x, 2L, centre)
  x <- x - outer(u, colMeans(x * u))
  scale <- sqrt(colMeans(x^2))
  columns <- unname(which(scale > 1e-12 * apply(abs(study$x), 2L, max)))
  x <- unname(x[, columns, drop = FALSE])
  scale <- unname(scale[columns])
  list(
    x = x, columns = columns, centre = centre, scale = scale,
    shrinkage = shrinkage_of(sweep(x, 2L, scale, "/")), response = study$response
  )
}

# Mean 0, mean square 1.
standard_response <- function(response) {
  u <- response$y - mean(response$y)
  u / sqrt(mean(u^2))
}

# Shrinkage that brings sample correlations nearest to the population's: Schaefer and Strimmer
# (2005), lambda* of their target D. No p x p matrix is needed: the sum of squared correlations
# equals the sum of squared products of rows.
# @param z columns with mean 0 and mean square 1.
shrinkage_of <- function(z) {
  n <- nrow(z)
  products <- tcrossprod(z)
  squares <- sum(products^2) / n^2 - ncol(z)
  if (squares <= 1e-12 * ncol(z)) {
    return(1)
  }
  spread <- sum(diag(products)^2) - sum(z^4) - n * squares
  min(1, max(0, spread / (n * (n - 1)) / squares))
}

# @param like of read_likeness(). @param r_squared share of the response's variance that the true
#   features would explain if they were independent given the response.
# @return list(x, response, truth (integer: columns of x)).
imitate_samples <- function(like, size, n_true, r_squared, seed) {
  n <- nrow(like$x)
  p <- ncol(like$x)
  with_seed(seed, {
    chosen <- sample.int(p, n_true)
    effect <- stats::rnorm(n_true)
    rows <- sample.int(n, size, replace = TRUE)
    noise <- stats::rnorm(size * p)
  })
  drawn <- sqrt(1 - like$shrinkage) * like$x[rows, , drop = FALSE] +
    sqrt(like$shrinkage) * noise * rep(like$scale, each = size)
  # The response keeps its distribution. It may be sorted, since rows are in random order.
  at <- order(like$response$y)[ceiling(seq_len(size) * n / size)]
  if (n_true > 0L) {
    effect <- effect * sqrt(r_squared / (1 - r_squared) / sum(effect^2)) * like$scale[chosen]
    drawn[, chosen] <- drawn[, chosen] + outer(standard_response(like$response)[at], effect)
  }
  x <- matrix(
    like$centre, size, length(like$centre), byrow = TRUE,
    dimnames = list(NULL, names(like$centre))
  )
  x[, like$columns] <- x[, like$columns] + drawn
  list(x = x, response = response_rows(like$response, at), truth = like$columns[chosen])
}

# The strength at which simulated studies of the same size have the error of the data.
# @return data frame: n_true, r_squared, matched (flag: does a strength with this error exist?).
imitated_strengths <- function(study, like, n_true, seed, control) {
  n <- study$n
  expect_strengths(length(n_true), list(Simulation = NA))
  observed <- reference_error(study$x, response_labels(study$response), seed, control$n_threads)
  draw <- with_data(function(n_true, at, seed) {
    drawn <- imitate_samples(like, n, n_true, at$r_squared, seed)
    list(x = drawn$x, y = response_labels(drawn$response), spread = NA_real_)
  }, like = like, n = n)
  error <- search_strengths(draw, observed, n_true, seed, control)
  bind_rows_of(n_true, function(size) {
    one <- error[error$n_true == size, ]
    within <- observed >= min(one$error) && observed <= max(one$error)
    at <- match_strength(one$step, one$error, observed)
    data.frame(n_true = size, r_squared = strength_at(at)$r_squared, matched = within)
  })
}
