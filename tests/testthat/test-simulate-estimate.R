test_that("the threshold is that of the paper's Table 4, and of a simulation", {
  paper <- data.frame(
    n_total = c(2000, 4026, 5966), n_features = c(20, 40, 60), n_runs = c(62, 96, 102),
    mean = c(4.640, 6.029, 6.455), sd = c(0.636, 0.668, 0.703)
  )
  for (i in seq_len(nrow(paper))) {
    law <- with(paper[i, ], threshold_by_chance(n_total, n_features, n_runs))
    expect_lt(abs(law$mean - paper$mean[i]), 0.035)
    expect_lt(abs(law$sd - paper$sd[i]), 0.05)
  }
  drawn <- withr::with_seed(1, replicate(2000, {
    max(tabulate(unlist(lapply(1:30, function(i) sample.int(300, 12))), 300))
  }))
  law <- threshold_by_chance(300, 12, 30)
  expect_lt(abs(law$mean - mean(drawn)), 0.03 + 3 * stats::sd(drawn) / sqrt(2000))
})

test_that("the threshold counts that runs have one size where features are few", {
  for (case in list(c(5, 2), c(13, 3), c(60, 4))) {
    sets <- withr::with_seed(2, replicate(3000, {
      max(tabulate(unlist(lapply(1:30, function(i) sample.int(case[1], case[2]))), case[1]))
    }))
    law <- threshold_by_chance(case[1], case[2], 30)
    expect_lt(abs(law$mean - mean(sets)), 4 * stats::sd(sets) * sqrt(1 / 3000 + 1 / 4000))
  }
  # With two of two features, every run takes both.
  expect_identical(threshold_by_chance(2, 2, 7)$law$threshold, 7L)
  withr::with_seed(1, {
    before <- .Random.seed
    threshold_by_chance(20, 3, 10)
    expect_identical(.Random.seed, before)
  })
})

test_that("useful features are counted above the threshold, averaged over its law", {
  counts <- c(rep(20, 5), rep(4, 10), rep(0, 285))
  found <- count_useful(counts, n_runs = 30, n_features = 4)
  law <- threshold_by_chance(300, 4, 30)$law
  expect_equal(found$expected, sum(law$probability * ifelse(law$threshold < 4, 15, 5)))
  few <- count_useful(c(30, 30, 29, 1, rep(0, 296)), 30, 3)
  expect_identical(few$n_useful, 3L)
  expect_identical(count_useful(rep(1, 100), 10, 10)$n_useful, 10L)
  expect_output(print(found), "useful features")
})

# p and what it attains, for Jaccard's index.
fit_p <- function(stability, n_total, n_features, n_useful) {
  model <- list(n_total = n_total, n_features = n_features)
  value <- (0:n_features) / (2 * n_features - 0:n_features)
  solve_p(stability, model, urn_tables(n_total, n_features, n_useful, value))
}

# The paper's: the value on a grid whose stability is nearest.
grid_p <- function(stability, n_total, n_features, n_useful) {
  grid <- seq(0.1, 0.9, 0.1)
  values <- simulate_stability(n_total, n_features, n_useful, grid, 1)$table$stability
  grid[which.min(abs(values - stability))]
}

test_that("p solves the exact relation", {
  for (p in c(0.2, 0.55, 0.95)) {
    exact <- simulate_stability(400, 10, 35, p, 1)$table$stability
    expect_equal(fit_p(exact, 400L, 10L, 35L)$p, p, tolerance = 1e-6)
  }
  expect_equal(grid_p(0.1, 2000, 20, 60), 0.7)
  expect_equal(grid_p(0.1, 4026, 40, 150), 0.8)
  # Paper: 0.2 on prostate, which 200 useful features cannot give.
  above <- fit_p(0.2, 5966L, 60L, 200L)
  expect_false(above$attained)
  expect_identical(above$p, 1)
  below <- fit_p(0, 2000L, 20L, 60L)
  expect_false(below$attained)
  expect_equal(below$p, 0.01)
})

test_that("Equation 1 is what simulated studies show on average", {
  threshold <- threshold_by_chance(400, 10, 20)
  weight <- vapply(0:20, function(k) {
    sum(threshold$law$probability[threshold$law$threshold < k])
  }, 0)
  for (p in c(0.3, 0.7)) {
    studies <- cpp_simulate_studies(
      400L, 10L, 40L, p, 0, 2000L, weight, (0:10) / (20 - 0:10), 1, 1L
    )
    exact <- simulate_stability(400, 10, 40, p, 1)$table
    error <- apply(studies, 2, stats::sd) / sqrt(2000)
    verified <- check_n_useful(400, 10, 40, p, 20)$verified
    expect_lt(abs(verified - mean(studies[, 1])), 4 * error[1])
    expect_lt(abs(exact$stability - mean(studies[, 2])), 4 * error[2])
    # The spread of a mean over pairs has a closed form, too.
    value <- (0:10) / (20 - 0:10)
    tables <- urn_tables(400L, 10L, 40L, value)
    moments <- moments_of_law(tables, single_useful_law(tables, p))
    expect_equal(
      pair_mean_se(moments$between, moments$sd, 20), stats::sd(studies[, 2]),
      tolerance = 0.08
    )
  }
  expect_lt(check_n_useful(2000, 20, 60, 0.7, 62)$verified, 60)
  fixed <- check_n_useful(400, 10, 80, 0.3, 20)
  expect_true(fixed$converged)
  expect_lt(fixed$fixed_point, 80)
})

# Rankings of the simulated selector itself, whose parameters are known; shuffled columns, since the
# last ties go by column.
known_runs <- function(n_total, n_features, n_useful, p, m, seed, preference = 0) {
  rank <- cpp_simulate_ranks(
    n_total, n_features, n_useful, p, preference, m, seed, 0
  )
  place <- withr::with_seed(seed, sample.int(n_total))
  as_selection(
    n_total + 1 - rank[place, ], runs_in = "columns", type = "weight", n_features = n_features
  )
}

colon_like <- known_runs(1000L, 20L, 60L, 0.7, 62L, 5)

test_that("the estimate finds the parameters, and the ensembles of the truth", {
  fit <- function(runs, n_weak, n_threads) {
    estimate_stability(
      runs, n_weak = n_weak, n_simulations = 40, n_boot = 20, seed = 1, n_threads = n_threads,
      progress = FALSE
    )
  }
  sizes <- c(1, 5, 40)
  estimate <- fit(colon_like, sizes, 1)
  expect_lt(abs(estimate$n_useful - 60), 3)
  expect_lt(abs(estimate$p - 0.7), 0.04)
  expect_lt(abs(estimate$verified - 60), 1)
  expect_identical(estimate$made$n_runs, 62L)
  truth <- simulate_stability(1000, 20, 60, 0.7, sizes, method = "asymptotic")$table
  expect_lt(max(abs(estimate$table$stability - truth$stability)), 0.02)
  expect_true(all(estimate$table$lower <= estimate$table$stability))
  expect_true(all(estimate$table$upper >= estimate$table$stability))
  expect_output(print(estimate), "60\\s+useful\\s+features.*no\\s+gain\\s+beyond\\s+30\\s+members")
  expect_output(print(summary(estimate)), "ensembles of unlimited size 0.203")
  expect_output(print(estimate), "regrouped, without the model: 5 members give 0.0")
  expect_identical(estimate$misfit, character())
  expect_identical(as.data.frame(estimate)[names(estimate$table)], estimate$table)
  few <- colon_like[1:12]
  expect_identical(fit(few, 5, 1), fit(few, 5, 2))
  skip_if_not_installed("ggplot2")
  expect_s3_class(
    ggplot2::autoplot(estimate, real = data.frame(n_weak = 5, stability = 0.1)), "ggplot"
  )
  expect_error(plot(estimate, real = 3), class = "stabilect_error_input")
})

test_that("moments find what goes unnoticed, Equation 1 goes the other way", {
  weak <- known_runs(1000L, 20L, 120L, 0.8, 60L, 2)
  fit <- function(calibrate) {
    estimate_stability(
      weak, n_weak = 1, estimator = calibrate, n_simulations = 5, n_boot = 20, seed = 1,
      progress = FALSE
    )
  }
  plain <- fit("none")
  expect_lt(plain$n_useful, 110)
  expect_lte(fit("fixed_point")$n_useful, plain$n_useful)
  moments <- fit("moments")
  expect_gt(moments$n_useful, 110)
  expect_lt(abs(moments$verified - moments$counted$expected), 1)
})

test_that("intervals are withheld where they would not hold, and none is without width", {
  # Useful features that are missed in most runs stay below the threshold.
  missed <- estimate_stability(
    known_runs(300L, 15L, 40L, 0.4, 50L, 1), n_weak = c(1, 20), n_simulations = 20, n_boot = 20,
    seed = 1, progress = FALSE
  )
  expect_match(missed$withheld, "useful features, .* would be counted|does not fit")
  expect_true(all(is.na(c(missed$parameters$lower, missed$table$upper, missed$regrouped$upper))))
  text <- printed_words(missed)
  expect_false(any(grepl("NA", text)))
  # Regrouped runs come before the model.
  expect_match(text, "regrouped, without the model.* model (is not|does not)")
  stable <- estimate_stability(
    as_selection(rep(list(1:5), 10), n_total = 50), n_weak = c(1, 5), n_simulations = 5,
    n_boot = 20, progress = FALSE
  )
  for (part in stable[c("table", "parameters", "regrouped")]) {
    expect_false(any(part$upper - part$lower <= 0, na.rm = TRUE))
  }
})

# experiments/onda/results/coverage.csv holds the rates.
test_that("intervals hold the truth in most studies", {
  truth <- simulate_stability(
    300, 10, 30, 0.7, c(1, 10), n_simulations = 1500, seed = 99
  )$table$stability
  inside <- vapply(1:4, function(seed) {
    estimate <- estimate_stability(
      known_runs(300L, 10L, 30L, 0.7, 60L, seed), n_weak = c(1, 10), n_simulations = 60,
      n_boot = 30, seed = seed, progress = FALSE
    )
    estimate$table$lower <= truth & estimate$table$upper >= truth
  }, logical(2))
  expect_false(anyNA(inside))
  expect_gte(min(rowMeans(inside)), 0.75)
})

test_that("any selector goes in, and only the runs of the plan are made", {
  x <- as.matrix(mcl_sll[, -1])[, 1:50]
  calls <- 0
  spread <- selector_custom(function(x, y) {
    calls <<- calls + 1
    apply(x, 2, stats::var)
  })
  estimate <- estimate_stability(
    x, mcl_sll$MCL, spread, n_features = 5, n_weak = c(1, 10), n_simulations = 10, n_boot = 20,
    resampling = resample_subsample(12, 0.5), seed = 1, progress = FALSE
  )
  expect_identical(estimate$made$n_runs, 12L)
  expect_equal(calls, 12)
  ensemble <- select_ensemble(x, mcl_sll$MCL, selector_filter("t"), n_features = 8, seed = 1)
  cut <- estimate_stability(
    ensemble, n_features = 4, n_weak = 1, n_simulations = 5, n_boot = 20, seed = 1, progress = FALSE
  )
  expect_identical(cut$asked$n_features, 4L)
  four <- select_ensemble(x, mcl_sll$MCL, selector_filter("t"), n_features = 4, seed = 1)
  # Equal scores may fall otherwise.
  expect_equal(cut$real$stability, value_of_index(four$selection, "jaccard"), tolerance = 0.02)
  # A selector that never changes its mind.
  stable <- as_selection(rep(list(1:5), 10), n_total = 50)
  fixed <- estimate_stability(
    stable, n_weak = c(1, 5), n_simulations = 5, n_boot = 20, progress = FALSE
  )
  expect_equal(fixed$table$stability, c(1, 1))
  expect_identical(fixed$n_useful, 5L)
  expect_error(estimate_stability(stable[1:2]), class = "stabilect_error_input")
  expect_error(estimate_stability(stable, index = "davis"), class = "stabilect_error_input")
})

test_that("the diagnosis tells equal from graded preferences", {
  equal <- estimate_stability(
    colon_like[1:40], n_weak = 1, n_simulations = 5, n_boot = 20, seed = 1, progress = FALSE
  )
  fits <- anova(equal, n_simulations = 5)
  expect_identical(fits$found$verified, equal$verified)
  expect_identical(fits$found$counted, equal$counted$expected)
  expect_identical(fits$found$threshold, equal$counted$threshold$mean)
  expect_output(print(fits), "Equation 1; fixed point")
  expect_equal(sum(fits$table$real), 1000)
  expect_equal(sum(fits$table$equal), 1000, tolerance = 1e-6)
  expect_lt(fits$models$deviance[1], 2 * fits$models$deviance[2] + 15)
  graded_runs <- known_runs(400L, 15L, 80L, 0.9, 50L, 3, preference = 4)
  graded <- estimate_stability(
    graded_runs, n_weak = c(1, 25), n_simulations = 40, n_boot = 20, seed = 1, progress = FALSE
  )
  fits <- anova(graded, n_simulations = 40)
  expect_gt(fits$models$deviance[1], 3 * fits$models$deviance[2])
  truth <- simulate_stability(
    400, 15, 80, 0.9, c(1, 25), n_simulations = 40, preference = 4, seed = 7
  )$table$stability
  expect_lt(max(abs(fits$prediction$graded - truth)), 0.08)
  expect_gt(truth[2], graded$plateau + 0.1)
  expect_output(print(fits), "graded")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(fits), "ggplot")
})
