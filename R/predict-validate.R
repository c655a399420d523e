# Measures of the predictions of a fixed model for new samples, with intervals.

# @param influence (numeric, n, or NULL where none is known) of the samples on the estimate: the sum
#   of the squares is its variance.
measure_row <- function(measure, estimate, limits = c(NA_real_, NA_real_), reference = NA_real_,
                        influence = NULL) {
  data.frame(
    measure = measure, estimate = estimate, lower = limits[1], upper = limits[2],
    reference = reference, influence = I(list(influence))
  )
}

# Of the mean of some values.
influence_on_mean <- function(values) {
  n <- length(values)
  (values - mean(values)) / sqrt(n * max(n - 1, 1))
}

# Of a metric that is the mean of the losses of samples.
influence_of_losses <- function(metric, codes, predicted) {
  influence_on_mean(vapply(seq_along(codes), function(i) {
    own <- lapply(predicted, function(values) values[i, , drop = FALSE])
    metric_value(metric, codes[i], own)
  }, 0))
}

measure_classes <- function(observed, link, conf_level) {
  second <- as.integer(observed) == 2L
  auc <- auc_interval(link[second], link[!second], conf_level)
  measure_named(
    observed, class_of_link(link, levels(observed)), auc, conf_level, influence_on_auc(link, second)
  )
}

# @param link (numeric matrix) a column for each class, -Inf for impossible classes.
measure_several <- function(observed, link, conf_level) {
  codes <- as.integer(observed)
  probability <- class_probabilities(link)
  predicted <- list(decision = probability, probability = probability)
  of <- function(metric) {
    measure_row(
      metric, metric_value(metric, codes, predicted),
      influence = influence_of_losses(metric, codes, predicted["probability"])
    )
  }
  rbind(
    measure_named(
      observed, class_of_links(link, levels(observed)),
      c(metric_value("auc", codes, predicted), NA_real_, NA_real_), conf_level
    ),
    of("brier"), of("log_loss")
  )
}

# @param predicted (factor); auc: with its limits; of_auc (numeric, n, or NULL) influence on it.
measure_named <- function(observed, predicted, auc, conf_level, of_auc = NULL) {
  wrong <- observed != predicted
  error <- mean(wrong)
  by_class <- tapply(wrong, droplevels(observed), mean)
  sizes <- table(droplevels(observed))
  rbind(
    measure_row(
      "error", error, wilson_interval(error, length(wrong), conf_level),
      rarer_share(observed), influence_on_mean(wrong)
    ),
    measure_row(
      "balanced_error", mean(by_class), interval_of_mean(by_class, sizes, conf_level),
      1 - 1 / length(sizes),
      stats::ave(wrong + 0, observed, FUN = influence_on_mean) / length(sizes)
    ),
    measure_row("auc", auc[1], auc[2:3], 0.5, of_auc)
  )
}

# Zou & Donner (2008): limits of a mean from the limits of independent shares.
interval_of_mean <- function(shares, sizes, conf_level) {
  limits <- mapply(wilson_interval, shares, sizes, MoreArgs = list(conf_level = conf_level))
  off <- sqrt(rowSums((limits - rep(shares, each = 2))^2)) / length(shares)
  pmin(pmax(mean(shares) + c(-1, 1) * off, 0), 1)
}

# DeLong, DeLong & Clarke-Pearson (1988) for one curve, on the logit scale.
# @param high,low (numeric) links of the samples of the second and of the first class.
# @return c(estimate, lower, upper).
auc_interval <- function(high, low, conf_level) {
  if (length(high) == 0L || length(low) == 0L) {
    return(rep(NA_real_, 3L))
  }
  above <- outer(high, low, function(a, b) (a > b) + (a == b) / 2)
  auc <- mean(above)
  smaller <- min(length(high), length(low))
  if (smaller < 2L || auc %in% c(0, 1)) {
    return(c(auc, wilson_interval(auc, smaller, conf_level)))
  }
  variance <- stats::var(rowMeans(above)) / length(high) + stats::var(colMeans(above)) / length(low)
  half <- stats::qnorm((1 + conf_level) / 2) * sqrt(variance) / (auc * (1 - auc))
  c(auc, stats::plogis(stats::qlogis(auc) + c(-half, half)))
}

# The components of DeLong et al. (1988): a sample's share of the samples of the other class on its
# right side.
# @return (numeric, n), or NULL where one class has fewer than two samples.
influence_on_auc <- function(link, second) {
  if (min(sum(second), sum(!second)) < 2L) {
    return(NULL)
  }
  above <- outer(link[second], link[!second], function(a, b) (a > b) + (a == b) / 2)
  influence <- numeric(length(link))
  influence[second] <- influence_on_mean(rowMeans(above))
  influence[!second] <- influence_on_mean(colMeans(above))
  influence
}

measure_calibration <- function(observed, link, conf_level) {
  second <- as.integer(observed) == 2L
  slope <- recalibrate(second ~ link, 2L, conf_level)
  intercept <- recalibrate(second ~ offset(link), 1L, conf_level)
  rbind(
    measure_row("calibration_slope", slope[1], slope[2:3], 1),
    measure_row("calibration_intercept", intercept[1], intercept[2:3], 0),
    measure_row(
      "brier", mean((stats::plogis(link) - second)^2),
      influence = influence_on_mean((stats::plogis(link) - second)^2)
    )
  )
}

# @return c(estimate, lower, upper) of one coefficient; NA without a finite estimate.
recalibrate <- function(formula, at, conf_level) {
  fit <- suppressWarnings(stats::glm(formula, stats::binomial()))
  probability <- stats::fitted(fit)
  separated <- !fit$converged || min(probability) < 1e-8 && max(probability) > 1 - 1e-8
  one_class <- length(unique(fit$y)) < 2L
  estimate <- summary(fit)$coefficients
  if (separated || one_class || nrow(estimate) < at) {
    return(rep(NA_real_, 3L))
  }
  half <- stats::qnorm((1 + conf_level) / 2) * estimate[at, 2]
  estimate[at, 1] + c(0, -half, half)
}

measure_counts <- function(observed, link, conf_level) {
  losses <- poisson_deviances(observed, mean_count(link))
  half <- stats::qnorm((1 + conf_level) / 2) * standard_error(losses) / mean(losses)
  fit <- if (length(unique(link)) > 1L && length(link) > 2L && any(observed > 0)) {
    summary(stats::glm(observed ~ link, stats::quasipoisson()))$coefficients
  }
  slope <- if (NROW(fit) == 2L) {
    width <- stats::qnorm((1 + conf_level) / 2) * fit[2, 2]
    fit[2, 1] + c(0, -width, width)
  } else {
    rep(NA_real_, 3L)
  }
  rbind(
    measure_row(
      "mean_poisson_deviance", mean(losses), mean(losses) * exp(c(-half, half)),
      deviance_of_mean(observed), influence_on_mean(losses)
    ),
    measure_row("calibration_slope", slope[1], slope[2:3], 1)
  )
}

measure_numbers <- function(observed, link, conf_level) {
  losses <- (observed - link)^2
  spread <- mean((observed - mean(observed))^2)
  half <- stats::qnorm((1 + conf_level) / 2) * standard_error(losses) / mean(losses)
  fit <- if (length(unique(link)) > 1L && length(link) > 2L) stats::lm(observed ~ link)
  slope <- if (is.null(fit)) {
    rep(NA_real_, 3L)
  } else {
    unname(c(stats::coef(fit)[2], stats::confint(fit, level = conf_level)[2, ]))
  }
  rbind(
    measure_row(
      "mean_squared_error", mean(losses), mean(losses) * exp(c(-half, half)), spread,
      influence_on_mean(losses)
    ),
    measure_row("r_squared", 1 - mean(losses) / spread, reference = 0),
    measure_row("calibration_slope", slope[1], slope[2:3], 1)
  )
}
