test_that("indices on simulated sets are those of stability()", {
  sets <- matrix(
    cpp_simulate_sets(100L, 6L, 15L, 0.6, 0, 4L, 30L, 5, FALSE, 1L, NULL), 6
  )
  runs <- as_selection(lapply(seq_len(30), function(i) as.integer(sets[, i])), n_total = 100)
  for (index in c("jaccard", "dice", "ochiai", "hamming", "kuncheva", "nogueira", "cw", "phi")) {
    expected <- stability(runs, index)$table
    fast <- simulate_stability(
      100, 6, 15, 0.6, 4, n_simulations = 30, method = "simulate", index = index, seed = 5
    )$table
    expect_equal(fast$stability, expected$estimate)
    # The jackknife is the larger one where pairs vary more than runs do.
    expect_lt(fast$se, 1.2 * expected$se)
    expect_gt(fast$se, 0.6 * expected$se)
  }
  corrected <- simulate_stability(
    100, 6, 15, 0.6, 4, n_simulations = 30, method = "simulate", corrected = TRUE, seed = 5
  )$table
  expect_equal(
    corrected$stability, stability(runs, "jaccard", corrected = TRUE)$table$estimate
  )
  for (index in c("davis", "cw_rel")) {
    slow <- simulate_stability(
      100, 6, 15, 0.6, 4, n_simulations = 30, index = index, seed = 5
    )$table
    expect_equal(slow$stability, stability(runs, index)$table$estimate)
    expect_identical(slow$engine, "simulate")
  }
})

test_that("the fast mean rank is that of the package's rule", {
  model <- list(n_total = 60L, n_features = 6L, preference = 0)
  settings <- list(n_simulations = 200L, seed = 3, n_threads = 1L, progress = FALSE)
  by_rule <- simulate_by_rule(
    model, 15L, 0.6, c(1L, 8L), settings, aggregate_rank("mean")
  )
  fast <- matrix(
    cpp_simulate_sets(60L, 6L, 15L, 0.6, 0, c(1L, 8L), 200L, 3, FALSE, 1L, NULL), 6
  )
  same <- vapply(seq_along(by_rule), function(i) setequal(by_rule[[i]], fast[, i]), NA)
  # One member has no ties; with several, the last ones are drawn on other streams.
  expect_true(all(same[seq(1, 400, 2)]))
  expect_gt(mean(same), 0.9)
})

test_that("other rules run, exactly averaged or not, and agree", {
  run <- function(method, seed) {
    simulate_stability(
      80, 5, 12, 0.6, c(1, 6), n_simulations = 60, method = method,
      aggregation = aggregate_frequency("best"), seed = seed
    )$table
  }
  averaged <- run("rao_blackwell", 1)
  plain <- run("simulate", 2)
  z <- (averaged$stability - plain$stability) / sqrt(averaged$se^2 + plain$se^2)
  expect_lt(max(abs(z)), 4)
  exact <- simulate_stability(80, 5, 12, 0.6, 1)$table$stability
  expect_lt(abs(averaged$stability[1] - exact), 4 * averaged$se[1])
  free <- simulate_stability(
    80, 5, 12, 0.9, 5, n_simulations = 20, aggregation = aggregate_frequency(cutoff = 0.2), seed = 1
  )
  expect_identical(free$table$engine, "simulate")
  own <- aggregate_custom(function(selection) rowSums(as.matrix(selection$score)), "sum")
  mean_rank <- simulate_stability(80, 5, 12, 0.6, 6, n_simulations = 60, seed = 1)$table
  custom <- simulate_stability(
    80, 5, 12, 0.6, 6, n_simulations = 60, aggregation = own, seed = 1
  )$table
  expect_lt(abs(mean_rank$stability - custom$stability), 4 * custom$se)
})

test_that("graded preferences go past the plateau", {
  run <- function(preference) {
    simulate_stability(
      200, 8, 30, 0.8, 80, n_simulations = 40, preference = preference, method = "simulate",
      seed = 1
    )$table
  }
  plateau <- summary(simulate_stability(200, 8, 30, 0.8, 1))$plateaus$plateau
  expect_lt(abs(run(0)$stability - plateau), 4 * run(0)$se + 0.005)
  expect_gt(run(3)$stability, 2 * plateau)
})

test_that("draws with weights follow the weights", {
  # Two of three, one after the other, weights 1, exp(-1), exp(-2).
  w <- exp(-(0:2))
  left_out <- vapply(1:3, function(k) {
    pair <- setdiff(1:3, k)
    sum(w[pair] / sum(w) * w[rev(pair)] / (sum(w) - w[pair]))
  }, 0)
  sets <- matrix(
    cpp_simulate_sets(9L, 2L, 3L, 1, 2, 1L, 20000L, 1, FALSE, 1L, NULL), 2
  )
  missing <- 1 - tabulate(sets, 3) / 20000
  expect_lt(max(abs(missing - left_out) / sqrt(left_out * (1 - left_out) / 20000)), 4)
})

test_that("what cannot be done is refused", {
  input <- "stabilect_error_input"
  expect_error(simulate_stability(100, 10, 5, 0.5), class = input)
  expect_error(simulate_stability(100, 10, 200, 0.5), class = input)
  expect_error(simulate_stability(100, 10, 20, 1.5), class = input)
  expect_error(simulate_stability(100, 10, 20, NA), class = input)
  expect_error(simulate_stability(100, 10, 20, 0.5, n_weak = 0), class = input)
  expect_error(simulate_stability(100, 10, 20, 0.5, index = "jacard"), class = input)
  expect_error(simulate_stability(100, 10, 20, 0.5, index = "davis", method = "exact"),
    "does not", class = input
  )
  expect_error(simulate_stability(100, 10, 20, 0.5, preference = 1, method = "exact"),
    class = input
  )
  expect_error(
    simulate_stability(
      100, 10, 20, 0.5, aggregation = aggregate_rank("borda"), method = "asymptotic"
    ), class = input
  )
})

test_that("print, summary and plot work", {
  simulation <- simulate_stability(100, 5, 10, c(0.3, 0.8), c(1, 10), method = "asymptotic")
  expect_output(print(simulation), "nothing simulated")
  expect_output(print(summary(simulation)), "unlimited size")
  expect_identical(as.data.frame(simulation), simulation$table)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(simulation), "ggplot")
})
