# Effects of single features on weighted samples, with the influence of each sample: the change of
# the effect if the sample counted once more, whose squares sum to the variance (Huber 1967).

# @param name,meaning (strings) of a column of a table, and what its numbers are.
# @param effect function(v, w): list(link (numbers), influence (matrix)) of the columns of v with
#   weights of mean 1, on a scale where errors are symmetric; an error or NaN where there is none.
# @param shown function(link): on the scale of tables; none (number): no effect, on that scale.
# @param weights (n x k matrix of numbers >= 0, or NULL for 1) of the samples for each column.
# @param together (flag) does `effect` take several columns at once, if their weights are 1?
# @return list(name, meaning, shown, none, value (k, on the scale of tables), link (k), influence
#   (n x k)).
effects_by_column <- function(name, meaning, values, weights, effect, shown = identity, none = 0,
                              together = FALSE) {
  n <- nrow(values)
  link <- rep(NA_real_, ncol(values))
  influence <- matrix(NA_real_, n, ncol(values))
  varying <- which(vapply(seq_along(link), function(j) {
    varies_in(values[, j], if (!is.null(weights)) weights[, j])
  }, NA))
  at_once <- together && is.null(weights) && length(varying) > 0L
  for (at in if (at_once) list(varying) else varying) {
    w <- if (is.null(weights)) rep(1, n) else weights[, at] / mean(weights[, at])
    found <- effect(values[, at, drop = FALSE], w)
    known <- !is.na(found$link)
    link[at[known]] <- found$link[known]
    if (any(known)) influence[, at[known]] <- as.matrix(found$influence)[, known]
  }
  list(
    name = name, meaning = meaning, shown = shown, none = none, value = shown(link), link = link,
    influence = influence
  )
}

# Samples of one value have no effect.
varies_in <- function(v, w) {
  if (!is.null(w)) v <- v[w > 0]
  isTRUE(length(v) > 2L) && any(v != v[1])
}

weighted_residuals <- function(design, v, w) stats::lm.wfit(design, v, w)$residuals

# The correlation of the residuals of each column of v given z, as Fisher's z.
correlation_effect <- function(v, y, w, z) {
  n <- nrow(v)
  base <- cbind(rep(1, n), z)
  standard <- function(values) {
    rest <- as.matrix(weighted_residuals(base, values, w))
    rest / rep(sqrt(colMeans(w * rest^2)), each = n)
  }
  a <- standard(v)
  b <- drop(standard(y))
  r <- pmax(-1, pmin(1, colMeans(w * a * b)))
  list(
    link = atanh(r),
    influence = w / n * (a * b - rep(r, each = n) * (a^2 + b^2) / 2) / rep(1 - r^2, each = n)
  )
}

# The difference between samples in the class where a column of v is highest and the others given z,
# in standard deviations within classes.
# @param classes (matrix of 0 and 1) a column for each class.
# @param groups (factor, n, or NULL) within which v is centred; weights are equal within groups.
difference_effect <- function(v, classes, w, z, groups = NULL) {
  highest <- max.col(t(crossprod(classes, v) / colSums(classes)), "first")
  link <- rep(NA_real_, ncol(v))
  influence <- v
  for (class in unique(highest)) {
    at <- which(highest == class)
    found <- difference_of_class(v[, at, drop = FALSE], class, classes, w, z, groups)
    link[at] <- found$link
    influence[, at] <- found$influence
  }
  list(link = link, influence = influence)
}

difference_of_class <- function(v, class, classes, w, z, groups) {
  n <- nrow(v)
  base <- cbind(rep(1, n), z)
  centred <- centre_within(classes, groups)
  step <- weighted_residuals(base, centred[, class], w)
  rest <- as.matrix(weighted_residuals(base, v, w))
  square <- sum(w * step^2)
  raw <- colSums(w * step * rest) / square
  within <- as.matrix(weighted_residuals(cbind(centred, z), v, w))
  size <- sum(w)^2 / sum(w^2)
  variance <- colMeans(w * within^2)
  # Each group has a mean of its own, in place of the intercept.
  free <- if (is.null(groups)) size else size * (1 - nlevels(groups) / n) + 1
  spread <- sqrt(variance * size / (free - ncol(classes) - ncol(base) + 1))
  d <- raw / spread
  pull <- w * step * (rest - step %o% raw) / square
  ratio <- within^2 / rep(variance, each = n) - 1
  list(
    link = ifelse(square > 1e-9 & spread > 0, d, NA_real_),
    influence = pull / rep(spread, each = n) - rep(d / 2, each = n) * (w / sum(w)) * ratio
  )
}
