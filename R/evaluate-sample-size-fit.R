# Curves over sample sizes: stability and error against the number of samples.

# Factor of the deviations of redrawn curves from the fitted one; see the experiment `samples`.
widen_samples <- 2
n_redraws <- 200L

# In simulations no curve was steeper if lists agreed at all; near s = 0 a fit can be.
steepest_curve <- 3

# @param pairs of pairs_of_parts().
# @return numbers, one per size: the overlap of lists corrected for chance.
stability_of_pairs <- function(common, size_1, size_2, p) {
  size <- colSums(size_1 + size_2, na.rm = TRUE) / 2
  overlap <- colSums(common, na.rm = TRUE) / size
  by_chance <- colSums(size_1 * size_2, na.rm = TRUE) / p / size
  (overlap - by_chance) / (1 - by_chance)
}

# logit s = a + b log n, 0 <= b <= 3, by quasi-likelihood; NULL without a fit.
fit_stability <- function(n, stability) {
  there <- is.finite(stability)
  y <- pmin(pmax(stability[there], 0), 1)
  if (length(y) < 3L || all(y == 0)) {
    return(NULL)
  }
  if (all(y == 1)) {
    return(c(a = Inf, b = 0))
  }
  fit <- suppressWarnings(stats::glm.fit(
    cbind(1, log(n[there])), y, family = stats::quasibinomial()
  ))
  if (fit$coefficients[2] < 0) {
    return(c(a = stats::qlogis(mean(y)), b = 0))
  }
  if (fit$coefficients[2] > steepest_curve) {
    fit <- suppressWarnings(stats::glm.fit(
      rep(1, length(y)), y, offset = steepest_curve * log(n[there]),
      family = stats::quasibinomial()
    ))
    return(c(a = fit$coefficients[[1]], b = steepest_curve))
  }
  c(a = fit$coefficients[[1]], b = fit$coefficients[[2]])
}

link_of_curve <- function(curve, n) curve[["a"]] + curve[["b"]] * log(n)

# e = a + b n^-c with a, b >= 0; for each c of a grid, a and b are least squares.
fit_error <- function(n, error) {
  grid <- seq(0.1, 2, by = 0.05)
  there <- is.finite(error)
  n <- n[there]
  error <- error[there]
  fits <- vapply(grid, function(c) {
    z <- n^-c
    b <- sum((z - mean(z)) * error) / sum((z - mean(z))^2)
    a <- mean(error) - b * mean(z)
    if (b < 0) {
      b <- 0
      a <- mean(error)
    } else if (a < 0) {
      a <- 0
      b <- sum(z * error) / sum(z^2)
    }
    c(a, b, c, sum((error - a - b * z)^2))
  }, numeric(4))
  best <- which.min(fits[4, ])
  c(a = fits[1, best], b = fits[2, best], c = fits[3, best])
}

error_at <- function(curve, n) curve[["a"]] + curve[["b"]] * n^-curve[["c"]]

# Both curves of all redraws of pairs, at the same numbers of samples.
# @param measured list(n, common, size_1, size_2, error: matrices, pairs x sizes).
# @return list(stability (list of curves), error (list of curves)).
redraw_curves <- function(measured, p, seed) {
  n_pairs <- nrow(measured$error)
  draws <- with_seed(seed, matrix(
    sample.int(n_pairs, n_pairs * n_redraws, replace = TRUE), n_pairs
  ))
  of <- function(fun) lapply(seq_len(n_redraws), function(k) fun(draws[, k]))
  list(
    stability = of(function(at) {
      fit_stability(measured$n, stability_of_pairs(
        measured$common[at, , drop = FALSE], measured$size_1[at, , drop = FALSE],
        measured$size_2[at, , drop = FALSE], p
      ))
    }),
    error = of(function(at) {
      fit_error(measured$n, colMeans(measured$error[at, , drop = FALSE], na.rm = TRUE))
    })
  )
}

# Quantiles of widened deviations. @param redrawn (matrix, sizes x redraws), `center` (sizes).
band_of <- function(redrawn, center, conf_level) {
  apart <- widen_samples * (redrawn - center)
  tails <- c((1 - conf_level) / 2, (1 + conf_level) / 2)
  limits <- apply(apart, 1L, stats::quantile, tails, names = FALSE)
  list(lower = center + limits[1, ], upper = center + limits[2, ])
}

# The curve of stability with its band at any n. A redraw without a curve has no agreement at all:
# its stability is 0. Beyond the largest part the lower limit stays constant: real curves often
# level off, which smaller parts cannot show.
stability_band <- function(curve, redrawn, n, conf_level, largest) {
  band <- straight_band(curve, redrawn, n, conf_level)
  at_end <- straight_band(curve, redrawn, largest, conf_level)$lower
  band$lower <- ifelse(n > largest, pmin(band$lower, at_end), band$lower)
  band
}

straight_band <- function(curve, redrawn, n, conf_level) {
  none <- -20
  links <- vapply(redrawn, function(one) {
    if (is.null(one)) rep(none, length(n)) else pmin(link_of_curve(one, n), -none)
  }, numeric(length(n)))
  center <- pmin(link_of_curve(curve, n), -none)
  band <- band_of(matrix(links, length(n)), center, conf_level)
  data.frame(
    fitted = stats::plogis(center), lower = stats::plogis(band$lower),
    upper = stats::plogis(band$upper)
  )
}

# As for stability, the error may stop falling.
error_band <- function(curve, redrawn, n, conf_level, largest) {
  at <- c(n, largest)
  values <- vapply(redrawn, error_at, numeric(length(at)), at)
  center <- error_at(curve, at)
  band <- band_of(matrix(values, length(at)), center, conf_level)
  at_end <- band$upper[length(at)]
  upper <- band$upper[seq_along(n)]
  data.frame(
    error_fitted = error_at(curve, n), error_lower = pmax(band$lower[seq_along(n)], 0),
    error_upper = ifelse(n > largest, pmax(upper, at_end), upper)
  )
}

# Why a curve of the error cannot be extended; character() if it can.
refusal_of_error <- function(redrawn) {
  b <- vapply(redrawn, `[[`, 0, "b")
  c <- vapply(redrawn, `[[`, 0, "c")
  middle <- stats::quantile(c, c(0.05, 0.95), names = FALSE)
  if (mean(b > 0) < 0.95) {
    "it does not fall measurably with the size of the parts"
  } else if (middle[1] <= 0.1 && middle[2] >= 2) {
    "the sizes of the parts do not determine its shape"
  } else {
    character()
  }
}

# The smallest n at which the curve and the limits of its band attain the target.
samples_needed <- function(curve, redrawn, sizes, n, asked) {
  target <- asked$target_stability
  grid <- seq(ceiling(min(sizes)), 4L * n)
  band <- stability_band(curve, redrawn, grid, asked$conf_level, max(sizes))
  first <- function(values) {
    at <- which(values >= target)
    if (length(at) > 0L) grid[at[1]] else Inf
  }
  data.frame(
    target_stability = target, n = first(band$fitted), lower = first(band$upper),
    upper = first(band$lower)
  )
}
