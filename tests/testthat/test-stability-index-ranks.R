test_that("spearman and kendall are those of stats::cor()", {
  for (score in score_cases()) {
    data <- weights_data(matrix(1, 12, 5), score)
    plain <- as.matrix(score)
    for (method in c("spearman", "kendall")) {
      r <- stats::cor(plain, method = method)
      expect_equal(weight_estimate(method, data), mean(r[upper.tri(r)]), tolerance = 1e-12)
    }
  }
})

test_that("negative scores of a sparse matrix come before features without one", {
  score <- Matrix::sparseMatrix(
    i = c(1, 2, 1, 3), j = c(1, 1, 2, 2), x = c(-1, -2, -1, 2), dims = c(5, 2)
  )
  ranks <- cbind(c(1, 2, 4, 4, 4), c(2, 4, 1, 4, 4))
  data <- weights_data(matrix(1, 5, 2), score)
  expect_equal(weight_estimate("spearman", data), stats::cor(ranks)[1, 2])
})

test_that("canberra is Eq. 5", {
  for (score in score_cases()) {
    data <- weights_data(matrix(1, 12, 5), score)
    ranks <- apply(-as.matrix(score), 2, rank)
    for (k in c(1, 4, 12)) {
      cut <- pmin(ranks, k + 1)
      distance <- over_pairs(5, function(i, j) {
        total <- 0
        for (f in 1:12) total <- total + abs(cut[f, i] - cut[f, j]) / (cut[f, i] + cut[f, j])
        total
      })
      chi <- (k + 1) * (24 - k) / 12 * log(4) - (24 * k + 36 - k - k^2) / 12
      expect_equal(
        weight_estimate("canberra", data, location = k), 1 - distance / chi,
        tolerance = 1e-12
      )
    }
  }
})

test_that("the exact mean of canberra and of the overlap is that of all rankings", {
  orders <- as.matrix(expand.grid(rep(list(1:5), 5)))
  orders <- orders[apply(orders, 1, function(v) !anyDuplicated(v)), ]
  value <- function(name, v, ...) {
    data <- weights_data(matrix(1, 5, 2), cbind(5:1, v))
    weight_estimate(name, data, corrected = TRUE, ...)
  }
  for (k in c(1, 3, 5)) {
    canberra <- apply(orders, 1, function(v) value("canberra", v, location = k))
    expect_lt(abs(mean(canberra)), 1e-12)
    expect_identical(max(canberra), 1)
  }
  overlap <- apply(orders, 1, function(v) value("weighted_overlap", v, weights = c(3, 1, 2)))
  expect_lt(abs(mean(overlap)), 1e-12)
  expect_equal(max(overlap), 1)
})

test_that("corrected, shuffled partial rankings of different lengths have mean zero", {
  # All placements of 1, 2 and 4 ranked features among 5; the first two rankings have a tie.
  orders <- as.matrix(expand.grid(rep(list(1:5), 5)))
  orders <- orders[apply(orders, 1, function(v) !anyDuplicated(v)), ]
  scores <- list(c(5, 0, 0, 0, 0), c(3, 3, 0, 0, 0), c(4, 3, 2, 2, 0))
  for (pair in list(c(1, 2), c(1, 3), c(2, 3))) {
    fixed <- scores[[pair[1]]]
    means <- rowMeans(apply(orders, 1, function(v) {
      score <- Matrix::Matrix(cbind(fixed, scores[[pair[2]]][v]), sparse = TRUE)
      data <- weights_data(matrix(1, 5, 2), score)
      one <- function(name, ...) weight_estimate(name, data, corrected = TRUE, ...)
      c(
        one("canberra", location = 2L), one("canberra", location = 4L),
        one("weighted_overlap", weights = c(3, 1, 2))
      )
    }))
    expect_lt(max(abs(means)), 1e-12)
  }
})

# The overlap by its definition: for each depth the features, or shares of tied ones, in the top.
naive_overlap <- function(score, weights) {
  p <- nrow(score)
  in_top <- function(v, l) {
    above <- vapply(v, function(s) sum(v > s), 0)
    tied <- vapply(v, function(s) sum(v == s), 0)
    pmin(1, pmax(0, (l - above) / tied))
  }
  depth <- seq_along(weights)
  over_pairs(ncol(score), function(i, j) {
    shared <- vapply(depth, function(l) {
      sum(pmin(in_top(score[, i], l), in_top(score[, j], l)))
    }, 0)
    sum(weights * shared) / sum(weights * depth)
  })
}

test_that("the weighted overlap is its definition, ties and all", {
  for (score in score_cases()) {
    data <- weights_data(matrix(1, 12, 5), score)
    for (weights in list(1 / 1:4, 1 / 1:12, c(0, 0, 1), 2^-(1:11))) {
      expect_equal(
        weight_estimate("weighted_overlap", data, weights = weights),
        naive_overlap(as.matrix(score), weights),
        tolerance = 1e-12
      )
    }
  }
  data <- weights_data(random_importance(12, 5, c(2, 4), 3), score_cases()$dense)
  value <- weight_value("weighted_overlap", data)
  expect_equal(value$estimate, naive_overlap(score_cases()$dense, 1 / 1:2))
  expect_identical(value$note, "depth 2")
})

test_that("equal rankings have stability one, reversed ones less than none", {
  v <- c(3, 1, 4, 1.5, 5, 9, 2, 6)
  same <- weights_data(matrix(1, 8, 3), cbind(v, v^3, exp(v)))
  against <- weights_data(matrix(1, 8, 2), cbind(v, -v))
  for (name in weight_names()[3:6]) {
    expect_equal(weight_estimate(name, same, location = 3L), 1)
    expect_lt(weight_estimate(name, against, location = 3L, corrected = TRUE), 0)
  }
  expect_equal(weight_estimate("kendall", against), -1)
})
