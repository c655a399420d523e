# Dependence of any kind, beside the linear association that the names of find_signals() rest on.

# @return list(p_value, features (character: family-wise p of at most 0.05, the largest first),
#   table (p rows), n_null, complete (flag: every permutation), n_compared and n_samples (if some
#   were drawn)), or NULL when only linear association is asked for.
find_dependence <- function(input, asked, names, seed, control, report) {
  if (asked$kind == "linear") {
    return(NULL)
  }
  rows <- compared_samples(input$exchange, seed)
  places <- every_place(input, asked$permute, rows)
  found <- cpp_find_dependence(
    residual_on(input$x, input$basis)[rows, , drop = FALSE],
    residual_on(input$y, input$basis)[rows, 1L],
    input$exchange[rows], places, asked$permute, seed, control$n_threads, report
  )
  near <- order(-found$statistic, method = "radix")
  found <- list(
    p_value = found$global_p, features = names[near[found$p[near] <= 0.05]],
    table = data.frame(feature = names, similarity = found$statistic, p = found$p),
    n_null = if (is.null(places)) asked$permute else ncol(places), complete = !is.null(places)
  )
  drawn <- if (length(rows) < nrow(input$x)) c(length(rows), nrow(input$x))
  c(found, if (!is.null(drawn)) list(n_compared = drawn[1], n_samples = drawn[2]))
}

# All samples, or 1,000 of more: similarities take a time in proportion to the square.
# @param exchange (integer, n) samples of one number are exchanged; they keep their proportion, and
#   two of each remain.
# @return (integer) rows.
compared_samples <- function(exchange, seed, most = many_samples) {
  n <- length(exchange)
  if (n <= most) {
    return(seq_len(n))
  }
  with_seed(seed, {
    chosen <- lapply(split(seq_len(n), exchange), function(own) {
      size <- min(length(own), max(2L, floor(length(own) * most / n)))
      own[sample.int(length(own), size)]
    })
    sort(unlist(chosen, use.names = FALSE))
  })
}

# Said beside the verdict on linear association.
describe_dependence <- function(dependence) {
  if (is.null(dependence)) {
    return(NULL)
  }
  largest <- which.max(dependence$table$similarity)
  sprintf(
    "%s: p = %s (largest correlation of similarities %s: %s; %s%s)",
    if (dependence$p_value <= 0.05) "yes, of some kind" else "no evidence of any other kind",
    figure(dependence$p_value, digits = 2),
    figure(dependence$table$similarity[largest], digits = 2),
    dependence$table$feature[largest], describe_compared(dependence),
    describe_draws(dependence$n_null, dependence$complete)
  )
}

# For example: 1,000 of 20,000 samples compared
describe_compared <- function(dependence) {
  if (is.null(dependence$n_compared)) {
    return("")
  }
  count <- function(n) figure(n, big.mark = ",")
  sprintf("%s of %s samples compared; ", count(dependence$n_compared), count(dependence$n_samples))
}

# Dependent features that are not among the names.
describe_dependent <- function(dependence, named) {
  others <- setdiff(dependence$features, named)
  if (length(others) > 0L) {
    sprintf(
      "dependence of some kind (family-wise p <= 0.05): %s",
      shorten_list(toString(others), 60L)
    )
  }
}
