# Effects of single features on weighted samples, with the influence of each sample: the change of
# the effect if the sample counted once more, whose squares sum to the variance (Huber 1967).

# @param name,meaning (strings) of a column of a table, and what its numbers are.
# @param effect function(v, w): list(link (number), influence (n)) of a column with weights of mean
#   1, on a scale where errors are symmetric; an error or NaN where there is none.
# @param shown function(link): on the scale of tables; none (number): no effect, on that scale.
# @param weights (n x k matrix of numbers >= 0, or NULL for 1) of the samples for each column.
# @return list(name, meaning, shown, none, value (k, on the scale of tables), link (k), influence
#   (n x k)).
effects_by_column <- function(name, meaning, values, weights, effect, shown = identity, none = 0) {
  n <- nrow(values)
  absent <- list(link = NA_real_, influence = rep(NA_real_, n))
  each <- lapply(seq_len(ncol(values)), function(j) {
    v <- values[, j]
    w <- if (is.null(weights)) rep(1, n) else weights[, j] / mean(weights[, j])
    # Samples of one value have no effect.
    if (!isTRUE(sum(w > 0) > 2L) || all(v[w > 0] == v[w > 0][1])) {
      return(absent)
    }
    found <- effect(v, w)
    if (is.na(found$link)) absent else found
  })
  link <- vapply(each, `[[`, 0, "link")
  list(
    name = name, meaning = meaning, shown = shown, none = none, value = shown(link), link = link,
    influence = matrix(vapply(each, `[[`, numeric(n), "influence"), n)
  )
}

weighted_residuals <- function(design, v, w) stats::lm.wfit(design, v, w)$residuals

# The correlation of the residuals given z, as Fisher's z.
correlation_effect <- function(v, y, w, z) {
  base <- cbind(rep(1, length(v)), z)
  standard <- function(values) {
    rest <- weighted_residuals(base, values, w)
    rest / sqrt(mean(w * rest^2))
  }
  a <- standard(v)
  b <- standard(y)
  r <- max(-1, min(1, mean(w * a * b)))
  list(
    link = atanh(r),
    influence = w / length(w) * (a * b - r * (a^2 + b^2) / 2) / (1 - r^2)
  )
}

# The difference between samples in a class and the others given z, in standard deviations within
# classes.
# @param top (flags) samples of the class; classes (matrix of 0 and 1) a column for each class.
# @param groups (factor, n, or NULL) within which v is centred; weights are equal within groups.
difference_effect <- function(v, top, classes, w, z, groups = NULL) {
  base <- cbind(rep(1, length(v)), z)
  classes <- centre_within(classes, groups)
  step <- weighted_residuals(base, centre_within(cbind(top + 0), groups)[, 1L], w)
  rest <- weighted_residuals(base, v, w)
  square <- sum(w * step^2)
  raw <- sum(w * step * rest) / square
  within <- weighted_residuals(cbind(classes, z), v, w)
  n <- sum(w)^2 / sum(w^2)
  variance <- mean(w * within^2)
  # Each group has a mean of its own, in place of the intercept.
  free <- if (is.null(groups)) n else n * (1 - nlevels(groups) / length(v)) + 1
  spread <- sqrt(variance * n / (free - ncol(classes) - ncol(base) + 1))
  d <- raw / spread
  pull <- w * step * (rest - raw * step) / square
  list(
    link = if (isTRUE(square > 1e-9 && spread > 0)) d else NA_real_,
    influence = pull / spread - d / 2 * w / sum(w) * (within^2 / variance - 1)
  )
}
