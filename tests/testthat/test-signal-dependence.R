# find_signals(kind = "any"): the criterion by its definition, p of an enumeration, laws without any
# correlation.

features <- withr::with_seed(21, {
  matrix(stats::rnorm(50 * 30), 50, dimnames = list(NULL, paste0("g", 1:30)))
})
circle <- features[, 1]^2 + features[, 2]^2 > 1.5

# Song et al. (2012), written from the definition.
kernel <- function(v) {
  d <- abs(outer(v, v, "-"))
  width <- sort(d[upper.tri(d)])[(length(v) * (length(v) - 1) / 2) %/% 2 + 1]
  exp(-d^2 / (2 * (if (width > 0) width else mean(d[upper.tri(d)]))^2))
}
centred <- function(v) {
  k <- kernel(v)
  diag(k) <- 0
  n <- length(v)
  a <- k - outer(rowSums(k), rowSums(k), "+") / (n - 2) + sum(k) / ((n - 1) * (n - 2))
  diag(a) <- 0
  a
}
correlation_of <- function(u, v) {
  a <- centred(u)
  b <- centred(v)
  sum(a * b) / sqrt(sum(a^2) * sum(b^2))
}

test_that("correlations of similarities are those of the definition", {
  y <- abs(features[, 1])
  fit <- find_signals(features, y, permute = 19, kind = "any", seed = 1)
  expected <- apply(features, 2, correlation_of, y)
  expect_equal(fit$dependence$table$similarity, unname(expected))
  # The estimate without bias, written as in equation 4 of Song et al. (2012).
  unbiased <- function(u, v) {
    k <- kernel(u)
    l <- kernel(v)
    n <- length(u)
    diag(k) <- diag(l) <- 0
    (sum(k * l) + sum(k) * sum(l) / ((n - 1) * (n - 2)) - 2 / (n - 2) * sum(k %*% l)) /
      (n * (n - 3))
  }
  x <- features[, 1]
  expect_equal(expected[[1]], unbiased(x, y) / sqrt(unbiased(x, x) * unbiased(y, y)))
})

test_that("residuals replace features and outcome where there are covariates", {
  age <- features[, 30]
  y <- features[, 1]^2 + 3 * age
  fit <- find_signals(features[, 1:5], y, covariates = age, permute = 19, kind = "any", seed = 1)
  rest <- function(v) stats::lm(v ~ age)$residuals
  expected <- apply(features[, 1:5], 2, function(v) correlation_of(rest(v), rest(y)))
  expect_equal(fit$dependence$table$similarity, unname(expected))
})

test_that("the p is that of all orders, and step-down p that of successive maxima", {
  x <- features[1:5, 1:4]
  y <- features[6:10, 5]
  orders <- as.matrix(expand.grid(rep(list(1:5), 5)))
  orders <- orders[apply(orders, 1, anyDuplicated) == 0, ]
  nulls <- apply(orders, 1, function(order) apply(x, 2, correlation_of, y[order]))
  at <- apply(x, 2, correlation_of, y)
  expect_lt(min(at), 0)
  up <- order(at)
  maxima <- apply(nulls[up, ], 2, cummax)
  p <- rowMeans(maxima >= at[up] - 1e-6)
  p <- rev(cummax(rev(p)))
  fit <- find_signals(x, y, permute = 9999, kind = "any", seed = 1)
  expect_equal(fit$dependence$table$p[up], unname(p), tolerance = 0.04)
  expect_identical(fit$dependence$p_value, min(fit$dependence$table$p))
})

test_that("a law without correlation is seen, said and named, and only when it is asked for", {
  features <- withr::with_seed(22, {
    matrix(stats::rnorm(80 * 30), 80, dimnames = list(NULL, paste0("g", 1:30)))
  })
  circle <- features[, 1]^2 + features[, 2]^2 > 1.5
  plain <- find_signals(features, circle, permute = 199, seed = 1)
  expect_gt(plain$p_value, 0.05)
  expect_null(plain$dependence)
  expect_match(printed_words(plain), "no evidence of a linear one")
  fit <- find_signals(features, circle, permute = 199, kind = "any", seed = 1)
  expect_identical(fit[c("p_value", "features")], plain[c("p_value", "features")])
  expect_identical(fit$dependence$p_value, 1 / 200)
  expect_setequal(fit$dependence$features, c("g1", "g2"))
  table <- fit$dependence$table
  expect_false(is.unsorted(-table$similarity[match(fit$dependence$features, table$feature)]))
  expect_match(printed_words(fit), "yes, of some kind: p = 0.005")
  expect_match(printed_words(fit), "dependence of some kind .*g2")
  expect_identical(
    find_signals(features, circle, permute = 199, kind = "any", seed = 1, n_threads = 2), fit
  )
  expect_error(
    find_signals(features, circle, kind = "all", seed = 1), class = "stabilect_error_input"
  )
})

test_that("without signal p is at most 0.05 as often as it says", {
  p <- vapply(1:200, function(seed) {
    y <- withr::with_seed(seed, stats::rt(50, 3))
    find_signals(features, y, permute = 39, kind = "any", seed = seed)$dependence$p_value
  }, 0)
  expect_lte(mean(p <= 0.05), 0.05 + 3 * sqrt(0.05 * 0.95 / 200))
  expect_gte(mean(p <= 0.5), 0.5 - 3 * sqrt(0.25 / 200))
})

test_that("constant, repeated and single features do not matter", {
  x <- cbind(features[, 1:3], constant = 1, again = features[, 1])
  fit <- find_signals(x, circle, permute = 39, kind = "any", seed = 1)
  table <- fit$dependence$table
  values <- table$similarity[match(c("constant", colnames(features)[1]), table$feature)]
  expect_identical(values[1], 0)
  # Columns that are copies are one feature, by the first of their names.
  again <- table$similarity[match("again", table$feature)]
  values <- if (is.na(again)) values[2] else again
  one <- find_signals(x[, 1, drop = FALSE], circle, permute = 39, kind = "any", seed = 1)
  expect_equal(one$dependence$table$similarity, values[1])
})

test_that("the similarity that is printed is the one with the p that is printed", {
  x <- withr::with_seed(3, matrix(rnorm(8 * 2), 8))
  found <- find_signals(x, cos(1:8 * 2), permute = 199, kind = "any", seed = 1)$dependence
  at <- which.max(found$table$similarity)
  expect_identical(found$table$p[at], found$p_value)
  expect_match(describe_dependence(found), found$table$feature[at], fixed = TRUE)
  # One below zero, as in so few samples it may be, is no evidence, however far.
  expect_lt(min(found$table$similarity), -max(found$table$similarity))
})

test_that("a report says how dependence of any kind was tested", {
  methods <- function(kind) {
    methods_of(find_signals(features, circle, permute = 19, kind = kind, seed = 1))
  }
  any <- methods("any")
  expect_match(any$paragraph, "Hilbert-Schmidt independence criterion .*Song et al. 2012")
  expect_match(any$references, "^Gretton A", all = FALSE)
  expect_no_match(methods("linear")$paragraph, "Hilbert")
})

test_that("what is not named is not printed as if it were", {
  fit <- find_signals(features, features[, 1] + features[, 2], permute = 19, seed = 1)
  fit$candidates <- data.frame(feature = c("a", "b", "c"), probability = c(0.7999, 0.29, 0.5))
  expect_match(describe_candidates(fit), "a 0.79, b 0.29, c 0.50", fixed = TRUE)
})

test_that("p of any dependence is uniform on noise, and finds a curve, whatever n", {
  skip_on_cran()
  # A bound for rounding that grew with the pairs of samples made it 1 from some 400 samples on.
  for (n in c(100, 506, 900)) {
    p <- vapply(1:16, function(seed) {
      x <- withr::with_seed(seed, matrix(stats::rnorm(n * 3), n))
      y <- withr::with_seed(1000 + seed, stats::rnorm(n))
      find_signals(x, y, permute = 39, kind = "any", seed = seed)$dependence$p_value
    }, 0)
    expect_true(mean(p) > 0.3 && mean(p) < 0.7, info = paste(n, mean(p)))
    expect_lte(sum(p == 1), 4L)
  }
  x <- withr::with_seed(7, matrix(stats::rnorm(3000), 1000))
  y <- 0.2 * x[, 1]^2 + withr::with_seed(8, stats::rnorm(1000))
  found <- find_signals(x, y, permute = 99, kind = "any", seed = 1)$dependence
  expect_identical(found$p_value, 0.01)
  expect_identical(found$features, "V1")
})
