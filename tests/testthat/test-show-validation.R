# Pictures of models on samples that they had not seen.
skip_if_not_installed("ggplot2")
x <- as.matrix(mcl_sll[, 2:41])
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
varied <- colnames(x)[apply(x, 2, function(v) length(unique(v)) > 15)][1:3]
layer <- function(picture, at) ggplot2::layer_data(picture, at)

test_that("measures are drawn with intervals and references, the concordance once", {
  model <- fit_model(x, y, varied)
  found <- validate_model(model, x + 1e-6, y)
  picture <- ggplot2::autoplot(found, type = "measures")
  expect_equal(sort(layer(picture, 3)$x), sort(found$table$estimate))
  expect_equal(sort(layer(picture, 1)$xintercept), sort(found$table$reference))
  expect_match(picture$labels$title, "22 new samples")
  expect_error(ggplot2::autoplot(found, type = "bars"), "type", class = "stabilect_error_input")
})

test_that("probabilities are compared with shares, in groups and in bins", {
  model <- fit_model(x, y, varied)
  found <- validate_model(model, x + 1e-6, y)
  probability <- stats::plogis(found$predictions$link)
  picture <- ggplot2::autoplot(found)
  points <- layer(picture, 4)
  # Two groups of 22 samples.
  low <- probability <= stats::median(probability)
  expect_equal(points$x, c(mean(probability[low]), mean(probability[!low])))
  expect_equal(points$y, c(mean(y[low] == "MCL"), mean(y[!low] == "MCL")))
  bars <- layer(picture, 6)
  expect_equal(sum(bars$ymax - bars$ymin), 22)
  in_bin <- abs(bars$x[1] - probability) <= 0.025
  expect_equal(sum((bars$ymax - bars$ymin)[bars$x == bars$x[1]]), sum(in_bin))
  expect_match(picture$labels$title, "^Error [0-9.]+\u00a0% on 22 new samples")
})

test_that("groups are of about equal size, and equal predictions stay together", {
  expect_identical(tabulate(similar_predictions(1:30, 3L) + 1L), c(10L, 10L, 10L))
  expect_identical(unique(similar_predictions(rep(2, 9), 3L)), 0L)
  tied <- similar_predictions(c(1, 1, 1, 1, 2, 3), 3L)
  expect_identical(unname(lengths(lapply(split(tied, c(1, 1, 1, 1, 2, 3)), unique))), rep(1L, 3))
  groups <- calibration_groups(c(0.1, 0.2, 0.8, 0.9), c(FALSE, TRUE, TRUE, TRUE), 0.95)
  expect_equal(groups$observed, c(0.5, 1))
  expect_equal(c(groups$lower[1], groups$upper[1]), wilson_interval(0.5, 2, 0.95))
  numbers <- calibration_groups(1:20, (1:20)^2, 0.9)
  peer <- stats::t.test((1:10)^2, conf.level = 0.9)$conf.int
  expect_equal(c(numbers$lower[1], numbers$upper[1]), peer[1:2])
})

test_that("models without probabilities, several classes, numbers and counts are drawn", {
  at <- rep_len(1:3, 22)
  outcomes <- list(
    three = factor(c("low", "mid", "high"))[at],
    ordered = factor(at, labels = c("I", "II", "III"), ordered = TRUE),
    number = x[, varied[1]] + at, count = seq_along(at) %/% 3
  )
  for (name in names(outcomes)) {
    kind <- if (name == "count") "ridge_poisson"
    model <- fit_model(x, outcomes[[name]], varied, model = kind)
    found <- validate_model(model, x + 1e-6, outcomes[[name]])
    picture <- ggplot2::autoplot(found)
    expect_s3_class(ggplot2::ggplot_build(picture), "ggplot_built")
    if (name %in% c("three", "ordered")) {
      right <- found$predictions$observed == found$predictions$predicted
      bars <- layer(picture, 6)
      expect_equal(sum((bars$ymax - bars$ymin)[bars$fill == path_colours[1]]), sum(right))
    }
  }
  plain <- fit_model(x, y, varied, model = "least_squares")
  found <- validate_model(plain, x + 1e-6, y)
  expect_setequal(layer(ggplot2::autoplot(found), 2)$x, found$predictions$link)
})

test_that("risk groups have their Kaplan-Meier and predicted curves, compared at one time", {
  skip_if_not_installed("survival")
  d <- withr::with_seed(1, {
    x <- matrix(stats::rnorm(90 * 4), 90, dimnames = list(NULL, letters[1:4]))
    list(x = x, y = survival::Surv(stats::rexp(90, exp(x[, 1])), stats::rbinom(90, 1, 0.7)))
  })
  model <- fit_model(d$x[1:50, ], d$y[1:50], c("a", "b"))
  found <- validate_model(model, d$x[51:90, ], d$y[51:90], tau = 0.8)
  groups <- risk_groups(found$predictions$link)
  expect_identical(levels(groups), c("1", "2", "3"))
  high <- found$predictions[groups == "3", ]
  curves <- survival::survfit(survival::Surv(high$time, high$event) ~ 1, conf.type = "log-log")
  peer <- summary(curves, times = 0.8, extend = TRUE)
  own <- kaplan_meier_at(high$time, high$event, 0.8, 0.95)
  expect_equal(own, c(peer$surv, peer$lower, peer$upper))
  picture <- ggplot2::autoplot(found)
  points <- layer(picture, 4)
  expect_equal(points$y[3], own[1])
  newdata <- d$x[50 + which(groups == "3"), ]
  expect_equal(points$x[3], mean(predict(model, newdata, type = "survival", times = 0.8)))
  expect_match(picture$labels$title, "^Concordance ")
  expect_false("discordance" %in% levels(ggplot2::autoplot(found, type = "measures")$data$measure))
  # Halves of few samples; results of earlier versions have no baseline.
  few <- validate_model(model, d$x[51:65, ], d$y[51:65])
  expect_identical(levels(risk_groups(few$predictions$link)), c("1", "3"))
  few$baseline <- NULL
  expect_s3_class(ggplot2::ggplot_build(ggplot2::autoplot(few)), "ggplot_built")
})

test_that("an evaluation of elimination draws a point for each run", {
  found <- evaluate_elimination(
    x, y, learner_svm(), search = search_sizes(c(40, 10, 2)), resampling = resample_bootstrap(4),
    seed = 1
  )
  picture <- ggplot2::autoplot(found)
  expect_equal(layer(picture, 2)$y, 1 - found$table$accuracy)
  found$table$accuracy <- NA_real_
  expect_match(layer(ggplot2::autoplot(found), 1)$label, "No run could be judged")
})
