# Filters given covariates, and the verbs that score features with them.

given <- withr::with_seed(21, {
  n <- 40
  site <- factor(sample(c("s1", "s2", "s3"), n, TRUE))
  age <- stats::rnorm(n, 60, 10)
  x <- matrix(stats::rnorm(n * 9), n, dimnames = list(NULL, paste0("g", 1:9)))
  x[, 2] <- x[, 2] + as.integer(site)
  x[, 3] <- round(x[, 3])
  x[, 4] <- x[, 1]^3
  x[, 5] <- 7
  x[, 6] <- 1e6 + age / 3 - (site == "s2")
  class <- factor(ifelse(x[, 1] + (site == "s3") + stats::rnorm(n) > 0.5, "ill", "well"))
  list(
    x = x, z = data.frame(age, site), class = class,
    three = factor(sample(c("a", "b", "c"), n, TRUE)), number = x[, 1] + age / 9 + stats::rnorm(n),
    time = ceiling(8 * stats::rexp(n, exp(x[, 1] / 2))), event = stats::rbinom(n, 1, 0.7)
  )
})
live <- c(1:4, 7:9)

score_given_z <- function(statistic, y, covariates = given$z, x = given$x, ...) {
  scores <- score_features(x, y, selector_filter(statistic), covariates = covariates, ...)
  stats::setNames(scores$score, scores$feature)
}

test_that("t and F are those of the analysis of covariance", {
  counts <- withr::with_seed(1, sample(0:3, 40, TRUE))
  rows <- rep(1:40, counts)
  for (weights in list(NULL, counts)) {
    at <- if (is.null(weights)) 1:40 else rows
    f <- vapply(live, function(j) {
      data <- data.frame(g = given$x[, j], given$z, y = given$three)[at, ]
      stats::anova(stats::lm(g ~ age + site, data), stats::lm(g ~ age + site + y, data))$F[2]
    }, 0)
    ours <- score_given_z("anova", given$three, weights = weights)
    expect_equal(unname(ours[live]), f, tolerance = 1e-10)
    expect_identical(unname(ours[5:6]), c(0, 0))
    t <- vapply(live, function(j) {
      data <- data.frame(g = given$x[, j], given$z, y = given$class)[at, ]
      summary(stats::lm(g ~ age + site + y, data))$coefficients["ywell", "t value"]
    }, 0)
    ours <- score_given_z("t", given$class, weights = weights)
    expect_equal(unname(ours[live]), abs(t), tolerance = 1e-10)
  }
})

test_that("correlations are partial, of values and of midranks", {
  dummies <- stats::model.matrix(~ age + site, given$z)[, -1]
  partial <- function(g, y, z) {
    abs(stats::cor(stats::resid(stats::lm(g ~ z)), stats::resid(stats::lm(y ~ z))))
  }
  expected <- apply(given$x[, live], 2, partial, given$number, dummies)
  expect_equal(score_given_z("pearson", given$number)[live], expected, tolerance = 1e-10)
  ranked <- apply(dummies, 2, rank)
  expected <- apply(apply(given$x[, live], 2, rank), 2, partial, rank(given$number), ranked)
  expect_equal(score_given_z("spearman", given$number)[live], expected, tolerance = 1e-10)
})

test_that("the Wilcoxon z is van Elteren's over strata, by enumeration of its moments", {
  by_enumeration <- function(g, y, strata) {
    off <- variance <- 0
    for (s in unique(strata)) {
      ranks <- rank(g[strata == s])
      second <- y[strata == s] == "well"
      if (!any(second) || all(second)) next
      sums <- utils::combn(length(ranks), sum(second), function(at) sum(ranks[at]))
      weight <- 1 / (length(ranks) + 1)
      off <- off + weight * (sum(ranks[second]) - mean(sums))
      variance <- variance + weight^2 * mean((sums - mean(sums))^2)
    }
    abs(off) / sqrt(variance)
  }
  # Strata of four to six samples, with ties.
  strata <- withr::with_seed(3, sample(rep(letters[1:8], 5)))
  ours <- score_given_z("wilcoxon", given$class, strata)
  expected <- apply(given$x[, live], 2, by_enumeration, given$class, strata)
  expect_equal(ours[live], expected, tolerance = 1e-10)
  expect_identical(ours[[5]], 0)
  # One stratum is the plain test.
  rows <- c(1:36, 36 + which(given$class[37:40] == given$class[37]))
  expect_equal(
    score_given_z("wilcoxon", given$class[rows], ifelse(rows > 36, "lonely", "all"),
      x = given$x[rows, ])[live],
    score_features(given$x[1:36, ], given$class[1:36], selector_filter("wilcoxon"))$score[live],
    ignore_attr = TRUE
  )
  expect_error(score_given_z("wilcoxon", given$class), "numeric and has many values",
    class = "stabilect_error_input"
  )
})

test_that("the Cox z is the score test beside the covariates", {
  y <- new_surv(given$time, given$event)
  ours <- score_given_z("cox", y)
  expect_identical(unname(ours[5:6]), c(0, 0))
  skip_if_not_installed("survival")
  counts <- withr::with_seed(4, sample(0:2, 40, TRUE))
  # A sample that is drawn twice has the weight two.
  for (counts in list(rep(1, 40), counts)) {
    rows <- which(counts > 0)
    w <- counts[rows]
    time <- given$time[rows]
    event <- given$event[rows]
    z <- stats::model.matrix(~ age + site, given$z)[rows, -1]
    null <- survival::coxph(survival::Surv(time, event) ~ z, weights = w,
      control = survival::coxph.control(1e-13, 1e-14, 50)
    )
    peer <- vapply(live, function(j) {
      fit <- survival::coxph(
        survival::Surv(time, event) ~ z + given$x[rows, j], weights = w,
        init = c(stats::coef(null), 0), control = survival::coxph.control(iter.max = 0)
      )
      sqrt(fit$score)
    }, 0)
    ours <- score_given_z("cox", y, weights = counts)
    expect_equal(unname(ours[live]), peer, tolerance = 1e-6)
  }
})

test_that("bags of an ensemble are scored as repeated rows, and its error stands beside", {
  fit <- select_ensemble(
    given$x, given$class, selector_filter("t"), resample_bootstrap(15), n_features = 2,
    learner = learner_logistic(2), covariates = given$z, seed = 1
  )
  counts <- as.matrix(fit$resamples)
  for (run in c(1, 15)) {
    alone <- score_given_z("t", given$class, weights = counts[, run])
    expect_equal(fit$selection$score[, run], alone)
  }
  z <- stats::model.matrix(~ age + site, given$z)[, -1]
  out <- left_out_together(read_response(given$class, 40), NULL)
  alone <- vapply(1:40, function(i) {
    model <- stats::glm((given$class == "well")[-out[[i]]] ~ z[-out[[i]], ], stats::binomial())
    sum(stats::coef(model) * c(1, z[i, ])) > 0
  }, NA)
  known <- !is.na(fit$oob$predictions$predicted)
  expect_identical(fit$oob$predictions$by_covariates == "well", alone)
  expect_equal(fit$oob$baseline, mean((alone != (given$class == "well"))[known]))
  expect_output(print(fit), "with\\s+the\\s+covariates\\s+alone")
  again <- select_ensemble(
    given$x, given$class, selector_filter("t"), resample_bootstrap(15), n_features = 2,
    covariates = given$z, seed = 1, n_threads = 2
  )
  expect_identical(again$table, fit$table)
  screened <- selector_screened(selector_filter("t"), selector_filter("pearson"), 5)
  few <- score_features(given$x, given$class, screened, covariates = given$z)
  full <- score_given_z("t", given$class)
  best <- order(-score_given_z("pearson", given$class))[1:3]
  expect_equal(few$score[best], unname(full[best]))
  path <- tempfile()
  run <- function(z) {
    select_ensemble(given$x, given$class, selector_filter("t"), n_features = 2, covariates = z,
      seed = 1, checkpoint = path
    )
  }
  run(given$z)
  expect_error(run(given$z["age"]), class = "stabilect_error_checkpoint")
  unlink(path)
})

test_that("what cannot adjust for covariates says so by name", {
  refused <- function(message, selector, ...) {
    expect_error(
      select_ensemble(given$x, given$class, selector, covariates = given$z, n_features = 2, ...),
      message, class = "stabilect_error_input"
    )
  }
  refused("Welch's t cannot", selector_filter("welch"))
  refused("cannot score features given", selector_relief())
  refused("cannot score features given", selector_custom(function(x, y) colMeans(x)))
  refused("\"svm\" cannot adjust for", selector_filter("t"), learner = learner_svm())
  refused("A selector with parameters", selector_filter,
    parameters = list(statistic = c("t", "anova"))
  )
  own <- selector_custom(function(x, y, covariates = NULL) {
    abs(stats::cor(x, covariates[, "age"]))[, 1]
  })
  scores <- score_features(given$x[, -5], given$class, own, covariates = given$z)
  expect_identical(scores$rank[scores$feature == "g6"], 1L)
})
