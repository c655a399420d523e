# From the core's answer to the result of find_signals().

new_signals <- function(study, input, found, asked, reader, seed) {
  names <- study$feature_names
  index <- c(found$named$feature, found$beside)
  features <- names[index]
  near <- neighbours_of(input, found, index, names)
  sets <- credible_tables(found, features, names)
  table <- cbind(
    data.frame(feature = features, p = c(found$named$p, rep(NA_real_, length(found$beside)))),
    partial_effects(study$response, input, found, index),
    data.frame(
      n_neighbours = lengths(near, use.names = FALSE),
      set_size = vapply(features, function(one) credible_size(sets[[one]]), 1L, USE.NAMES = FALSE),
      found_by = rep(c("steps", "set"), c(length(found$named$p), length(found$beside)))
    )
  )
  table[c("frequency", "score")] <- reader(features)
  study$notes <- c(study$notes, input$note)
  steps <- step_table(found, names)
  new_result(
    "stabilect_signals", table,
    features = features, p_value = found$global_p, steps = steps, neighbours = near, sets = sets,
    unproven = if (length(index) == 0L) utils::head(names[found$steps$feature], 5L) else character(),
    marginal = data.frame(feature = names, correlation = found$correlation, p = found$p),
    null = null_record(found, input, asked$null), rates = stated_rates(), asked = asked,
    study = study_record(study), made = list(seed = seed, n_null = asked$n_null)
  )
}

credible_size <- function(sets) if (is.null(sets)) NA_integer_ else length(unique(sets$feature))

step_table <- function(found, names) {
  steps <- found$steps
  k <- seq_along(steps$p)
  data.frame(
    step = k, feature = names[steps$feature[k]], partial_r = steps$statistic[k], p = steps$p,
    forward_stop = cumsum(-log1p(-steps$p)) / k, accepted = k <= steps$n_accepted,
    named = steps$feature[k] %in% found$named$feature
  )
}

# Columns without what the covariates explain, at length one.
signal_columns <- function(input, found, index) {
  x <- input$x[, index, drop = FALSE]
  rest <- x - input$basis %*% crossprod(input$basis, x)
  sweep(rest, 2L, found$length[index], `/`)
}

# @return list by feature of named correlations above 0.7 in absolute value, largest first.
neighbours_of <- function(input, found, index, names, near = 0.7) {
  if (length(index) == 0L) {
    return(stats::setNames(list(), character()))
  }
  scale <- ifelse(found$length > 0, 1 / found$length, 0)
  r <- crossprod(input$x, signal_columns(input, found, index)) * scale
  stats::setNames(lapply(seq_along(index), function(k) {
    of_one <- stats::setNames(pmax(-1, pmin(1, r[, k])), names)[-index[k]]
    of_one <- of_one[abs(of_one) > near]
    of_one[order(-abs(of_one), method = "radix")]
  }), names[index])
}

# @return list by feature of data frames; a feature of two sets has their rows one after the other.
credible_tables <- function(found, features, names) {
  tables <- lapply(found$sets, function(set) {
    data.frame(feature = names[set$feature], probability = set$probability)
  })
  about <- features[found$set_of]
  out <- lapply(unique(about), function(one) do.call(rbind, tables[about == one]))
  stats::setNames(out, unique(about))
}

# Partial correlations of each named feature given the others and what is held, in the plain metric,
# with Fisher's interval: atanh(r) +- z / sqrt(df - 1) for df residual degrees of freedom
# (Fisher 1924).
partial_effects <- function(response, input, found, index) {
  u <- signal_columns(input, found, index)
  y <- input$y - drop(input$basis %*% crossprod(input$basis, input$y))
  df <- length(y) - ncol(input$basis) - length(index)
  r <- vapply(seq_along(index), function(k) {
    others <- qr(u[, -k, drop = FALSE])
    held <- qr.Q(others)[, seq_len(others$rank), drop = FALSE]
    stats::cor(residual_on(u[, k], held), residual_on(y, held))
  }, 0)
  half <- if (df >= 4) stats::qnorm(0.975) / sqrt(df - 1) else NA_real_
  positive <- r > 0
  direction <- if (is.null(response$levels)) {
    ifelse(positive, "+", "-")
  } else {
    response$levels[1L + positive]
  }
  data.frame(
    direction = direction, partial_r = r, lower = tanh(atanh(r) - half),
    upper = tanh(atanh(r) + half)
  )
}

residual_on <- function(values, basis) values - drop(basis %*% crossprod(basis, values))

null_record <- function(found, input, kind) {
  list(
    kind = kind, maxima = found$maxima,
    n_distinct = if (kind == "rotation") Inf else count_arrangements(input$y, input$exchange),
    band = data.frame(
      rank = seq_len(ncol(found$band)), lower = found$band[1, ], upper = found$band[2, ]
    )
  )
}

# Ways to deal the values of y to the samples within the exchangeable sets.
count_arrangements <- function(y, exchange) {
  parts <- split(y, exchange)
  log_ways <- function(part) lfactorial(length(part)) - sum(lfactorial(table(part)))
  round(exp(sum(vapply(parts, log_ways, 0))))
}

# What the stored simulations found, see inst/experiments/evidence.
stated_rates <- function() {
  file <- system.file("experiments", "evidence", "results", "rates.csv", package = "stabilect")
  utils::read.csv(file)
}
