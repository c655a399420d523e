# Indices that count similar features as (partly) the same (Bommert and Rahnenfuehrer 2020): scores
# of pairs of runs come from C++, corrections for chance are exact for Yu and Zucknick and Monte
# Carlo for the four intersections, where a minimum or a matching has no closed form.

index_entries_similarity <- function() {
  adjusted <- function(name, label, reference, corrected = TRUE, lower = "none") {
    index_entry(
      name, label, "similarity",
      fun = function(data, options) similarity_value(data, options, name),
      lower = lower, upper = "1", corrected = corrected, correctable = !corrected,
      needs = c("p", "similarity"), properties = c(FALSE, FALSE, TRUE, FALSE, corrected),
      frequency = FALSE, reference = reference
    )
  }
  bommert <- "Bommert and Rahnenfuehrer (2020), LOD 2020, 203-214"
  list(
    adjusted("intersection_count", "Intersection, counting", bommert),
    adjusted("intersection_mean", "Intersection, mean similarity", bommert),
    adjusted("intersection_greedy", "Intersection, greedy matching", bommert),
    adjusted("intersection_mbm", "Intersection, maximum matching", bommert),
    adjusted("yu", "Yu", "Yu, Han and Berens (2012), IEEE/ACM TCBB 9(1), 262-272"),
    adjusted(
      "zucknick", "Zucknick", "Zucknick, Richardson and Stronach (2008), SAGMB 7(1), 7",
      corrected = FALSE, lower = "0"
    ),
    index_entry(
      "sechidis", "Sechidis (phi_C)", "similarity", sechidis_value,
      lower = "none", upper = "1", corrected = FALSE, correctable = FALSE,
      needs = c("p", "similarity"), properties = c(FALSE, FALSE, FALSE, FALSE, FALSE),
      frequency = TRUE,
      reference = "Sechidis, Papangelou, Nogueira, Weatherall and Brown (2020), ECML PKDD 2019"
    )
  )
}

similarity_value <- function(data, options, index, input = similarity_input(data, options)) {
  if (data$n_runs < 2L) {
    return(undefined_value(data$n_runs, "needs at least two runs"))
  }
  observed <- cpp_compare_sets(
    input$core, data$start, data$feature, index, options$n_threads
  )
  if (index == "zucknick" && !isTRUE(options$correct)) {
    return(value_from_scores(observed, options$impute_na, "both sets are empty"))
  }
  sizes <- size_classes(data$size, index)
  sizes <- with_chance(sizes, input, data, options, index)
  value <- value_from_scores(
    corrected_scores(observed, sizes), options$impute_na,
    "no score once corrected for chance (a set is empty, or full)"
  )
  value$mc_se <- chance_error(observed, sizes, input, data, options, index)
  if (input$sampled && value$note == "") {
    value$note <- sprintf(
      "chance from %d of %d features", length(input$number), data$n_features
    )
  }
  value
}

# Distinct unordered pairs of set sizes, the best value for each, and which pair of runs is of
# which.
size_classes <- function(size, index) {
  low <- outer(size, size, pmin)
  high <- outer(size, size, pmax)
  code <- as.double(low) * (max(size) + 1) + high
  key <- sort(unique(code[upper.tri(low)]))
  sizes <- list(
    low = key %/% (max(size) + 1), high = key %% (max(size) + 1),
    code = matrix(match(code, key), length(size))
  )
  sizes$best <- switch(index,
    zucknick = rep(1, length(key)),
    yu = (sizes$low + sizes$high) / 2,
    sqrt(sizes$low * sizes$high)
  )
  sizes
}

# Adds the expectation for each pair of sizes, and its standard error when it is Monte Carlo.
with_chance <- function(sizes, input, data, options, index) {
  p <- data$n_features
  if (index == "zucknick") {
    sizes$expected <- chance_zucknick(sizes, p, mean(input$sum) * p)
  } else if (index == "yu") {
    sizes$expected <- chance_yu(sizes, p, input$number)
  } else {
    chance <- cpp_chance_intersection(
      input$null, sizes$low, sizes$high, p, index, options$n_draws, options$seed,
      options$n_threads
    )
    sizes$expected <- chance$mean
    sizes$se <- chance$se
  }
  sizes
}

# NaN where the best value is what chance gives.
corrected_scores <- function(observed, sizes) {
  room <- sizes$best - sizes$expected
  room[abs(room) <= 1e-12 * pmax(sizes$best, 1)] <- NaN
  matrix((observed - sizes$expected[sizes$code]) / room[sizes$code], nrow(observed))
}

# Expectations given the overlap r of two random sets, averaged over its hypergeometric law.
# Zucknick: `total` is the sum of the similarities of all ordered pairs of similar features.
chance_zucknick <- function(sizes, p, total) {
  one <- function(a, b) {
    if (b == 0) {
      return(NaN)
    }
    r <- seq(max(0, a + b - p), min(a, b))
    share <- if (p > 1) total / (p * (p - 1)) else 0
    similar <- share * b * (a - r) * (if (a > 0) 1 / a else 0) + share * a * (b - r) / b
    sum(stats::dhyper(r, a, p - a, b) * (r + similar) / (a + b - r))
  }
  mapply(one, as.double(sizes$low), as.double(sizes$high))
}

# Yu: a feature in one set only has a similar one among the l features of the other set only with
# probability 1 - C(p - 1 - d, l) / C(p - 1, l), d being the number of its neighbours.
chance_yu <- function(sizes, p, number) {
  degree <- sort(unique(number))
  weight <- tabulate(match(number, degree), length(degree)) / length(number)
  hit <- vapply(seq(0, max(sizes$high)), function(l) {
    if (l > p - 1) {
      return(0)
    }
    1 - sum(weight * exp(lchoose(p - 1 - degree, l) - lchoose(p - 1, l)))
  }, 0)
  one <- function(a, b) {
    r <- seq(max(0, a + b - p), min(a, b))
    similar <- ((a - r) * hit[b - r + 1] + (b - r) * hit[a - r + 1]) / 2
    sum(stats::dhyper(r, a, p - a, b) * (r + similar))
  }
  mapply(one, as.double(sizes$low), as.double(sizes$high))
}

# Standard error of the index from that of the expectations: each of them enters the scores of all
# pairs of runs with its sizes. Of sampled features: from ten parts of the sample.
chance_error <- function(observed, sizes, input, data, options, index) {
  pairs <- which(upper.tri(observed))
  if (!is.null(sizes$se)) {
    room <- (sizes$best - sizes$expected)[sizes$code]
    slope <- ((observed - sizes$best[sizes$code]) / room^2)[pairs]
    slope[!is.finite(slope)] <- 0
    by_size <- rowsum(slope, sizes$code[pairs])
    at <- as.integer(rownames(by_size))
    return(sqrt(sum((by_size * sizes$se[at])^2)) / length(pairs))
  }
  if (!input$sampled) {
    return(0)
  }
  part <- rep(seq_len(10L), length.out = length(input$number))
  estimates <- vapply(seq_len(10L), function(k) {
    some <- list(number = input$number[part == k], sum = input$sum[part == k])
    changed <- with_chance(sizes, some, data, options, index)
    mean(corrected_scores(observed, changed)[pairs], na.rm = TRUE)
  }, 0)
  stats::sd(estimates) / sqrt(10) * sqrt(1 - length(input$number) / data$n_features)
}

# Mean over pairs of runs, some of which may have no score (NaN): a value in their place, or an
# estimate, a leave-one-out estimate or a replicate only where none of them takes part.
value_from_scores <- function(score, impute_na, reason) {
  undefined <- is.na(score)
  diag(undefined) <- FALSE
  if (!any(undefined)) {
    return(value_from_pairs(score))
  }
  if (!is.null(impute_na)) {
    score[undefined] <- impute_na
    note <- sprintf("%d of %d pairs set to %s", sum(undefined) / 2, choose(nrow(score), 2),
                    format(impute_na))
    return(value_from_pairs(score, note))
  }
  score[undefined] <- 0
  value <- value_from_pairs(score)
  touched <- undefined * 1
  first <- which(undefined & upper.tri(undefined), arr.ind = TRUE)[1L, ]
  value$estimate <- NA_real_
  value$loo[sum(touched) - 2 * rowSums(touched) > 0] <- NA_real_
  plain <- value$replicate
  value$replicate <- function(w) {
    ifelse(colSums(w * (touched %*% w)) > 0, NA_real_, plain(w))
  }
  value$note <- sprintf("runs %d and %d: %s", first[[1L]], first[[2L]], reason)
  value
}
