# What an index makes of a set of runs, in the form that intervals and tests need: the estimate, the
# estimates without each run, and those under other multiplicities of the runs. Index functions take
# (data, options) and return one of these; stability() and the tests know nothing else of them.

# @param estimate (number, NA when undefined)
# @param loo (numeric, m) estimate without run i; NA where undefined.
# @param replicate (function) takes a matrix m x R of multiplicities of the runs (>= 0), returns R
#   estimates. A run drawn several times is never paired with itself: such pairs agree perfectly and
#   would raise every replicate by about 1/m.
# @param note (string) why the estimate is NA, or what was done to get one; "" when plain.
# @param mc_se (number) standard error of a Monte Carlo correction, 0 for exact ones.
new_index_value <- function(estimate, loo, replicate, note = "", mc_se = 0) {
  structure(
    list(estimate = estimate, loo = loo, replicate = replicate, note = note, mc_se = mc_se),
    class = "stabilect_index_value"
  )
}

# For an index that cannot be computed for these runs.
undefined_value <- function(m, note) {
  new_index_value(NA_real_, rep(NA_real_, m), function(w) rep(NA_real_, ncol(w)), note)
}

# Mean over pairs of runs. `s` (symmetric, m x m; its diagonal is not used).
value_from_pairs <- function(s, note = "", mc_se = 0) {
  one <- matrix(1, nrow(s), ncol(s))
  value_from_ratio(s, one, note, mc_se)
}

# Sum over pairs of `num` by sum over pairs of `den`: for indices whose correction is averaged
# before the division, such as phi_iw (paper 003, Eq. 6). NA where the denominator vanishes.
value_from_ratio <- function(num, den, note = "", mc_se = 0) {
  m <- nrow(num)
  diag(num) <- 0
  diag(den) <- 0
  ratio <- function(a, b) ifelse(b != 0, a / b, NA_real_)
  estimate <- ratio(sum(num), sum(den))
  loo <- if (m > 2L) {
    ratio(sum(num) - 2 * rowSums(num), sum(den) - 2 * rowSums(den))
  } else {
    rep(NA_real_, m)
  }
  replicate <- function(w) ratio(colSums(w * (num %*% w)), colSums(w * (den %*% w)))
  new_index_value(estimate, loo, replicate, note, mc_se)
}

# One row of the table of indices, see list_stability_indices().
# @param fun (function of (data, options)) returns a stabilect_index_value.
# @param family "sets", "similarity", "weights" or "ranks".
# @param lower,upper (string) attainable bounds, such as "-1/(m-1)" and "1".
# @param corrected (flag) zero in expectation for random runs as it stands; correctable: whether
#   `correct_for_chance = TRUE` makes it so.
# @param needs (character) of "p", "similarity", "score", "importance", "equal sizes".
# @param properties (logical, 5) fully defined, strictly monotone, bounds, maximum if and only if
#   deterministic, corrected for chance (Nogueira et al. 2018; paper 003, section 2.1).
# @param frequency (flag) computed from selection frequencies in O(B k).
index_entry <- function(name, label, family, fun, lower, upper, corrected, correctable, needs,
                        properties, frequency, reference) {
  list(
    name = name, label = label, family = family, fun = fun, lower = lower, upper = upper,
    corrected = corrected, correctable = correctable, needs = needs, properties = properties,
    frequency = frequency, reference = reference
  )
}

# The successful runs of a selection as plain vectors, read by every index function. Features are
# numbered from 0; those of run i are feature[(start[i] + 1):start[i + 1]], ascending.
index_data <- function(selection) {
  runs <- ok_runs(selection)
  selected <- selection$selected[, runs, drop = FALSE]
  list(
    n_features = nrow(selected), n_runs = ncol(selected), start = selected@p,
    feature = selected@i, size = diff(selected@p),
    frequency = tabulate(selected@i + 1L, nrow(selected)),
    score = if (!is.null(selection$score)) selection$score[, runs, drop = FALSE],
    importance = if (!is.null(selection$importance)) selection$importance[, runs, drop = FALSE],
    feature_names = selection$feature_names
  )
}

join_notes <- function(...) {
  notes <- c(...)
  paste(notes[nzchar(notes)], collapse = "; ")
}
