# phi_iw with the importance of similar features pooled.

pooled <- function(importance, similarity, ..., seed = 1) {
  index_values(
    weights_data(importance), "phi_iw_similar", similarity = similarity, ..., seed = seed
  )
}
pooled_estimate <- function(...) pooled(...)[[1]]$estimate

# As it stands, the mean over shuffled runs by enumeration of all places of the features.
naive_pooled <- function(importance, group) {
  share <- apply(importance, 2, function(w) w / sum(w))
  by_group <- function(w) tapply(w, group, sum)
  shared <- function(a, b) sum(pmin(by_group(a), by_group(b)))
  p <- nrow(share)
  orders <- as.matrix(expand.grid(rep(list(seq_len(p)), p)))
  orders <- orders[apply(orders, 1, function(v) !anyDuplicated(v)), ]
  chance <- function(a, b) {
    # One of the two may stay where it is only if groups are of one size; here both move.
    places <- apply(orders, 1, function(v) by_group(a[v]))
    other <- apply(orders, 1, function(v) by_group(b[v]))
    mean(vapply(seq_len(ncol(places)), function(k) mean(colSums(pmin(other, places[, k]))), 0))
  }
  pairs <- utils::combn(ncol(share), 2)
  over <- function(f) mean(apply(pairs, 2, function(v) f(share[, v[1]], share[, v[2]])))
  expected <- over(chance)
  (over(shared) - expected) / (1 - expected)
}

test_that("it is the formula, with the chance of all shuffles", {
  importance <- cbind(c(5, 2, 0, 0, 1), c(0, 3, 1, 2, 0), c(1, 0, 0, 4, 0))
  for (group in list(c(1, 1, 2, 2, 3), c(1, 1, 1, 2, 3), c(1, 2, 1, 2, 2))) {
    value <- pooled(importance, group, n_draws = 1600)[[1]]
    expect_gt(value$mc_se, 0)
    expect_lt(abs(value$estimate - naive_pooled(importance, group)), 4 * value$mc_se)
    few <- pooled(importance, group, n_draws = 100)[[1]]
    expect_equal(few$mc_se / value$mc_se, 4, tolerance = 0.25)
  }
})

test_that("without similar features it is phi_iw, exactly", {
  importance <- random_importance(15, 6, c(2, 5, 9), 1)
  plain <- index_values(weights_data(importance), "phi_iw")[[1]]
  one <- pooled(importance, diag(15))[[1]]
  expect_identical(one[c("estimate", "loo", "mc_se")], plain[c("estimate", "loo", "mc_se")])
  expect_identical(pooled_estimate(importance, seq_len(15)), plain$estimate)
})

test_that("it is 1 if groups keep their importance, and only then", {
  group <- rep(1:5, each = 4)
  # Each run takes other members, or divides the importance of a group among several.
  moved <- vapply(1:6, function(run) {
    w <- numeric(20)
    at <- c(1, 5, 9) + (run - 1) %% 4
    w[at] <- c(3, 2, 1)
    if (run > 4) {
      w[c(1, 2)] <- c(1, 2)
      w[setdiff(1:4, 1:2)] <- 0
    }
    w
  }, numeric(20))
  expect_equal(pooled_estimate(moved, group), 1)
  expect_lt(weight_estimate("phi_iw", weights_data(moved)), 0.5)
  # Members of one group change places: nothing changes.
  importance <- random_importance(20, 6, c(3, 6), 2)
  within <- unlist(lapply(1:5, function(g) withr::with_seed(g, sample(4 * (g - 1) + 1:4))))
  swapped <- importance
  swapped[, 3] <- importance[within, 3]
  first <- pooled(importance, group)[[1]]
  # The same but for the shuffles, which differ.
  expect_lt(abs(pooled_estimate(swapped, group) - first$estimate), 4 * first$mc_se)
  expect_lt(first$estimate, 1)
})

test_that("shuffled runs have expectation zero, also for groups of unequal size", {
  group <- rep(1:6, c(1, 2, 3, 6, 8, 10))
  n <- 80
  values <- vapply(seq_len(n), function(seed) {
    pooled_estimate(random_importance(30, 4, c(2, 7), seed), group, n_draws = 100, seed = seed)
  }, 0)
  expect_lt(abs(mean(values)), 4 * stats::sd(values) / sqrt(n))
  # Plain phi_iw of the group totals is not corrected: large groups are often in both runs.
  totals <- vapply(seq_len(n), function(seed) {
    importance <- random_importance(30, 4, c(2, 7), seed)
    weight_estimate("phi_iw", weights_data(rowsum(importance, group)))
  }, 0)
  expect_gt(mean(totals), 0.05)
})

test_that("all forms of similarity give the groups that are linked", {
  x <- withr::with_seed(1, {
    base <- matrix(stats::rnorm(200), 40)
    cbind(base, base + matrix(stats::rnorm(200, sd = 0.05), 40))
  })
  group <- rep(1:5, 2)
  importance <- random_importance(10, 5, c(2, 4), 3)
  by_group <- pooled_estimate(importance, group)
  expect_identical(pooled_estimate(importance, abs(stats::cor(x))), by_group)
  expect_identical(pooled_estimate(importance, list(x = x)), by_group)
  sparse <- methods::as(Matrix::Matrix(abs(stats::cor(x)), sparse = TRUE), "generalMatrix")
  expect_identical(pooled_estimate(importance, sparse), by_group)
  # A chain is one group.
  expect_identical(linked_groups(c(1L, 7L, 3L, 5L), c(3L, 5L, 5L, 9L), 9L), match(
    c("a", "b", "a", "c", "a", "d", "a", "e", "a"), letters
  ))
  expect_identical(linked_groups(integer(), integer(), 3L), 1:3)
})

test_that("intervals, empty runs, one group and errors", {
  importance <- random_importance(20, 8, c(3, 6), 5)
  importance[, 2] <- 0
  group <- rep(1:5, each = 4)
  value <- pooled(importance, group)[[1]]
  without <- pooled(importance[, -1], group)[[1]]
  # The shuffles of seven runs are others than those of eight.
  expect_lt(abs(value$loo[1] - without$estimate), 6 * (value$mc_se + without$mc_se))
  expect_equal(value$replicate(matrix(1, 8, 1)), value$estimate)
  all_in_one <- pooled(importance[, -2], rep(1, 20))[[1]]
  expect_identical(all_in_one$estimate, NA_real_)
  expect_match(all_in_one$note, "one group")
  table <- stability(
    as_selection(importance, type = "weight", runs_in = "columns"), c("phi_iw", "phi_iw_similar"),
    similarity = group, seed = 1
  )$table
  expect_true(all(is.finite(table$estimate)))
  expect_error(pooled(importance, group, n_draws = 5), "n_draws", class = "stabilect_error_input")
  expect_error(pooled(importance, group, threshold = 2), class = "stabilect_error_input")
})
