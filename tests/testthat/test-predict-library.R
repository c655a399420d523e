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

test_that("the lasso of numbers and survival times is optimal where it is asked for", {
  skip_if_not_installed("glmnet")
  d <- survival_design()
  x <- d$x * rep(10^(seq_len(12) %% 4 - 2), each = 60)
  z <- scale(x) * sqrt(60 / 59)
  check <- function(gradient, model, lambda) {
    used <- model$beta != 0
    expect_true(any(used) && !all(used))
    expect_equal(gradient[used], lambda * sign(model$beta[used]), tolerance = 1e-3,
      ignore_attr = TRUE)
    expect_lte(max(abs(gradient[!used])), lambda)
    expect_equal(unname(model$standardised), model$beta * attr(z, "scaled:scale") / sqrt(60 / 59),
      ignore_attr = TRUE)
  }
  number <- 3 * d$x[, 1] - d$x[, 2] + d$x[, 5] / 9 + 7
  learner <- learner_lasso(9)
  model <- learner$fit(x, number)
  check(drop(crossprod(z, number - learner$predict(model, x))), model, 9)
  learner <- learner_lasso(4)
  model <- learner$fit(x, surv_of(d))
  times <- cox_times(d$time, d$event)
  at <- cox_point(z[times$order, ], times, sqrt(learner$importance(model)) * sign(model$beta))
  check(at$gradient, model, 4)
  expect_equal(mean(learner$predict(model, x)), 0)
  hazard <- baseline_hazard(d$time, d$event, learner$predict(model, x))
  expect_equal(
    learner$survival(model, x[1:3, ], c(1, 3)),
    curves_of_risk(hazard, learner$predict(model, x[1:3, ]), c(1, 3))
  )
})

test_that("without a penalty the lasso takes the smallest corrected AIC", {
  skip_if_not_installed("glmnet")
  d <- survival_design()
  number <- 3 * d$x[, 1] - d$x[, 2] + d$x[, 6]
  # By hand, over the path of glmnet.
  path <- glmnet::glmnet(d$x, number, thresh = 1e-10)
  rss <- colSums((number - stats::predict(path, d$x))^2)
  df <- path$df + 1
  aicc <- ifelse(df <= 30, 60 * log(rss / 60) + 2 * df * 60 / (60 - df - 1), Inf)
  learner <- learner_lasso()
  model <- learner$fit(d$x, number)
  expect_equal(learner$predict(model, d$x), stats::predict(path, d$x)[, which.min(aicc)],
    tolerance = 1e-6, ignore_attr = TRUE)
  skip_if_not_installed("survival")
  # glmnet may have Breslow's ties alone: first without ties.
  d$time <- d$time + order(order(d$x[, 3])) * 1e-4
  times <- cbind(time = d$time, status = d$event)
  path <- glmnet::glmnet(d$x, times, "cox", thresh = 1e-16, maxit = 1e7)
  y <- survival::Surv(d$time, d$event)
  loss <- apply(as.matrix(path$beta), 2, function(beta) {
    fit <- survival::coxph(y ~ x, data = list(x = d$x), init = beta, iter.max = 0)
    -2 * fit$loglik[2]
  })
  events <- sum(d$event)
  penalty <- 2 * path$df * events / (events - path$df - 1)
  aicc <- ifelse(path$df + 1 <= events / 2, loss + penalty, Inf)
  model <- learner$fit(d$x, surv_of(d))
  expect_equal(model$beta, path$beta[, which.min(aicc)], tolerance = 1e-6, ignore_attr = TRUE)
  # Noise: no features rather than many.
  noise <- withr::with_seed(2, matrix(stats::rnorm(60 * 30), 60))
  empty <- learner$fit(noise, number)
  expect_lte(sum(empty$beta != 0), 6)
  expect_equal(learner$predict(learner$fit(noise * 0, number), noise), rep(mean(number), 60))
  one <- noise[, 1, drop = FALSE]
  expect_equal(learner$predict(learner$fit(one * 0, y), one), rep(0, 60))
  result <- select_ensemble(
    d$x, surv_of(d), selector_filter("cox"), resample_bootstrap(10), n_features = 4,
    learner = learner, seed = 1
  )
  expect_lt(result$oob$error, 0.4)
})

test_that("the odds of two classes are those of the link", {
  model <- list(levels = c("a", "b"), columns = "x", fits = list(NULL))
  odds <- one_against_rest_odds(model, matrix(0, 3, 1), function(fit, newdata) c(-2, 0, 0.7))
  expect_identical(colnames(odds), c("a", "b"))
  expect_equal(unname(odds[, "b"]), stats::plogis(c(-2, 0, 0.7)))
})
