# Cross-validation of lasso paths.

# Folds of all samples, or of blocks: in-bag counts, a column for each.
fold_counts <- function(study, n_folds, draws) {
  labels <- response_labels(study$response)
  folds <- folds_for(n_folds, labels, draws$plan$blocks)
  draw_resamples(folds, labels, seed = draws$seed)$counts
}

# Cross-validated loss of the lasso over a grid of penalties. Least squares: squared error over 100
# penalties from the largest useful one down to a hundredth, of many samples until it has turned.
# Likelihoods: deviance over the penalties of the path of all samples, in the same way.
# @param likelihood (list of ask_likelihood(), or NULL for plain least squares).
# @param report function(done, total), or NULL.
# @return (data frame) lambda, error (mean per sample), se.
cross_validate <- function(study, likelihood, n_folds, draws, report = NULL) {
  study <- columns_by_name(study)
  counts <- fold_counts(study, n_folds, draws)
  found <- if (is.null(likelihood)) {
    squares_of_folds(study, counts, report)
  } else {
    deviances_of_folds(study, likelihood, counts, report)
  }
  loss <- found$loss
  told <- lengths(loss) > 0L
  refuse(!any(told), c("No fold has a path, so that {.arg lambda} cannot be cross-validated.",
    i = if (!is.null(study$response$covariates)) {
      "Covariates may determine the outcome of the samples in a fold. {join_or_leave_out}"
    },
    i = "Or give a {.arg lambda}."
  ))
  # Losses are in the order in which the folds were left out. A partial likelihood has one loss for
  # the whole fold.
  place <- which(counts == 0L & rep(told, each = nrow(counts)), arr.ind = TRUE)
  blocks <- if (!is.null(likelihood) && family_record(likelihood$family)$together) {
    place[, 2L]
  } else {
    draws$plan$blocks[place[, 1L]]
  }
  loss <- weigh_losses(do.call(rbind, loss), study$response$weights[place[, 1L]])
  data.frame(
    lambda = found$lambda[seq_len(ncol(loss))], error = colMeans(loss),
    se = apply(loss, 2L, standard_error, blocks = blocks), row.names = NULL
  )
}

# Their means are weighted means, their standard errors those of a ratio.
weigh_losses <- function(loss, weights) {
  if (is.null(weights)) {
    return(loss)
  }
  weights <- weights / mean(weights)
  mean <- rep(colMeans(loss * weights), each = nrow(loss))
  mean + weights * (loss - mean)
}

# Relative to the largest useful penalty.
relative_penalties <- function() exp(seq(0, log(0.01), length.out = 100))

# Squared errors of every fold.
squares_of_folds <- function(study, counts, report = NULL) {
  grid <- follow_path(study$x, study$response$y, max_steps = 1L,
    penalty = penalty_of_rows(study, seq_len(study$n))
  )$lambda[1] / sqrt(study$n) * relative_penalties()
  loss <- losses_of_folds(ncol(counts), study$n, study$p, grid, report, function(fold, size) {
    limit <- if (size < study$p) size
    squares_left_out(study, counts[, fold] > 0, grid, limit)
  })
  list(loss = loss, lambda = grid)
}

# Deviances of every fold at the penalties of the path of all samples.
deviances_of_folds <- function(study, likelihood, counts, report = NULL) {
  whole <- path_of_rows(study, likelihood, seq_len(study$n), NULL)
  check_followed(whole$status)
  grid <- whole$lambda
  loss <- losses_of_folds(ncol(counts), study$n, max(whole$size), grid, report,
    function(fold, size) {
      deviance_left_out(study, likelihood, counts[, fold] > 0, grid[cummax(whole$size) <= size])
    }
  )
  list(loss = loss, lambda = grid)
}

# Losses of every fold, samples x penalties, or NULL where a fold has no path. Paths of many samples
# are followed only until the loss has turned: to 32 features, or to twice as many as long as it has
# not. The penalties end where the first of them does.
# @param most (count) the largest number of features; grid penalties (falling).
# @param loss function(fold, size): of a path of at most `size` features.
losses_of_folds <- function(n_folds, n, most, grid, report, loss) {
  size <- if (n > many_samples) min(32L, most) else most
  n_done <- 0L
  repeat {
    # The first round tells little of the others.
    told <- if (!is.null(report) && (size >= most || n_done > 0L)) {
      function(done, of) report(n_done + done, n_done + of)
    }
    folds <- each_fold(n_folds, told, function(fold) loss(fold, size))
    n_done <- n_done + n_folds
    end <- min(unlist(lapply(folds, ncol)), Inf)
    folds <- lapply(folds, function(fold) if (!is.null(fold)) fold[, seq_len(end), drop = FALSE])
    errors <- if (is.finite(end)) colMeans(do.call(rbind, folds))
    if (size >= most || is.null(errors) || turns_before(errors, grid)) {
      return(folds)
    }
    size <- min(2L * size, most)
  }
}

each_fold <- function(n_folds, report, fit) {
  lapply(seq_len(n_folds), function(fold) {
    value <- fit(fold)
    if (!is.null(report)) report(fold, n_folds)
    value
  })
}

# Is the smallest of the first errors well before their end, at a penalty a half larger, and do they
# rise to there? A second, lower minimum among larger models is not seen.
# @param grid penalties (falling), at least as many as errors.
turns_before <- function(error, grid) {
  end <- length(error)
  lowest <- which.min(error)
  grid[lowest] > 1.55 * grid[end] && error[end] > 1.01 * error[lowest]
}

# At the penalties that the path reaches.
squares_left_out <- function(study, inside, grid, max_features = NULL) {
  y <- study$response$y
  path <- follow_path(study$x[inside, , drop = FALSE], y[inside],
    max_features = max_features, penalty = penalty_of_rows(study, which(inside))
  )
  lambda <- grid * sqrt(sum(inside))
  if (path$status != "complete") lambda <- lambda[lambda >= utils::tail(path$lambda, 1L)]
  at <- check_at(lambda, "lambda", path)
  weights <- weights_at(path_position(path, at, "lambda"), length(path$lambda))
  (path_fit(path, study$x[!inside, , drop = FALSE], weights) - y[!inside])^2
}

# The path of some samples; it may end early and have fewer points than penalties.
# @param lambda (numeric, or NULL) penalties.
path_of_rows <- function(study, likelihood, rows, lambda) {
  response <- study$response
  for (part in intersect(names(response), c("y", "codes", "event", role_names("samples")))) {
    response[[part]] <- take_values(response[[part]], rows)
  }
  path <- follow_likelihood(
    study$x[rows, , drop = FALSE], response, likelihood$family, likelihood$alpha,
    penalty_of_rows(study, rows), ties = likelihood$ties, lambda = lambda
  )
  path$asked <- list(family = likelihood$family)
  path
}

# @param inside (flag, n) the samples of the path.
# @return matrix, samples left out x penalties; beyond the end of the path the last model counts.
#   NULL without a path (a class or all events are left out).
deviance_left_out <- function(study, likelihood, inside, grid) {
  path <- path_of_rows(study, likelihood, which(inside), grid)
  if (length(path$lambda) == 0L) {
    return(NULL)
  }
  points <- pmin(seq_along(grid), length(path$lambda))
  weights <- Matrix::sparseMatrix(
    i = points, j = seq_along(grid), x = 1, dims = c(length(path$lambda), length(grid))
  )
  family <- family_record(likelihood$family)
  rows <- if (family$together) seq_along(inside) else which(!inside)
  links <- lasso_path_links(
    path, study$x[rows, , drop = FALSE], held_columns(study$response)[rows, , drop = FALSE], weights
  )
  links <- add_offset(links, take_values(study$response$offset, rows))
  if (family$together) {
    response <- family$response(study$response, study$response$strata)
    samples <- study$response[c("weights", "strata")]
    return(partial_deviance_left_out(links[[1]], response, samples, likelihood$ties, inside))
  }
  family$deviance(links, study$response, rows)
}

class_deviance <- function(links, codes) {
  top <- do.call(pmax, links)
  sum <- Reduce(`+`, lapply(links, function(link) exp(link - top)))
  own <- Reduce(`+`, Map(function(link, class) link * (codes == class), links, seq_along(links)))
  2 * (log(sum) + top - own)
}

# Verweij & van Houwelingen (1993): the log partial likelihood of all samples minus that of the
# path's samples, shared among the samples left out.
partial_deviance_left_out <- function(link, response, samples, ties, inside) {
  weights <- if (is.null(samples$weights)) rep(1, nrow(link)) else samples$weights
  used <- which(weights > 0)
  strata <- samples$strata
  all <- log_partial_likelihood(link, response, strata, weights, used, ties)
  inner <- used[inside[used]]
  without <- log_partial_likelihood(link, response, strata, weights, inner, ties)
  loss <- 2 * (without - all) / sum(weights[!inside])
  matrix(loss, sum(!inside), ncol(link), byrow = TRUE)
}

# For every column of linear predictors. Weights are in the events, and in the risks.
log_partial_likelihood <- function(link, response, strata, weights, rows, ties = NULL) {
  strata <- if (is.null(strata)) rep(1L, nrow(link)) else strata
  value <- lapply(split(rows, strata[rows]), function(own) {
    w <- weights[own]
    event <- response$event[own] * w
    times <- cox_times(response$time[own], event, if (is.null(ties)) "efron" else ties)
    sums <- risk_sums(times, (link[own, , drop = FALSE] + log(w))[times$order, , drop = FALSE])
    partial_likelihood(times, sums) - sum(event * log(w))
  })
  Reduce(`+`, value)
}

# Unpenalised coefficients of some features, on all samples.
# @param likelihood (list of ask_likelihood(), or NULL for plain least squares).
# @return (named numeric; for several classes a matrix with a column for each) intercept, covariates
#   and features; NULL where the data do not determine them: no features, too many, or separated
#   classes.
refit_features <- function(study, features, likelihood) {
  if (is.null(likelihood)) likelihood <- list(family = "gaussian")
  likelihood$alpha <- 1
  n_free <- ncol(held_columns(study$response))
  if (length(features) == 0L || length(features) + n_free + 2L > study$n) {
    return(NULL)
  }
  study$x <- study$x[, features, drop = FALSE]
  study$features$penalty <- NULL
  path <- path_of_rows(study, likelihood, seq_len(study$n), 0)
  family <- family_record(likelihood$family)
  separated <- family$separable && isTRUE(path$explained[1] > 0.999)
  if (length(path$lambda) == 0L || separated) {
    return(NULL)
  }
  values <- lapply(path_parts(path), function(part) {
    level <- if (family$has_level) c("(Intercept)" = part$intercepts[1])
    c(level, part$covariates[, 1L], part$coefficients[, 1L])
  })
  if (family$by_class) do.call(cbind, values) else values[[1]]
}
