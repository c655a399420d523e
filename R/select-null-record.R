# The record `null` of a result, and its columns of the table.

# @param done of run_permutations().
# @param permuted (string) what_is_permuted().
record_null <- function(fit, done, arranged, permute, measure, permuted) {
  columns <- null_columns(done, measure)
  at <- match(fit$table$feature, fit$selection$feature_names)
  fit$table[names(columns)] <- columns[at, ]
  n_whole <- length(done$whole$error)
  scores <- sort(measure$score, decreasing = TRUE)
  chance <- chance_counts(scores, done$whole$score)
  fit$null <- structure(
    list(
      p = global_p(done), n_permutations = done$n, n_asked = permute,
      complete = arranged$complete, stopped = done$stopped, n_whole = n_whole,
      scheme = arranged$scheme, permuted = permuted,
      n_possible = arranged$n_possible, statistic = measure$name,
      path_size = measure$path_size,
      observed = stats::setNames(measure$statistic, fit$selection$feature_names),
      maxima = done$maxima, top = done$top, curve = null_curve(done$whole$score),
      n_supported = max(0L, which(chance <= seq_along(chance) / 2)),
      error = null_of_error(measure$error, done$whole$error, lower = TRUE),
      auc = null_of_error(measure$auc, done$whole$auc, lower = FALSE),
      named = if (!is.null(fit$bound)) done$whole$named,
      cutoff = cutoff_by_chance(done$whole$score, rule_of(fit$asked)$claim(fit))
    ),
    class = c("stabilect_null", "stabilect")
  )
  fit
}

# The smallest cutoff, not below that of the bound, at which the mean number under permutation is
# within the bound; NULL if frequencies promise nothing.
cutoff_by_chance <- function(permuted, bound) {
  if (is.null(bound)) {
    return(NULL)
  }
  runs <- 2 * bound$n_pairs
  grid <- seq_len(runs) / runs
  grid <- c(bound$cutoff, grid[grid > bound$cutoff + 1e-9])
  named <- vapply(grid, function(cutoff) mean(colSums(permuted >= cutoff - 1e-9)), 0)
  grid[named <= bound$pfer][1]
}

what_is_permuted <- function(family, response) {
  if (!holds_samples(response)) {
    return("responses")
  }
  paste("residuals of the", if (swaps_response(family, response)) "response" else "features")
}

# Besag & Clifford (1991) after a stop.
global_p <- function(done) {
  if (done$stopped && done$n > n_whole_permutations) {
    return(done$n_best / done$n)
  }
  (1 + done$n_best) / (1 + done$n)
}

# @return data frame, p rows in the order of the columns: expected_by_chance, p_fwer, q_fdr.
null_columns <- function(done, measure) {
  order <- done$order
  # The p of the best feature is that of all together, also after a stop.
  best <- cumsum(done$below != done$n_best) == 0
  adjusted <- cummax(ifelse(best, global_p(done), (1 + done$below) / (1 + done$n)))
  # Mean number that reaches a value by chance, over the observed number; the smallest for lower
  # values. That no permutation reached a value does not make its share zero.
  share <- done$reached / done$n / done$n_observed
  q <- pmin(1, pmax(1 / (done$n + 1), rev(cummin(rev(share)))))
  columns <- data.frame(
    expected_by_chance = chance_counts(measure$score, done$whole$score), p_fwer = NA_real_,
    q_fdr = NA_real_
  )
  columns$p_fwer[order] <- adjusted
  columns$q_fdr[order] <- q
  columns
}

# Mean number of features over permutations whose score reaches each of `scores`.
chance_counts <- function(scores, permuted) {
  floor <- scores - 1e-9 * abs(scores)
  floor[scores == -Inf] <- -Inf
  pooled <- sort(permuted)
  (length(pooled) - findInterval(floor, pooled, left.open = TRUE)) / ncol(permuted)
}

# Points of the permuted scores at every rank from the best.
null_curve <- function(permuted) {
  sorted <- apply(permuted, 2L, sort, decreasing = TRUE)
  sorted <- matrix(sorted, ncol = ncol(permuted))
  points <- apply(sorted, 1L, stats::quantile, c(0.05, 0.5, 0.95), type = 1, names = FALSE)
  data.frame(
    rank = seq_len(nrow(sorted)), lower = points[1, ], median = points[2, ], upper = points[3, ]
  )
}

# All p-values of permutations are a rank over the number of permutations plus one.
# @param lower (flag) do small values favour a signal?
null_of_error <- function(observed, permuted, lower) {
  permuted <- permuted[!is.na(permuted)]
  if (is.na(observed) || length(permuted) < 2L) {
    return(NULL)
  }
  r <- length(permuted)
  sign <- if (lower) 1 else -1
  as_good <- sum(sign * permuted <= sign * observed + 1e-9)
  list(
    p = (1 + as_good) / (1 + r), mean = mean(permuted), sd = stats::sd(permuted), values = permuted
  )
}

#' @exportS3Method
facts_of.stabilect_null <- function(x, n = 10L) {
  number <- function(value) figure(value, digits = 2)
  by_chance <- lapply(c("error", "auc"), function(what) {
    one <- x[[what]]
    if (!is.null(one)) {
      sprintf(
        "out-of-bag %s on permuted outcomes: %s on average (SD %s), %s",
        if (what == "auc") "AUC" else "error", number(one$mean), number(one$sd), describe_p(one$p)
      )
    }
  })
  new_facts(
    "Permutations: the procedure on outcomes in random order",
    design = describe_permutations(x),
    verdict = list(
      Signal = sprintf(
        "%s%s (%s)",
        if (null_decides(x)) "" else "undecided, ", describe_p(x$p), describe_statistic(x)
      ),
      Error = unlist(by_chance),
      List = if (x$n_supported == 0L) {
        "with any list of the best, more than half as many features score as high by chance"
      } else {
        sprintf(
          "for the best %s, at most half as many features score as high by chance",
          count_of(x$n_supported, "feature")
        )
      },
      Caution = "p values are of association, which neighbours of a true feature also have"
    )
  )
}

describe_permutations <- function(x) {
  what <- switch(x$scheme,
    samples = "samples", `whole blocks` = "whole blocks of samples",
    `within blocks` = "samples within their blocks", `within strata` = "samples within their strata"
  )
  how <- if (x$complete) {
    sprintf("all %s arrangements of %s", figure(x$n_permutations + 1L, big.mark = ","), what)
  } else {
    sprintf("%s of %s", count_of(x$n_permutations, "permutation"), what)
  }
  if (x$permuted != "responses") how <- paste0(how, ", ", x$permuted)
  if (!x$stopped) how else sprintf("%s; stopped early, of %d", how, x$n_asked)
}

describe_statistic <- function(x) {
  if (x$statistic == "score") {
    return("largest score")
  }
  "largest mean penalty at entry"
}
