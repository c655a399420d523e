# Learners beside covariates, and the verbs that judge with them: the error of the covariates alone.

beside_data <- withr::with_seed(31, {
  n <- 48
  sex <- rep(c("f", "m"), n / 2)
  age <- stats::rnorm(n, 40, 8)
  x <- matrix(stats::rnorm(n * 8), n, dimnames = list(NULL, paste0("g", 1:8)))
  link <- x[, 1] + 1.5 * (sex == "m") + stats::rnorm(n)
  list(
    x = x, z = data.frame(sex, age), held = cbind("sex: m" = (sex == "m") + 0, age = age),
    class = factor(ifelse(link > 0.7, "a", "b")),
    three = cut(link, stats::quantile(link, c(0, 0.3, 0.6, 1)), c("a", "b", "c"), TRUE),
    number = link, times = new_surv(ceiling(9 * stats::rexp(n, exp(link))), rep(c(1, 1, 0), n / 3))
  )
})

test_that("a learner beside no covariate is itself, and beside some the final model", {
  x <- beside_data$x
  for (y in list(beside_data$class, beside_data$three)) {
    plain <- learner_logistic(2)
    core <- plain$fit(x, y)
    ours <- logistic_beside(2, 0L)$fit(x, y)
    expect_equal(ours$weights, core$weights, tolerance = 1e-7, ignore_attr = TRUE)
    expect_equal(ours$constants, core$constants, tolerance = 1e-7, ignore_attr = TRUE)
    expect_equal(ours$importance, core$importance, tolerance = 1e-7, ignore_attr = TRUE)
  }
  held <- cbind(beside_data$held, x)
  one <- learner_logistic(2)$held(2L)
  model <- one$fit(held, beside_data$class)
  final <- fit_model(x, beside_data$class, lambda = 2, covariates = beside_data$z)
  expect_equal(
    one$probability(model, held)[, 2],
    unname(predict(final, x, "probability", covariates = beside_data$z))
  )
  expect_length(one$importance(model), 8)
  for (y in list(beside_data$number, beside_data$times)) {
    one <- learner_ridge(3)$held(2L)
    final <- fit_model(x, y, lambda = 3, covariates = beside_data$z)
    expect_equal(
      unname(one$predict(one$fit(held, y), held)),
      unname(predict(final, x, covariates = beside_data$z))
    )
  }
})

test_that("evaluate_selectors() trains beside the covariates and says what these reach", {
  d <- beside_data
  result <- evaluate_selectors(
    d$x, d$number, selector_filter("pearson"), list(), n_features = c(1, 8), n_repeats = 3,
    covariates = d$z, learner = learner_ridge(0), seed = 1
  )
  draws <- draw_resamples(resample_pairs(3), d$number, seed = 1)
  alone <- vapply(1:6, function(half) {
    train <- split(draws)[[half]]
    test <- split(draws)[[half + if (half %% 2 == 1) 1 else -1]]
    model <- stats::lm.fit(cbind(1, d$held[train, ]), d$number[train])
    mean((d$number[test] - cbind(1, d$held[test, ]) %*% model$coefficients)^2)
  }, 0)
  expect_equal(result$without_features$error, mean(alone))
  expect_equal(result$without_features$error_se, stats::sd(colMeans(matrix(alone, 2))) / sqrt(3))
  full <- vapply(1:6, function(half) {
    train <- split(draws)[[half]]
    test <- split(draws)[[half + if (half %% 2 == 1) 1 else -1]]
    all <- cbind(1, d$held, d$x)
    model <- stats::lm.fit(all[train, ], d$number[train])
    mean((d$number[test] - all[test, ] %*% model$coefficients)^2)
  }, 0)
  expect_equal(result$table$error[result$table$n_features == 8], mean(full))
  expect_match(printed_words(result), "beside covariates: sex: m, age; error of these alone")
  procedure <- function(x, y, covariates, ...) {
    stability_selection(x, y, q = 2, cutoff = 0.9, n_pairs = 3, covariates = covariates, ...)
  }
  both <- evaluate_selectors(
    d$x, d$class, list(procedure = procedure, fealect = fealect), n_features = 2, n_repeats = 2,
    covariates = d$z, seed = 1
  )
  expect_identical(nrow(both$failures), 0L)
  expect_identical(both$without_features$learner, "logistic")
  refused <- function(message, selectors, ...) {
    expect_error(
      evaluate_selectors(d$x, d$class, selectors, n_repeats = 2, covariates = d$z, ...), message,
      class = "stabilect_error_input"
    )
  }
  refused("no argument `covariates`", list(own = function(x, y) fealect(x, y)))
  refused("\"lda\" cannot adjust", selector_filter("t"), learner = learner_lda())
  refused("\"logistic\" cannot adjust", selector_filter("t"),
    learner = learner_logistic(scaling = "none")
  )
  expect_error(
    evaluate_selectors(
      simulate_data("NC100", n = 20, n_total = 100, seed = 1), covariates = 1:20,
      selectors = selector_filter("t")
    ), "generated data", class = "stabilect_error_input"
  )
})

test_that("elimination leaves the covariates in, and predicts with them", {
  d <- beside_data
  for (y in list(d$number, d$class, d$times)) {
    fit <- eliminate_features(
      d$x, y, search = search_sizes(c(1, 4)), resampling = resample_folds(4), covariates = d$z,
      seed = 1
    )
    expect_true(fit$n_features >= 1)
    expect_identical(sort(fit$table$feature), colnames(d$x))
    newdata <- cbind(as.data.frame(d$x), d$z)
    expect_identical(
      predict(fit, newdata), predict(fit, newdata[colnames(d$x)], covariates = d$z)
    )
    expect_error(predict(fit, d$x), "needed", class = "stabilect_error_input")
    said <- paste(format(fit), collapse = "\n")
    expect_match(said, "the\\s+covariates\\s+alone")
    expect_match(said, "adjusted for sex: m, age", fixed = TRUE)
  }
  fit <- eliminate_features(
    d$x, d$number, learner_ridge(0), search_sizes(1), resample_folds(4), "rmse",
    covariates = d$z, seed = 1
  )
  root <- vapply(1:4, function(run) {
    train <- split(fit$resamples)[[run]]
    model <- stats::lm.fit(cbind(1, d$held)[train, ], d$number[train])
    rest <- d$number[-train] - (cbind(1, d$held) %*% model$coefficients)[-train]
    sqrt(mean(rest^2))
  }, 0)
  expect_equal(fit$without_features$score, mean(root))
  outer <- evaluate_elimination(
    d$x, d$number, learner_ridge(0), resample_folds(3), search_sizes(1), resample_folds(3),
    "rmse", covariates = d$z, seed = 1
  )
  root <- vapply(1:3, function(run) {
    train <- split(outer$resamples)[[run]]
    model <- stats::lm.fit(cbind(1, d$held)[train, ], d$number[train])
    sqrt(mean((d$number[-train] - (cbind(1, d$held) %*% model$coefficients)[-train])^2))
  }, 0)
  expect_equal(outer$table$rmse_of_covariates, root)
  expect_error(
    eliminate_features(d$x, d$class, learner_svm(), covariates = d$z), "\"svm\" cannot adjust",
    class = "stabilect_error_input"
  )
})

test_that("the trade-off holds covariates in scores and learners of every run", {
  d <- beside_data
  draws <- draw_resamples(resample_bootstrap(4), d$number, seed = 5)
  settings <- function(k) {
    list(selector = selector_filter("pearson"), learner = learner_ridge(2), n_features = k)
  }
  tuned <- tune_tradeoff(
    d$x, d$number, list(k = 2:3), settings, resampling = draws, covariates = d$z, seed = 1
  )
  expect_identical(tuned$table$status, c("ok", "ok"))
  scores <- score_features(
    d$x, d$number, selector_filter("pearson"), weights = as.matrix(draws)[, 2], covariates = d$z
  )
  chosen <- tuned$selections[[1]]$selected[, 2]
  expect_setequal(names(which(chosen)), scores$feature[scores$rank <= 2])
  rows <- rep(seq_len(48), as.matrix(draws)[, 2])
  out <- which(as.matrix(draws)[, 2] == 0)
  model <- fit_model(
    d$x[rows, ], d$number[rows], names(which(chosen)), lambda = 2, covariates = d$z[rows, ]
  )
  said <- predict(model, d$x[out, ], covariates = d$z[out, ])
  expect_equal(
    tuned$scores[2, 1], measure_predictions(d$number[out], said, metric = "r_squared")[[1]]
  )
  expect_error(
    tune_tradeoff(d$x, d$class, list(lambda_final = 1), covariates = d$z, seed = 1),
    "hybrid-RFE", class = "stabilect_error_input"
  )
})

test_that("the multinomial learner is the final model of several classes", {
  d <- beside_data
  learner <- learner_logistic(2, family = "multinomial")
  model <- learner$fit(d$x, d$three)
  final <- fit_model(d$x, d$three, lambda = 2)
  expect_equal(learner$probability(model, d$x), predict(final, d$x, type = "probability"))
  expect_identical(as.character(learner$predict(model, d$x)), as.character(predict(final, d$x)))
  expect_equal(learner$importance(model), unname(rowSums(final$standardised^2)))
  beside <- learner$held(2L)$fit(cbind(d$held, d$x), d$three)
  final <- fit_model(d$x, d$three, lambda = 2, covariates = d$z)
  expect_equal(beside$weights[-(1:2), ], coef(final)[-(1:3), ], ignore_attr = TRUE)
  error <- select_ensemble(
    d$x, d$three, selector_filter("anova"), resample_bootstrap(5), n_features = 3,
    learner = learner, seed = 1
  )$oob$error
  expect_lt(error, 1)
  kept <- eliminate_features(
    d$x, d$three, learner, search_sizes(c(4, 2)), resampling = resample_folds(3), seed = 1
  )
  expect_true("g1" %in% kept$features)
  expect_error(
    learner_logistic(scaling = "none", family = "multinomial"), "default",
    class = "stabilect_error_input"
  )
})
