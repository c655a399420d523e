# Selectors that look at one feature at a time; they can read x slab by slab.

# @param raw,status,cut as in the field `columns` of new_selector(). @param factor_score see there.
column_selector <- function(name, label, params, responses, raw, status, cut = Inf,
                            factor_score = NULL, holds = NULL) {
  score <- function(x, y, weights, control) {
    report <- control$report
    value <- if (inherits(x, "stabilect_columns")) {
      score_slabs(x, y, weights, control$n_threads, raw, report)
    } else {
      raw(x, y, weights, control$n_threads, report)
    }
    new_runs(tame_infinite(value, cut), status(y, weights), colnames(x))
  }
  new_selector(
    name, label, params, responses, score,
    by_columns = TRUE, columns = list(raw = raw, status = status, cut = cut),
    factor_score = factor_score, holds = holds
  )
}

score_slabs <- function(x, y, weights, n_threads, raw, report) {
  value <- matrix(0, x$p, ncol(weights), dimnames = list(x$names, NULL))
  for (j in slabs_of(x$p)) {
    value[j, ] <- raw(x$read(j), y, weights, n_threads, NULL)
    if (!is.null(report)) report(j[length(j)], x$p)
  }
  value
}

# An infinite statistic in one resample would outweigh all others in a mean over resamples. It is
# replaced by the largest finite statistic of the run, and the feature stays among the best.
tame_infinite <- function(score, cut) {
  if (is.infinite(cut) || isTRUE(max(score) < cut)) {
    return(score)
  }
  for (run in seq_len(ncol(score))) {
    infinite <- score[, run] >= cut
    if (any(infinite)) score[infinite, run] <- max(1, score[!infinite, run])
  }
  score
}

# The `n_keep` best features of every run, with only one slab of scores in memory. Features without
# a score fill the places that are left.
# @param seeds (integer) one per run, for the order of equal scores.
# @return list (one element per run) of column numbers, ascending.
best_by_slabs <- function(x, y, weights, filter, n_keep, n_threads, seeds) {
  columns <- filter$columns
  best <- rep(list(list(j = integer(), score = double())), ncol(weights))
  for (j in slabs_of(x$p)) {
    value <- columns$raw(x$read(j), y, weights, n_threads, NULL)
    for (run in seq_along(best)) {
      best[[run]] <- merge_best(
        best[[run]], j, value[, run], n_keep, columns$cut, x$names, seeds[run]
      )
    }
  }
  Map(function(one, seed) {
    score <- tame_infinite(matrix(one$score), columns$cut)
    sort(utils::head(one$j[order_best(x$names[one$j], score, seed = seed)], n_keep))
  }, best, seeds)
}

# Infinite scores count as the largest finite one, unknown before the last slab: both the best
# finite and the best infinite scores are kept.
merge_best <- function(best, j, score, n_keep, cut, names, seed) {
  if (!is.null(best$limit)) {
    better <- score >= best$limit
    if (!any(better)) {
      return(best)
    }
    j <- j[better]
    score <- score[better]
  }
  j <- c(best$j, j)
  score <- c(best$score, score)
  in_order <- function(at) at[order_best(names[j[at]], score[at], seed = seed)]
  infinite <- in_order(which(score >= cut))
  finite <- in_order(which(score < cut))
  limit <- if (length(finite) >= n_keep) but_for_rounding(score[finite[n_keep]])
  kept <- sort(c(utils::head(infinite, n_keep), utils::head(finite, n_keep)))
  list(j = j[kept], score = score[kept], limit = limit)
}
