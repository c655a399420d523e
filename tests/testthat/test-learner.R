two_halves <- function(n = 40, p = 12, classes = 3, seed = 1) {
  withr::with_seed(seed, {
    y <- factor(sample(rep_len(letters[seq_len(classes)], 2 * n)))
    x <- matrix(stats::rnorm(2 * n * p), 2 * n) + 0.8 * as.integer(y)
    x[, 2] <- x[, 1] + 0.3 * x[, 2]
    x[, 3] <- 1e5 * x[, 3]
  })
  colnames(x) <- paste0("f", seq_len(p))
  first <- seq_len(n)
  list(x = x[first, ], y = y[first], newx = x[-first, ], newy = y[-first])
}

predict_with <- function(learner, data) learner$predict(learner$fit(data$x, data$y), data$newx)

test_that("discriminant analysis predicts as MASS::lda() does", {
  skip_if_not_installed("MASS")
  for (classes in 2:4) {
    for (p in c(1, 3, 12, 36, 60, 150)) {
      data <- two_halves(p = max(p, 3), classes = classes, seed = p + classes)
      data$x <- data$x[, seq_len(p), drop = FALSE]
      data$newx <- data$newx[, seq_len(p), drop = FALSE]
      peer <- suppressWarnings(MASS::lda(data$x, data$y))
      expected <- as.character(stats::predict(peer, data$newx)$class)
      expect_identical(as.character(predict_with(learner_lda(), data)), expected)
    }
  }
})

test_that("shrinkage is the quadratic form with a shrunk covariance", {
  data <- two_halves(p = 60, classes = 2)
  for (shrinkage in c(0.1, 0.5, 1)) {
    means <- rowsum(data$x, data$y) / as.vector(table(data$y))
    within <- data$x - means[as.character(data$y), ]
    sigma <- crossprod(within) / (40 - 2)
    sigma <- (1 - shrinkage) * sigma + shrinkage * diag(diag(sigma))
    distance <- vapply(1:2, function(k) {
      stats::mahalanobis(data$newx, means[k, ], sigma, tol = 1e-30)
    }, numeric(40))
    score <- -0.5 * distance + rep(log(as.vector(table(data$y)) / 40), each = 40)
    expected <- levels(data$y)[max.col(score)]
    got <- predict_with(learner_lda(shrinkage), data)
    expect_identical(as.character(got), expected)
  }
})

test_that("constant features and single features are no obstacle", {
  data <- two_halves(classes = 2)
  with_constant <- data
  with_constant$x <- cbind(data$x, constant = 7)
  with_constant$newx <- cbind(data$newx, constant = 7)
  expect_identical(predict_with(learner_lda(), with_constant), predict_with(learner_lda(), data))
  only <- list(x = matrix(7, 4, 1), y = factor(c("a", "a", "a", "b")), newx = matrix(7, 2, 1))
  expect_identical(as.character(predict_with(learner_lda(), only)), c("a", "a"))
  expect_identical(as.character(predict_with(learner_lda(0.5), only)), c("a", "a"))
})

test_that("ridge-logistic regression is fit_model()", {
  data <- two_halves(classes = 2)
  model <- fit_model(data$x, data$y, lambda = 5)
  got <- predict_with(learner_ridge_logistic(5), data)
  expect_identical(as.character(got), as.character(predict(model, data$newx, type = "class")))
  expect_error(learner_ridge_logistic(0), class = "stabilect_error_input")
})

test_that("a learner of the user's, print and errors", {
  majority <- learner_custom(
    function(x, y) names(which.max(table(y))), function(model, newx) rep(model, nrow(newx)), "most"
  )
  data <- two_halves()
  expect_length(predict_with(majority, data), 40)
  expect_output(print(majority), "most")
  expect_output(print(learner_lda(0.2)), "shrinkage 0.2")
  expect_match(message_of(learner_lda(2)), "`shrinkage` must be")
  expect_match(message_of(learner_custom(1, 2)), "must be functions")
})
