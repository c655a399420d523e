# Neighbours that are almost equal.

# Spectra: sums of broad peaks, 100 wavelengths.
spectra <- function(n = 40, width = 30) {
  withr::with_seed(1, {
    peaks <- vapply(c(20, 50, 80), function(at) stats::dnorm(1:100, at, width), numeric(100))
    amount <- matrix(stats::rexp(n * 3), n)
    x <- amount %*% t(peaks) + 1e-6 * matrix(stats::rnorm(n * 100), n)
    colnames(x) <- paste(1000 + 2 * (1:100), "nm")
    list(x = x, y = amount[, 2] + 0.1 * stats::rnorm(n))
  })
}

test_that("others that are almost equal are counted as cor() counts them", {
  x <- spectra(width = 8)$x
  x[, 90] <- 5
  at <- c(3L, 40L, 77L)
  expected <- suppressWarnings(abs(stats::cor(x[, at], x)) >= almost_equal$r)
  expected <- rowSums(expected, na.rm = TRUE) - 1
  expect_equal(n_almost_equal(x, at), unname(expected))
  expect_gt(max(expected), 2)
  # Values far from 0, many rows, and columns in slabs.
  expect_equal(n_almost_equal(1e6 + 1e3 * x, at), unname(expected))
  expect_equal(n_almost_equal(x[rep(1:40, 100), ], at), unname(expected))
  wide <- cbind(x, withr::with_seed(1, matrix(stats::rnorm(40 * 4000), 40)))
  expect_equal(n_almost_equal(wide, at), unname(expected))
})

test_that("a list of spectra says that names are interchangeable, and what to do", {
  d <- spectra()
  fit <- stability_selection(d$x, d$y, n_pairs = 10, seed = 1)
  expect_identical(fit$interchangeable[["looked"]], length(fit$features))
  text <- printed_words(fit)
  expect_match(text, "Caution .*almost equal to others .*names are interchangeable")
  remedy <- "`clusters = cluster_features(x, threshold = 0.99)` with `q = 5, pfer = 1`"
  expect_match(text, remedy, fixed = TRUE)
  # It runs.
  groups <- cluster_features(d$x, threshold = 0.99)
  expect_lt(nrow(groups$table), 100)
  grouped <- fealect(d$x, d$y, clusters = groups, n_runs = 10, n_boot = 0, seed = 1)
  expect_null(grouped$interchangeable)
  expect_no_match(printed_words(grouped), "interchangeable")
  verbs <- list(
    fealect(d$x, d$y, n_runs = 10, n_boot = 0, oob = FALSE, seed = 1),
    bolasso(d$x, d$y, lambda = 0.1, n_runs = 5, seed = 1),
    select_ensemble(d$x, d$y, selector_filter("pearson"), n_features = 30, seed = 1)
  )
  for (fit in verbs) expect_match(printed_words(fit), "(feature is|features are) almost equal to")
  expect_match(printed_words(verbs[[3]]), "the first 20 features are almost equal")
})

test_that("find_signals() says it of the features that it names", {
  d <- spectra(n = 60, width = 3)
  fit <- find_signals(d$x, d$y, seed = 1)
  expect_gt(length(fit$features), 0L)
  expect_identical(fit$interchangeable[["looked"]], length(fit$features))
  expect_match(printed_words(fit), "Caution .*almost equal to others")
  groups <- cluster_features(d$x, threshold = 0.99)
  expect_null(find_signals(d$x, d$y, clusters = groups, seed = 1)$interchangeable)
})

test_that("pairs, noise and data of which a part is alike are left alone", {
  noise <- withr::with_seed(1, matrix(stats::rnorm(40 * 100), 40))
  colnames(noise) <- paste0("g", 1:100)
  y <- noise[, 1] + withr::with_seed(2, stats::rnorm(40) / 4)
  expect_null(stability_selection(noise, y, n_pairs = 10, seed = 1)$interchangeable)
  # Two probes of one gene.
  noise[, 2] <- noise[, 1] + withr::with_seed(3, stats::rnorm(40) / 20)
  fit <- fealect(noise, y, n_runs = 10, n_boot = 0, oob = FALSE, seed = 1)
  expect_true(any(c("g1", "g2") %in% fit$features))
  expect_gte(abs(stats::cor(noise[, 1], noise[, 2])), almost_equal$r)
  expect_null(fit$interchangeable)
  expect_identical(describe_how_many(13, 20, 50), "13 of the first 20 features are")
  expect_identical(describe_how_many(1, 3, 3), "1 of the 3 features is")
  expect_identical(describe_how_many(3, 3, 3), "all 3 features are")
  expect_identical(describe_how_many(1, 1, 1), "the feature is")
})

test_that("the limit is where a feature that explains half cannot be told from its neighbour", {
  # t of the better one beside the other, of n samples.
  t <- function(n) sqrt(n * (1 - almost_equal$r^2))
  expect_equal(t(200), 2, tolerance = 0.01)
})
