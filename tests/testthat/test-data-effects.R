normal_data <- function(n = 50, k = 4) {
  set.seed(3)
  x <- matrix(rnorm(n * k), n, dimnames = list(NULL, letters[seq_len(k)]))
  list(x = x, z = cbind(age = rnorm(n), site = rep(0:1, n / 2)), w = matrix(rpois(n * k, 2), n))
}

# What single_effects() of y returns.
effects_of_y <- function(d, y, weights = NULL, z = NULL, family = NULL) {
  response <- read_response(y, nrow(d$x), family, ncol(d$x))
  response$covariates <- z
  single_effects(response, d$x, weights)
}

# An effect changes by its influence if a sample counts a little more.
expect_influence <- function(d, y, z = NULL, family = NULL) {
  at <- effects_of_y(d, y, d$w, z, family)
  for (i in c(1, 7, 20)) {
    more <- d$w
    more[i, ] <- more[i, ] + 1e-5
    step <- (effects_of_y(d, y, more, z, family)$link - at$link) / 1e-5
    expect_equal(step * d$w[i, ], at$influence[i, ], tolerance = 2e-3)
  }
}

test_that("effects of numbers are weighted (partial) correlations", {
  d <- normal_data()
  y <- d$x[, 1] + rnorm(50)
  expect_equal(effects_of_y(d, y)$value, as.vector(cor(d$x, y)))
  weighted <- stats::cov.wt(cbind(d$x[, 2], y), d$w[, 2], cor = TRUE)$cor[1, 2]
  expect_equal(effects_of_y(d, y, d$w)$value[2], weighted)
  rest <- lm(cbind(d$x[, 3], y) ~ d$z, weights = d$w[, 3])$residuals
  partial <- stats::cov.wt(rest, d$w[, 3], cor = TRUE)$cor[1, 2]
  expect_equal(effects_of_y(d, y, d$w, d$z)$value[3], partial)
  expect_influence(d, y, d$z)
  counts <- rpois(50, exp(d$x[, 1]))
  expect_equal(
    effects_of_y(d, counts, family = "poisson")$value,
    as.vector(cor(d$x, counts, method = "spearman"))
  )
})

test_that("the variance of a correlation is that of Fisher's z under normality", {
  d <- normal_data(4000, 2)
  y <- d$x[, 1] + rnorm(4000)
  se <- spread_of_effects(effects_of_y(d, y)$influence, NULL)
  expect_equal(se, rep(1 / sqrt(4000 - 3), 2), tolerance = 0.05)
})

test_that("effects of classes are coefficients of lm in residual standard deviations", {
  d <- normal_data()
  y <- cut(d$x[, 1] + rnorm(50), 3, labels = c("low", "middle", "high"))
  j <- 2
  top <- y == levels(y)[which.max(tapply(d$x[, j], y, mean))]
  expected <- function(w, z) {
    raw <- coef(lm(d$x[, j] ~ cbind(top, z), weights = w))[2]
    n <- sum(w)^2 / sum(w^2)
    rest <- lm(d$x[, j] ~ cbind(model.matrix(~y), z), weights = w)
    spread <- sum(w / sum(w) * rest$residuals^2) * n / (n - rest$rank)
    unname(raw / sqrt(spread))
  }
  one <- rep(1, 50)
  expect_equal(effects_of_y(d, y)$value[j], expected(one, NULL))
  expect_equal(effects_of_y(d, y, d$w)$value[j], expected(d$w[, j], NULL))
  expect_equal(effects_of_y(d, y, d$w, d$z)$value[j], expected(d$w[, j], d$z))
  two <- d$x[, 1] + rnorm(50) > 0
  t <- stats::t.test(d$x[, 1] ~ two, var.equal = TRUE)$statistic
  expect_equal(abs(unname(t)) * sqrt(sum(1 / table(two))), effects_of_y(d, two)$value[1])
})

test_that("the influence of a sample on a difference is its derivative", {
  d <- normal_data()
  # The small-sample factor depends on the weights, but is no part of the influence.
  d$w[] <- 1
  expect_influence(d, d$x[, 1] + rnorm(50) > 0, d$z)
})

test_that("hazard ratios and their influence are survival's, weighted, with covariates", {
  skip_if_not_installed("survival")
  d <- normal_data()
  time <- round(rexp(50, exp(d$x[, 1])), 1) + 0.1
  y <- survival::Surv(time, rep(c(1, 1, 0, 1, 1), 10))
  found <- effects_of_y(d, y, d$w, d$z)
  w <- d$w[, 1] / mean(d$w[, 1])
  v <- as.vector(scale(d$x[, 1]))
  kept <- w > 0
  cox <- survival::coxph(
    y[kept] ~ v[kept] + d$z[kept, ], weights = w[kept],
    control = survival::coxph.control(eps = 1e-12, toler.chol = 1e-13, iter.max = 50)
  )
  expect_equal(found$link[1], unname(coef(cox)[1]), tolerance = 1e-6)
  expect_equal(
    found$influence[kept, 1], unname(residuals(cox, "dfbeta", weighted = TRUE)[, 1]),
    tolerance = 1e-5
  )
  expect_identical(found$influence[!kept, 1], numeric(sum(!kept)))
  expect_equal(found$value, exp(found$link))
})

test_that("many features at once have the effects of each alone, with and without influence", {
  d <- normal_data()
  d$x <- cbind(d$x, constant = 1)
  classes <- factor(c("a", "b", "c")[1 + (d$x[, 1] > 0) + (d$x[, 2] > 1)])
  outcomes <- list(
    numbers = d$x[, 1] + d$x[, 2]^2, two = d$x[, 1] > 0, several = classes,
    times = new_surv(exp(stats::rnorm(50) - d$x[, 1]), rep(c(1, 1, 0, 1, 1), 10))
  )
  for (z in list(NULL, d$z)) {
    for (y in outcomes) {
      together <- effects_of_y(d, y, z = z)
      alone <- lapply(1:5, function(j) {
        effects_of_y(list(x = d$x[, j, drop = FALSE]), y, z = z)
      })
      expect_equal(together$value, vapply(alone, `[[`, 0, "value"))
      expect_equal(together$influence, do.call(cbind, lapply(alone, `[[`, "influence")))
      expect_true(is.na(together$value[5]) && !anyNA(together$value[1:4]))
      response <- read_response(y, 50L, NULL, 5L)
      response$covariates <- z
      plain <- plain_effects(response, d$x)
      expect_equal(plain$value, together$value, tolerance = 1e-6)
      expect_identical(plain[c("name", "meaning")], together[c("name", "meaning")])
    }
  }
})

test_that("samples without an effect have none", {
  d <- normal_data()
  d$x[, 1] <- 1
  d$w[, 2] <- 0
  d$w[, 3] <- as.numeric(d$x[, 3] > 100)
  found <- effects_of_y(d, rep(c(FALSE, TRUE), 25), d$w)
  expect_identical(is.na(found$value), c(TRUE, TRUE, TRUE, FALSE))
  alone <- matrix(as.numeric(rep(c(FALSE, TRUE), 25)), 50, 4)
  expect_true(all(is.na(effects_of_y(d, rep(c(FALSE, TRUE), 25), alone)$value)))
})
