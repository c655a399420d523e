# Ordered classes: the proportional-odds model (McCullagh 1980), its links and their measures. The
# links of a sample are the log odds of each class or a higher one, except the lowest: one less than
# classes, falling from class to class.

# Newton's method over cuts, one for each of these log odds, and over coefficients, shared by all.
# The likelihood is concave in both (Pratt 1981). For fit_ridge().
# @param codes (whole numbers from 1) classes; a class without a sample has an empty interval of
#   cuts.
held_ordered <- function(u, basis, codes, n_classes, lambda) {
  classes <- sort(unique(codes))
  columns <- cbind(basis[, -1, drop = FALSE], u)
  free <- seq_len(length(classes) - 1L + ncol(basis) - 1L)
  own <- match(codes, classes)
  higher <- vapply(seq_along(classes)[-1], function(k) mean(own >= k), 0)
  start <- c(stats::qlogis(higher), numeric(ncol(columns)))
  penalty <- rep(c(0, lambda), c(length(free), ncol(u)))
  fit <- if (length(classes) > 1L) {
    maximise_likelihood(
      function(beta) ordered_point(columns, own, beta), penalty, start, 1e-11 * nrow(u)
    )
  } else {
    list(beta = start, converged = TRUE, information = diag(nrow(u), length(start)))
  }
  m <- length(classes) - 1L
  # A cut between two classes with samples, or beyond the outer ones.
  lower <- findInterval(seq_len(n_classes)[-1] - 0.5, classes)
  cuts <- c(Inf, fit$beta[seq_len(m)], -Inf)[lower + 1L]
  beta <- if (m > 0L) fit$beta[-seq_len(m)] else fit$beta
  list(
    beta = c(0, beta), cuts = cuts, lambda = lambda, converged = fit$converged,
    separated = length(classes) > 1L && is_separated(fit$information, free, nrow(u)),
    told = mean(ordered_shares(outer(drop(columns %*% beta), cuts, `+`))[
      cbind(seq_along(codes), codes)
    ] > stats::plogis(10))
  )
}

# The log likelihood of ordered classes, its gradient and its information. U is the log odds of the
# own class or a higher one, L that of a higher one, and F the logistic function. The class has the
# probability F(U) - F(L) = F(U) F(-L) (1 - exp(L - U)), which is accurate in both tails.
# @param beta (numeric) cuts, which must fall, then coefficients.
ordered_point <- function(z, codes, beta) {
  m <- length(beta) - ncol(z)
  cuts <- beta[seq_len(m)]
  link <- drop(z %*% beta[m + seq_len(ncol(z))])
  own <- outer(codes, seq_len(m) + 1L, `==`)
  next_one <- outer(codes, seq_len(m), `==`)
  upper <- c(Inf, cuts)[codes] + link
  lower <- c(cuts, -Inf)[codes] + link
  gap <- c(Inf, cuts)[codes] - c(cuts, -Inf)[codes]
  if (any(gap <= 0)) {
    return(list(likelihood = -Inf, beta = beta))
  }
  # Of the gap: its share of the slope, and of the curvature.
  pull <- 1 / expm1(gap)
  bend <- pull * (1 + pull)
  curve_up <- stats::dlogis(upper)
  curve_down <- stats::dlogis(lower)
  weight <- own * curve_up + next_one * curve_down
  cross <- crossprod(own, next_one * bend)
  among <- diag(colSums(weight + (own + next_one) * bend), m) - cross - t(cross)
  beside <- crossprod(weight, z)
  list(
    beta = beta,
    likelihood = sum(stats::plogis(upper, log.p = TRUE) + stats::plogis(-lower, log.p = TRUE) +
      log(-expm1(-gap))),
    gradient = c(
      colSums(own * (stats::plogis(-upper) + pull) - next_one * (stats::plogis(lower) + pull)),
      drop(crossprod(z, stats::plogis(-upper) - stats::plogis(lower)))
    ),
    information = rbind(
      cbind(among, beside), cbind(t(beside), crossprod(z, z * (curve_up + curve_down)))
    )
  )
}

# @param link (numeric matrix, n x classes less one) log odds of each class or a higher one.
# @return (n x classes) probabilities.
ordered_shares <- function(link) {
  upper <- cbind(Inf, link)
  lower <- cbind(link, -Inf)
  gap <- ifelse(upper == lower, 0, upper - lower)
  odds <- stats::plogis(upper) * stats::plogis(-lower) * -expm1(-gap)
  structure(odds, dimnames = list(rownames(link), NULL))
}

# The median class: the highest class with odds above 1 for it or a higher one.
ordered_class <- function(link) 1L + as.integer(rowSums(beyond_half(link)))

median_class <- function(codes) sort(codes)[(length(codes) + 1L) %/% 2L]

ordered_factor <- function(codes, levels) factor(levels[codes], levels, ordered = TRUE)

class_distance <- function(codes, others) mean(abs(codes - others))

# For new samples.
# @param observed (ordered factor); link as above.
measure_ordered <- function(observed, link, conf_level) {
  codes <- as.integer(observed)
  distances <- abs(ordered_class(link) - codes)
  # An interval on the scale of logarithms, which has no 0.
  relative <- if (any(distances > 0)) standard_error(distances) / mean(distances) else NA_real_
  half <- stats::qnorm((1 + conf_level) / 2) * relative
  # Size of the odds of higher classes, for the order of samples.
  order <- concordance_of(codes, rep(1, length(codes)), -rowSums(stats::plogis(link)))
  shares <- list(probability = ordered_shares(link))
  of <- function(metric, reference = NA_real_) {
    measure_row(
      metric, metric_value(metric, codes, shares), reference = reference,
      influence = influence_of_losses(metric, codes, shares)
    )
  }
  rbind(
    measure_row(
      "mean_distance", mean(distances), mean(distances) * exp(c(-half, half)),
      class_distance(codes, median_class(codes)), influence_on_mean(distances)
    ),
    measure_row(
      "error", mean(distances > 0), wilson_interval(mean(distances > 0), length(codes), conf_level),
      rarer_share(observed), influence_on_mean(distances > 0)
    ),
    measure_row(
      "concordance", order$concordance,
      logit_interval(order$concordance, sum(order$influence^2), conf_level), 0.5, order$influence
    ),
    of("ranked_probability"), of("log_loss")
  )
}

register_final_model("ridge_ordered", function() {
  new_final_model(
    "ridge_ordered", "ordered classes", 2.5, "ridge proportional-odds regression",
    function(u, basis, y, event, lambda, n_classes) held_ordered(u, basis, y, n_classes, lambda),
    lambda = 3, n_links = function(n_classes) n_classes - 1L, probability = ordered_shares,
    one = NULL
  )
})

# Mean distance of a prediction in classes.
register_metric("mean_distance", "ordered", 0,
  function(truth, prediction) class_distance(truth, prediction$class), sign = -1,
  chance = function(record) {
    codes <- rep(seq_along(record$class_sizes), record$class_sizes)
    class_distance(codes, median_class(codes))
  },
  chance_words = function(record) {
    codes <- rep(seq_along(record$class_sizes), record$class_sizes)
    sprintf("when always predicting %s", say_class(record$levels[median_class(codes)]))
  }
)

# Cohen (1968) with linear weights.
register_metric("weighted_kappa", "ordered", 0.5, function(truth, prediction) {
  chance <- mean(abs(outer(truth, prediction$class, `-`)))
  if (chance == 0) NA_real_ else 1 - class_distance(truth, prediction$class) / chance
}, chance = function(record) 0)

# Epstein (1969): the Brier score of each cut between classes, as a mean over the cuts.
register_metric("ranked_probability", "ordered", 0.7, function(truth, prediction) {
  k <- ncol(prediction$probability)
  above <- outer(truth, seq_len(k)[-1], `>=`)
  predicted <- 1 - t(apply(prediction$probability, 1L, cumsum))[, -k, drop = FALSE]
  mean((above - predicted)^2)
}, needs = "probability", sign = -1)
