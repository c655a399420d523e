# Simulated responses on observed features, and what procedures find in them.

# The varying columns with mean 0 and mean square 1, under their names.
standardise_varying <- function(x) {
  z <- sweep(x, 2L, colMeans(x))
  scale <- sqrt(colMeans(z^2))
  varies <- which(scale > 1e-12 * apply(abs(x), 2L, max))
  z <- sweep(z[, varies, drop = FALSE], 2L, scale[varies], "/")
  structure(z, columns = varies)
}

# @param share (number) of the signal that is diffuse; like (of read_diffuse(), or NULL):
#   with it, the outcome whose spread is nearest to the one observed, of 20.
# @return list(y (labels or numbers, in the user's form), truth (integer: columns of x), family,
#   diffuse (n x links, or NULL), spread (NA without `like`)).
simulate_response <- function(study, z, n_true, r_squared, seed, share = 0, like = NULL) {
  response <- study$response
  drawn <- with_seed(seed, {
    if (is.null(like)) {
      draw_outcome(response, z, n_true, r_squared, 0, NULL)
    } else {
      some <- lapply(1:20, function(i) draw_outcome(response, z, n_true, r_squared, share, like))
      some[[which.min(vapply(some, function(one) abs(log(one$spread / like$spread)), 0))]]
    }
  })
  at <- drawn$at
  y <- if (is.null(at)) drop(drawn$value) else response_labels(response_rows(response, at))
  list(
    y = y, truth = attr(z, "columns")[drawn$chosen], family = asked_family(response$type),
    diffuse = drawn$diffuse, spread = drawn$spread
  )
}

# One outcome: true features, diffuse part and noise.
draw_outcome <- function(response, z, n_true, r_squared, share, like) {
  chosen <- sample.int(ncol(z), n_true)
  sign <- sample(c(-1, 1), n_true, TRUE)
  noise <- outcome_noise(response)
  # A feature moves the link of one class, and the features take turns.
  link <- rep_len(sample.int(ncol(noise)), n_true)
  signal <- z[, chosen, drop = FALSE] %*% (sign * outer(link, seq_len(ncol(noise)), `==`))
  diffuse <- if (share > 0) draw_diffuse(like)
  if (share > 0) {
    signal <- sqrt(1 - share) * scale_signal(signal) + sqrt(share) * scale_signal(diffuse)
  }
  value <- mix_signal(signal, noise, r_squared)
  at <- arrange_outcome(response, value)
  spread <- if (is.null(like)) {
    NA_real_
  } else {
    spread_of(if (is.null(at)) value else like$scores[at, , drop = FALSE], z)
  }
  list(chosen = chosen, value = value, at = at, diffuse = diffuse, spread = spread)
}

# @param signal,noise (n x links); the noise has variance 1.
mix_signal <- function(signal, noise, r_squared) {
  signal <- scale_signal(signal)
  # True features may cancel each other.
  if (all(signal == 0)) noise else sqrt(r_squared) * signal + sqrt(1 - r_squared) * noise
}

# Variance 1, or 0. Of several links only differences matter.
scale_signal <- function(signal) {
  m <- ncol(signal)
  if (m > 1L) signal <- signal - rowMeans(signal)
  spread <- sqrt(mean(signal^2) * if (m > 1L) m / (m - 1) else 1)
  if (spread < 1e-12) 0 * signal else signal / spread
}

# @return data frame, one row per set, procedure and cut: cell, set, method, cut, cutoff, size,
#   true, related (true or near), behind (others that go with the diffuse part), n_true, claimed,
#   spread.
count_in_cells <- function(study, z, procedures, strengths, asked, seed, control) {
  cells <- strengths$cells
  like <- strengths$like
  grid <- expand.grid(set = seq_len(asked$n_simulations), cell = seq_len(nrow(cells)))
  # The same features and noise in every cell with the same number of true features.
  seeds <- child_seeds(seed, asked$n_simulations + 8L)[-(1:8)]
  n_threads <- control$n_threads
  near <- asked$threshold
  counted <- run_tasks(nrow(grid), with_data(function(k) {
    cell <- cells[grid$cell[k], ]
    own <- seeds[grid$set[k]]
    # Pure noise imitates nothing.
    drawn <- simulate_response(
      study, z, cell$n_true, cell$r_squared, own, cell$diffuse, if (cell$n_true > 0L) like
    )
    drawn$near <- columns_near(z, drawn$truth, near, study$p)
    drawn$behind <- columns_along(z, drawn$diffuse, near, study$p)
    study$response <- read_response(drawn$y, study$n, drawn$family)
    rows <- Map(function(one, label) {
      result <- carry_out_on(one$procedure, study, seq_len(study$n), own, n_threads)
      cbind(method = label, count_cuts(result, drawn, study, one$claim, label))
    }, procedures, names(procedures))
    cbind(
      set = grid$set[k], cell = grid$cell[k], spread = drawn$spread, do.call(rbind, unname(rows))
    )
  }, study = study, z = z, procedures = procedures, cells = cells, grid = grid, seeds = seeds,
  near = near, n_threads = n_threads, like = like), control, "Error rates")
  do.call(rbind, counted)
}

# Columns of x near a true one, including true ones.
columns_near <- function(z, truth, near, p) {
  out <- columns_along(z, z[, match(truth, attr(z, "columns")), drop = FALSE], near, p)
  out[truth] <- TRUE
  out
}

# Columns of x that correlate with a column of v.
columns_along <- function(z, v, near, p) {
  out <- logical(p)
  if (length(v) > 0L) {
    v <- sweep(v, 2L, colMeans(v))
    r <- abs(crossprod(z, v)) / rep(sqrt(nrow(z) * colSums(v^2)), each = ncol(z))
    out[attr(z, "columns")[rowSums(r > near, na.rm = TRUE) > 0]] <- TRUE
  }
  out
}

# Functions of the user have none.
settings_of <- function(object) if (inherits(object, "stabilect_result")) object$asked

# The features in every cut of a result, or the clusters: a cluster is what one of its members is.
# @param drawn of simulate_response(), with near and behind (flags of features).
count_cuts <- function(result, drawn, study, claim, label) {
  record <- record_of(result)
  unit <- unit_of(if (is.null(record)) study else record)
  truth <- unique(unit$code[drawn$truth])
  nearby <- unique(unit$code[drawn$near])
  behind <- setdiff(unit$code[drawn$behind], nearby)
  ranked <- ranking_of_result(result, unit$names, label)
  by_frequency <- rule_of(settings_of(result))$by_frequency
  cutoffs <- if (by_frequency) {
    seq(0.3, 1, by = 0.05)
  } else {
    sizes <- c(1, 2, 3, 5, 10, 20, 50, 100)
    sizes[sizes <= unit$n & nrow(result$table) == unit$n]
  }
  taken <- if (by_frequency) {
    vapply(cutoffs, function(cutoff) sum(result$table$frequency >= cutoff - 1e-9), 0)
  } else {
    cutoffs
  }
  lists <- c(list(ranked$own), lapply(taken, utils::head, x = ranked$order))
  kind <- if (by_frequency) "frequency" else "n_features"
  data.frame(
    cut = c("own", rep(kind, length(cutoffs))), cutoff = c(NA_real_, cutoffs),
    size = lengths(lists), true = vapply(lists, function(l) sum(l %in% truth), 0),
    related = vapply(lists, function(l) sum(l %in% nearby), 0),
    behind = vapply(lists, function(l) sum(l %in% behind), 0), n_true = length(truth),
    claimed = if (is.null(claim)) NA_real_ else claimed_bounds(claim, cutoffs)
  )
}

# The bounds for the procedure's own cutoff and for others.
claimed_bounds <- function(claim, cutoffs) {
  other <- vapply(cutoffs, function(cutoff) {
    bound_pfer(claim$n_total, claim$q, cutoff, claim$n_pairs, claim$assumption)
  }, 0)
  other[!is.finite(other)] <- NA
  c(claim$pfer, other)
}

# @param usual (whole numbers) where there are many features.
usual_true_sizes <- function(usual, n_varying) {
  few <- as.integer(usual[usual <= n_varying / 2])
  if (length(few) > 0L) few else max(1L, n_varying %/% 5L)
}

check_true_sizes <- function(n_true, n_varying) {
  refuse(!is.numeric(n_true) || length(n_true) == 0L || anyDuplicated(n_true),
    "{.arg n_true} must hold distinct whole numbers."
  )
  vapply(n_true, check_count, 1L, name = "n_true", min = 0, max = n_varying)
}
