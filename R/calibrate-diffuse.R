# The diffuse part of a simulated truth, and the strength at which a truth imitates the data.

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
  scores <- cbind(outcome_of(response)$score(response, matrix(0, n, 0L)))
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

# Strengths from the weakest (step 1) to the strongest (step 7). Half of the signal is diffuse, and
# more where half is not enough.
# @return data frame: r_squared, diffuse.
strength_at <- function(step) {
  between <- function(values) stats::approx(seq_along(values), values, step)$y
  data.frame(
    r_squared = between(c(0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)),
    diffuse = between(c(0.5, 0.5, 0.5, 0.5, 0.5, 0.75, 0.95))
  )
}

# The errors of three strengths: bisection, which ends between two neighbours, with more outcomes
# the closer it comes.
# @param draw function(n_true, at (row of strength_at()), seed): list(x, y, family, spread).
# @return data frame, three rows for each size: n_true, r_squared, diffuse, error (mean), error_se,
#   spread (mean), step.
search_strengths <- function(draw, observed, sizes, seed, control, n_each = c(4L, 5L, 7L)) {
  # The same features and noise at every strength.
  seeds <- child_seeds(seed, max(n_each))
  n_threads <- control$n_threads
  step <- rep(4, length(sizes))
  found <- list()
  for (turn in 1:3) {
    grid <- expand.grid(set = seq_len(n_each[turn]), size = seq_along(sizes))
    grid$step <- step[grid$size]
    done <- run_tasks(nrow(grid), with_data(function(k) {
      own <- seeds[grid$set[k]]
      drawn <- draw(sizes[grid$size[k]], strength_at(grid$step[k]), own)
      c(reference_error(drawn$x, drawn$y, own, n_threads, drawn$family), drawn$spread)
    }, draw = draw, grid = grid, sizes = sizes, seeds = seeds, n_threads = n_threads),
    control, "Strength")
    own <- split(do.call(rbind.data.frame, lapply(done, as.list)), grid$size)
    rows <- tables(seq_along(sizes), function(k) {
      error <- own[[k]][[1L]]
      data.frame(
        n_true = sizes[k], strength_at(step[k]), error = mean(error),
        error_se = stats::sd(error) / sqrt(length(error)), spread = mean(own[[k]][[2L]]),
        step = step[k]
      )
    })
    found <- c(found, list(rows))
    step <- step + c(2, 1, 0)[turn] * ifelse(rows$error > observed, 1, -1)
  }
  found <- do.call(rbind, found)
  found <- found[order(found$n_true, found$step), ]
  rownames(found) <- NULL
  found
}
