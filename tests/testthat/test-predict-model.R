ridge_fixtures <- function() readRDS(test_path("fixtures", "ridge-glmnet.rds"))

two_class_data <- function(n = 40, p = 6, seed = 1) {
  set.seed(seed)
  x <- matrix(stats::rnorm(n * p), n) * rep(seq_len(p), each = n) + 1
  dimnames(x) <- list(paste0("s", seq_len(n)), paste0("f", seq_len(p)))
  y <- factor(ifelse(x[, 1] - x[, 2] / 2 + stats::rnorm(n) > 0, "ill", "well"))
  list(x = x, y = y)
}

logistic_fit <- function(x, y, lambda, weights = rep(1, nrow(x))) {
  cpp_fit_ridge_logistic(x, y, weights, lambda)
}

# Gradient of the objective at the standardised solution, from its formula.
logistic_gradient <- function(fit, x, y, lambda, weights) {
  total <- sum(weights)
  centre <- colSums(x * weights) / total
  z <- sweep(x, 2, centre)
  z <- sweep(z, 2, sqrt(colSums(z^2 * weights) / total), "/")
  p <- stats::plogis(fit$intercept + drop(x %*% fit$coefficients))
  residual <- weights * (p - y)
  c(sum(residual), colSums(z * residual) + lambda * fit$coefficients * fit$scale)
}

test_that("ridge-logistic coefficients are glmnet's (stored)", {
  for (case in ridge_fixtures()) {
    model <- fit_model(case$x, case$y, lambda = case$lambda)
    expect_lt(max(abs(coef(model) - case$plain)), 1e-6)
    expect_named(coef(model), names(case$plain))
    fit <- logistic_fit(case$x, case$y, case$lambda, case$weights)
    expect_lt(max(abs(c(fit$intercept, fit$coefficients) - case$weighted)), 1e-6)
  }
})

test_that("ridge-logistic coefficients are glmnet's (live)", {
  skip_if_not_installed("glmnet")
  for (lambda in c(1, 3, 30)) {
    data <- two_class_data(seed = lambda)
    peer <- glmnet::glmnet(data$x, data$y, "binomial",
      alpha = 0, lambda = lambda / nrow(data$x), thresh = 1e-14, maxit = 1e7
    )
    model <- fit_model(data$x, data$y, lambda = lambda)
    expect_lt(max(abs(coef(model) - as.numeric(stats::coef(peer)))), 1e-6)
  }
})

test_that("the gradient is zero at the solution, with fewer and more features than samples", {
  for (case in ridge_fixtures()) {
    for (lambda in c(1e-3, 1, 100)) {
      fit <- logistic_fit(case$x, case$y, lambda, case$weights)
      expect_true(fit$converged)
      gradient <- logistic_gradient(fit, case$x, case$y, lambda, case$weights)
      expect_lt(sqrt(sum(gradient^2)), 1e-9)
    }
  }
})

test_that("weights are repeated rows", {
  case <- ridge_fixtures()[[2]]
  times <- rep_len(c(1, 2, 0, 3), nrow(case$x))
  rows <- rep(seq_along(times), times)
  weighted <- logistic_fit(case$x, case$y, 2, times)
  repeated <- logistic_fit(case$x[rows, ], case$y[rows], 2)
  expect_equal(weighted$coefficients, repeated$coefficients, tolerance = 1e-9)
  expect_equal(weighted$intercept, repeated$intercept, tolerance = 1e-9)
})

test_that("a vanishing penalty gives the maximum likelihood of glm()", {
  set.seed(9)
  x <- matrix(stats::rnorm(400), 100, dimnames = list(NULL, letters[1:4]))
  y <- stats::rbinom(100, 1, stats::plogis(x[, 1]))
  peer <- stats::glm(y ~ x, family = stats::binomial(), control = list(epsilon = 1e-14))
  model <- fit_model(x, y, lambda = 1e-9)
  expect_lt(max(abs(coef(model) - stats::coef(peer))), 1e-6)
})

test_that("separable classes have finite coefficients", {
  x <- cbind(a = c(1:5, 11:15), b = rep(c(1, -1), 5), constant = 4)
  y <- rep(c("no", "yes"), each = 5)
  model <- fit_model(x, y)
  expect_true(all(is.finite(coef(model))))
  expect_gt(coef(model)[["a"]], 0)
  expect_identical(coef(model)[["constant"]], 0)
  expect_identical(as.character(predict(model, x, type = "class")), y)
  near <- fit_model(x, y, lambda = 1e-6)
  expect_gt(near$standardised[["a"]], model$standardised[["a"]])
})

test_that("least squares are those of lm()", {
  set.seed(10)
  x <- matrix(stats::rnorm(150), 30, dimnames = list(NULL, letters[1:5]))
  y <- stats::rnorm(30) + x[, 2] * 1e3
  peer <- stats::lm.fit(cbind(`(Intercept)` = 1, x), y)
  expect_equal(coef(fit_model(x, y, lambda = 0)), peer$coefficients,
    tolerance = 1e-10
  )
})

test_that("least squares without a unique solution are the smallest standardised one", {
  set.seed(12)
  x <- matrix(stats::rnorm(60), 6, dimnames = list(NULL, letters[1:10]))
  y <- stats::rnorm(6)
  model <- fit_model(x, y, lambda = 0)
  expect_equal(unname(predict(model, x)), y, tolerance = 1e-9)
  close <- fit_model(x, y, lambda = 1e-9)
  expect_equal(coef(model), coef(close), tolerance = 1e-6)
  twin <- cbind(a = 1:10, b = 2 * (1:10), c = (1:10)^2)
  # Features by number keep copies.
  model <- fit_model(twin, (1:10)^2 + 3 * (1:10), features = 1:3, lambda = 0)
  expect_equal(unname(coef(model)), c(0, 1.5, 0.75, 1), tolerance = 1e-8)
  expect_identical(unname(coef(fit_model(cbind(a = rep(2, 5)), 1:5))), c(3, 0))
})

test_that("ridge regression solves its normal equations", {
  set.seed(13)
  x <- matrix(stats::rnorm(100), 20, dimnames = list(NULL, letters[1:5]))
  y <- stats::rnorm(20)
  z <- scale(x) * sqrt(20 / 19)
  beta <- solve(crossprod(z) + 4 * diag(5), crossprod(z, y - mean(y)))
  expect_equal(unname(fit_model(x, y, lambda = 4)$standardised), drop(beta), ignore_attr = TRUE)
})

test_that("without a penalty given, it has the smallest generalised cross-validation error", {
  data <- withr::with_seed(14, {
    x <- matrix(stats::rnorm(30 * 20), 30)
    list(x = x, y = x[, 1] + stats::rnorm(30))
  })
  z <- scale(data$x) * sqrt(30 / 29)
  gcv <- function(lambda) {
    hat <- z %*% solve(crossprod(z) + lambda * diag(20), t(z)) + 1 / 30
    30 * sum((data$y - hat %*% data$y)^2) / (30 - sum(diag(hat)))^2
  }
  best <- stats::optimise(function(l) gcv(exp(l)), log(c(0.1, 1e4)))
  model <- fit_model(data$x, data$y)
  expect_equal(gcv(model$asked$lambda), best$objective, tolerance = 1e-3)
  expect_gt(model$asked$lambda, 1)
  # More features than samples: far from the training values.
  wide <- withr::with_seed(15, matrix(stats::rnorm(20 * 60), 20))
  colnames(wide) <- paste0("w", 1:60)
  noise <- withr::with_seed(16, stats::rnorm(20))
  expect_gt(mean((predict(fit_model(wide, noise), wide) - noise)^2), 0.2 * stats::var(noise))
})

test_that("an empty feature set gives the intercept, and a warning", {
  data <- two_class_data()
  expect_warning(
    model <- fit_model(data$x, data$y, features = character()),
    "is empty: the model has no feature and predicts the same for every sample",
    class = "stabilect_warning_no_features"
  )
  expect_warning(
    beside <- fit_model(data$x, data$y, character(), covariates = data$x[, 3]),
    "predicts by the covariates alone", class = "stabilect_warning_no_features"
  )
  expect_length(coef(beside), 2)
  expect_no_warning(fit_model(data$x, data$y, features = 1))
  share <- mean(data$y == "well")
  expect_equal(coef(model), c(`(Intercept)` = stats::qlogis(share)))
  expect_equal(unname(predict(model, data$x[1:2, ], type = "probability")), rep(share, 2))
  numbers <- suppressWarnings(fit_model(data$x, data$x[, 1], features = integer()))
  expect_equal(coef(numbers)[[1]], mean(data$x[, 1]))
})

test_that("predictions go by name and follow the coefficients", {
  data <- two_class_data()
  model <- fit_model(data$x, data$y, features = c("f2", "f1"))
  expect_identical(model$features, c("f2", "f1"))
  by_number <- fit_model(data$x, data$y, features = c(2, 1))
  by_number$made$call <- model$made$call
  expect_identical(model, by_number)
  link <- predict(model, data$x, type = "link")
  by_hand <- coef(model)[[1]] + data$x[, "f1"] * coef(model)[["f1"]] +
    data$x[, "f2"] * coef(model)[["f2"]]
  expect_equal(link, by_hand)
  expect_identical(predict(model, data$x[, 6:1], type = "link"), link)
  expect_equal(predict(model, as.data.frame(data$x), type = "link"), link)
  expect_equal(predict(model, methods::as(data$x, "CsparseMatrix"), type = "link"), link)
  expect_equal(predict(model, data$x, type = "probability"), stats::plogis(link))
  class <- predict(model, data$x)
  expect_identical(levels(class), c("ill", "well"))
  expect_identical(as.vector(class == "well"), unname(link > 0))
  expect_identical(predict(model, data$x[3, , drop = FALSE], type = "link"), link[3])
  expect_length(predict(model, data$x[0, ]), 0)
})

test_that("two classes by least squares are coded -1 and 1", {
  data <- two_class_data()
  model <- fit_model(data$x, data$y, model = "least_squares", lambda = 0)
  peer <- stats::lm.fit(cbind(1, data$x), ifelse(data$y == "well", 1, -1))
  expect_equal(unname(coef(model)), unname(peer$coefficients))
  expect_equal(unname(predict(model, data$x, type = "link")), peer$fitted.values)
  expect_identical(
    as.character(predict(model, data$x, type = "class")),
    unname(ifelse(peer$fitted.values > 0, "well", "ill"))
  )
})

test_that("left-out predictions are those of models fitted without the sample", {
  data <- two_class_data(n = 20)
  response <- read_response(data$y, 20)
  set.seed(3)
  sets <- lapply(1:20, function(i) sample(6, sample(0:6, 1)))
  for (kind in c("ridge_logistic", "least_squares")) {
    link <- predict_left_out(data$x, response, sets, as.list(1:20), kind, 2)
    expect_identical(
      predict_left_out(data$x, response, sets, as.list(1:20), kind, 2, n_threads = 2L), link
    )
    for (i in 1:20) {
      model <- suppressWarnings(
        fit_model(data$x[-i, ], data$y[-i], sets[[i]], model = kind, lambda = 2),
        "stabilect_warning_no_features"
      )
      expect_equal(
        link[i], unname(predict(model, data$x[i, , drop = FALSE], type = "link")),
        tolerance = 1e-9
      )
    }
  }
  lonely <- read_response(c(1, rep(-1, 19)), 20)
  link <- predict_left_out(data$x, lonely, sets, as.list(1:20), "ridge_logistic", 2)
  expect_identical(link[1], -Inf)
})

test_that("as.data.frame() lists coefficients on both scales", {
  data <- two_class_data()
  table <- as.data.frame(fit_model(data$x, data$y))
  expect_identical(table$feature, c("(Intercept)", paste0("f", 1:6)))
  deviation <- apply(data$x, 2, stats::sd) * sqrt(39 / 40)
  expect_equal(table$standardised[-1], unname(table$coefficient[-1] * deviation))
})

test_that("messages and printing", {
  data <- two_class_data()
  model <- fit_model(data$x, data$y, features = c("f1", "f2"))
  scored <- fealect(data$x, data$y, n_runs = 4, n_boot = 0, oob = FALSE, seed = 1)
  expect_error(
    fit_model(data$x, data$y, features = scored), "selected(fit)", fixed = TRUE,
    class = "stabilect_error_input"
  )
  hole <- data$x
  hole[3, "f2"] <- Inf
  expect_refusals({
    fit_model(data$x, data$x[, 1], model = "ridge_logistic")
    fit_model(data$x, data$y, lambda = 0)
    fit_model(data$x, data$y, model = "ridge")
    fit_model(data$x, data$y, features = c("f1", "g7"))
    fit_model(data$x, data$y, features = c(1, 9))
    fit_model(data$x, data$y, features = c(1, 1))
    fit_model(data$x, data$y, features = TRUE)
    predict(model)
    predict(model, data$x[1, ])
    predict(model, data$x[, -2])
    predict(model, hole)
    predict(fit_model(data$x, data$y, model = "least_squares"), data$x, type = "probability")
    predict(fit_model(data$x, data$x[, 1]), data$x, type = "class")
    predict(model, cbind(data$x, data$x))
    predict(model, data.frame(f1 = 1, f2 = "a"))
  })
  expect_snapshot({
    model
    fit_model(data$x, data$x[, 1], features = 2:3, lambda = 1)
    print(fit_model(data$x, data$y), n = 3)
  })
  # The intercept, then the largest coefficient.
  expect_identical(summary(model)$feature, c("(Intercept)", "f1", "f2"))
})
