#' Comparison of methods over data sets: Friedman, Nemenyi and Wilcoxon tests
#'
#' Ranks the methods within each data set and applies the tests recommended by Demsar (2006). The
#' Friedman test shows whether the mean ranks differ; the Nemenyi test which methods differ by more
#' than chance allows; Wilcoxon signed-rank tests compare pairs.
#'
#' @param x (numeric matrix or data frame, data sets x methods) one figure for each method on
#'   each data set, for example accuracy, time or number of selected features. Columns are named by
#'   method, rows (if named) by data set. Several figures of a method on one data set (folds,
#'   repeats) are not independent: average them first.
#' @param direction (string) `"max"` if the largest value of a data set is the best, `"min"` if the
#'   smallest is. Rank 1 is the best.
#' @param na (string) treatment of missing values, for example of a method that failed on a data
#'   set: `"error"`; `"omit"` drops data sets that have any; `"last"` ranks them last, several of a
#'   data set with the same mean rank.
#' @param pairs (character matrix with two columns, or `NULL`) methods to compare by Wilcoxon tests;
#'   `NULL` takes all pairs.
#' @param alternative (string) alternative of the Wilcoxon tests: `"two_sided"`, or `"better"`, the
#'   first method of the pair is better than the second.
#' @param p_adjust (string) correction of their p-values for the number of pairs, see
#'   [stats::p.adjust()].
#' @param conf_level (number in (0, 1)) one minus the level of the critical difference.
#'
#' @details
#' Let \eqn{R_j} be the mean rank of method j of k on N data sets, where ties share their mean rank,
#' and \eqn{t} the sizes of groups of ties. The statistic is
#' \deqn{\chi^2 = \frac{12 N \sum_j (R_j - (k + 1) / 2)^2}
#'   {k (k + 1) - \sum (t^3 - t) / (N (k - 1))}}
#' on k - 1 degrees of freedom, as in [stats::friedman.test()]. Iman and Davenport's \eqn{F = (N -
#' 1) \chi^2 / (N (k - 1) - \chi^2)} on k - 1 and (k - 1)(N - 1) degrees of freedom is less
#' conservative.
#'
#' By Nemenyi's test, two methods differ if their mean ranks do by at least \eqn{\textrm{CD} =
#' q_\alpha \sqrt{k (k + 1) / (6 N)}}. \eqn{q_\alpha} is the quantile of the studentized range of k
#' groups ([stats::qtukey()], infinite degrees of freedom) divided by \eqn{\sqrt 2}. The result
#' depends on the other methods in the comparison.
#'
#' Wilcoxon tests are computed by [stats::wilcox.test()] on the data sets where both methods have a
#' value: exact without ties and zeros among fewer than 50 differences, else by the normal
#' approximation with continuity correction. Differences of 0 are dropped. If all differences are 0,
#' p is 1.
#' @return An object of class `stabilect_comparison`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per method, the best mean rank first) `method`, `mean_rank`,
#'   `mean`, `median` (of the values), `n_missing`, `group` (letters: methods with a common letter
#'   do not differ by Nemenyi's test).}
#'   \item{friedman}{(data frame, 2 rows) `test`, `statistic`, `df1`, `df2`, `p_value`; `NaN` if all
#'   methods tie everywhere.}
#'   \item{critical_difference}{(number) CD above.}
#'   \item{nemenyi}{(numeric matrix, methods x methods) p-values.}
#'   \item{wilcoxon}{(data frame, one row per pair) `first`, `second`, `n` (data sets with both),
#'   `n_first_better`, `n_equal`, `statistic` (V of the first's gains), `p_value`, `p_adjusted`.}
#'   \item{ranks}{(numeric matrix, data sets used x methods) ranks within data sets.}
#'   \item{omitted}{(character) data sets left out.}
#'   \item{asked}{(list) the arguments.}
#' }
#' `summary()` gives `wilcoxon`.
#' @section Errors:
#' Class `stabilect_error_input` for fewer than two methods or data sets, missing values with `na =
#' "error"` (with their place), and pairs of unknown methods.
#' @references Demsar J (2006). Statistical comparisons of classifiers over multiple data sets.
#'   *Journal of Machine Learning Research* 7, 1-30.
#'
#'   Iman RL, Davenport JM (1980). Approximations of the critical region of the Friedman statistic.
#'   *Communications in Statistics A* 9(6), 571-595.
#' @family comparison
#' @examples
#' # Sizes of the sets that two searches and their plain forms select on six data sets.
#' sizes <- cbind(
#'   fibonacci = c(9, 12, 30, 44, 8, 61), plain = c(20, 18, 70, 90, 8, 120),
#'   subsect = c(7, 11, 35, 40, 9, 50)
#' )
#' result <- compare_methods(sizes, direction = "min")
#' result
#' summary(result)
#' @order 1
#' @export
compare_methods <- function(x, direction = c("max", "min"),
                            na = c("error", "omit", "last"), pairs = NULL,
                            alternative = c("two_sided", "better"), p_adjust = "holm",
                            conf_level = 0.95) {
  check_given()
  values <- check_comparison(x)
  asked <- list(
    direction = check_choice(direction, c("max", "min")),
    na = check_choice(na, c("error", "omit", "last")),
    pairs = check_pairs(pairs, colnames(values)),
    alternative = check_choice(alternative, c("two_sided", "better")),
    p_adjust = check_choice(p_adjust, stats::p.adjust.methods),
    conf_level = check_fraction(conf_level, open_right = TRUE)
  )
  used <- settle_missing(values, asked$na)
  gain <- if (asked$direction == "max") used else -used
  wilcoxon <- compare_pairs(gain, asked$pairs, asked$alternative)
  wilcoxon$p_adjusted <- stats::p.adjust(wilcoxon$p_value, asked$p_adjust)
  omitted <- setdiff(rownames(values), rownames(used))
  new_comparison(used, rank_methods(gain), wilcoxon, omitted, asked)
}

check_comparison <- function(values) {
  if (is.data.frame(values)) {
    refuse_at(names(values)[!vapply(values, is.numeric, NA)],
      "Column {.val {at}} of {.arg x} must hold numbers."
    )
    values <- as.matrix(values)
  }
  refuse(!is.matrix(values) || !(is.numeric(values) || all(is.na(values))),
    "{.arg x} must be a matrix or data frame of numbers, data sets in rows and methods in
      columns, not {describe_value(values)}."
  )
  refuse(ncol(values) < 2L || nrow(values) < 2L,
    "{.arg x} has {nrow(values)} row{?s} (data sets) and {ncol(values)} column{?s}
      (methods); at least two of each can be compared."
  )
  infinite <- which(is.infinite(values), arr.ind = TRUE)
  refuse(nrow(infinite) > 0L,
    "{.arg x} is infinite in row {infinite[1, 1]}, column {infinite[1, 2]}."
  )
  storage.mode(values) <- "double"
  if (is.null(colnames(values))) colnames(values) <- paste0("method", seq_len(ncol(values)))
  twice <- anyDuplicated(colnames(values))
  refuse(twice > 0L, "Two columns of {.arg x} are called {.val {colnames(values)[twice]}}.")
  if (is.null(rownames(values))) rownames(values) <- seq_len(nrow(values))
  rownames(values) <- make.unique(rownames(values))
  values
}

check_pairs <- function(pairs, methods) {
  if (is.null(pairs)) {
    return(t(utils::combn(methods, 2L)))
  }
  if (is.character(pairs) && is.null(dim(pairs)) && length(pairs) == 2L) pairs <- t(pairs)
  fine <- is.matrix(pairs) && is.character(pairs) && ncol(pairs) == 2L && nrow(pairs) > 0L
  refuse(!fine || !all(pairs %in% methods) || any(pairs[, 1] == pairs[, 2]),
    "{.arg pairs} must be a matrix with two different methods in each row, out of
      {.val {methods}}."
  )
  unname(pairs)
}

settle_missing <- function(values, na) {
  gaps <- which(is.na(values), arr.ind = TRUE)
  if (nrow(gaps) == 0L || na == "last") {
    return(values)
  }
  if (na == "error") {
    at <- gaps[order(gaps[, 1], gaps[, 2])[1], ]
    abort(
      c("{.arg x} has {nrow(gaps)} missing value{?s}, the first for {.val
          {colnames(values)[at[2]]}} on {.val {rownames(values)[at[1]]}}.",
        i = "Choose with {.arg na}: {.val omit} data sets, or rank them {.val last}."
      )
    )
  }
  values <- values[stats::complete.cases(values), , drop = FALSE]
  refuse(nrow(values) < 2L,
    "{nrow(values)} data set{?s} without missing values {?is/are} left; at least 2 can be
      compared."
  )
  values
}

# Rank 1 for the largest gain of each row.
rank_methods <- function(gain) {
  ranks <- t(apply(-gain, 1L, rank, ties.method = "average", na.last = "keep"))
  dimnames(ranks) <- dimnames(gain)
  for (i in which(rowSums(is.na(gain)) > 0)) {
    gaps <- which(is.na(gain[i, ]))
    ranks[i, gaps] <- mean(ncol(gain) - length(gaps) + seq_along(gaps))
  }
  ranks
}

compare_pairs <- function(gain, pairs, alternative) {
  bind_rows_of(seq_len(nrow(pairs)), function(i) {
    difference <- gain[, pairs[i, 1]] - gain[, pairs[i, 2]]
    difference <- difference[!is.na(difference)]
    test <- signed_ranks(difference, if (alternative == "better") "greater" else "two.sided")
    data.frame(
      first = pairs[i, 1], second = pairs[i, 2], n = length(difference),
      n_first_better = sum(difference > 0), n_equal = sum(difference == 0), test
    )
  })
}

signed_ranks <- function(difference, alternative) {
  if (length(difference) == 0L) {
    return(data.frame(statistic = NA_real_, p_value = NA_real_))
  }
  if (all(difference == 0)) {
    return(data.frame(statistic = 0, p_value = 1))
  }
  # It warns of ties and zeros; the help page describes their treatment.
  test <- suppressWarnings(stats::wilcox.test(difference, alternative = alternative))
  data.frame(statistic = unname(test$statistic), p_value = test$p.value)
}

new_comparison <- function(values, ranks, wilcoxon, omitted, asked) {
  n <- nrow(ranks)
  k <- ncol(ranks)
  mean_rank <- colMeans(ranks)
  ties <- sum(apply(ranks, 1L, function(r) sum(table(r)^3 - table(r))))
  scale <- sqrt(k * (k + 1) / (6 * n))
  critical <- stats::qtukey(asked$conf_level, k, Inf) / sqrt(2) * scale
  apart <- abs(outer(mean_rank, mean_rank, "-"))
  nemenyi <- stats::ptukey(apart / scale * sqrt(2), k, Inf, lower.tail = FALSE)
  dim(nemenyi) <- dim(apart)
  dimnames(nemenyi) <- dimnames(apart)
  new_result(
    "stabilect_comparison", comparison_table(values, mean_rank, critical),
    friedman = friedman_tests(mean_rank, n, ties), critical_difference = critical,
    nemenyi = nemenyi, wilcoxon = wilcoxon, ranks = ranks, omitted = omitted, asked = asked,
    study = NULL, made = NULL
  )
}

# One row per method, the best mean rank first.
comparison_table <- function(values, mean_rank, critical) {
  best <- order(mean_rank, method = "radix")
  means <- colMeans(values, na.rm = TRUE)
  means[is.nan(means)] <- NA
  table <- data.frame(
    method = colnames(values), mean_rank = unname(mean_rank),
    mean = unname(means),
    median = unname(apply(values, 2L, stats::median, na.rm = TRUE)),
    n_missing = unname(colSums(is.na(values)))
  )[best, ]
  table$group <- group_letters(table$mean_rank, critical)
  rownames(table) <- NULL
  table
}

# @param ties (number) sum of t^3 - t over all groups of ties.
friedman_tests <- function(mean_rank, n, ties = 0) {
  k <- length(mean_rank)
  square <- sum((mean_rank - (k + 1) / 2)^2)
  chi <- 12 * n * square / (k * (k + 1) - ties / (n * (k - 1)))
  f <- max((n - 1) * chi, 0) / max(n * (k - 1) - chi, 0)
  data.frame(
    test = c("Friedman", "Iman-Davenport"), statistic = c(chi, f), df1 = k - 1,
    df2 = c(NA, (k - 1) * (n - 1)),
    p_value = c(
      stats::pchisq(chi, k - 1, lower.tail = FALSE),
      stats::pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE)
    )
  )
}

# Longest ranges of the sorted mean ranks within the critical difference, as pairs of positions.
rank_groups <- function(sorted, critical) {
  last <- vapply(seq_along(sorted), function(i) max(which(sorted - sorted[i] < critical)), 0L)
  inside <- c(FALSE, last[-1] <= cummax(last)[-length(last)])
  cbind(from = seq_along(sorted), to = last)[!inside, , drop = FALSE]
}

group_letters <- function(sorted, critical) {
  groups <- rank_groups(sorted, critical)
  names <- if (nrow(groups) <= 26L) letters else paste0("g", seq_len(nrow(groups)), " ")
  vapply(seq_along(sorted), function(i) {
    paste(names[which(groups[, "from"] <= i & groups[, "to"] >= i)], collapse = "")
  }, "")
}
