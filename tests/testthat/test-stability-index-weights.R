test_that("phi_iw is Eq. 6", {
  for (seed in 1:5) {
    importance <- random_importance(15, 6, c(2, 5, 9, 15), seed)
    # A difference of numbers near one.
    expect_equal(
      1 + weight_estimate("phi_iw", weights_data(importance)), 1 + naive_phi_iw(importance),
      tolerance = 1e-13
    )
  }
  importance[, c(2, 5)] <- 0
  expect_equal(
    weight_estimate("phi_iw", weights_data(importance)), naive_phi_iw(importance),
    tolerance = 1e-12
  )
})

test_that("phi_iw is Eq. 10, from frequencies and global importances", {
  importance <- random_importance(20, 7, c(3, 8), 11)
  m <- 7
  scaled <- apply(importance, 2, function(w) w / sum(w)) * mean(colSums(importance != 0))
  frequency <- rowMeans(importance != 0)
  shared <- apply(scaled, 1, function(w) sum(outer(w, w, pmin)))
  global <- ifelse(frequency > 0, shared / (m * frequency)^2, 0)
  mean_k <- mean(colSums(importance != 0))
  correction <- over_pairs(m, function(i, j) sum(outer(scaled[, i], scaled[, j], pmin)) / 20)
  expected <- 1 - m / (m - 1) * (mean_k - sum(global * frequency^2)) / (mean_k - correction)
  expect_equal(weight_estimate("phi_iw", weights_data(importance)), expected, tolerance = 1e-12)
})

test_that("phi_iw with even importance: Theorems 2 and 3", {
  even <- (random_importance(18, 6, c(3, 7, 10), 2) > 0) * 1
  k <- colSums(even)
  most <- outer(k, k, pmax)
  mean_k <- mean(k)
  top <- mean_k * crossprod(even) / most
  chance <- mean_k / 18 * outer(k, k) / most
  pairs <- upper.tri(top)
  theorem <- (mean(top[pairs]) - mean(chance[pairs])) / (mean_k - mean(chance[pairs]))
  expect_equal(weight_estimate("phi_iw", weights_data(even)), theorem, tolerance = 1e-12)

  same_size <- (random_importance(18, 6, 5, 3) > 0) * 1
  kuncheva <- mean(((crossprod(same_size) - 25 / 18) / (5 - 25 / 18))[upper.tri(diag(6))])
  expect_equal(weight_estimate("phi_iw", weights_data(same_size)), kuncheva, tolerance = 1e-12)
  expect_equal(weight_estimate("phi_pears", weights_data(same_size)), kuncheva, tolerance = 1e-12)
})

test_that("Figure 6 of the paper, as p grows", {
  # 15 features with importance 2/3 in all runs, 5 with 2 in one run each.
  figure <- function(p, m = 10) {
    importance <- matrix(0, p, m)
    importance[1:15, ] <- 2 / 3
    for (i in seq_len(m)) importance[15 + 5 * (i - 1) + 1:5, i] <- 2
    weights_data(importance)
  }
  data <- figure(1e5)
  expect_equal(weight_estimate("phi_iw", data), 0.5, tolerance = 2e-4)
  expect_equal(weight_estimate("phi_pears", data), 0.25, tolerance = 1e-3)
  expect_gt(abs(weight_estimate("phi_iw", figure(100)) - 0.5), 0.02)
})

test_that("phi_iw stays within its bounds and reaches them", {
  for (seed in 1:40) {
    m <- 2 + seed %% 4
    importance <- random_importance(6, m, c(1, 2, 5, 6), seed)
    value <- weight_estimate("phi_iw", weights_data(importance))
    expect_gte(value, -1 / (m - 1) - 1e-12)
    expect_lte(value, 1 + 1e-12)
  }
  one <- random_importance(10, 1, 4, 1)
  expect_equal(weight_estimate("phi_iw", weights_data(one[, c(1, 1, 1)] %*% diag(c(1, 3, 5)))), 1)
  # Runs that split the features evenly between them.
  expect_equal(weight_estimate("phi_iw", weights_data(diag(4))), -1 / 3)
})

test_that("shuffled importances have expectation zero: Property 4 by enumeration", {
  importance <- cbind(c(5, 2, 1, 0, 0), c(4, 1, 0, 0, 0))
  orders <- as.matrix(expand.grid(rep(list(1:5), 5)))
  orders <- orders[apply(orders, 1, function(v) !anyDuplicated(v)), ]
  values <- apply(orders, 1, function(v) {
    weight_estimate("phi_iw", weights_data(cbind(importance[, 1], importance[v, 2])))
  })
  expect_length(values, 120)
  expect_lt(abs(mean(values)), 1e-12)
  expect_gt(stats::sd(values), 0.1)
})

test_that("groups selected as a whole count once: Property 5, as p grows", {
  p <- 2e5
  m <- 6
  set.seed(5)
  group_importance <- matrix(stats::rexp(4 * m), 4) * (matrix(stats::runif(4 * m), 4) < 0.8)
  other <- replicate(m, stats::rexp(8))
  spread <- function(size) {
    importance <- matrix(0, p, m)
    shares <- seq_len(size) / sum(seq_len(size))
    for (g in 1:4) {
      importance[(g - 1) * size + seq_len(size), ] <- outer(shares, group_importance[g, ])
    }
    for (i in seq_len(m)) importance[1000 + 20 * i + 1:8, i] <- other[, i]
    weights_data(importance)
  }
  values <- vapply(c(1, 3, 20), function(size) weight_estimate("phi_iw", spread(size)), 0)
  expect_lt(diff(range(values)), 1e-3)
  pears <- vapply(c(1, 20), function(size) weight_estimate("phi_pears", spread(size)), 0)
  expect_gt(abs(diff(pears)), 0.04)
})

test_that("two methods combined: Property 6, as p grows", {
  p <- 2e5
  first <- rbind(random_importance(30, 5, 6, 7), matrix(0, p - 30, 5))
  second <- rbind(matrix(0, 30, 5), random_importance(15, 5, 4, 8), matrix(0, p - 45, 5))
  scaled <- function(x, k) apply(x, 2, function(w) w / sum(w)) * k
  first <- scaled(first, 6)
  second <- scaled(second, 4)
  delta <- c(0.5, (10 - 6 * 0.5) / 4)
  both <- weight_estimate("phi_iw", weights_data(first * delta[1] + second * delta[2]))
  parts <- vapply(list(first, second), function(x) weight_estimate("phi_iw", weights_data(x)), 0)
  expect_equal(both, sum(c(6, 4) / 10 * delta * parts), tolerance = 1e-3)
})

test_that("phi_pears is the mean correlation", {
  importance <- random_importance(25, 7, c(3, 8, 12), 12)
  r <- stats::cor(importance)
  expect_equal(
    weight_estimate("phi_pears", weights_data(importance)), mean(r[upper.tri(r)]),
    tolerance = 1e-12
  )
})

test_that("without importances the size of the scores is taken, or even weights", {
  importance <- random_importance(12, 5, c(3, 6), 13)
  signed <- importance * sample(c(-1, 1), length(importance), replace = TRUE)
  with_scores <- weights_data(importance, signed)
  with_scores$importance <- NULL
  sparse_scores <- with_scores
  sparse_scores$score <- methods::as(Matrix::Matrix(signed, sparse = TRUE), "generalMatrix")
  for (name in c("phi_iw", "phi_pears")) {
    known <- weight_value(name, weights_data(importance))
    expect_identical(known$note, "")
    for (data in list(with_scores, sparse_scores)) {
      value <- weight_value(name, data)
      expect_equal(value$estimate, known$estimate, tolerance = 1e-12)
      expect_match(value$note, "size of the scores")
    }
    even <- weights_data(importance)
    even$importance <- NULL
    value <- weight_value(name, even)
    expect_equal(value$estimate, weight_estimate(name, weights_data((importance > 0) * 1)))
    expect_match(value$note, "taken as equal, as none is known")
  }
  # A run whose selected features all have weight 0.
  selected <- importance != 0
  lost <- importance
  lost[, 2] <- 0
  uneven <- weight_value("phi_iw", weights_data(lost, selected = selected))
  expect_match(uneven$note, "taken as equal in 1 runs")
  lost[, 2] <- selected[, 2]
  expect_equal(
    weight_value("phi_iw", weights_data(lost))$estimate,
    {
      lost[, 2] <- 0
      weight_value("phi_iw", weights_data(lost, selected = selected))$estimate
    }
  )
})

test_that("phi_iw is not defined without a choice", {
  none <- weight_value("phi_iw", weights_data(matrix(0, 4, 3)))
  all <- weight_value("phi_iw", weights_data(matrix(2, 4, 3)))
  expect_identical(c(none$estimate, all$estimate), c(NA_real_, NA_real_))
  expect_match(none$note, "no set")
  expect_identical(all$loo, rep(NA_real_, 3))
})

test_that("leave-one-out, replicates and threads", {
  importance <- random_importance(14, 6, c(3, 6, 8), 31)
  set.seed(32)
  score <- matrix(stats::rnorm(84), 14)
  for (corrected in c(FALSE, TRUE)) {
    for (name in weight_names()) {
      of_runs <- function(keep, ...) {
        weight_value(name, weights_data(importance[, keep], score[, keep]),
          location = 5L, corrected = corrected, ...
        )
      }
      value <- of_runs(1:6)
      without <- vapply(1:6, function(i) of_runs(setdiff(1:6, i))$estimate, 0)
      expect_equal(value$loo, without, tolerance = 1e-12)
      w <- cbind(1, c(1, 0, 1, 1, 0, 1))
      expect_equal(
        value$replicate(w), c(value$estimate, of_runs(c(1, 3, 4, 6))$estimate),
        tolerance = 1e-12
      )
      for (n_threads in 2:3) {
        again <- of_runs(1:6, n_threads = n_threads)
        expect_identical(again[c("estimate", "loo")], value[c("estimate", "loo")])
      }
    }
  }
})

test_that("runs without ranks or weights are named or imputed", {
  score <- matrix(stats::rnorm(24), 8)
  score[, 2] <- 1
  importance <- matrix(1, 8, 3)
  importance[1:3, c(1, 3)] <- 0
  data <- weights_data(importance, score)
  for (name in c("phi_pears", "spearman", "kendall")) {
    value <- weight_value(name, data)
    expect_identical(value$estimate, NA_real_)
    expect_match(value$note, "^runs 1 and 2: ")
    expect_identical(is.na(value$loo), c(TRUE, FALSE, TRUE))
    filled <- weight_value(name, data, impute_na = 0)
    expect_equal(filled$estimate, value$loo[2] / 3)
  }
  data$score <- NULL
  expect_error(weight_value("kendall", data), "needs runs with scores")
})

test_that("one number is that of the index; bad options are refused", {
  set.seed(40)
  score <- matrix(stats::rexp(40), 10, dimnames = list(letters[1:10], NULL))
  selected <- methods::as(Matrix::Matrix((score > 0.7) * 1, sparse = TRUE), "nMatrix")
  selection <- new_selection(score, selected, rep("ok", 4), "test")
  data <- index_runs(selection)
  for (name in weight_names()) {
    expect_identical(value_of_index(selection, name), weight_estimate(name, data))
  }
  expect_identical(
    value_of_index(selection, "canberra", location = 2),
    weight_estimate("canberra", data, location = 2L)
  )
  expect_refusals({
    value_of_index(selection, "canberra", location = 11)
    value_of_index(selection, "weighted_overlap", weights = c(1, -1))
    value_of_index(selection, "weighted_overlap", weights = numeric(11))
  })
})
