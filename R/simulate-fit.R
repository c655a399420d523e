# Estimates n_useful and p from counts and stability, and predicts from them.

# Tables of urn_tables(), made once for each n_useful.
urn_library <- function(model, value) {
  known <- new.env(parent = emptyenv())
  function(n_useful) {
    key <- sprintf("%d", n_useful)
    if (is.null(known[[key]])) {
      made <- urn_tables(model$n_total, model$n_features, n_useful, value)
      assign(key, made, envir = known)
    }
    known[[key]]
  }
}

# @param estimator as in estimate_stability().
fit_urn <- function(counts, n_runs, stability, model, value, estimator) {
  counted <- count_useful(counts, n_runs, model$n_features)
  urns <- urn_library(model, value)
  n_useful <- choose_pool(
    counted$expected, stability, model, urns, counted$threshold, n_runs, estimator
  )
  solved <- solve_p(stability, c(model, list(n_useful = n_useful)), urns(n_useful))
  list(counted = counted, n_useful = n_useful, solved = solved, urns = urns)
}

# @param expected (number) real features above the threshold.
choose_pool <- function(expected, stability, model, urns, threshold, n_runs, estimator) {
  whole <- function(u) as.integer(min(max(round(u), model$n_features), model$n_total))
  p_of <- function(u) solve_p(stability, model, urns(whole(u)))$p
  start <- whole(expected)
  if (estimator == "none") {
    return(start)
  }
  if (estimator == "fixed_point") {
    found <- check_n_useful(
      model$n_total, model$n_features, start, p_of(start), n_runs, refit = p_of
    )
    return(whole(found$fixed_point))
  }
  excess <- function(u) {
    expected_above(model$n_total, model$n_features, u, p_of(u), n_runs, threshold) - expected
  }
  pool_by_moments(excess, start, whole, model$n_total)
}

# The smallest pool, from `start` on, whose expected number above the threshold reaches the observed
# number; without one, the nearest pool.
pool_by_moments <- function(excess, start, whole, n_total) {
  grid <- unique(vapply(start * 1.15^(0:20), whole, 1L))
  values <- numeric()
  for (u in grid) {
    values <- c(values, excess(u))
    # Beyond its peak the expected number above the threshold only falls.
    if (values[length(values)] >= 0 || length(values) > 3L && all(diff(utils::tail(values, 3)) < 0))
      break
  }
  last <- length(values)
  if (values[last] < 0 || last == 1L) {
    return(grid[which.max(values)])
  }
  low <- grid[last - 1L]
  high <- grid[last]
  while (high - low > 1L) {
    middle <- (low + high) %/% 2L
    if (excess(middle) < 0) low <- middle else high <- middle
  }
  high
}

new_estimate <- function(selection, data, model, fit, real, value, settings, asked) {
  model$n_useful <- fit$n_useful
  model$p <- fit$solved$p
  regrouped <- regroup_runs(
    selection, asked$n_weak, model$n_features, asked$aggregation, real, settings
  )
  boot <- bootstrap_fits(model, fit, data$n_runs, value, settings)
  settings$n_weak <- sort(union(asked$n_weak, regrouped$n_weak))
  table <- prediction_table(model, fit, boot, value, settings)
  at <- match(regrouped$n_weak, table$n_weak)
  regrouped$predicted <- table$stability[at]
  regrouped[c("lower", "upper")] <- table[at, c("lower", "upper")]
  at <- match(table$n_weak, regrouped$n_weak)
  table[c("regrouped", "regrouped_se")] <- regrouped[at, c("stability", "se")]
  table <- table[table$n_weak %in% asked$n_weak, ]
  rownames(table) <- NULL
  plateau <- plateau_value(model$n_useful, model$p, model$n_total, model$n_features, value)
  estimate <- new_result(
    "stabilect_estimate", table,
    parameters = parameter_table(model, boot, asked$conf_level), n_useful = model$n_useful,
    p = model$p, counted = fit$counted, fit = fit$solved,
    verified = expected_above(
      model$n_total, model$n_features, model$n_useful, model$p, data$n_runs,
      fit$counted$threshold
    ),
    real = data.frame(
      n_weak = 1L, stability = real$estimate, lower = real$lower, upper = real$upper
    ),
    regrouped = regrouped, plateau = plateau,
    enough = enough_members(model, fit, table, plateau, asked$aggregation), bootstrap = boot,
    runs = selection$method, asked = asked,
    study = list(p = data$n_total, hash = selection$data_hash),
    made = list(
      seed = settings$seed, n_runs = data$n_runs, n_failed = selection$n_runs - data$n_runs
    )
  )
  estimate$misfit <- find_misfit(estimate, model)
  estimate$withheld <- reason_to_withhold(estimate)
  withhold_intervals(estimate)
}

# Why intervals could not keep their promise even under the model; "" if they can.
reason_to_withhold <- function(estimate) {
  if (length(estimate$misfit) > 0L) {
    return("the model does not fit")
  }
  if (estimate$verified < 0.95 * estimate$n_useful) {
    return(sprintf(
      "of %d useful features, %.1f would be counted", estimate$n_useful, estimate$verified
    ))
  }
  ""
}

# An interval of width 0 is withheld.
withhold_intervals <- function(estimate) {
  for (part in c("table", "parameters", "regrouped")) {
    table <- estimate[[part]]
    lost <- nzchar(estimate$withheld) | table$upper - table$lower < 1e-8
    table[lost, c("lower", "upper")] <- NA_real_
    estimate[[part]] <- table
  }
  estimate
}

# Predicted stability of each size with its interval.
prediction_table <- function(model, fit, boot, value, settings) {
  table <- simulation_table(model, settings, settings$aggregation, settings$index, value)
  cbind(
    table[c("n_weak", "stability")], predict_interval(model, fit, boot, table, settings),
    table[c("se", "engine")]
  )
}

parameter_table <- function(model, boot, conf_level) {
  limits <- rbind(
    basic_limits(model$n_useful, boot$n_useful, conf_level, c(model$n_features, model$n_total)),
    basic_limits(model$p, boot$p, conf_level, c(0, 1))
  )
  data.frame(
    parameter = c("n_useful", "p"), estimate = c(model$n_useful, model$p), lower = limits[, 1],
    upper = limits[, 2]
  )
}

# Both parameters estimated from studies simulated at the estimate.
bootstrap_fits <- function(model, fit, n_runs, value, settings) {
  threshold <- fit$counted$threshold
  # Each feature contributes the probability that the threshold is below its count.
  weight <- vapply(0:n_runs, function(count) {
    sum(threshold$law$probability[threshold$law$threshold < count])
  }, 0)
  studies <- cpp_simulate_studies(
    model$n_total, model$n_features, model$n_useful, model$p, 0, settings$n_boot, weight, value,
    child_seeds(settings$seed, 1L), settings$n_threads
  )
  boot <- bind_rows_of(seq_len(settings$n_boot), function(b) {
    n_useful <- choose_pool(
      studies[b, 1], studies[b, 2], model, fit$urns, threshold, n_runs, settings$estimator
    )
    data.frame(n_useful = n_useful, p = solve_p(studies[b, 2], model, fit$urns(n_useful))$p)
  })
  boot$stability <- studies[, 2]
  boot
}

# Stability by the normal approximation (exact for one member): one row per model, one column per
# size.
predict_quickly <- function(model, n_useful, p, sizes, urns, n_threads) {
  ensembles <- sizes[sizes > 1L]
  law <- if (length(ensembles) > 0L) {
    cpp_normal_useful_law(model$n_total, model$n_features, n_useful, p, ensembles, n_threads)
  }
  rows <- lapply(seq_along(p), function(b) {
    tables <- urns(n_useful[b])
    one <- if (any(sizes == 1L)) moments_of_law(tables, single_useful_law(tables, p[b]))$mean
    columns <- (b - 1L) * length(ensembles) + seq_along(ensembles)
    more <- vapply(columns, function(j) sum(law[, j] * (tables$mean %*% law[, j])), 0)
    c(one, more)
  })
  do.call(rbind, rows)
}

predict_interval <- function(model, fit, boot, table, settings) {
  predict <- function(n_useful, p) {
    predict_quickly(model, n_useful, p, table$n_weak, fit$urns, settings$n_threads)
  }
  interval_around(
    table$stability, table$se, drop(predict(model$n_useful, model$p)),
    predict(boot$n_useful, boot$p), settings$conf_level
  )
}

# Basic bootstrap intervals: the error of simulated studies around the estimate, with the opposite
# sign, replaces the error of the estimate around the truth. Errors of the simulation are
# independent.
# @param at (numeric) approximate stability at the estimate; around (matrix, bootstrap samples x
#   sizes) at the estimates from its studies.
interval_around <- function(stability, se, at, around, conf_level) {
  tails <- (1 + c(-1, 1) * conf_level) / 2
  limits <- apply(around, 2L, stats::quantile, tails, names = FALSE)
  mc <- stats::qnorm(tails[2]) * se
  widen <- function(way) sqrt(pmax(way, 0)^2 + mc^2)
  data.frame(
    lower = pmax(stability - widen(limits[2, ] - at), min(0, stability)),
    upper = pmin(stability + widen(at - limits[1, ]), 1)
  )
}

# Basic interval of a parameter, within its range and around the estimate.
basic_limits <- function(estimate, draws, conf_level, range) {
  tails <- stats::quantile(draws, (1 + c(1, -1) * conf_level) / 2, names = FALSE)
  limits <- pmin(pmax(2 * estimate - tails, range[1]), range[2])
  c(min(limits[1], estimate), max(limits[2], estimate))
}

# The size from which the stability stays within 2 % of the plateau.
enough_members <- function(model, fit, table, plateau, aggregation) {
  if (is_plain_mean_rank(aggregation)) {
    sizes <- size_grid(1000L)
    values <- drop(
      predict_quickly(model, model$n_useful, model$p, sizes, fit$urns, 1L)
    )
  } else {
    sizes <- table$n_weak
    values <- table$stability
  }
  away <- which(abs(values - plateau) > 0.02 * abs(plateau))
  first <- if (length(away) == 0L) 1L else max(away) + 1L
  if (first > length(sizes)) NA_integer_ else sizes[first]
}

# How the model and the runs disagree; empty if they agree.
find_misfit <- function(estimate, model) {
  misfit <- character()
  table <- estimate$regrouped[estimate$regrouped$n_weak > 1L, ]
  beyond <- pmax(table$lower - table$stability, table$stability - table$upper) - 2 * table$se
  worst <- which.max(beyond)
  if (length(worst) > 0L && beyond[worst] > 0) {
    misfit <- sprintf(
      "%d members: %.2f regrouped, %.2f predicted", table$n_weak[worst], table$stability[worst],
      table$predicted[worst]
    )
  }
  if (!estimate$fit$attained) {
    misfit <- c(misfit, sprintf(
      "single runs: %.3f, and %d useful features allow %.3f to %.3f", estimate$real$stability,
      estimate$n_useful, estimate$fit$range[1], estimate$fit$range[2]
    ))
  }
  m <- estimate$made$n_runs
  fit <- c(n_useful = model$n_useful, p = model$p, preference = 0)
  real <- tabulate(estimate$counted$counts + 1L, m + 1L)
  deviance <- count_deviance(real, expected_counts(fit, model$n_total, model$n_features, m))
  if (stats::pchisq(deviance, m, lower.tail = FALSE) < 0.001) {
    misfit <- c(misfit, sprintf(
      "deviance of the counts: %.0f, and %.0f at most if it did", deviance,
      stats::qchisq(0.999, m)
    ))
  }
  misfit
}
