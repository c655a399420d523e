known_rankings <- function(n_useful, p, m, preference = 0) {
  rank <- cpp_simulate_ranks(300L, 10L, n_useful, p, preference, m, 3, 0)
  place <- withr::with_seed(2, sample.int(300))
  as_selection(301 - rank[place, ], runs_in = "columns", type = "weight", n_features = 10)
}

quick_estimate <- function(runs, n_weak, ...) {
  estimate_stability(
    runs, n_weak = n_weak, n_simulations = 50, n_boot = 30, seed = 1, progress = FALSE, ...
  )
}

test_that("regrouped runs of the model are ensembles of the model", {
  estimate <- quick_estimate(known_rankings(30L, 0.8, 60L), c(1, 2, 5, 10, 20, 80))
  table <- estimate$regrouped
  expect_identical(table$n_weak, c(1L, 2L, 5L, 10L, 20L, 30L))
  expect_identical(table$n_ensembles, c(60L, 30L, 12L, 6L, 3L, 2L))
  truth <- simulate_stability(300, 10, 30, 0.8, table$n_weak, n_simulations = 1000, seed = 4)$table
  expect_lt(max(abs(table$stability - truth$stability) / table$se), 3)
  expect_identical(table$predicted[c(1, 3)], estimate$table$stability[c(1, 3)])
  expect_identical(estimate$misfit, character())
  expect_identical(as.data.frame(estimate)$regrouped, c(table$stability[1:5], NA))
  expect_identical(estimate$table$n_weak, c(1L, 2L, 5L, 10L, 20L, 80L))
})

test_that("groups are aggregated as aggregate() does, and compared by the index", {
  # Two groups of half of the runs: whatever the division, runs of two kinds that never mix.
  a <- c(1:5, rep(0, 45))
  b <- c(rep(0, 45), 1:5)
  runs <- as_selection(cbind(a, a, b, b), runs_in = "columns", type = "weight")
  found <- quick_estimate(runs, 2)$regrouped
  # 1 / 3 of the divisions puts like beside like: disjoint; otherwise both groups say the same.
  expect_identical(found$n_ensembles, 2L)
  expect_gt(found$stability, 0.3)
  expect_lt(found$stability, 1)
  expect_equal(found$stability * found$n_divisions, round(found$stability * found$n_divisions))
  same <- as_selection(cbind(a, a, a, a), runs_in = "columns", type = "weight")
  expect_identical(quick_estimate(same, 2, index = "kuncheva")$regrouped$stability, 1)
})

test_that("what cannot be regrouped is left out", {
  runs <- known_rankings(30L, 0.8, 8L)
  weighted <- quick_estimate(runs, 1, aggregation = aggregate_rank("mean", run_weights = 1:8))
  expect_identical(weighted$regrouped$n_weak, 1L)
  expect_identical(quick_estimate(runs[1:3], 1)$regrouped$n_weak, 1L)
  expect_no_match(capture.output(print(weighted)), "regrouped, without")
})

test_that("favourites are a misfit, and plans then go by the real runs", {
  estimate <- quick_estimate(known_rankings(60L, 0.95, 40L, preference = 6), c(1, 5, 10, 20))
  expect_match(estimate$misfit[1], "members: 0.* regrouped, 0.* predicted")
  expect_output(print(estimate), "the\\s+model\\s+does\\s+not\\s+fit\\s.*anova")
  expect_output(print(summary(estimate)), "deviance\\sof\\sthe\\scounts")
  best <- max(estimate$regrouped$stability)
  expect_gt(best, estimate$plateau + 0.1)
  plan <- estimate_ensemble_size(best - 1e-6, estimate, n_simulations = 20)
  expect_identical(plan$source, "regrouped")
  expect_identical(plan$n_weak, 20L)
  expect_output(print(plan), "20 members: .*real\\s+runs\\s+regrouped")
  far <- estimate_ensemble_size(0.999, estimate, n_simulations = 20)
  expect_identical(far$reason, "unknown")
  expect_identical(far$n_weak, NA_integer_)
  expect_output(print(far), "not known: .*does\\s+not\\s+fit")
  short <- estimate_ensemble_size(0.999, estimate, budget = 10, n_simulations = 20)
  expect_identical(short$reason, "budget")
})

test_that("plans go by the real runs where the intervals of the model are withheld, too", {
  estimate <- quick_estimate(known_rankings(30L, 0.6, 30L), c(1, 5, 10))
  estimate$misfit <- character()
  estimate$withheld <- "only half of them are expected above the threshold"
  plan <- estimate_ensemble_size(0.999, estimate, budget = 10, n_simulations = 20)
  expect_identical(plan$source, "regrouped")
  expect_identical(plan$withheld, estimate$withheld)
  within <- estimate$regrouped$n_weak <= 10
  expect_identical(plan$stability, max(estimate$regrouped$stability[within]))
  expect_output(print(plan), "is\\s+not\\s+to\\s+be\\s+trusted:\\s+only\\s+half\\s+of\\s+them")
  # Without both, by the model.
  estimate$withheld <- ""
  expect_identical(estimate_ensemble_size(0.999, estimate, n_simulations = 20)$source, "model")
})
