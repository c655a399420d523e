# find_signals(): what is promised for which law of the response, and sets beside names.

# Features with heavy tails, as genes near the floor of a scanner: with a skewed response the
# largest correlation is often that of two outliers.
heavy <- withr::with_seed(1, matrix(stats::rnorm(40 * 60)^3, 40))
skewed <- function(seed) withr::with_seed(seed, exp(1.5 * stats::rnorm(40)))
size_of <- function(...) {
  mean(vapply(1:200, function(seed) {
    suppressWarnings(find_signals(heavy, skewed(seed), permute = 39, seed = seed, ...))$p_value
  }, 0) <= 0.05)
}

test_that("by default noise is not called a signal, whatever its law", {
  expect_lte(size_of(), 0.05 + 3 * sqrt(0.05 * 0.95 / 200))
  suppressWarnings(expect_gt(size_of(null = "rotation"), 0.2))
})

test_that("permutations are the default for every response", {
  y <- skewed(1)
  for (one in list(y, y > 1)) {
    fit <- find_signals(heavy, one, permute = 39, seed = 1)
    expect_identical(fit$null$kind, "permutation")
    named <- find_signals(heavy, one, null = "permutation", permute = 39, seed = 1)
    expect_identical(without_call(fit), without_call(named))
  }
})

test_that("statistics of skewness and kurtosis are standard normal for normal residuals", {
  for (n in c(10, 30, 100)) {
    both <- withr::with_seed(n, replicate(3000, {
      z <- stats::rnorm(n)
      z <- (z - mean(z)) / sqrt(mean((z - mean(z))^2))
      c(skewness_statistic(mean(z^3), n), kurtosis_statistic(mean(z^4), n))
    }))
    for (k in 1:2) {
      for (at in c(-1.645, 1.645)) {
        expect_lt(abs(mean(both[k, ] <= at) - stats::pnorm(at)), 0.02)
      }
    }
  }
})

test_that("statistics of skewness and kurtosis are those of moments", {
  stored <- readRDS(test_path("fixtures", "normality.rds"))
  for (k in seq_along(stored$samples)) {
    y <- stored$samples[[k]]
    z <- (y - mean(y)) / sqrt(mean((y - mean(y))^2))
    expect_equal(skewness_statistic(mean(z^3), length(y)), stored$skewness[k])
    expect_equal(kurtosis_statistic(mean(z^4), length(y)), stored$kurtosis[k])
  }
})

test_that("residuals that are visibly not normal are found, and normal ones hardly ever", {
  found <- function(draw, n = 60) {
    mean(withr::with_seed(2, replicate(500, {
      y <- draw(n)
      length(departures(y - mean(y), y)) > 0
    })))
  }
  for (n in c(8, 20, 60, 300)) expect_lte(found(stats::rnorm, n), 0.02)
  expect_lte(found(function(n) round(stats::rnorm(n), 1)), 0.02)
  expect_gte(found(stats::rlnorm), 0.97)
  expect_gte(found(function(n) stats::rnbinom(n, size = 1, mu = 3)), 0.97)
  expect_gte(found(function(n) c(9, stats::rt(n - 1, 3))), 0.97)
  expect_gte(found(function(n) rep(0:1, length.out = n)), 0.97)
})

test_that("a rotation of other residuals warns, and every print says what it assumes", {
  said <- function(fit) printed_words(fit)
  expect_warning(
    fit <- find_signals(heavy, skewed(1), null = "rotation", permute = 39, seed = 1),
    "skewness .* instead of 0 and kurtosis .* instead of\\s3",
    class = "stabilect_warning_not_normal"
  )
  expect_match(said(fit), "assume normal\\s+residuals, and these are not \\(skewness")
  normal <- withr::with_seed(3, stats::rnorm(40))
  expect_no_warning(
    fit <- find_signals(heavy, normal, null = "rotation", permute = 39, seed = 1)
  )
  expect_match(said(fit), "rotations assume normal residuals;")
  expect_identical(fit$null$assumes, "normal residuals")
  expect_no_warning(fit <- find_signals(heavy, skewed(1), permute = 39, seed = 1))
  expect_no_match(said(fit), "assume|approximate")
  # The law of what is left counts, not that of a covariate.
  covariate <- skewed(4)
  expect_no_warning(find_signals(
    heavy, normal + 5 * covariate, covariate, null = "rotation", permute = 39, seed = 1
  ))
  held <- find_signals(heavy, normal, covariate, permute = 39, seed = 1)
  expect_match(said(held), "with\\s+covariates\\s+p\\s+is\\s+approximate")
})

test_that("a set stands only beside a name that it contains", {
  shared <- list(
    list(feature = c(2L, 5L), share = c(0.7, 0.3)), list(feature = c(3L, 6L), share = c(0.6, 0.4))
  )
  sets <- shared_table(shared, paste0("g", 1:6), c("g5", "g1"))
  expect_identical(sets, data.frame(
    about = c("g5", "g5"), feature = c("g2", "g5"), share = c(0.7, 0.3)
  ))
  expect_identical(set_size_of("g5", sets), 2L)
  expect_identical(set_size_of("g1", sets), NA_integer_)
  expect_identical(nrow(shared_table(list(), character(), character())), 0L)
})
