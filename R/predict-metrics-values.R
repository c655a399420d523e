# Values of the measures of predictions.

# A column for each class, in order; `absent` for classes unknown to the model.
columns_of_classes <- function(values, classes, absent) {
  if (is.null(values)) {
    return(NULL)
  }
  out <- matrix(absent, nrow(values), length(classes))
  at <- match(classes, colnames(values))
  out[, !is.na(at)] <- values[, at[!is.na(at)]]
  out
}

recalls_of <- function(truth, predicted) {
  vapply(sort(unique(truth)), function(class) mean(predicted[truth == class] == class), 0)
}

kappa_of <- function(truth, predicted) {
  n_classes <- max(truth, predicted)
  chance <- sum(tabulate(truth, n_classes) / length(truth) *
    tabulate(predicted, n_classes) / length(truth))
  if (chance == 1) NA_real_ else (mean(truth == predicted) - chance) / (1 - chance)
}

# Two classes: column 2 against column 1.
auc_of <- function(truth, decision) {
  present <- sort(unique(truth))
  if (length(present) < 2L) {
    return(NA_real_)
  }
  if (ncol(decision) == 2L) {
    present <- 2L
    decision <- decision - decision[, 1L]
  }
  mean(vapply(present, function(class) {
    inside <- truth == class
    ranks <- rank(decision[, class])
    (mean(ranks[inside]) - (sum(inside) + 1) / 2) / sum(!inside)
  }, 0))
}

# A power of two near values whose squares would leave the range of a double, otherwise 1.
unit_of_squares <- function(...) {
  size <- max(abs(c(...)))
  if (!is.finite(size) || size == 0 || (size > 1e-100 && size < 1e100)) 1 else 2^floor(log2(size))
}

rmse_of <- function(truth, predicted) {
  unit <- unit_of_squares(truth, predicted)
  unit * sqrt(mean((truth / unit - predicted / unit)^2))
}

r_squared_of <- function(truth, predicted) {
  unit <- unit_of_squares(truth, predicted)
  truth <- truth / unit
  predicted <- predicted / unit
  spread <- sum((truth - mean(truth))^2)
  if (spread > 0) 1 - sum((truth - predicted)^2) / spread else NA_real_
}

slope_of <- function(truth, predicted) {
  units <- c(unit_of_squares(truth), unit_of_squares(predicted))
  truth <- truth / units[1]
  predicted <- predicted / units[2]
  off <- predicted - mean(predicted)
  if (any(off != 0)) sum(off * truth) / sum(off^2) * (units[1] / units[2]) else NA_real_
}

poisson_deviances <- function(truth, predicted) {
  2 * (ifelse(truth > 0, truth * log(truth / predicted), 0) - truth + predicted)
}

deviance_residuals <- function(observed, expected, deviances) {
  sign(observed - expected) * sqrt(pmax(0, deviances))
}

# For counts, all predicted by their mean.
deviance_of_mean <- function(truth) mean(poisson_deviances(truth, mean(truth)))

# For classes, all predicted as the largest.
rarer_share <- function(truth) 1 - max(table(truth)) / length(truth)
