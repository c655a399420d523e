linear_data <- function(n = 40, p = 10, classes = 2, seed = 1) {
  withr::with_seed(seed, {
    y <- factor(rep_len(letters[seq_len(classes)], n))
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("f", seq_len(p))))
    x <- x + 0.4 * as.integer(y)
  })
  list(x = x, y = y)
}

sd_scaled <- function(x) {
  z <- t(t(x) - colMeans(x))
  t(t(z) / sqrt(colMeans(z^2)))
}

# Weights and bias of the machine for the second of two classes.
machine_of <- function(learner, data) {
  model <- learner$fit(data$x, data$y)
  c(model$weights[, 2] - model$weights[, 1], model$constants[2] - model$constants[1])
}

test_that("logistic regression is LIBLINEAR's with a penalised intercept, and glmnet's without", {
  skip_if_not_installed("LiblineaR")
  skip_if_not_installed("glmnet")
  # More features than samples and fewer: both ways to solve it.
  for (p in c(8, 30, 200)) {
    data <- linear_data(p = p)
    z <- sd_scaled(data$x)
    for (lambda in c(0.5, 5)) {
      ours <- machine_of(
        learner_logistic(lambda, "none", "penalised"), list(x = z, y = data$y)
      )
      peer <- LiblineaR::LiblineaR(
        z, data$y, type = 0, cost = 1 / lambda, bias = 1, epsilon = 1e-12
      )
      sign <- if (peer$ClassNames[1] == "b") 1 else -1
      expect_lt(max(abs(ours - sign * peer$W)), 1e-6)
      peer <- glmnet::glmnet(
        z, data$y, "binomial", alpha = 0, lambda = lambda / 40 * 2^(8:0), standardize = FALSE,
        thresh = 1e-22, maxit = 1e7
      )
      ours <- machine_of(learner_logistic(lambda), data)
      weights <- ours[seq_len(p)] * sqrt(colMeans(t(t(data$x) - colMeans(data$x))^2))
      expect_lt(max(abs(weights - peer$beta[, 9])), 1e-6)
    }
  }
})

test_that("the minimum has no gradient: shrinkage factors and feature weights", {
  for (p in c(8, 30, 200)) {
    data <- linear_data(p = p)
    factors <- stats::setNames(seq(0.2, 4, length.out = p), colnames(data$x))
    y <- ifelse(data$y == "b", 1, -1)
    z <- sd_scaled(data$x)
    w <- machine_of(learner_logistic(2, "none", penalty = factors),
      list(x = z, y = data$y))
    pull <- y * stats::plogis(-y * (z %*% w[seq_len(p)] + w[p + 1]))
    expect_lt(max(abs(crossprod(z, pull) - 2 * factors * w[seq_len(p)])), 1e-8)
    expect_lt(abs(sum(pull)), 1e-8)
    for (intercept in c("free", "penalised")) {
      w <- machine_of(learner_svm(0.05, "l2", "none", intercept, penalty = factors),
        list(x = z, y = data$y))
      pull <- 2 * 0.05 * y * pmax(0, 1 - y * (z %*% w[seq_len(p)] + w[p + 1]))
      expect_lt(max(abs(crossprod(z, pull) - factors * w[seq_len(p)])), 1e-8)
      expect_lt(abs(sum(pull) - if (intercept == "free") 0 else w[p + 1]), 1e-8)
    }
    # A weight of a feature is the root of the inverse of its shrinkage.
    for (make in list(learner_svm, learner_logistic)) {
      shrunk <- make(0.5, penalty = factors)
      weighted <- make(0.5, feature_weights = 1 / sqrt(factors))
      expect_equal(machine_of(shrunk, data), machine_of(weighted, data))
      ratio <- weighted$fit(data$x, data$y)$importance / shrunk$fit(data$x, data$y)$importance
      expect_equal(ratio, unname(factors))
      # Of a subset, factors are found by name.
      part <- list(x = data$x[, 8:3], y = data$y)
      expect_equal(
        machine_of(make(0.5, penalty = factors), part),
        machine_of(make(0.5, penalty = factors[8:3]), part)
      )
    }
  }
})

test_that("the machine for hinge loss is that of e1071, with a free intercept", {
  skip_if_not_installed("e1071")
  for (p in c(3, 30, 200)) {
    data <- linear_data(n = 41, p = p, seed = p)
    data$y[1:8] <- "a"
    for (cost in c(0.01, 1)) {
      ours <- machine_of(learner_svm(cost, "l1", "none"), data)
      peer <- e1071::svm(
        data$x, data$y, kernel = "linear", cost = cost, scale = FALSE, tolerance = 1e-10
      )
      weights <- drop(crossprod(peer$coefs, peer$SV))
      sign <- if (peer$labels[1] == 2) 1 else -1
      expect_equal(ours[seq_len(p)], sign * unname(weights), tolerance = 1e-6)
      expect_equal(
        data$x %*% ours[seq_len(p)] + ours[p + 1],
        sign * attr(predict(peer, data$x, decision.values = TRUE), "decision.values"),
        tolerance = 1e-5, ignore_attr = TRUE
      )
    }
  }
  # LIBSVM gives up before it has solved overlapping classes with a large cost to many digits.
  data <- linear_data(n = 41, p = 3, seed = 3)
  objective <- function(weights, intercept) {
    fit <- data$x %*% weights + intercept
    sum(weights^2) / 2 + 30 * sum(pmax(0, 1 - ifelse(data$y == "b", 1, -1) * fit))
  }
  ours <- machine_of(learner_svm(30, "l1", "none"), data)
  peer <- e1071::svm(data$x, data$y, kernel = "linear", cost = 30, scale = FALSE)
  sign <- if (peer$labels[1] == 2) 1 else -1
  theirs <- objective(sign * drop(crossprod(peer$coefs, peer$SV)), -sign * peer$rho)
  expect_lte(objective(ours[1:3], ours[4]), theirs)
  expect_gt(objective(ours[1:3], ours[4]), 0.999 * theirs)
})

test_that("a penalised intercept is LIBLINEAR's, and drags the larger class along", {
  skip_if_not_installed("LiblineaR")
  data <- linear_data(p = 200)
  for (loss in c("l2", "l1")) {
    ours <- machine_of(learner_svm(0.1, loss, "none", "penalised"), data)
    peer <- LiblineaR::LiblineaR(
      data$x, data$y, type = c(l2 = 1, l1 = 3)[[loss]], cost = 0.1, bias = 1, epsilon = 1e-12
    )
    sign <- if (peer$ClassNames[1] == "b") 1 else -1
    expect_lt(max(abs(ours - sign * peer$W)), 1e-6)
  }
  # Without signal in the features: the larger class is named by the intercept alone.
  noise <- withr::with_seed(3, matrix(stats::rnorm(50 * 400), 50))
  colnames(noise) <- paste0("f", 1:400)
  y <- factor(rep(c("a", "b"), c(40, 10)))
  named <- function(intercept) {
    wrong <- vapply(1:50, function(i) {
      learner <- learner_svm(intercept = intercept)
      learner$predict(learner$fit(noise[-i, ], y[-i]), noise[i, , drop = FALSE]) != y[i]
    }, NA)
    mean(wrong[1:40])
  }
  expect_lt(named("free"), named("penalised"))
})

test_that("glmnet has the same weights with penalty factors", {
  skip_if_not_installed("glmnet")
  data <- linear_data(p = 12)
  factors <- stats::setNames(rep(c(0.5, 1, 1.5), 4), colnames(data$x)) # of mean 1, as glmnet's
  peer <- glmnet::glmnet(
    data$x, data$y, "binomial", alpha = 0, lambda = 3 / 40 * 2^(8:0), penalty.factor = factors,
    thresh = 1e-22, maxit = 1e7
  )
  ours <- machine_of(learner_logistic(3, penalty = factors), data)
  expect_lt(max(abs(ours[1:12] - peer$beta[, 9])), 1e-6)
  expect_lt(abs(ours[13] - peer$a0[[9]]), 1e-6)
})

test_that("range scaling, importance and several classes", {
  data <- linear_data(classes = 3)
  z <- apply(data$x, 2, function(v) (v - min(v)) / diff(range(v)))
  for (make in list(learner_svm, learner_logistic)) {
    ranged <- make(scaling = "range")$fit(data$x, data$y)
    plain <- make(scaling = "none")$fit(z, data$y)
    expect_equal(ranged$importance, plain$importance)
    expect_equal(plain$importance, rowSums(plain$weights^2), ignore_attr = TRUE)
    # One against the rest.
    second <- machine_of(make(), list(x = data$x, y = factor(data$y == "b")))
    all <- make()$fit(data$x, data$y)
    expect_equal(c(all$weights[, 2], all$constants[2]), unname(second))
  }
  odds <- learner_logistic()$probability(learner_logistic()$fit(data$x, data$y), data$x)
  expect_equal(unname(rowSums(odds)), rep(1, 40))
  expect_null(learner_svm()$probability)
})

test_that("errors of linear learners", {
  expect_match(message_of(learner_logistic(feature_weights = 1:3)), "each with the name")
  expect_match(message_of(learner_svm(penalty = c(a = -1))), "`penalty` must")
  expect_match(message_of(learner_logistic(intercept = "none")), "`intercept` must be")
  data <- linear_data()
  one <- learner_logistic()$fit(data$x, factor(rep("a", 40)))
  expect_identical(as.character(learner_logistic()$predict(one, data$x)), rep("a", 40))
})
