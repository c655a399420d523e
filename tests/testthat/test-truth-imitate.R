# Samples that resemble data, and what simulated studies tell of a sample size.

imitated_design <- function(n = 40, p = 30, seed = 1) {
  withr::with_seed(seed, {
    y <- factor(rep(c("ill", "well"), c(n / 4, 3 * n / 4)))
    x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
    x[, 2:4] <- x[, 2:4] + 2 * x[, 1]
    x[, 5] <- 7
    x[, 6:8] <- x[, 6:8] + (y == "ill")
    list(x = x, y = y)
  })
}

test_that("correlations shrink as those of the package corpcor do", {
  for (one in readRDS(test_path("fixtures", "shrinkage.rds"))) {
    expect_equal(shrinkage_of(standardise_varying(one$x)), one$shrinkage, tolerance = 1e-10)
    expect_gt(one$shrinkage, 0.05)
    expect_lt(one$shrinkage, 0.95)
  }
  # Uncorrelated columns.
  expect_identical(shrinkage_of(cbind(c(1, 1, -1, -1), c(1, -1, 1, -1))), 1)
})

test_that("imitated samples have the means, the shrunk covariance and the effects", {
  d <- imitated_design()
  study <- open_study(d$x, d$y, "binary")
  like <- read_likeness(study)
  expect_identical(like$columns, setdiff(1:30, 5L))
  residual <- stats::resid(stats::lm(d$x ~ d$y))
  expect_equal(like$x, unname(residual[, -5]))
  size <- 40000
  drawn <- imitate_samples(like, size, 3L, 0.4, seed = 2)
  expect_identical(tabulate(drawn$response$codes), c(10000L, 30000L))
  expect_true(all(drawn$x[, 5] == 7))
  expect_length(setdiff(drawn$truth, like$columns), 0)
  # Differences of class means in residual standard deviations are 0 but for the true features.
  labels <- response_labels(drawn$response)
  scale <- sqrt(colMeans(residual^2))[-5]
  u <- ifelse(labels == "ill", -sqrt(3), sqrt(1 / 3))
  slope <- colMeans(drawn$x[, -5] * u) / scale
  true <- like$columns %in% drawn$truth
  expect_true(all(abs(slope[!true]) < 4 / sqrt(size)))
  expect_true(all(abs(slope[true]) > 8 / sqrt(size)))
  expect_equal(sum(slope[true]^2), 0.4 / 0.6, tolerance = 0.03)
  expect_equal(unname(colMeans(drawn$x)), unname(colMeans(d$x)), tolerance = 0.03)
  inside <- stats::cor(stats::resid(stats::lm(drawn$x[, -5] ~ labels)))
  expected <- (1 - like$shrinkage) * stats::cor(residual[, -5])
  diag(expected) <- 1
  expect_lt(max(abs(inside - expected)), 5 / sqrt(size))
  expect_gt(max(abs(expected[upper.tri(expected)])), 0.2)
  # Numbers keep their distribution, too, and true features correlate as told.
  numbers <- open_study(d$x, seq(0.5, 20, by = 0.5)^2, "numeric")
  again <- imitate_samples(read_likeness(numbers), 40000, 1L, 0.5, seed = 3)
  expect_identical(as.vector(table(again$response$y)), rep(1000L, 40))
  expect_equal(
    abs(stats::cor(again$x[, again$truth], again$response$y)), sqrt(0.5), tolerance = 0.02
  )
})

test_that("agreement, power and false features are those of a slow loop", {
  d <- imitated_design()
  run <- function(...) {
    estimate_sample_size(
      selector_filter("t"), d$x, d$y, n_features = 4, n_pairs = 5, n_simulations = 2,
      n_true = c(3, 6),
      seed = 4, ...
    )
  }
  plan <- run()
  simulated <- plan$simulated
  expect_identical(simulated$n, rep(c(20L, 40L, 80L, 160L), 2))
  expect_identical(simulated$n_true, rep(c(3L, 6L), each = 4))
  like <- read_likeness(open_study(d$x, d$y, "binary"))
  seeds <- child_seeds(4, 9)[8:9]
  for (cell in 1:2) {
    rows <- simulated[4 * cell - 3:0, ]
    pairs <- lapply(seeds, function(seed) {
      drawn <- imitate_samples(like, 320L, rows$n_true[1], rows$r_squared[1], seed)
      y <- response_labels(drawn$response)
      halves <- draw_halves(320L, as.integer(y), seed)
      expect_length(intersect(halves[[1]], halves[[2]]), 0)
      vapply(1:4, function(k) {
        lists <- lapply(halves, function(half) {
          at <- half[seq_len(rows$n[k])]
          t <- vapply(seq_len(30)[-5], function(j) {
            stats::t.test(drawn$x[at, j] ~ y[at], var.equal = TRUE)$statistic
          }, 0)
          seq_len(30)[-5][order(-abs(t))[1:4]]
        })
        true <- vapply(lists, function(list) length(intersect(list, drawn$truth)), 0L)
        c(length(intersect(lists[[1]], lists[[2]])), mean(true))
      }, numeric(2))
    })
    common <- rbind(pairs[[1]][1, ], pairs[[2]][1, ])
    true <- rbind(pairs[[1]][2, ], pairs[[2]][2, ])
    expect_equal(rows$n_again, colMeans(common))
    expect_equal(rows$stability, (colMeans(common) / 4 - 4 / 29) / (1 - 4 / 29))
    expect_equal(rows$power, colMeans(true) / rows$n_true)
    expect_equal(rows$fdr, 1 - colMeans(true) / 4)
    # The jackknife of a mean is its standard error.
    expect_equal(rows$n_again_se, apply(common, 2, stats::sd) / sqrt(2))
    expect_equal(rows$power_se, apply(true, 2, stats::sd) / rows$n_true / sqrt(2))
  }
  expect_gt(simulated$power[4], simulated$power[1])
  # What is measured and extrapolated stays as it is without; any number of threads.
  plain <- estimate_sample_size(
    selector_filter("t"), d$x, d$y, n_features = 4, n_pairs = 5, seed = 4
  )
  expect_identical(plan$table, plain$table)
  expect_null(plain$simulated)
  expect_identical(as.data.frame(plan), plan$table)
  expect_identical(run(n_threads = 2)$simulated, simulated)
})

test_that("simulated studies of as many samples have the error of the data", {
  d <- imitated_design()
  study <- open_study(d$x, d$y, "binary")
  like <- read_likeness(study)
  found <- imitated_strengths(study, like, 3L, 1, run_control(1, FALSE))
  expect_true(found$matched)
  observed <- reference_error(d$x, d$y, 1, 1L)
  error_at <- function(r_squared) {
    mean(vapply(1:30, function(seed) {
      drawn <- imitate_samples(like, 40, 3L, r_squared, seed)
      reference_error(drawn$x, response_labels(drawn$response), seed, 1L)
    }, 0))
  }
  expect_lt(abs(error_at(found$r_squared) - observed), 0.06)
  expect_gt(abs(error_at(0.1) - observed), 0.1)
  # The strongest signal is needed where three features separate the classes, and no signal is weak
  # enough for shuffled classes.
  d$x[, 1:3] <- d$x[, 1:3] / 1000 + 5 * (d$y == "ill")
  of <- function(y, n_true) {
    study <- open_study(d$x, y, "binary")
    imitated_strengths(study, read_likeness(study), n_true, 1, run_control(1, FALSE))
  }
  expect_equal(of(d$y, 20L)$r_squared, 0.99, tolerance = 1e-6)
  d <- imitated_design()
  shuffled <- of(withr::with_seed(1, sample(d$y)), 3L)
  expect_false(shuffled$matched)
  expect_equal(shuffled$r_squared, 0.05, tolerance = 1e-6)
})

test_that("failed procedures and empty lists are left out of simulations", {
  lists <- c(common = NA, size_1 = NA, size_2 = NA, power = NA, fdr = NA, error = NA) + 0
  one <- replace(lists, 1:6, c(2, 4, 4, 0.5, 0.25, 0.1))
  two <- replace(lists, 1:6, c(3, 4, 4, 0.7, 0.15, 0.3))
  known <- summarise_simulated(
    list(cbind(one), cbind(lists), cbind(two)), data.frame(n_true = 4L), 20L, 100
  )
  expect_equal(known$n_again, 2.5)
  expect_equal(known$stability, (2.5 / 4 - 0.04) / 0.96)
  expect_equal(c(known$power, known$fdr, known$error), c(0.6, 0.2, 0.2))
  d <- imitated_design()
  none <- function(x, y, ...) {
    structure(
      list(table = data.frame(feature = colnames(x)), features = character()),
      class = c("stabilect_test", "stabilect_result")
    )
  }
  study <- open_study(d$x, d$y, "binary")
  drawn <- imitate_samples(read_likeness(study), 160L, 3L, 0.5, 1)
  empty <- judge_simulated(
    study, drawn, as_procedure(none, "none"), c(20L, 40L), list(learner = learner_lda()), 1, 1L
  )
  expect_identical(unname(empty[c("common", "power", "fdr"), ]), matrix(0, 3, 2))
})

test_that("the print says what is observed, extrapolated and simulated, and the picture shows it", {
  d <- imitated_design()
  plan <- estimate_sample_size(
    selector_filter("t"), d$x, d$y, n_features = 4, n_pairs = 5, n_simulations = 4,
    n_true = c(3, 20),
    seed = 1
  )
  expect_snapshot(plan)
  # The other number of true features, once it agrees as the parts do.
  other <- plan
  told <- nearest_simulation(plan)$n_true[1]
  at <- other$simulated$n_true != told & other$simulated$n == 20
  other$simulated$stability[at] <- utils::tail(plan$table$stability[1:5], 1)
  expect_identical(nearest_simulation(other)$n_true, rep(setdiff(c(3L, 20L), told), 4))
  other$simulated$stability <- NaN
  expect_identical(nearest_simulation(other)$n_true, rep(3L, 4))
  other$simulated$matched[1:4] <- FALSE
  other$simulated$stability_se[1] <- NaN
  expect_output(print(other), "3  20 +-  +1")
  expect_output(print(other), "the\\s+stability\\s+is\\s+unknown\\s+with")
  expect_output(print(other), "with 3 true features no strength \\(R2 0.05 to 0.99\\)\\s+gives")
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(plan)
  expect_length(picture$layers, 7)
  points <- ggplot2::layer_data(picture, 6)
  expect_identical(unique(points$shape), 17)
  rows <- nearest_simulation(plan)
  expect_equal(points$y, c(rows$stability, rows$error))
  bars <- ggplot2::layer_data(picture, 5)
  mid <- c(rows$stability, rows$error)
  se <- c(rows$stability_se, rows$error_se)
  # The axes end at 1.
  expect_equal(bars$ymin, pmax(0, mid - 2 * se))
  expect_equal(bars$ymax, pmin(1, mid + 2 * se))
})

test_that("what cannot be simulated is refused", {
  d <- imitated_design()
  t <- selector_filter("t")
  refuse <- function(pattern, ...) {
    expect_error(estimate_sample_size(...), pattern, class = "stabilect_error_input")
  }
  refuse("must be 0 or at least 2", t, d$x, d$y, n_simulations = 1)
  refuse("n_simulations", t, d$x, d$y, n_simulations = -1)
  refuse("n_true` must be at least 1", t, d$x, d$y, n_true = c(0, 3))
  refuse("n_true", t, d$x, d$y, n_true = 31)
  refuse("at most 29, the features that vary", t, d$x, d$y, n_true = 30, n_simulations = 2)
  pairs <- prepare_study(
    rbind(d$x, d$x), factor(rep(d$y, 2)), blocks = rep(1:40, 2)
  )
  refuse("must be 0 with blocks", t, pairs, n_simulations = 2)
  held <- fealect(d$x, d$y, covariates = data.frame(age = rep(1:8, 5)), n_runs = 3, n_boot = 0,
    oob = FALSE, seed = 1
  )
  refuse("must be 0 with covariates", held, d$x, d$y, n_features = 4, n_simulations = 2)
  late <- survival_design(n = 40, p = 6, seed = 12)
  refuse("must be 0 for survival times", selector_filter("cox"), late$x, surv_of(late),
    n_features = 2, n_simulations = 2
  )
})
