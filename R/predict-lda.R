# Linear discriminant analysis.

#' @rdname learners
#' @export
learner_lda <- function(shrinkage = 0) {
  shrinkage <- check_number(shrinkage, min = 0, max = 1)
  new_learner(
    "lda",
    paste0("discriminant analysis", if (shrinkage > 0) paste(", shrinkage", figure(shrinkage))),
    list(shrinkage = shrinkage), function(x, y) fit_lda(x, y, shrinkage), predict_linear,
    importance = function(model) model$importance,
    probability = function(model, newdata) {
      score <- linear_scores(model, newdata)
      odds <- exp(score - apply(score, 1L, max))
      odds / rowSums(odds)
    },
    decision = linear_scores, squared_importance = TRUE
  )
}

# Discriminant functions: newdata %*% weights + constants, one column per class.
fit_lda <- function(x, y, shrinkage, tol = 1e-4) {
  y <- droplevels(y)
  units <- column_units(x)
  x <- x * rep(units, each = nrow(x))
  # Values of 10,000 that differ by 1 would leave few digits to the differences of scores.
  centre <- colMeans(x)
  x <- x - rep(centre, each = nrow(x))
  n_class <- tabulate(y)
  means <- rowsum(x, as.integer(y)) / n_class
  within <- x - means[as.integer(y), , drop = FALSE]
  # The divisor as in stats::var(); it only decides what is below `tol`.
  scale <- sqrt(colSums(within^2) / (nrow(x) - 1))
  largest <- apply(abs(x), 2L, max)
  live <- which(scale > 1e-12 * pmax(largest, abs(centre)))
  within <- within[, live, drop = FALSE] / rep(scale[live], each = nrow(x))
  within <- within / sqrt(max(nrow(x) - nlevels(y), 1))
  standardised <- means[, live, drop = FALSE] / rep(scale[live], each = nlevels(y))
  metric <- if (shrinkage == 0) {
    solve_in_range(within, standardised, tol)
  } else {
    solve_shrunk(within, standardised, shrinkage)
  }
  weights <- matrix(0, ncol(x), nlevels(y))
  weights[live, ] <- metric / scale[live] * units[live]
  importance <- numeric(ncol(x))
  importance[live] <- rowSums((metric - rowMeans(metric))^2)
  list(
    weights = weights, levels = levels(y), importance = importance, centre = centre / units,
    constants = log(n_class / nrow(x)) - 0.5 * colSums(metric * t(standardised))
  )
}

# The pseudo-inverse of crossprod(within) times the class means.
solve_in_range <- function(within, means, tol) {
  if (ncol(within) == 0L) {
    return(t(means))
  }
  parts <- svd(within, nu = 0)
  keep <- parts$d > tol
  v <- parts$v[, keep, drop = FALSE]
  v %*% (crossprod(v, t(means)) / parts$d[keep]^2)
}

solve_shrunk <- function(within, means, shrinkage) {
  if (ncol(within) == 0L) {
    return(t(means))
  }
  covariance <- crossprod(within)
  variance <- diag(covariance)
  covariance <- (1 - shrinkage) * covariance
  diag(covariance) <- variance
  solve(covariance, t(means))
}

# One column per class.
linear_scores <- function(model, newdata) {
  if (!is.null(model$centre)) newdata <- newdata - rep(model$centre, each = nrow(newdata))
  score <- newdata %*% model$weights + rep(model$constants, each = nrow(newdata))
  if (isTRUE(model$pairs)) score <- votes_of_pairs(score, length(model$levels))
  dimnames(score) <- list(rownames(newdata), model$levels)
  score
}

# How many of the machines of two classes each class wins: samples x classes. A decision value above
# 0 is for the later class.
votes_of_pairs <- function(decision, n_classes) {
  pairs <- utils::combn(n_classes, 2L)
  votes <- matrix(0, nrow(decision), n_classes)
  for (k in seq_len(ncol(pairs))) {
    later <- decision[, k] > 0
    votes[, pairs[1L, k]] <- votes[, pairs[1L, k]] + !later
    votes[, pairs[2L, k]] <- votes[, pairs[2L, k]] + later
  }
  votes
}

# The class with the largest value, the first of several.
predict_linear <- function(model, newdata) {
  score <- linear_scores(model, newdata)
  factor(model$levels[top_class(score)], model$levels)
}
