# Combines the tests of many splits into one answer for every feature.

# What least squares explains in some samples: y or, for other outcomes, their scores in the model
# without features, as many columns as are independent. The coefficient of a false feature that
# depends linearly on the true ones is 0 whatever the law of the outcome. Unlike ratios of
# likelihoods, these tests keep their level in small halves (experiments/splits).
split_scores <- function(response, rows) {
  part <- response_rows(response, rows)
  if (length(unique(part$y)) < 2L && length(unique(distinct_codes(part))) < 2L) {
    return(matrix(0, length(rows), 1L))
  }
  score <- cbind(outcome_scores(part, matrix(0, length(rows), 0L)))
  if (ncol(score) == 1L) {
    return(score)
  }
  found <- qr(sweep(score, 2L, colMeans(score)))
  score[, found$pivot[seq_len(max(1L, found$rank))], drop = FALSE]
}

split_numbers <- function(study) drop(split_scores(study$response, seq_len(study$n)))

# The largest model of a half, unless a larger one is asked for.
largest_split <- function(n, n_features = NULL) max(min(n, many_samples) %/% 4L, n_features)

# Least squares of scores on a set of features, with an intercept.
# @return list(beta, p): NA and 1 for features that these samples do not tell apart, whatever their
#   order. Several columns of scores have no single coefficient.
test_set <- function(x, y, set) {
  out <- list(beta = rep(NA_real_, length(set)), p = rep(1, length(set)))
  if (length(set) == 0L) {
    return(out)
  }
  if (ncol(y) > 1L) {
    part <- function(at) test_part(x[, set, drop = FALSE], y, seq_along(set) == at)
    return(replace(out, "p", list(vapply(seq_along(set), part, 0))))
  }
  line <- stats::lm.fit(cbind(1, x[, set, drop = FALSE]), y[, 1L])
  rank <- line$rank
  kept <- line$qr$pivot[seq_len(rank)]
  spread <- sum(line$residuals^2) / line$df.residual
  error <- sqrt(spread * diag(chol2inv(line$qr$qr[seq_len(rank), seq_len(rank), drop = FALSE])))
  beta <- line$coefficients[kept]
  p <- 2 * stats::pt(-abs(beta / error), line$df.residual)
  feature <- kept > 1L & is_determined(line$qr)[kept]
  out$beta[kept[feature] - 1L] <- beta[feature]
  out$p[kept[feature] - 1L] <- ifelse(is.nan(p[feature]), 1, p[feature])
  out
}

# Which columns are no part of a combination that is zero?
# @param found (qr) of lm.fit().
is_determined <- function(found) {
  first <- seq_len(found$rank)
  told <- seq_along(found$pivot) <= found$rank
  upper <- found$qr[first, , drop = FALSE]
  upper[lower.tri(upper)] <- 0
  size <- sqrt(colSums(upper^2))
  for (k in which(!told)) {
    parts <- backsolve(upper, upper[, k], k = found$rank)
    told[first] <- told[first] & abs(parts) * size[first] <= 1e-7 * size[k]
  }
  told[order(found$pivot)]
}

# @param tested (list of test_set()), sets (list of integer), one each per split.
# @return list(value (numeric, p), selected (flags), n_selected (integer, one per split)).
judge_p_values <- function(tested, sets, p, fwer) {
  adjusted <- lapply(tested, function(one) pmin(1, one$p * length(one$p)))
  by_feature <- split(unlist(adjusted), factor(unlist(sets), seq_len(p)))
  value <- rep(1, p)
  met <- which(lengths(by_feature) > 0L)
  value[met] <- vapply(by_feature[met], aggregate_p, 0, n_splits = length(sets))
  list(
    value = value, selected = value <= fwer,
    n_selected = vapply(adjusted, function(one) sum(one <= fwer), 0L)
  )
}

# Meinshausen, Meier and Buehlmann (2009), Eq. 2.3, with the grid and the quantiles of hdi.
# @param p (numeric) p-values in the splits that selected the feature; 1 in the others.
aggregate_p <- function(p, n_splits) {
  first <- ceiling(0.05 * n_splits)
  gamma <- seq(first, max(first, n_splits - 1)) / n_splits
  at <- stats::quantile(c(p, rep(1, n_splits - length(p))), gamma, names = FALSE) / gamma
  penalty <- if (length(gamma) > 1L) 1 - log(gamma[1]) else 1
  min(1, penalty * min(at))
}

# Dai et al. (2022).
judge_mirrors <- function(study, draws, tested, sets, asked, control) {
  counts <- draws$counts
  storage.mode(counts) <- "double"
  found <- cpp_coefficients_at(
    study$x, split_numbers(study), counts, sets$lambda, largest_split(study$n, asked$n_features),
    study$feature_names, tie_seeds(draws), control$n_threads, NULL
  )
  spread <- apply(study$x, 2L, stats::sd)
  starts <- c(0L, found$ends)
  chosen <- lapply(seq_along(tested), function(b) {
    own <- starts[b] + seq_len(starts[b + 1L] - starts[b])
    set <- sets$feature[[b]]
    first <- found$x[own][match(set, found$i[own] + 1L)]
    first[is.na(first)] <- 0
    second <- tested[[b]]$beta
    second[is.na(second)] <- 0
    set[pass_mirror(mirror_of(first * spread[set], second * spread[set]), asked$fdr)]
  })
  value <- inclusion_rates(chosen, study$p)
  list(
    value = value, selected = pass_inclusion(value, asked$fdr, study$feature_names),
    n_selected = lengths(chosen)
  )
}

mirror_of <- function(first, second) sign(first * second) * (abs(first) + abs(second))

# Which mirror statistics are above the cutoff of a split?
pass_mirror <- function(mirror, fdr) {
  # Just above zero: all positive ones.
  cuts <- c(0, sort(unique(abs(mirror))))
  share <- vapply(cuts, function(t) (1 + sum(mirror < -t)) / max(1, sum(mirror > t)), 0)
  low <- which(share <= fdr)
  if (length(low) == 0L) rep(FALSE, length(mirror)) else mirror > cuts[low[1]]
}

inclusion_rates <- function(chosen, p) {
  share <- rep(1 / lengths(chosen), lengths(chosen))
  feature <- factor(unlist(chosen), seq_len(p))
  unname(vapply(split(share, feature), sum, 0)) / length(chosen)
}

# Remaining after the smallest rates are dropped as long as their sum is at most `fdr`.
pass_inclusion <- function(rate, fdr, names) {
  order <- rev(order_best(names, rate))
  dropped <- order[cumsum(rate[order]) <= fdr * (1 + 1e-12)]
  rate > 0 & !seq_along(rate) %in% dropped
}

split_table <- function(record, selection, paths, tested, sets, judged, method) {
  table <- frequency_table(feature_rows(record, selection, paths), selection, Inf)
  at <- match(table$feature, selection$feature_names)
  beta <- split(unlist(lapply(tested, `[[`, "beta")), factor(unlist(sets), seq_len(record$p)))
  table$coefficient <- vapply(beta, stats::median, 0, na.rm = TRUE)[at]
  table[[if (method == "mirror") "inclusion" else "p_fwer"]] <- judged$value[at]
  table$selected <- judged$selected[at]
  value <- judged$value[at]
  table <- sort_rows(table, if (method == "mirror") -value else value)
  table[c(
    "feature", "direction", "same_sign", "coefficient", "frequency",
    intersect(c("p_fwer", "inclusion"), names(table)), "selected"
  )]
}

# @param inside (flags) the features of the set whose group is tested, at least one.
adjusted_part_p <- function(study, draws, set, inside, b) {
  rows <- draws$counts[, b] == 0L
  p <- test_part(study$x[rows, set, drop = FALSE], study$scores[[b]], inside)
  min(1, p * length(set) / sum(inside))
}

# The F test of the columns `part` (flags) of x given the others and an intercept; for several
# columns of y Wilks' lambda, with the F of Rao (1951).
test_part <- function(x, y, part) {
  whole <- stats::lm.fit(cbind(1, x), y)
  rest <- stats::lm.fit(cbind(1, x[, !part, drop = FALSE]), y)
  df <- whole$rank - rest$rank
  size <- function(fit) det(crossprod(as.matrix(fit$residuals)))
  left <- size(whole) / size(rest)
  m <- ncol(y)
  root <- if (min(m, df) > 1L) sqrt((m^2 * df^2 - 4) / (m^2 + df^2 - 5)) else 1
  df_left <- (whole$df.residual - (m - df + 1) / 2) * root - m * df / 2 + 1
  if (df == 0L || !isTRUE(left > 0) || df_left <= 0) {
    return(1)
  }
  f <- (left^(-1 / root) - 1) / (m * df) * df_left
  stats::pf(f, m * df, df_left, lower.tail = FALSE)
}
