# Directions and sizes are found in one compiled pass; here they are computed again by R.

direction_study <- function(x, y, ...) open_study(x, y, known_outcomes(), ..., merge = FALSE)

known_outcomes <- function() names(outcome_records())

test_that("a class is the direction where the mean is largest, the first of equal ones", {
  withr::local_seed(4)
  for (n_classes in c(2, 3, 5)) {
    y <- factor(sample(rep(letters[seq_len(n_classes)], each = 6)))
    x <- matrix(stats::rnorm(length(y) * 41), length(y))
    x[, 3] <- 7
    x[, 4] <- as.integer(y == levels(y)[n_classes])
    x[, 5] <- as.integer(y != levels(y)[1])
    x[, 6] <- 1e8 + rep(0, length(y))
    x[1, 6] <- x[1, 6] + 1e-6
    study <- direction_study(x, y)
    means <- t(vapply(levels(y), function(k) colMeans(x[y == k, ]), numeric(41)))
    expected <- levels(y)[apply(means, 2, which.max)]
    expected[c(3, 6)] <- NA
    expect_identical(feature_directions(study), expected)
    expect_identical(expected[4:5], levels(y)[c(n_classes, 2)])
  }
})

test_that("for numbers the direction is the sign of the correlation", {
  withr::local_seed(5)
  x <- matrix(stats::rnorm(30 * 18), 30)
  y <- stats::rnorm(30)
  x[, 2] <- -3
  x[, 7] <- stats::residuals(stats::lm(x[, 7] ~ y))
  expected <- ifelse(stats::cor(x[, -2], y) > 0, "+", "-")
  expected <- append(expected, NA, 1)
  expected[7] <- NA
  expect_identical(feature_directions(direction_study(x, y)), expected)
})

test_that("x in slabs has the directions of x in memory", {
  withr::local_seed(6)
  x <- matrix(stats::rnorm(12 * (slab_size + 3)), 12)
  y <- rep(c("a", "b", "c"), 4)
  study <- direction_study(x, y)
  in_memory <- feature_directions(study)
  study$x <- dense_columns(study$x)
  expect_identical(feature_directions(study), in_memory)
})

test_that("the size of a column is its largest absolute value, unless one is not finite", {
  x <- cbind(c(-3, 2, 1), 0, c(1, Inf, 2), c(1, NaN, Inf), c(NA, 1, 1), c(-0, -1e-310, 1e-312))
  sizes <- cpp_column_sizes(x)
  expect_identical(sizes[c(1:3, 6)], c(3, 0, Inf, 1e-310))
  expect_true(all(is.nan(sizes[4:5]) | is.na(sizes[4:5])))
  expect_identical(cpp_column_sizes(x[, 0]), numeric())
})

test_that("codes of another length are refused", {
  expect_error(cpp_highest_classes(diag(3), 1:2, 2L), "one value for each row", fixed = TRUE)
  expect_error(cpp_highest_classes(diag(3), c(1L, 4L, 2L), 3L), "codes must be", fixed = TRUE)
  expect_error(cpp_product_signs(diag(3), 1:2), "one value for each row", fixed = TRUE)
})
