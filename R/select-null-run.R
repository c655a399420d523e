# Permutations in batches: whole ones first, then those that only measure, until all are done or no
# feature can become significant.

# @param arranged of draw_arrangements().
# @param measure of measure_of().
# @return list(n, stopped, maxima, top, below (integer, p: permutations in which the step-down
#   maximum reached a feature), reached (numeric, p: features that reached it, summed), whole
#   (list(score, error, auc, named))).
run_permutations <- function(arranged, procedure, study, draws, measure, control) {
  n <- length(arranged$orders)
  n_whole <- min(n, n_whole_permutations)
  progress <- control$progress
  control <- check_run(control$n_threads, FALSE)
  procedure$asked <- procedure$lean(procedure$asked, TRUE)
  count <- count_reached(measure$statistic)
  limit <- if (arranged$complete) Inf else ceiling((n + 1) / 20)
  whole <- NULL
  for (batch in split_permutations(n, n_whole, study, draws)) {
    # Each kind foretells its own time: whole ones take up to twenty times as long.
    if (batch[1] == 1L) {
      report <- progress_part(progress, "Whole permutations", 0L, n_whole)
    } else if (batch[1] == n_whole + 1L) {
      report <- progress_part(progress, "Permutations", n_whole, n)
    }
    studies <- lapply(
      arranged$orders[batch], permute_study,
      study = study, family = procedure$asked$likelihood$family
    )
    again <- lapply(studies, permuted_draws, draws = draws)
    if (batch[1] <= n_whole) {
      fit <- carry_out(procedure, studies[[1]], again[[1]], control, failed = nothing_found)
      found <- measure$of_fit(fit, studies[[1]], again[[1]])
      whole <- join_whole(whole, found[c("score", "error", "auc", "named")])
      statistic <- found$statistic
    } else {
      statistic <- measure$quick(studies, again)
    }
    stopped <- count$add(statistic, limit, n_whole)
    report(if (stopped) n else max(batch))
    if (stopped) break
  }
  found <- count$result()
  c(found, list(stopped = found$n < n, whole = whole))
}

# A function of the number of permutations done, for those from `first` + 1 to `last`.
progress_part <- function(progress, label, first, last, env = parent.frame()) {
  report <- progress_reporter(progress, label, env)
  function(done) if (!is.null(report)) report(min(done, last) - first, last - first)
}

join_whole <- function(known, new) {
  if (is.null(known)) {
    return(new)
  }
  Map(function(a, b) if (is.matrix(a)) cbind(a, b) else c(a, b), known, new)
}

# Whole permutations one by one to show progress; the others in batches with 64 MB of weights.
split_permutations <- function(n, n_whole, study, draws) {
  per_batch <- max(1L, min(20L, as.integer(64e6 / (8 * study$n * draws$n_runs))))
  rest <- seq_len(n)[-seq_len(n_whole)]
  c(as.list(seq_len(n_whole)), unname(split(rest, (seq_along(rest) - 1L) %/% per_batch)))
}

# Counts, permutation by permutation, how often permuted statistics reach the observed ones. Values
# that differ only by rounding count as equal.
count_reached <- function(statistic) {
  order <- order(-statistic, method = "radix")
  sorted <- statistic[order]
  floor <- sorted - 1e-9 * abs(sorted)
  ascending <- rev(floor)
  below <- reached <- numeric(length(statistic))
  maxima <- numeric()
  top <- NULL
  add_one <- function(value) {
    value_sorted <- sort(value, decreasing = TRUE)
    maxima <<- c(maxima, value_sorted[1])
    top <<- cbind(top, utils::head(value_sorted, n_null_top))
    below <<- below + (rev(cummax(rev(value[order]))) >= floor)
    # Number of permuted values that reach each observed one.
    short <- findInterval(floor, rev(value_sorted), left.open = TRUE)
    reached <<- reached + (length(value) - short)
  }
  list(
    # TRUE when enough permutations have reached the best feature.
    add = function(statistics, limit, at_least) {
      for (r in seq_len(ncol(statistics))) {
        add_one(statistics[, r])
        if (length(maxima) >= at_least && sum(maxima >= floor[1]) >= limit) {
          return(TRUE)
        }
      }
      FALSE
    },
    result = function() {
      list(
        n = length(maxima), maxima = maxima, top = top, order = order, below = below,
        reached = reached, n_best = sum(maxima >= floor[1]),
        n_observed = length(sorted) - findInterval(floor, ascending, left.open = TRUE)
      )
    }
  )
}
