library_data <- function(classes) {
  withr::with_seed(classes, {
    y <- factor(rep_len(letters[seq_len(classes)], 60))
    x <- matrix(stats::rnorm(60 * 5), 60, dimnames = list(rep("s", 60), paste0("f", 1:5)))
    x[, 2] <- x[, 2] + 2 * as.integer(y)
  })
  list(x = x, y = y)
}

test_that("learners of other packages learn, and know what they learnt from", {
  makers <- list(
    ranger = function() learner_forest(50), gbm = function() learner_boosting(20),
    glmnet = function() learner_lasso()
  )
  for (package in names(makers)) {
    skip_if_not_installed(package)
    learner <- makers[[package]]()
    for (classes in 2:3) {
      data <- library_data(classes)
      model <- withr::with_seed(1, learner$fit(data$x, data$y))
      predicted <- learner$predict(model, data$x)
      odds <- learner$probability(model, data$x)
      expect_gt(mean(predicted == data$y), 0.7)
      expect_identical(dim(odds), c(60L, classes))
      expect_equal(unname(rowSums(odds)), rep(1, 60))
      expect_identical(colnames(odds)[max.col(odds, "first")], as.character(predicted))
      expect_identical(which.max(learner$importance(model)), 2L)
      expect_identical(
        unname(learner$probability(model, data$x[3, , drop = FALSE])[1, ]), unname(odds[3, ])
      )
      single <- withr::with_seed(1, learner$fit(data$x[, 2, drop = FALSE], data$y))
      expect_length(learner$importance(single), 1L)
      expect_length(learner$predict(single, data$x[1:2, 2, drop = FALSE]), 2L)
    }
    expect_output(print(learner), "stabilect_learner")
  }
})

test_that("the forest's trees try the share asked for", {
  skip_if_not_installed("ranger")
  data <- library_data(2)
  expect_identical(learner_forest(5, 0.3)$fit(data$x, data$y)$fit$mtry, 2)
  expect_identical(learner_forest(5, 40)$fit(data$x, data$y)$fit$mtry, 5)
  expect_match(message_of(learner_forest(mtry = -1)), "`mtry` must be")
})

test_that("the lasso is at its minimum", {
  skip_if_not_installed("glmnet")
  data <- library_data(2)
  model <- learner_lasso(4)$fit(data$x, data$y)$fits[[1]]
  z <- t(t(data$x) - colMeans(data$x))
  z <- t(t(z) / sqrt(colMeans(z^2)))
  link <- drop(data$x %*% model$beta) + model$intercept
  gradient <- drop(crossprod(z, (data$y == "b") - stats::plogis(link)))
  on <- model$beta != 0
  expect_true(any(on) && !all(on))
  expect_equal(abs(gradient[on]), rep(4, sum(on)), tolerance = 1e-4, ignore_attr = TRUE)
  expect_lt(max(abs(gradient[!on])), 4)
})

test_that("the odds of two classes are those of the link", {
  model <- list(levels = c("a", "b"), columns = "x", fits = list(NULL))
  odds <- one_against_rest_odds(model, matrix(0, 3, 1), function(fit, newdata) c(-2, 0, 0.7))
  expect_identical(colnames(odds), c("a", "b"))
  expect_equal(unname(odds[, "b"]), stats::plogis(c(-2, 0, 0.7)))
})
