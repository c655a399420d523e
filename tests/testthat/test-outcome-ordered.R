# Ordered classes: the proportional-odds model against MASS::polr(), its errors by hand, and what
# takes them.

cases <- readRDS(test_path("fixtures", "ordered.rds"))
ordered_data <- function(n = 60, p = 8, seed = 4, labels = c("low", "some", "high")) {
  withr::with_seed(seed, {
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(paste0("s", 1:n), paste0("f", 1:p)))
    latent <- 1.5 * x[, 1] - x[, 2] + stats::rlogis(n)
    y <- cut(latent, stats::quantile(latent, 0:3 / 3) + c(-1, 0, 0, 1), labels,
      ordered_result = TRUE
    )
    list(x = x, y = y)
  })
}

test_that("without a penalty the model is MASS::polr()", {
  for (case in cases) {
    fit <- fit_model(case$x, case$y, lambda = 1e-9)
    expect_equal(
      unname(coef(fit)), unname(c(-case$zeta, case$coefficients)), tolerance = 1e-6
    )
    expect_identical(
      names(coef(fit)), c(paste(">=", levels(case$y)[-1]), colnames(case$x))
    )
    odds <- predict(fit, case$x, type = "probability")
    expect_equal(unname(odds), case$probability, tolerance = 1e-6)
    own <- odds[cbind(seq_along(case$y), as.integer(case$y))]
    expect_equal(sum(log(own)), case$log_likelihood, tolerance = 1e-9)
  }
})

test_that("so it is beside covariates, which have no penalty", {
  skip_if_not_installed("MASS")
  case <- cases[[2]]
  z <- data.frame(batch = factor(rep(c("u", "v"), 40)), age = sqrt(1:80))
  peer <- MASS::polr(case$y ~ batch + age, z, control = list(reltol = 1e-16))
  fit <- suppressWarnings(fit_model(case$x, case$y, character(), covariates = z))
  expect_equal(unname(coef(fit)), unname(c(-peer$zeta, coef(peer))), tolerance = 1e-6)
  peer <- MASS::polr(
    case$y ~ ., data.frame(z, case$x[, 1:2]), control = list(reltol = 1e-16, maxit = 1000)
  )
  fit <- fit_model(case$x, case$y, 1:2, covariates = z, lambda = 1e-9)
  expect_equal(unname(coef(fit)), unname(c(-peer$zeta, coef(peer))), tolerance = 1e-6)
  alone <- MASS::polr(case$y ~ batch + age, z)
  expect_equal(unname(fit$without_features), unname(c(-alone$zeta, coef(alone))), tolerance = 1e-3)
})

test_that("the penalised model maximises the formula of the help page", {
  case <- cases[[1]]
  z <- scale(case$x) * sqrt(60 / 59)
  codes <- as.integer(case$y)
  minus <- function(b) {
    above <- cbind(1, stats::plogis(outer(drop(z %*% b[3:6]), b[1:2], `+`)), 0)
    own <- above[cbind(1:60, codes)] - above[cbind(1:60, codes + 1L)]
    if (any(own <= 0)) 1e10 else -sum(log(own)) + 3 / 2 * sum(b[3:6]^2)
  }
  fit <- fit_model(case$x, case$y)
  best <- stats::optim(c(1, -1, 0, 0, 0, 0), minus, method = "BFGS",
    control = list(reltol = 1e-14, maxit = 1000)
  )
  expect_identical(fit$asked$lambda, 3)
  expect_equal(unname(fit$standardised), best$par[3:6], tolerance = 1e-4)
  level <- drop(fit$coefficients[3:6] %*% colMeans(case$x))
  expect_equal(unname(fit$coefficients[1:2] + level), best$par[1:2], tolerance = 1e-4)
})

test_that("gradient and information are those of the likelihood", {
  case <- cases[[2]]
  beta <- c(1, 0.2, -1.3, 0.1, -0.2, 0.3)
  at <- function(b) ordered_point(case$x[, 1:3], as.integer(case$y), b)
  slope <- function(value) {
    vapply(seq_along(beta), function(j) {
      move <- replace(numeric(6), j, 1e-5)
      (value(beta + move) - value(beta - move)) / 2e-5
    }, value(beta))
  }
  expect_equal(unname(at(beta)$gradient), slope(function(b) at(b)$likelihood), tolerance = 1e-7)
  expect_equal(at(beta)$information, -slope(function(b) at(b)$gradient), tolerance = 1e-7,
    ignore_attr = TRUE
  )
  # Cuts that do not fall are no model, and both tails keep their digits.
  expect_identical(at(c(0, 0, -1, 0, 0, 0))$likelihood, -Inf)
  far <- ordered_shares(cbind(a = c(800, -40), b = c(799, -41)))
  expect_equal(far[2, 2], exp(-40) - exp(-41), tolerance = 1e-12)
  expect_equal(rowSums(far), c(1, 1))
})

test_that("a class without samples has no probability, wherever it is", {
  case <- cases[[3]]
  for (lacking in 1:5) {
    inside <- as.integer(case$y) != lacking
    codes <- as.integer(case$y)[inside]
    none <- matrix(0, sum(inside), 0L)
    fit <- fit_ridge(case$x[inside, ], none, "ridge_ordered", codes, NULL, 1, 5L)
    odds <- ordered_shares(link_held(fit, case$x[inside, ], none))
    expect_true(all(odds[, lacking] == 0))
    fewer <- fit_ridge(
      case$x[inside, ], none, "ridge_ordered", match(codes, sort(unique(codes))), NULL, 1, 4L
    )
    expect_equal(odds[, -lacking], ordered_shares(link_held(fewer, case$x[inside, ], none)))
  }
})

test_that("the median class is predicted, with the smallest expected distance", {
  d <- ordered_data()
  fit <- fit_model(d$x, d$y, 1:3)
  odds <- predict(fit, d$x, type = "probability")
  expected <- odds %*% abs(outer(1:3, 1:3, `-`))
  class <- predict(fit, d$x)
  expect_true(is.ordered(class))
  expect_identical(names(class), rownames(d$x))
  expect_identical(as.integer(class), unname(apply(expected, 1, which.min)))
  link <- predict(fit, d$x, type = "link")
  expect_identical(colnames(link), levels(d$y)[-1])
  expect_equal(link[, "high"], stats::qlogis(odds[, "high"]))
})

test_that("covariates that tell classes are refused, as for the others", {
  d <- ordered_data()
  expect_match(message_of(fit_model(d$x, d$y, 1, covariates = as.integer(d$y) + 0.01 * d$x[, 3])),
    "covariates"
  )
})

test_that("metrics by hand", {
  truth <- factor(c("a", "a", "b", "d", "d"), letters[1:4], ordered = TRUE)
  predicted <- c("a", "b", "c", "d", "a")
  odds <- rbind(
    c(1, 0, 0, 0), c(0.5, 0.5, 0, 0), c(0, 0.5, 0.5, 0), c(0, 0, 0, 1), c(0.25, 0.25, 0.25, 0.25)
  )
  colnames(odds) <- letters[1:4]
  got <- measure_predictions(truth, predicted, odds)
  expect_identical(names(got)[1], "mean_distance")
  expect_equal(got[["mean_distance"]], (0 + 1 + 1 + 0 + 3) / 5)
  expect_equal(got[["accuracy"]], 2 / 5)
  table <- table(truth, factor(predicted, letters[1:4]))
  weights <- abs(outer(1:4, 1:4, `-`))
  chance <- outer(rowSums(table), colSums(table)) / 25
  expect_equal(
    got[["weighted_kappa"]], 1 - sum(weights * table / 5) / sum(weights * chance)
  )
  squares <- c(0, 0.5^2, 0.5^2, 0, 0.25^2 + 0.5^2 + 0.75^2) / 3
  expect_equal(got[["ranked_probability"]], mean(squares))
  expect_match(message_of(measure_predictions(truth, c(predicted[-1], "e"))), "not a level")
  expect_match(
    message_of(measure_predictions(letters, letters, metric = "mean_distance")), "must be"
  )
})

test_that("errors are distances, compared with the median class", {
  d <- ordered_data()
  fit <- fealect(d$x, d$y, n_runs = 20, n_boot = 0, permute = 0, seed = 1)
  seen <- fit$oob$predictions[!is.na(fit$oob$predictions$predicted), ]
  distances <- abs(as.integer(seen$predicted) - as.integer(seen$observed))
  expect_identical(fit$oob$type, "ordered")
  expect_equal(fit$oob$error, mean(distances))
  expect_equal(fit$oob$baseline, 40 / 60)
  expect_true(fit$oob$lower < fit$oob$error && fit$oob$error < fit$oob$upper)
  expect_true(all(c("link_some", "link_high") %in% names(seen)))
  text <- paste(gsub("\\s+", " ", format(fit)), collapse = " ")
  expect_match(text, "mean distance in classes .* when always predicting some")
  new <- ordered_data(seed = 9)
  judged <- validate_model(fit, new$x, new$y)
  off <- mean(abs(as.integer(predict(fit, new$x)) - as.integer(new$y)))
  expect_equal(judged$table$estimate[1], off)
  at <- judged$table$measure == "concordance"
  pairs <- which(outer(as.integer(new$y), as.integer(new$y), `>`), arr.ind = TRUE)
  score <- rowSums(stats::plogis(predict(final_model(fit), new$x, type = "link")))
  expect_equal(judged$table$estimate[at],
    mean((score[pairs[, 1]] > score[pairs[, 2]]) + (score[pairs[, 1]] == score[pairs[, 2]]) / 2)
  )
  perfect <- judge_outcome(
    outcome_of_labels(d$y), data.frame(predicted = d$y, observed = d$y), NULL, NULL, 0.95, NULL
  )
  expect_true(perfect$error == 0 && perfect$limits[2] > 0)
})

test_that("evaluations and eliminations judge by distance, and say what chance gives", {
  d <- ordered_data()
  judged <- evaluate_selectors(
    d$x, d$y, selector_filter("spearman"), n_features = 2, n_repeats = 2,
    resampling = resample_bootstrap(3), seed = 1
  )
  expect_match(paste(format(judged), collapse = " "), "0.667 without any feature")
  path <- eliminate_features(d$x, d$y, search = search_sizes(c(8, 2)), seed = 1)
  expect_identical(path$asked$metric, "mean_distance")
  train <- samples_at(d$x, d$y, rows = 1:30)
  test <- samples_at(d$x, d$y, rows = 31:60)
  codes <- as.integer(d$y)
  expect_equal(
    error_of_set(integer(), train, test, learner_lda()),
    mean(abs(codes[31:60] - sort(codes[1:30])[15L]))
  )
})

test_that("ranks are scored, paths are those of classes, and others refuse", {
  d <- ordered_data()
  scores <- score_features(d$x, d$y, selector_filter("spearman"))
  expect_equal(scores$score, unname(abs(
    apply(d$x, 2, stats::cor, as.integer(d$y), method = "spearman")
  )))
  plain <- factor(d$y, ordered = FALSE)
  expect_identical(as.data.frame(lasso_path(d$x, d$y)), as.data.frame(lasso_path(d$x, plain)))
  expect_identical(
    score_features(d$x, d$y, selector_filter("anova")),
    score_features(d$x, plain, selector_filter("anova"))
  )
  for (selector in c("pearson", "t")) {
    text <- message_of(score_features(d$x, d$y, selector_filter(selector)))
    expect_match(text, "`y` holds 3 ordered classes")
  }
  # Two levels are two classes, and a subset may have two.
  two <- d$y[d$y != "some"]
  expect_identical(read_response(two, length(two))$type, "binary")
  response <- read_response(d$y, 60)
  expect_identical(response_rows(response, which(d$y != "low"))$type, "binary")
  expect_identical(response_rows(response, 60:1)$type, "ordered")
})

test_that("selectors and learners that know several classes take them", {
  d <- ordered_data(n = 45)
  takes <- list_selectors()
  for (call in takes$selector[takes$ordered]) {
    selector <- tryCatch(eval(str2lang(call)), stabilect_error_package = function(e) NULL)
    if (is.null(selector)) next
    fit <- select_ensemble(d$x, d$y, selector, resample_bootstrap(2), n_features = 2, seed = 1)
    expect_true(all(fit$selection$status == "ok"), info = call)
  }
  makers <- list(learner_lda, learner_svm, learner_logistic, learner_lasso, learner_forest)
  for (make in makers) {
    learner <- tryCatch(make(), stabilect_error_package = function(e) NULL)
    if (is.null(learner)) next
    samples <- samples_at(d$x, d$y)
    expect_lt(with_seed(1, error_of_set(1:2, samples, samples, learner)), 2 / 3)
  }
})
