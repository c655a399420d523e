# Covariates whose coefficients have no limit: a class, or every event, lacks a level. Features are
# found beside it as if the level were known without error.

skip_if_not_installed("survival")
stored <- readRDS(test_path("fixtures", "separated.rds"))

# With its warning.
separated_path <- function(d, ...) {
  expect_warning(
    path <- lasso_path(d$x, d$y, d$family, covariates = d$z, ...), "determine `y` for some",
    class = "stabilect_warning_separated"
  )
  path
}

expect_features_of_glmnet <- function(family, theirs) {
  path <- separated_path(separated_design(family), lambda = theirs$lambda)
  expect_true(path$separated)
  expect_equal(unname(as.matrix(path$coefficients)), theirs$coefficients, tolerance = 1e-5)
}

for (family in names(stored)) {
  test_that(paste("features beside a separated covariate are those of glmnet:", family), {
    expect_gt(min(colSums(stored[[family]]$coefficients != 0)), 0)
    expect_features_of_glmnet(family, stored[[family]])
  })
}

test_that("glmnet as installed gives what is stored", {
  skip_if_not_installed("glmnet")
  local_whole_glmnet()
  for (family in names(stored)) expect_features_of_glmnet(family, glmnet_separated(family))
})

test_that("however many samples have the level, paths are whole and no run fails", {
  for (family in c("binomial", "multinomial", "poisson", "cox")) {
    for (share in c(0.05, 0.2, 0.5)) {
      d <- separated_design(family, share, seed = 2L, p = 20L)
      path <- separated_path(d, lambda = NULL, n_lambda = 20, max_features = 10)
      expect_true(path$status %in% c("complete", "explained", "max_features"), info = family)
      expect_lt(max(path$kkt), 1e-6)
      fit <- stability_selection(
        d$x, d$y, family = family, covariates = d$z, q = 3, pfer = 1, n_pairs = 10, seed = 1
      )
      expect_identical(fit$made$n_failed, 0L, info = paste(family, share))
    }
  }
})

test_that("several classes are optimal, in any order of theirs", {
  for (id in c(232, 812, 1484, 1708)) {
    design <- class_design(id)
    path <- run_likelihood(design, n_lambda = 15, tolerance = 1e-8)
    expect_true(path$separated)
    expect_lt(class_kkt(design, path), 1e-7, label = paste("optimality of design", id))
  }
  d <- separated_design("multinomial")
  path <- separated_path(d, tolerance = 1e-10)
  for (levels in list(c("c", "a", "b"), c("b", "c", "a"))) {
    d$y <- factor(d$y, levels)
    again <- separated_path(d, lambda = path$lambda, tolerance = 1e-10)
    for (class in levels) {
      expect_equal(again$coefficients[[class]], path$coefficients[[class]], tolerance = 1e-6)
    }
  }
})

test_that("what is far apart has a limit", {
  z <- seq(-14, 14, length.out = 4000)
  y <- withr::with_seed(3, stats::rbinom(4000, 1, stats::plogis(z)))
  far <- lasso_path(cbind(g = sin(1:4000)), y, family = "binomial", covariates = data.frame(z))
  expect_false(far$separated)
  expect_gt(diff(range(far$covariates[, 1] * z)), 24)
})

test_that("covariates that leave nothing to explain are refused by every verb with what to do", {
  x <- withr::with_seed(1, matrix(stats::rnorm(1200), 60, dimnames = list(NULL, 1:20)))
  y <- factor(rep(c("a", "b"), each = 30))
  whole <- data.frame(z = c(1:30, 41:70))
  for (verb in list(fealect, stability_selection, bolasso, lasso_path)) {
    expect_error(
      verb(x, y, covariates = whole, family = "binomial"), "Join rare levels",
      class = "stabilect_error"
    )
  }
  # One sample away from it, runs without this sample fail.
  near <- data.frame(z = replace(whole$z, 1, 60))
  fit <- suppressWarnings(fealect(
    x, y, covariates = near, family = "binomial", n_runs = 20, n_boot = 0, seed = 1
  ))
  expect_gt(fit$made$n_failed, 2)
  expect_match(printed_words(fit), "covariates separate classes there: join rare levels")
})
