# The penalty of the half that selects, by cross-validation within it.

# The penalty of every half with the smallest squared error of left-out samples.
best_penalties <- function(study, runs, asked, control) {
  study <- columns_by_name(study)
  n_runs <- runs$draws$n_runs
  first <- path_ends(runs$paths)$first
  # Relative to the largest penalty of the half, down to a hundredth.
  relative <- relative_penalties()
  loss <- fold_losses(study, runs, relative, asked, control)
  at <- rep(1L, n_runs)
  report <- progress_reporter(control$progress, "Cross-validation")
  # A few splits at a time, for little memory and quick interrupts.
  for (block in split(seq_len(n_runs), (seq_len(n_runs) - 1L) %/% 20L)) {
    at[block] <- best_of_halves(block, loss, study$n)
    if (!is.null(report)) report(max(block), n_runs)
  }
  first * relative[at]
}

# @return function(halves, size): list(loss (penalties x folds), half (integer, by fold)), by paths
#   of at most `size` features.
fold_losses <- function(study, runs, relative, asked, control) {
  counts <- runs$draws$counts
  first <- path_ends(runs$paths)$first
  scale <- sqrt(colSums(counts))
  fold <- draw_folds(counts, asked$n_folds, runs$draws$seed)
  y <- split_numbers(study)
  function(halves, size) {
    half <- rep(halves, each = asked$n_folds)
    number <- rep(seq_len(asked$n_folds), length(halves))
    left_out <- fold[, half, drop = FALSE] == rep(number, each = nrow(fold))
    inside <- counts[, half, drop = FALSE] > 0 & !left_out
    # A penalty per sample means the same in fold and half.
    grid <- outer(relative, first[half] * sqrt(colSums(inside)) / scale[half])
    loss <- cpp_left_out_loss(
      study$x, y, inside + 0, left_out + 0, grid, size, control$n_threads, NULL
    )
    list(loss = loss, half = half)
  }
}

# Paths of many samples are followed only until the error of their half has turned: to 32 features,
# or to twice as many as long as it has not.
# @return (integer) the place of the penalty, for each half.
best_of_halves <- function(halves, loss, n) {
  largest <- largest_split(n)
  size <- if (n > many_samples) min(32L, largest) else largest
  at <- integer(length(halves))
  open <- seq_along(halves)
  repeat {
    found <- loss(halves[open], size)
    total <- rowsum(t(found$loss), found$half)
    at[open] <- max.col(-total, "first")
    if (size == largest) break
    open <- open[!has_turned(found$loss, found$half, total)]
    if (length(open) == 0L) break
    size <- min(largest, 2L * size)
  }
  at
}

# Has the error of a half turned before the first of its paths ends? Below the end of a path its
# error is that of its last model.
# @param loss,half of fold_losses(). @param total (halves x penalties) sums over folds.
# @return (flags) by half.
has_turned <- function(loss, half, total) {
  ends <- apply(loss, 2L, function(one) max(1L, which(one != one[length(one)])))
  ends <- vapply(split(ends, factor(half, unique(half))), min, 0L)
  vapply(seq_along(ends), function(k) {
    turns_before(total[k, seq_len(ends[k])], relative_penalties())
  }, NA, USE.NAMES = FALSE)
}

# @return (integer matrix, n x B) the fold of every sample of a run, 0 for others.
draw_folds <- function(counts, n_folds, seed) {
  seeds <- child_seeds(if (is.na(seed)) 0L else seed, ncol(counts))
  with_seed(seeds[1], vapply(seq_len(ncol(counts)), function(b) {
    inside <- which(counts[, b] > 0)
    fold <- integer(nrow(counts))
    set.seed(seeds[b])
    fold[inside] <- sample(rep_len(seq_len(n_folds), length(inside)))
    fold
  }, integer(nrow(counts))))
}
