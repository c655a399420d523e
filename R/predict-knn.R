# Nearest neighbours.

#' @rdname learners
#' @export
learner_knn <- function(n_neighbours = 5, scaling = c("sd", "range", "none")) {
  n_neighbours <- check_count(n_neighbours)
  scaling <- check_choice(scaling, c("sd", "range", "none"))
  new_learner(
    "knn", "nearest neighbours", list(n_neighbours = n_neighbours, scaling = scaling),
    function(x, y) fit_knn(x, y, n_neighbours, scaling), predict_knn,
    probability = knn_odds, decision = knn_odds, responses = c("binary", "multiclass", "numeric")
  )
}

# @return list: `z` (features x samples, scaled), `y`, `k`, and the scaling, see knn_scaled().
fit_knn <- function(x, y, n_neighbours, scaling) {
  model <- list(units = column_units(x), low = numeric(ncol(x)), spread = rep(1, ncol(x)))
  if (scaling == "none") {
    model$units[] <- 1
  } else {
    model$low <- apply(x, 2L, min) * model$units
    above <- knn_scaled(x, model)
    spread <- if (scaling == "sd") {
      sqrt(rowMeans((above - rowMeans(above))^2))
    } else {
      apply(above, 1L, max)
    }
    # A constant that differs only by rounding does not count as a feature.
    model$spread <- ifelse(spread > 1e-13 * abs(model$low), spread, Inf)
  }
  if (is.factor(y)) y <- droplevels(y)
  c(model, list(z = knn_scaled(x, model), y = y, k = min(n_neighbours, nrow(x))))
}

# Features x samples, on the scale of the training samples.
knn_scaled <- function(x, model) (t(x) * model$units - model$low) / model$spread

# The neighbours of every new sample: k x m, the nearest first, of equally near ones the first.
nearest_rows <- function(model, newdata) {
  new <- knn_scaled(newdata, model)
  vapply(seq_len(ncol(new)), function(i) {
    # Differences before squares: equal samples have distance 0, and ties are exact.
    order(colSums((model$z - new[, i])^2), method = "radix")[seq_len(model$k)]
  }, integer(model$k))
}

# Shares of the classes among the neighbours.
knn_odds <- function(model, newdata) {
  if (!is.factor(model$y)) {
    return(NULL)
  }
  classes <- matrix(as.integer(model$y)[nearest_rows(model, newdata)], model$k)
  odds <- vapply(seq_along(levels(model$y)), function(g) colMeans(classes == g),
    numeric(ncol(classes))
  )
  matrix(
    odds, ncol(classes), nlevels(model$y), dimnames = list(rownames(newdata), levels(model$y))
  )
}

# The class of most neighbours, of several the class of the nearest neighbour among them; or the
# mean of the neighbours.
predict_knn <- function(model, newdata) {
  near <- matrix(nearest_rows(model, newdata), model$k)
  if (!is.factor(model$y)) {
    return(colMeans(matrix(model$y[near], model$k)))
  }
  class <- vapply(seq_len(ncol(near)), function(i) {
    codes <- as.integer(model$y)[near[, i]]
    votes <- tabulate(codes, nlevels(model$y))
    codes[votes[codes] == max(votes)][1]
  }, 0L)
  factor(levels(model$y)[class], levels(model$y))
}
