# `n` runs on the first `k` of 60 features and the others on the next `k`, some features exchanged.
two_lists <- function(m, n, k = 10, exchanged = 0) {
  t(vapply(seq_len(m), function(i) {
    list <- if (i <= n) seq_len(k) else k + seq_len(k)
    if (exchanged > 0) list[seq_len(exchanged)] <- sample(41:60, exchanged)
    seq_len(60) %in% list
  }, logical(60)))
}

test_that("runs of two kinds are told apart, and runs of one kind are not divided", {
  withr::local_seed(1)
  for (m in c(10L, 30L)) {
    kinds <- run_kinds(index_runs(as_selection(two_lists(m, m / 2 - 1, exchanged = 3))))
    expect_length(unique(split(kinds, seq_len(m) < m / 2)[[1]]), 1L)
    expect_identical(sort(unname(tabulate(kinds + 1L))), as.integer(c(m / 2 - 1, m / 2 + 1)))
  }
  found <- replicate(200, {
    runs <- t(replicate(20, seq_len(60) %in% sample.int(60, 10, prob = exp(-(1:60) / 10))))
    !is.null(run_kinds(index_runs(as_selection(runs))))
  })
  expect_lte(mean(found), 0.05)
  expect_null(run_kinds(index_runs(as_selection(two_lists(4L, 2L)))))
  expect_null(run_kinds(index_runs(as_selection(rbind(two_lists(9L, 4L), FALSE)))))
})

test_that("limits of two lists without noise are exact limits of their share", {
  # Two runs agree with probability q^2 + (1 - q)^2; 2 q (1 - q) has its largest value at 1/2.
  runs <- as_selection(two_lists(20L, 10L))
  row <- stability(runs, "jaccard")$table
  limits <- stats::binom.test(10, 20)$conf.int
  expect_equal(row$lower, min(0.5, row$estimate))
  expect_equal(row$upper, limits[1]^2 + (1 - limits[1])^2)
  expect_match(row$note, "two kinds of runs, 10 and 10")
  # Each run agrees with the others equally well: the jackknife sees no spread.
  plain <- jackknife_interval(index_values(runs, "jaccard")[[1]], 0.95)
  expect_identical(plain$note, no_spread)
})

test_that("the test of a stability has the limits of its interval", {
  withr::local_seed(3)
  runs <- as_selection(two_lists(30L, 18L, exchanged = 2))
  row <- stability(runs)$table
  test <- test_stability(runs, null_value = 0.9)
  expect_equal(as.numeric(test$conf.int), c(row$lower, row$upper))
  edge <- test_stability(runs, null_value = row$upper)
  expect_equal(edge$p.value, 0.05, tolerance = 1e-6)
  other <- as_selection(two_lists(30L, 15L, exchanged = 2))
  both <- test_stability(runs, other, paired = FALSE)
  away <- stability(other)$table
  expect_equal(both$conf.int[2] - sum(both$estimate * c(1, -1)), sqrt(
    (row$upper - row$estimate)^2 + (away$estimate - away$lower)^2
  ))
  expect_match(both$method, "two kinds")
})
