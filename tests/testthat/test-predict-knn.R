# Nearest neighbours, against class and FNN.

knn_data <- function(classes, n = 60, p = 5, seed = classes) {
  withr::with_seed(seed, {
    y <- factor(rep_len(letters[seq_len(classes)], 2 * n))
    x <- matrix(stats::rnorm(2 * n * p), 2 * n) + 0.5 * as.integer(y)
    x[, 2] <- 1e4 * x[, 2]
  })
  colnames(x) <- paste0("f", seq_len(p))
  first <- seq_len(n)
  list(x = x[first, ], y = y[first], newx = x[-first, ], number = x[first, 1] + first / 10)
}

# Scaled by hand, as the learner says.
scaled_by <- function(data, scaling) {
  low <- switch(scaling, sd = colMeans(data$x), range = apply(data$x, 2, min), none = 0)
  width <- switch(scaling,
    sd = apply(data$x, 2, function(v) sqrt(mean((v - mean(v))^2))),
    range = apply(data$x, 2, function(v) diff(range(v))), none = 1
  )
  lapply(data[c("x", "newx")], function(x) t((t(x) - low) / width))
}

answers <- function(learner, x, y, newx) {
  model <- learner$fit(x, y)
  list(
    predict = learner$predict(model, newx), odds = learner$probability(model, newx)
  )
}

test_that("classes and their shares are those of class::knn()", {
  skip_if_not_installed("class")
  for (classes in 2:4) {
    for (scaling in c("sd", "range", "none")) {
      data <- knn_data(classes)
      z <- scaled_by(data, scaling)
      for (k in c(1, 3, 5, 8)) {
        peer <- class::knn(z$x, z$newx, data$y, k, prob = TRUE)
        ours <- answers(learner_knn(k, scaling), data$x, data$y, data$newx)
        # class::knn() draws among classes with as many votes.
        best <- apply(ours$odds, 1, max)
        sure <- rowSums(ours$odds == best) == 1
        expect_identical(as.character(ours$predict)[sure], as.character(peer)[sure])
        expect_equal(best, attr(peer, "prob"), ignore_attr = TRUE)
        expect_equal(rowSums(ours$odds), rep(1, 60), ignore_attr = TRUE)
      }
    }
  }
})

test_that("numbers are the means of FNN's neighbours", {
  skip_if_not_installed("FNN")
  data <- knn_data(2)
  z <- scaled_by(data, "sd")
  for (k in c(1, 4, 60)) {
    peer <- FNN::knn.reg(z$x, z$newx, data$number, k)$pred
    expect_equal(answers(learner_knn(k), data$x, data$number, data$newx)$predict, peer)
  }
  # More neighbours than samples: all of them.
  learner <- learner_knn(500)
  expect_equal(
    answers(learner, data$x, data$number, data$newx)$predict, rep(mean(data$number), 60)
  )
  expect_null(answers(learner, data$x, data$number, data$newx)$odds)
})

test_that("ties go to the first rows, and to the class of the nearest", {
  x <- cbind(f = c(1, 3, 1, 3, 2.5))
  y <- factor(c("a", "b", "b", "a", "b"))
  at <- function(k, value) {
    as.character(answers(learner_knn(k, "none"), x, y, cbind(f = value))$predict)
  }
  # Rows 1 to 4 are equally far from 2 and row 5 is nearer.
  expect_identical(at(1, 2), "b")
  expect_identical(at(2, 2), "b")
  expect_identical(at(3, 2), "b")
  # Rows 1 and 3 are at 1, both nearest: the first is taken.
  expect_identical(at(1, 1), "a")
  expect_identical(at(2, 1), "a")
  expect_identical(at(1, 3), "b")
  withr::with_seed(1, first <- at(2, 2))
  withr::with_seed(2, expect_identical(at(2, 2), first))
})

test_that("units, constants, absent classes and a single sample are no obstacle", {
  data <- knn_data(3)
  base <- answers(learner_knn(3), data$x, data$y, data$newx)
  large <- answers(learner_knn(3), 2^1000 * data$x, data$y, 2^1000 * data$newx)
  expect_identical(large, base)
  more <- answers(learner_knn(3), cbind(data$x, 0.3), data$y, cbind(data$newx, 9))
  expect_identical(more, base)
  without <- data$y != "b"
  some <- answers(learner_knn(3), data$x[without, ], data$y[without], data$newx)
  expect_identical(levels(some$predict), c("a", "c"))
  one <- answers(learner_knn(), data$x[1, , drop = FALSE], data$y[1], data$newx[1:2, ])
  expect_identical(as.character(one$predict), rep(as.character(data$y[1]), 2))
  none <- answers(learner_knn(), data$x, data$y, data$newx[0, ])
  expect_length(none$predict, 0)
  expect_identical(dim(none$odds), c(0L, 3L))
})

test_that("it judges selectors and is refused where an importance is needed", {
  x <- as.matrix(mcl_sll[, -1])
  judged <- evaluate_selectors(
    x, mcl_sll$MCL, list(t = selector_filter("t")), n_features = 5, n_repeats = 3,
    learner = learner_knn(3), seed = 1
  )
  expect_true(all(judged$table$error <= 1))
  expect_error(
    eliminate_features(x, mcl_sll$MCL, learner_knn()), class = "stabilect_error_input"
  )
  expect_error(learner_knn(0), "`n_neighbours` must be", class = "stabilect_error_input")
  expect_error(learner_knn(scaling = "iqr"), "`scaling` must be", class = "stabilect_error_input")
  expect_output(print(learner_knn()), "nearest neighbours")
})
