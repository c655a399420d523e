# The spread of the true effects of all features, and what it says about a large one.

# For every feature and every link of the outcome, a value with a standard normal distribution if
# there is no relation: Fisher's z of the correlation given the covariates.
# @param x (matrix, n x p); response; blocks (factor, or NULL): samples of a block count as one.
z_of_features <- function(x, response, blocks) {
  base <- cbind(1, held_columns(response))
  targets <- working_targets(response, seq_len(nrow(x)))
  targets <- centre_within(targets, response$within)
  decomposed <- qr(base)
  standard <- function(values) {
    rest <- qr.resid(decomposed, values)
    rest / rep(sqrt(colMeans(rest^2)), each = nrow(rest))
  }
  rest <- standard(x)
  targets <- standard(targets)
  z <- lapply(seq_len(ncol(targets)), function(link) {
    products <- rest * targets[, link]
    r <- pmax(-1, pmin(1, colMeans(products)))
    size <- max(nrow(x) - ncol(base) - 2, 1)
    joint <- if (is.null(blocks)) 1 else colSums(products^2) / colSums(rowsum(products, blocks)^2)
    atanh(r) * sqrt(size * joint)
  })
  z <- unlist(z)
  z[is.finite(z)]
}

# A mixture of normal distributions around 0, fitted to z-values by the EM algorithm. Ten
# observations of "no effect" are added (Stephens 2017).
# @return list(sd, weight) of the components of the true effects, in standard errors.
fit_spread <- function(z) {
  at <- round(abs(z), 2)
  value <- sort(unique(at))
  number <- tabulate(match(at, value))
  largest <- 2 * sqrt(max(z^2 - 1, 1))
  sd <- c(0, 0.5 * sqrt(2)^(0:ceiling(2 * log2(2 * largest))))
  density <- vapply(sqrt(1 + sd^2), function(s) stats::dnorm(value, 0, s), numeric(length(value)))
  density <- matrix(density, length(value))
  weight <- c(0.8, rep(0.2 / (length(sd) - 1), length(sd) - 1))
  for (iteration in 1:1000) {
    share <- density * rep(weight, each = length(value))
    share <- share / rowSums(share) * number
    following <- (colSums(share) + c(10, numeric(length(sd) - 1))) / (length(z) + 10)
    change <- max(abs(following - weight))
    weight <- following
    if (change < 1e-6) break
  }
  list(sd = sd, weight = weight)
}

# The expected true effect for each z-value, in standard errors.
shrink_z <- function(z, spread) {
  kept <- spread$sd^2 / (1 + spread$sd^2)
  vapply(z, function(one) {
    fits <- log(spread$weight) + stats::dnorm(one, 0, sqrt(1 + spread$sd^2), log = TRUE)
    share <- exp(fits - max(fits))
    one * sum(share * kept) / sum(share)
  }, 0)
}
