# Penalty weights of views, chosen inside every run.

# The signal of a view is the mean absolute correlation of its features with what the model without
# features leaves of the outcome. Its weight is one over the signal: to these weights the first step
# of Schulze (2017), ridge regression, tends for a large ridge penalty.
# @param view (factor, p). @param response with its roles.
# @param counts (integer, n x B) of the runs.
# @return (matrix, views x B) weights with the mean one over the features, as in glmnet; Inf for a
#   view that is constant in a run.
weights_inside <- function(x, response, view, counts) {
  x <- tame_columns(x)
  x <- x - rep(colMeans(x), each = nrow(x))
  total <- rep(colSums(counts), each = ncol(x))
  second <- crossprod(x^2, counts)
  squares <- second - crossprod(x, counts)^2 / total
  squares[squares <= 1e-12 * second] <- Inf
  left <- apply(counts, 2L, simplify = FALSE, function(count) {
    left_without_features(response, rep(seq_len(nrow(x)), count), nrow(x))
  })
  product <- 0
  for (link in seq_len(ncol(left[[1]]))) {
    own <- vapply(left, function(values) values[, link], numeric(nrow(x)))
    product <- product + abs(crossprod(x, own))
  }
  sizes <- tabulate(view, nlevels(view))
  signal <- rowsum(product / sqrt(squares), as.integer(view)) / sizes
  mean <- colSums(sizes * (signal > 0)) / colSums(sizes / replace(signal, signal == 0, Inf))
  weights <- rep(mean, each = nrow(signal)) / signal
  # No bit of a path depends on how a matrix product was rounded.
  structure(signif(weights, 6L), dimnames = list(levels(view), NULL))
}

# @param rows (integer) of a run, repeated as they were drawn.
# @return (matrix, n x links) residuals, summed over repeats.
left_without_features <- function(response, rows, n) {
  targets <- working_targets(response, rows)
  targets <- targets / max(abs(targets), .Machine$double.xmin)
  strata <- response$strata[rows]
  free <- cbind(rep(1, length(rows)), response$covariates[rows, , drop = FALSE])
  if (!is.null(strata)) free <- cbind(free, outer(strata, unique(strata)[-1L], `==`) + 0)
  left <- rowsum(qr.resid(qr(free), targets), rows)
  all <- matrix(0, n, ncol(left))
  all[as.integer(rownames(left)), ] <- left
  all
}

# One over the weights, for the core: the same in all runs, or those of each view in each. Features
# that stay in are covariates for the core.
# @param penalty (numeric or factor, p) role of the features. @param weights (matrix) of
#   weights_inside().
penalty_factors <- function(penalty, weights = NULL) {
  if (is.null(penalty)) {
    return(NULL)
  }
  values <- if (is.factor(penalty)) weights else unname(penalty)
  c(
    list(multiply = ifelse(is.finite(values) & values > 0, 1 / values, 0)),
    if (is.factor(penalty)) list(multiply_views = as.integer(penalty) - 1L)
  )
}

# The weights of a path of some samples.
# @param rows (integer).
penalty_of_rows <- function(study, rows) {
  penalty <- study$features$penalty
  if (!is.factor(penalty)) {
    return(unname(penalty))
  }
  counts <- cbind(tabulate(rows, study$n))
  weights_inside(study$x, study$response, penalty, counts)[as.integer(penalty)]
}

# Checked weights, one per value of y; NULL stays NULL.
check_weights <- function(weights, y) {
  n <- length(y)
  if (is.null(weights)) {
    return(NULL)
  }
  refuse(!is.numeric(weights) || length(weights) != n,
    "{.arg weights} must be a numeric vector with one value for each of the {n} row{?s} of
      {.arg x}, not {describe_value(weights)}."
  )
  refuse_at(!is.finite(weights) | weights < 0,
    "{.arg weights} must be finite and not negative, but has {figure(weights[at])} at
      position {at}."
  )
  largest <- max(weights)
  refuse(largest > 0 && (largest < 1e-12 || largest > 1e12),
    c("{.arg weights} must have a largest value between 1e-12 and 1e12, not
      {figure(largest)}.", "i" = "Only their ratios matter for the features: divide them by
      their mean.")
  )
  used <- weights > 0
  refuse(sum(used) < 3L, c("{.arg weights} must be positive for at least 3 rows, not {sum(used)}.",
    i = "A weight of 0 removes the row."
  ))
  refuse(length(unique(y[used])) < 2L,
    "{.arg y} is constant ({figure(y[used][1])}) on the {sum(used)} rows with positive
      {.arg weights}."
  )
  as.double(weights)
}
