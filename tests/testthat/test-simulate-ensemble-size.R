plan_small <- function(target, ..., budget = 60) {
  estimate_ensemble_size(
    target, n_total = 500, n_features = 10, n_useful = 30, p = 0.7, ..., budget = budget,
    n_simulations = 40, seed = 1
  )
}

test_that("the plan is the smallest size that is enough", {
  plan <- plan_small(0.15)
  expect_identical(plan$reason, "reached")
  sizes <- seq(2, plan$n_weak)
  all <- simulate_stability(500, 10, 30, 0.7, sizes, n_simulations = 40, seed = 1)$table
  expect_identical(all$n_weak[which(all$stability >= 0.15)[1]], plan$n_weak)
  # One member may do what a few do not.
  expect_identical(plan_small(0.09)$n_weak, 1L)
  expect_output(print(plan), "members: 0.1")
})

test_that("what no ensemble reaches is said, and what would", {
  far <- plan_small(0.5)
  expect_identical(far$reason, "plateau")
  expect_identical(far$n_weak, NA_integer_)
  plateau <- function(t) {
    r <- 0:t
    sum(stats::dhyper(r, t, 30 - t, t) * r / (2 * t - r))
  }
  expect_gte(plateau(far$n_features_needed), 0.5)
  expect_lt(plateau(far$n_features_needed - 1), 0.5)
  expect_equal(far$plateau, plateau(10))
  expect_output(print(far), "select\\s+2[0-9]\\s+features")
  expect_output(print(far), "no\\s+size\\s+attains\\s+it.*can\\s+do\\s+better")
  near <- plan_small(far$plateau - 1e-4, budget = 12)
  expect_identical(near$reason, "budget")
  expect_output(print(near), "not\\s+attained\\s+with\\s+12\\s+members")
  expect_identical(plan_small(1.2)$n_features_needed, NA_integer_)
})

test_that("parameters come from the estimate or the user, not both", {
  expect_error(estimate_ensemble_size(0.2, 3), class = "stabilect_error_input")
  expect_error(
    estimate_ensemble_size(0.2, n_total = 100, n_features = 10, n_useful = 20),
    class = "stabilect_error_input"
  )
  expect_error(plan_small(0.2, index = "davis"), class = "stabilect_error_input")
  x <- as.matrix(mcl_sll[, -1])[, 1:40]
  estimate <- estimate_stability(
    x, mcl_sll$MCL, selector_filter("t"), n_features = 5, n_weak = c(1, 5), n_simulations = 20,
    n_boot = 20, resampling = resample_subsample(15, 0.5), seed = 1, progress = FALSE
  )
  expect_error(
    estimate_ensemble_size(0.2, estimate, n_features = 4), "n_features",
    class = "stabilect_error_input"
  )
  plan <- estimate_ensemble_size(0.01, estimate, budget = 10, n_simulations = 20)
  expect_identical(plan$n_weak, 1L)
  expect_identical(as.data.frame(plan), plan$table)
})
