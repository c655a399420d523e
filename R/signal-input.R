# The input of find_signals() to the core: samples, an orthonormal basis of all that is adjusted
# for, and the exchangeable samples.

# @param z (n x q) of read_covariates().
# @return list(x, y (n x k, scores of the samples), basis (n x q), unnamed (string: why no feature
#   can be named, or NULL), distinct (integer, n: of the outcome), gate (number: the largest p with
#   which features are named), is_adjusted (flag: for covariates), is_class (flag: only the sign of
#   y is observed), response (of the rows of x), rivals (of its outcome), exchange (integer, n:
#   samples with the same number are exchangeable), assumes (string, of permutations), not_normal
#   (of departures()), note (character)).
signal_input <- function(study, z, blocks) {
  blocks <- read_signal_blocks(blocks, study)
  x <- study$x
  response <- study$response
  note <- character()
  if (is_copied(blocks)) blocks <- copies_by_outcome(blocks, distinct_codes(response))
  if (!is.null(blocks) && !differs_within(distinct_codes(response), blocks)) {
    sizes <- as.vector(table(blocks))
    x <- block_means(x, blocks, sizes)
    z <- block_means(z, blocks, sizes)
    response <- response_rows(response, match(seq_along(sizes), as.integer(blocks)))
    if (!is_copied(blocks)) {
      note <- sprintf("every block has one response: %d blocks as samples, their means", nrow(x))
    }
    blocks <- NULL
  }
  y <- cbind(outcome_scores(response, z))
  basis <- orthonormal_basis(cbind(z, block_indicators(blocks)))
  check_left(y, basis)
  y <- independent_scores(y, basis)
  check_samples_left(nrow(y), ncol(basis) + ncol(y) - 1L)
  unnamed <- why_unnamed(response)
  rivals <- rival_classes(response)
  list(
    x = x, y = y, basis = basis, note = note,
    unnamed = unnamed, distinct = distinct_codes(response),
    gate = if (is.null(unnamed)) 0.05 else 0, response = response, rivals = rivals,
    is_adjusted = ncol(z) > 0L, is_class = length(response$levels) == 2L || length(rivals) > 0L,
    assumes = assumption_of(y, basis, adjusted = ncol(z) > 0L, outcome_of(response)$is_scale),
    not_normal = departures(residual_on(y, basis)[, 1L], y[, 1L]),
    exchange = if (is.null(blocks)) rep(1L, nrow(y)) else as.integer(blocks)
  )
}

assumption_of <- function(y, basis, adjusted, is_scale) {
  if (!adjusted) {
    "exchangeable samples"
  } else if (is_scale && has_uneven_spread(y[, 1L], residual_on(y, basis)[, 1L])) {
    "residuals of one spread, which these do not have"
  } else {
    "nearly exchangeable residuals"
  }
}

# The score test of Koenker (1981), at 1 %: do squared residuals follow the fitted values?
has_uneven_spread <- function(y, rest) {
  fitted <- y - rest
  # Covariates without any share in y leave rounding errors.
  if (stats::sd(fitted) <= 1e-7 * stats::sd(y) || stats::sd(rest^2) == 0) {
    return(FALSE)
  }
  length(y) * stats::cor(rest^2, fitted)^2 > stats::qchisq(0.99, 1)
}

read_signal_blocks <- function(blocks, study) {
  own <- study$response$blocks
  if (is.null(blocks)) {
    return(check_blocks(own, study$n))
  }
  check_samples(blocks, samples_of_study(study), "blocks")
  given <- check_blocks(blocks, study$n)
  refuse(!is.null(own) && !is_copied(own) && !same_blocks(given, check_blocks(own, study$n)),
    "{.arg x} is prepared data with other blocks than {.arg blocks}."
  )
  given
}

# Copies with several outcomes are one sample for each.
copies_by_outcome <- function(blocks, codes) {
  labels <- paste(as.integer(blocks), codes)
  structure(factor(labels, unique(labels)), class = class(blocks))
}

differs_within <- function(y, blocks) any(tapply(y, blocks, function(part) any(part != part[1])))

block_means <- function(x, blocks, sizes) {
  means <- rowsum(x, as.integer(blocks)) / sizes
  rownames(means) <- NULL
  means
}

block_indicators <- function(blocks) {
  if (!is.null(blocks)) outer(as.integer(blocks), seq_len(nlevels(blocks))[-1], `==`) + 0
}

check_samples_left <- function(n, n_held) {
  refuse(n < 5L, "Signals need at least 5 samples (or blocks that stand for one each), not {n}.")
  refuse(n - n_held < 3L,
    c("Intercept, {.arg covariates}, {.arg blocks} and further classes take {n_held} of {n} degrees
      of freedom; at least 3 must be left.", i = "Adjust for fewer covariates or blocks.")
  )
}

check_left <- function(y, basis) {
  rest <- residual_on(y, basis)
  refuse(sum(rest^2) <= 1e-12 * sum(sweep(y, 2L, colMeans(y))^2),
    "{.arg covariates} or {.arg blocks} explain {.arg y} completely; nothing is left for the
      features."
  )
}

# Of several scores, whose sum may be constant: as many as are left of them.
independent_scores <- function(y, basis) {
  if (ncol(y) == 1L) {
    return(y)
  }
  left <- svd(residual_on(y, basis), nv = 0L)
  left$u[, left$d > 1e-6 * sqrt(sum(sweep(y, 2L, colMeans(y))^2)), drop = FALSE]
}

# Centred first: a mean far from zero would cost digits.
residual_on <- function(columns, basis) {
  columns <- sweep(columns, 2L, colMeans(columns))
  columns - basis %*% crossprod(basis, columns)
}

check_one_score <- function(y, asked) {
  refuse(ncol(y) > 1L && asked$null == "rotation",
    "With several classes {.arg null} must be {.val permutation}."
  )
  refuse(ncol(y) > 1L && asked$kind == "any",
    "With several classes {.arg kind} must be {.val linear}."
  )
}

check_features_left <- function(found) {
  refuse(all(found$length == 0),
    "{.arg covariates} or {.arg blocks} explain every column of {.arg x} completely; there is
      nothing to select from."
  )
}

# Every permutation of the residuals that differs from the others and from the samples as they are,
# or NULL where there are more than `most`. With covariates each sample has a residual of its own.
# @param rows (integer) samples that are compared.
# @return (n x R) sample i of column r takes the residual of sample [i, r].
every_place <- function(input, most, rows = seq_along(input$exchange)) {
  value <- if (input$is_adjusted) seq_along(rows) else input$distinct[rows]
  orders <- other_arrangements(list(group = input$exchange[rows], value = value), most)
  if (!is.null(orders)) do.call(cbind, orders)
}

# Of imputed data, the columns of the input that the draws change, and those columns of each
# draw.
versions_of <- function(study, input, z, blocks) {
  if (is.null(study$imputed)) {
    return(list(changed = integer(), values = list()))
  }
  versions <- lapply(seq_len(study$imputed$n_draws), function(k) {
    drawn <- study_of_draw(study, k)
    signal_input(unit_of(drawn)$signals(drawn)$study, z, blocks)$x
  })
  changed <- which(Reduce(`|`, lapply(versions, function(x) colSums(x != input$x) > 0)))
  list(changed = changed, values = lapply(versions, function(x) x[, changed, drop = FALSE] + 0))
}
