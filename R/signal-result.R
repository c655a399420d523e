# From the core's answer to the result of find_signals().

new_signals <- function(study, units, input, found, asked, reader, seed) {
  names <- units$study$feature_names
  # Nothing is selected if the answer to the first question is no: selections by chance are then as
  # rare as this p is small.
  shown <- found$global_p <= 0.05
  index <- if (shown) found$named$feature else integer()
  features <- names[index]
  near <- neighbours_of(found, index, names)
  sets <- credible_tables(found$sets, names, features)
  table <- cbind(
    data.frame(feature = features, p = if (shown) found$named$p else numeric()),
    partial_effects(study$response, input, index)
  )
  table$n_neighbours <- lengths(near, use.names = FALSE)
  table$set_size <- vapply(features, credible_size, 1L, sets, USE.NAMES = FALSE)
  table[c("frequency", "score")] <- reader(features)
  if (!is.null(units$members)) table <- cbind(table, describe_members(units$members, features))
  study$notes <- c(study$notes, input$note)
  result <- new_result(
    "stabilect_signals", table,
    features = features, p_value = found$global_p, steps = step_table(found, names),
    neighbours = near, sets = sets,
    unproven = if (length(index) > 0L) character() else utils::head(names[found$steps$feature], 5L),
    marginal = data.frame(feature = names, correlation = found$correlation, p = found$p),
    null = null_record(found, input, asked$null), rates = stated_rates(asked), asked = asked,
    study = study_record(study), made = list(seed = seed, n_null = asked$permute)
  )
  result$members <- units$members
  result
}

# Number of features in the smallest set that contains one; NA without any.
credible_size <- function(feature, sets) {
  sizes <- table(sets$set)[as.character(sets$set[sets$feature == feature])]
  if (length(sizes) == 0L) NA_integer_ else min(sizes)
}

step_table <- function(found, names) {
  steps <- found$steps
  k <- seq_along(steps$p)
  data.frame(
    step = k, feature = names[steps$feature[k]], partial_r = steps$statistic[k], p = steps$p,
    forward_stop = cumsum(-log1p(-steps$p)) / k, accepted = k <= steps$n_accepted,
    kept = steps$feature[k] %in% found$named$feature
  )
}

# @return list by feature of named correlations above 0.7 in absolute value, largest first.
neighbours_of <- function(found, index, names, near = 0.7) {
  stats::setNames(lapply(seq_along(index), function(k) {
    of_one <- stats::setNames(pmax(-1, pmin(1, found$near[, k])), names)[-index[k]]
    of_one <- of_one[abs(of_one) > near]
    of_one[order(-abs(of_one), method = "radix")]
  }), names[index])
}

# One row per set and member. A set is about the most probable selected feature in it.
credible_tables <- function(sets, names, named) {
  members <- lapply(sets, function(set) names[set$feature])
  probability <- lapply(sets, `[[`, "probability")
  about <- vapply(seq_along(sets), function(k) {
    of_named <- replace(probability[[k]], !members[[k]] %in% named, -1)
    if (any(of_named >= 0)) members[[k]][which.max(of_named)] else NA_character_
  }, "")
  data.frame(
    set = rep(seq_along(sets), lengths(members)), about = rep(about, lengths(members)),
    feature = as.character(unlist(members)), probability = as.double(unlist(probability))
  )
}

# Partial correlations of each selected feature given the others and the covariates, in the plain
# metric, with Fisher's interval: atanh(r) +- z / sqrt(df - 1) for df residual degrees of freedom
# (Fisher 1924).
partial_effects <- function(response, input, index) {
  u <- residual_on(input$x[, index, drop = FALSE], input$basis)
  y <- drop(residual_on(matrix(input$y), input$basis))
  df <- length(y) - ncol(input$basis) - length(index)
  r <- vapply(seq_along(index), function(k) {
    others <- qr(u[, -k, drop = FALSE])
    held <- qr.Q(others)[, seq_len(others$rank), drop = FALSE]
    stats::cor(residual_on(u[, k, drop = FALSE], held), residual_on(matrix(y), held))
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

null_record <- function(found, input, kind) {
  rotated <- kind == "rotation"
  list(
    kind = kind, assumes = if (rotated) "normal residuals" else input$assumes,
    not_normal = if (rotated) input$not_normal else character(), maxima = found$maxima,
    n_distinct = if (rotated) Inf else count_arrangements(input$y, input$exchange),
    band = data.frame(
      rank = seq_len(ncol(found$band)), lower = found$band[1, ], upper = found$band[2, ]
    )
  )
}

# Number of assignments of the values of y to the samples within the exchangeable sets.
count_arrangements <- function(y, exchange) {
  parts <- split(y, exchange)
  log_ways <- function(part) lfactorial(length(part)) - sum(lfactorial(table(part)))
  round(exp(sum(vapply(parts, log_ways, 0))))
}

# Results of simulations, see experiments/evidence, for clusters experiments/signal-clusters.
stated_rates <- function(asked) {
  file <- file.path("extdata", "results", paste0(unit_of(asked)$experiment, ".rds"))
  readRDS(system.file(file, package = "stabilect", mustWork = TRUE))$rates
}
