# From the core's answer to the result of find_signals().

new_signals <- function(study, units, input, found, asked, reader, seed, record) {
  names <- units$study$feature_names
  index <- found$named$feature
  features <- names[index]
  near <- neighbours_of(found, index, names)
  sets <- shared_table(found$shared, names, features)
  table <- cbind(
    probability_table(found$named, names, input), partial_effects(found$named, input)
  )
  table$n_neighbours <- lengths(near, use.names = FALSE)
  table$set_size <- vapply(features, set_size_of, 1L, sets, USE.NAMES = FALSE)
  table[c("frequency", "score")] <- reader(features)
  if (!is.null(units$members)) table <- cbind(table, describe_members(units$members, features))
  study$notes <- c(study$notes, input$note)
  if (!is.null(asked$covariates)) study <- set_role(study, "covariates", asked$covariates)
  result <- new_result(
    "stabilect_signals", table,
    features = features, p_value = found$global_p, expected_wrong = sum(1 - table$probability),
    candidates = strongest_first(probability_table(found$shown, names, input)),
    neighbours = near, sets = sets,
    unnamed = input$unnamed, background = background_of(found), dependence = found$dependence,
    marginal = marginal_table(found, names),
    null = null_record(found, input, asked$null), asked = asked,
    study = if (is.null(record)) study_record(study) else record,
    made = list(seed = seed, n_null = length(found$maxima))
  )
  result$members <- units$members
  if (is.null(units$members)) know_interchangeable(result, study) else result
}

probability_table <- function(named, names, input) {
  table <- data.frame(
    feature = names[named$feature], probability = named$probability, mc_error = named$error
  )
  if (length(input$rivals) > 0L) table$class <- input$response$levels[named$class]
  table
}

strongest_first <- function(table) sort_rows(table, -table$probability)

# Without signal no model is drawn.
background_of <- function(found) {
  drawn <- if (found$sampled) found$background[c("probability", "error")] else c(NA_real_, NA_real_)
  stats::setNames(as.list(drawn), c("probability", "mc_error"))
}

marginal_table <- function(found, names) {
  data.frame(
    feature = names, correlation = found$correlation, p = found$p,
    inclusion = if (found$sampled) found$inclusion else NA_real_
  )
}

# Features that carry the signal of a name in the models drawn. A set without the name itself would
# contradict it, and is left out.
shared_table <- function(shared, names, features) {
  sets <- lapply(shared, function(set) names[set$feature])
  kept <- vapply(seq_along(sets), function(k) features[k] %in% sets[[k]], NA)
  data.frame(
    about = as.character(rep(features[kept], lengths(sets[kept]))),
    feature = as.character(unlist(sets[kept])),
    share = as.double(unlist(lapply(shared[kept], `[[`, "share")))
  )
}

set_size_of <- function(feature, sets) {
  size <- sum(sets$about == feature)
  if (size > 0L) size else NA_integer_
}

# @return list by feature of named correlations above 0.7 in absolute value, largest first.
neighbours_of <- function(found, index, names, near = 0.7) {
  stats::setNames(lapply(seq_along(index), function(k) {
    of_one <- stats::setNames(pmax(-1, pmin(1, found$near[, k])), names)[-index[k]]
    of_one <- of_one[abs(of_one) > near]
    of_one[order(-abs(of_one), method = "radix")]
  }), names[index])
}

# Partial correlations of each selected feature given the others and the covariates, in the plain
# metric, with Fisher's interval: atanh(r) +- z / sqrt(df - 1) for df residual degrees of freedom
# (Fisher 1924). Of several classes, with the indicator of the feature's class.
partial_effects <- function(named, input) {
  several <- length(input$rivals) > 0L
  response <- input$response
  x <- input$x[, named$feature, drop = FALSE]
  u <- residual_on(x, input$basis)
  scores <- if (several) outer(response$codes, seq_along(response$levels), `==`) + 0 else input$y
  y <- residual_on(scores, input$basis)
  df <- nrow(y) - ncol(input$basis) - ncol(u)
  r <- vapply(seq_len(ncol(u)), function(k) {
    others <- qr(u[, -k, drop = FALSE])
    held <- qr.Q(others)[, seq_len(others$rank), drop = FALSE]
    own <- y[, if (several) named$class[k] else 1L, drop = FALSE]
    stats::cor(residual_on(u[, k, drop = FALSE], held), residual_on(own, held))
  }, 0)
  half <- if (df >= 4) stats::qnorm(0.975) / sqrt(df - 1) else NA_real_
  data.frame(
    direction = if (several) {
      c(NA, response$levels)[
        cpp_highest_classes(x, response$codes, length(response$levels)) + 1L
      ]
    } else {
      direction_words(r, response$levels)
    }, partial_r = r, lower = tanh(atanh(r) - half),
    upper = tanh(atanh(r) + half)
  )
}

null_record <- function(found, input, kind) {
  rotated <- kind == "rotation"
  list(
    kind = kind, complete = !is.null(input$places),
    assumes = if (rotated) "normal residuals" else input$assumes,
    not_normal = if (rotated) input$not_normal else character(), maxima = found$maxima,
    n_distinct = if (rotated) {
      Inf
    } else {
      round(count_orders(list(value = input$distinct, group = input$exchange)))
    },
    band = data.frame(
      rank = seq_len(ncol(found$band)), lower = found$band[1, ], upper = found$band[2, ]
    )
  )
}

# @return function(features): their frequency and score in a result, or NULL without a result.
frequency_reader <- function(result, feature_names) {
  if (is.null(result)) {
    return(function(features) list(NULL, NULL))
  }
  table <- if (inherits(result, "stabilect_result")) result$table
  refuse(is.null(table$feature) || is.null(table$frequency) && is.null(table$score),
    "{.arg result} must be a result with frequencies or scores of features, such as
      that of {.fn fealect}, not {describe_value(result)}."
  )
  refuse_at(setdiff(feature_names, table$feature),
    "{.arg result} is a result for other features: it lacks {.val {at}}."
  )
  function(features) {
    at <- match(features, table$feature)
    list(table$frequency[at], table$score[at])
  }
}
