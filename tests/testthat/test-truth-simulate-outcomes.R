# Simulated survival times, several classes and counts: their laws, and what procedures find.

x <- withr::with_seed(1, matrix(
  stats::rnorm(300 * 20), 300, dimnames = list(NULL, paste0("g", 1:20))
))
z <- standardise_varying(x)
draws <- function(study, n_true, r_squared = 0.5, n = 30) {
  lapply(seq_len(n), function(seed) simulate_response(study, z, n_true, r_squared, seed))
}
near <- function(shares, expected) {
  expect_lt(abs(mean(shares) - expected), 0.02 + 3 * stats::sd(shares) / sqrt(length(shares)))
}

test_that("times and events stay, and follow a Cox model of the asked strength", {
  skip_if_not_installed("survival")
  y <- withr::with_seed(2, {
    survival::Surv(ceiling(10 * stats::rexp(300)), stats::rbinom(300, 1, 0.4))
  })
  study <- open_study(x, y, "survival")
  drawn <- draws(study, 3L)
  pairs <- function(y) sort(paste(y[, 1], y[, 2]))
  for (one in drawn) expect_identical(pairs(one$y), pairs(y))
  # log T = -link + noise with the variance pi^2 / 6.
  fitted <- lapply(drawn, function(one) survival::coxph(one$y ~ x[, one$truth]))
  near(vapply(fitted, function(fit) {
    link <- stats::var(fit$linear.predictors)
    link / (link + pi^2 / 6)
  }, 0), 0.5)
  # Censoring does not depend on the features, given the time.
  held <- vapply(drawn, function(one) {
    swapped <- survival::Surv(one$y[, 1], 1 - one$y[, 2])
    stats::coef(summary(survival::coxph(swapped ~ x[, one$truth])))[, "Pr(>|z|)"]
  }, numeric(3))
  expect_gt(stats::ks.test(as.vector(held), "punif")$p.value, 0.001)
})

test_that("the earliest events go to the largest hazards, as in a Cox model with coefficient 1", {
  skip_if_not_installed("survival")
  response <- new_response("survival", as.double(1:300), event = rep(c(1L, 0L, 1L), 100))
  found <- withr::with_seed(5, vapply(1:20, function(turn) {
    link <- stats::rnorm(300)
    at <- arrange_outcome(response, link - log(stats::rexp(300)))
    y <- survival::Surv(response$y[at], response$event[at])
    stats::coef(survival::coxph(y ~ link))
  }, 0))
  near(found, 1)
})

test_that("several classes keep their sizes and follow a multinomial model", {
  skip_if_not_installed("nnet")
  for (sizes in list(c(100, 100, 100), c(250, 25, 25))) {
    y <- factor(rep(c("a", "b", "c"), sizes))
    drawn <- draws(open_study(x, y, "multiclass"), 3L)
    for (one in drawn) expect_identical(tabulate(one$y), as.integer(sizes))
    strength <- vapply(drawn, function(one) {
      fit <- nnet::multinom(one$y ~ x[, one$truth], trace = FALSE)
      link <- cbind(0, x[, one$truth] %*% t(stats::coef(fit)[, -1]))
      link <- scale(link, scale = FALSE)
      # Variance among classes, as of the noise.
      own <- mean((link - rowMeans(link))^2) * 3 / 2
      own / (own + pi^2 / 6)
    }, 0)
    expect_lt(abs(mean(strength) - 0.5), 0.08)
  }
})

test_that("counts and ordered classes keep their values", {
  y <- withr::with_seed(3, stats::rnbinom(300, mu = 2, size = 1))
  study <- open_study(x, y, "count", family = "poisson")
  one <- draws(study, 2L, 0.8, 1)[[1]]
  expect_identical(sort(one$y), as.double(sort(y)))
  expect_identical(one$family, "poisson")
  expect_gt(summary(stats::lm(rank(one$y) ~ x[, one$truth]))$r.squared, 0.5)
  ordered <- factor(rep(1:3, c(30, 90, 180)), ordered = TRUE)
  drawn <- draws(open_study(x, ordered, c("ordered", "multiclass")), 2L, 0.8, 1)[[1]]
  expect_identical(table(drawn$y), table(ordered), ignore_attr = TRUE)
  expect_s3_class(drawn$y, "ordered")
})

test_that("a procedure is run on each outcome; a count is one by its result or `family`", {
  small <- x[1:60, 1:12]
  event <- rep(c(1, 1, 0), 20)
  y <- list(
    survival = new_surv(as.double(1:60), event), multiclass = rep(c("a", "b", "c"), 20),
    count = rep(c(0, 0, 1, 2, 5, 9), 10)
  )
  for (type in names(y)) {
    family <- if (type == "count") "poisson"
    fit <- stability_selection(
      small, y[[type]], q = 2, cutoff = 0.7, n_pairs = 5, family = family, seed = 1
    )
    strong <- estimate_error_rates(
      fit, small, y[[type]], n_true = 1, r_squared = 0.9, n_simulations = 8, seed = 1
    )
    own <- strong$table[strong$table$cut == "own", ]
    expect_gt(own$power, 0.5)
    expect_identical(strong$study$type, type)
    none <- estimate_error_rates(
      fit, small, y[[type]], n_true = 0, n_simulations = 8, seed = 1
    )
    expect_lt(none$table$pfer[1], 1)
  }
  by_family <- estimate_error_rates(
    function(x, y, ...) split_test(x, y, n_runs = 4, n_features = 2, family = "poisson", ...),
    small, y$count, family = "poisson", n_true = 1, r_squared = 0.9, n_simulations = 2, seed = 1
  )
  expect_identical(by_family$study$type, "count")
})

test_that("the strength of the data is found for other outcomes also", {
  small <- x[1:50, 1:8]
  times <- withr::with_seed(4, stats::rexp(50, exp(2 * small[, 1])))
  y <- new_surv(times, rep(c(1, 1, 1, 0, 1), 10))
  found <- estimate_error_rates(
    list(s = function(x, y, ...) split_test(x, y, n_runs = 2, n_features = 1, ...)), small, y,
    n_true = 1, n_simulations = 2, seed = 1
  )
  expect_lt(found$observed, 0.4)
  expect_gt(unique(found$table$r_squared[found$table$matched]), 0.3)
  expect_output(print(found), "simulated outcomes for each strength")
})
