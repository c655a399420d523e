# Final models and out-of-bag errors of several classes and of counts, against glmnet, glm, nnet and
# the conditions of optimality.

set.seed(3)
n <- 60
x <- matrix(rnorm(n * 40), n, dimnames = list(NULL, paste0("g", 1:40)))
links <- cbind(1.5 * x[, 1], 1.5 * x[, 2], x[, 3] - x[, 1])
classes <- factor(c("a", "b", "c")[max.col(links + matrix(rnorm(3 * n), n))])
counts <- rpois(n, exp(1 + 0.5 * x[, 1] - 0.5 * x[, 2]))
age <- data.frame(age = rnorm(n, 50, 10), batch = rep(c("u", "v", "w"), n / 3))
chosen <- c("g1", "g2", "g3", "g7")
standard <- function(x) scale(x) * sqrt(nrow(x) / (nrow(x) - 1))

test_that("the multinomial model meets the conditions of optimality, and sums to 0", {
  for (lambda in c(0.01, 3, 100)) {
    for (covariates in list(NULL, age)) {
      model <- fit_model(x, classes, chosen, lambda = lambda, covariates = covariates)
      odds <- predict(model, x, type = "probability", covariates = covariates)
      rest <- outer(as.integer(classes), 1:3, `==`) - odds
      toward <- crossprod(standard(x[, chosen]), rest)
      expect_lt(max(abs(toward - lambda * model$standardised)), 1e-8)
      # Intercept and covariates have no penalty.
      expect_lt(max(abs(colSums(rest))), 1e-8)
      if (!is.null(covariates)) {
        expect_lt(max(abs(crossprod(cbind(age$age, age$batch == "v"), rest))), 1e-6)
      }
      expect_lt(max(abs(rowSums(coef(model)))), 1e-10)
    }
  }
})

test_that("the multinomial model is glmnet's, and for two classes the logistic one", {
  two <- fit_model(x[classes != "c", ], droplevels(classes[classes != "c"]), chosen, lambda = 2)
  y <- classes[classes != "c"]
  half <- fit_ridge(
    x[classes != "c", chosen], matrix(0, length(y), 0), "ridge_multinomial",
    as.integer(droplevels(y)), NULL, 4
  )
  expect_equal(half$coefficients[, 2] - half$coefficients[, 1], unname(coef(two)[-1]))
  skip_if_not_installed("glmnet")
  peer <- glmnet::glmnet(
    standard(x[, chosen]), classes, "multinomial",
    alpha = 0, lambda = c(100, 10, 1, 0.1, 3 / n), thresh = 1e-18, standardize = FALSE, maxit = 1e7
  )
  theirs <- do.call(cbind, lapply(stats::coef(peer, s = 3 / n), as.matrix))[-1, ]
  expect_equal(
    unname(theirs), unname(fit_model(x, classes, chosen)$standardised), tolerance = 1e-7
  )
})

test_that("with hardly any penalty several classes are those of nnet", {
  skip_if_not_installed("nnet")
  y <- factor(sample(c("a", "b", "c"), n, TRUE))
  peer <- nnet::multinom(y ~ x[, 1:3], trace = FALSE, reltol = 1e-14, maxit = 1000)
  model <- fit_model(x, y, 1:3, lambda = 1e-9)
  expect_equal(
    unname(t(coef(model)[, 2:3] - coef(model)[, 1])), unname(stats::coef(peer)), tolerance = 1e-4
  )
})

test_that("Poisson models are those of glm and glmnet", {
  design <- stats::model.matrix(~ x[, chosen] + age + batch, age)
  peer <- stats::glm.fit(design, counts, family = stats::poisson())
  model <- fit_model(x, counts, chosen, "ridge_poisson", lambda = 0, covariates = age)
  expect_equal(unname(coef(model))[c(1, 5:8, 2:4)], unname(peer$coefficients), tolerance = 1e-7)
  expect_equal(
    unname(predict(model, x[1:3, ], covariates = age[1:3, ])), unname(peer$fitted.values[1:3]),
    tolerance = 1e-7
  )
  expect_equal(
    log(predict(model, x, covariates = age)), predict(model, x, type = "link", covariates = age)
  )
  skip_if_not_installed("glmnet")
  peer <- glmnet::glmnet(
    standard(x[, chosen]), counts, "poisson",
    alpha = 0, lambda = c(100, 10, 1, 5 / n), thresh = 1e-18, standardize = FALSE, maxit = 1e7
  )
  mine <- fit_model(x, counts, chosen, "ridge_poisson", lambda = 5)
  expect_equal(
    as.vector(stats::coef(peer, s = 5 / n))[-1], unname(mine$standardised), tolerance = 1e-7
  )
})

test_that("the penalty of counts has the smallest error of generalised cross-validation", {
  model <- fit_model(x, counts, 1:12, "ridge_poisson")
  error <- function(lambda) {
    fit <- fit_model(x, counts, 1:12, "ridge_poisson", lambda = lambda)
    mean <- predict(fit, x)
    z <- cbind(1, standard(x[, 1:12]))
    information <- crossprod(z, z * mean)
    df <- sum(diag(solve(information + diag(c(0, rep(lambda, 12))), information)))
    deviance <- sum(stats::poisson()$dev.resids(counts, mean, 1))
    n * deviance / (n - df)^2
  }
  best <- model$asked$lambda
  expect_lte(error(best), min(error(best * 10^(1 / 3)), error(best / 10^(1 / 3))) + 1e-9)
})

test_that("out-of-bag predictions are those of models without the sample", {
  fits <- list(
    fealect(x, classes, n_runs = 30, seed = 2),
    fealect(x, counts, family = "poisson", n_runs = 30, seed = 2),
    fealect(x, counts, family = "poisson", n_runs = 30, covariates = age, seed = 2)
  )
  for (fit in fits) {
    oob <- fit$oob$predictions
    y <- if (fit$study$type == "count") counts else classes
    held <- if (!is.null(fit$model$covariates)) age
    drawn <- as.matrix(fit$resamples)
    response <- read_response(y, n, rlang::current_env(), if (!is.factor(y)) "poisson")
    together <- left_out_together(response)
    for (i in c(2, 31)) {
      left <- which(drawn[i, ] == 0)
      score <- Matrix::rowMeans(fit$selection$score[, left, drop = FALSE])
      features <- three_segment(score)$features
      # Where the curve gives no cut: those with at least half of the best score.
      if (length(features) == 0L) {
        features <- names(sort(score[score > 0 & 2 * score >= max(score)], decreasing = TRUE))
      }
      features <- utils::head(features, model_size(n, fit$asked$model))
      out <- together[[i]]
      model <- suppressWarnings(fit_model(
        x[-out, ], y[-out], features, fit$asked$model, covariates = held[-out, , drop = FALSE]
      ), "stabilect_warning_no_features")
      link <- predict(
        model, x[i, , drop = FALSE], type = "link", covariates = held[i, , drop = FALSE]
      )
      own <- if (is.factor(y)) oob[i, paste0("link_", levels(y))] else oob$link[i]
      expect_equal(unname(unlist(own)), as.vector(link))
      expect_identical(oob$n_features[i], length(features))
    }
  }
  expect_identical(fits[[1]]$oob$error, mean(fits[[1]]$oob$predictions$predicted != classes))
  of <- function(fit) {
    mean(stats::poisson()$dev.resids(counts, fit$oob$predictions$predicted, 1))
  }
  expect_equal(fits[[2]]$oob$error, of(fits[[2]]))
  alone <- mean(stats::poisson()$dev.resids(counts, rep(mean(counts), n), 1))
  expect_equal(fits[[2]]$oob$baseline, alone)
  alone <- stats::glm(counts ~ age + batch, stats::poisson(), age, subset = -7)
  expect_equal(
    fits[[3]]$oob$predictions$by_covariates[7], unname(stats::predict(alone, age[7, ])),
    tolerance = 1e-7
  )
})

test_that("a class all of whose samples are left out cannot be predicted", {
  response <- read_response(factor(c("rare", rep(c("a", "b"), length.out = n - 1))), n, NULL)
  link <- predict_left_out(
    x, response, rep(list(1:3), n), as.list(seq_len(n)), "ridge_multinomial", 3
  )
  rare <- match("rare", response$levels)
  expect_identical(link[1, rare], -Inf)
  expect_true(all(is.finite(link[-1, ])) && all(is.finite(link[1, -rare])))
  expect_false(any(max.col(link)[1] == rare))
  two <- fit_model(x[-1, ], response$levels[response$codes[-1]], 1:3, lambda = 1.5)
  expect_equal(
    link[1, match("b", response$levels)] - link[1, match("a", response$levels)],
    unname(predict(two, x[1, , drop = FALSE], type = "link"))
  )
})

test_that("new samples are predicted and judged", {
  fit <- fealect(x, classes, n_runs = 10, seed = 1)
  # Samples as those of the fit, but not the same.
  x <- x + 1e-9
  odds <- predict(fit, x, type = "probability")
  expect_equal(unname(rowSums(odds)), rep(1, n))
  expect_identical(unname(predict(fit, x)), factor(colnames(odds)[max.col(odds)], colnames(odds)))
  judged <- validate_model(fit, x, classes)
  measured <- measure_predictions(
    classes, predict(fit, x), odds, metric = c("log_loss", "brier", "auc")
  )
  at <- match(names(measured), judged$table$measure)
  expect_equal(judged$table$estimate[at], unname(measured))
  table <- as.data.frame(fit$model)
  expect_identical(nrow(table), length(coef(fit)))
  row <- which(table$feature == fit$features[1] & table$class == "b")
  expect_identical(table$coefficient[row], coef(fit)[fit$features[1], "b"])
  expect_output(print(fit$model), "class of their column")
  by_count <- fealect(x - 1e-9, counts, family = "poisson", n_runs = 10, seed = 1)
  judged <- validate_model(by_count, x, counts)
  measured <- measure_predictions(counts, predict(by_count, x), metric = "poisson_deviance")
  expect_equal(judged$table$estimate[1], unname(measured))
  slope <- stats::coef(stats::glm(counts ~ predict(by_count, x, type = "link"), stats::poisson()))
  expect_equal(judged$table$estimate[2], unname(slope[2]))
  expect_output(print(by_count), "mean Poisson deviance")
  expect_error(validate_model(by_count, x, -counts), "whole numbers",
    class = "stabilect_error_input"
  )
  expect_error(validate_model(by_count, x, counts + 0.5), "position 1",
    class = "stabilect_error_input"
  )
})

test_that("many classes are told in brief", {
  fit <- fealect(x, factor(rep(letters[1:10], 6)), n_runs = 4, oob = FALSE, seed = 1)
  expect_output(print(fit), "10 classes of 6 samples")
})
