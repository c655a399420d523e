# The diffuse part of a simulated truth, and the spread of associations that it imitates.

# The mean of the features' squared correlations with an outcome, relative to chance: 1 without any
# association.
# @param scores (n x links) of the samples.
spread_of <- function(scores, z) {
  n <- nrow(z)
  scores <- sweep(scores, 2L, colMeans(scores))
  (n - 1) / n * sum(crossprod(z, scores)^2) / ncol(z) / sum(scores^2)
}

# What simulated outcomes take from the observed one: its scores, and its correlations with the
# principal components, two standard errors nearer to 0.
# @return list(scores (n x links), components (n x k, orthonormal), effects (k x links), spread).
read_diffuse <- function(response, z) {
  n <- nrow(z)
  scores <- cbind(outcome_scores(response, matrix(0, n, 0L)))
  centred <- sweep(scores, 2L, colMeans(scores))
  components <- principal_components(z)
  r <- crossprod(components, centred) / rep(sqrt(colSums(centred^2)), each = ncol(components))
  effects <- sign(r) * pmax(abs(r) - 2 / sqrt(n), 0)
  if (all(effects == 0)) effects <- r
  kept <- rowSums(effects != 0) > 0
  list(
    scores = scores, components = components[, kept, drop = FALSE],
    effects = effects[kept, , drop = FALSE], spread = spread_of(scores, z)
  )
}

# @return (n x rank, orthonormal).
principal_components <- function(z) {
  wide <- ncol(z) > nrow(z)
  parts <- eigen(if (wide) tcrossprod(z) else crossprod(z), TRUE)
  kept <- parts$values > 1e-10 * parts$values[1]
  v <- parts$vectors[, kept, drop = FALSE]
  if (wide) v else z %*% v / rep(sqrt(parts$values[kept]), each = nrow(z))
}

# Each component keeps the size of its effects and gets a random sign.
draw_diffuse <- function(like) {
  sign <- sample(c(-1, 1), nrow(like$effects), TRUE)
  like$components %*% (sign * like$effects)
}
