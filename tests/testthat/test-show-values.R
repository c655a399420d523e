# Values of features by outcome, and the picture of permutations.
skip_if_not_installed("ggplot2")
x <- as.matrix(mcl_sll[, -1])
x <- x[, apply(x, 2, function(v) length(unique(v)) > 15)][, 1:20]
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
layer <- function(picture, at) ggplot2::layer_data(picture, at)

test_that("points of classes are the values, bars their medians", {
  picture <- plot_values(colnames(x)[3:5], x, y)
  points <- layer(picture, 1)
  expect_setequal(points$y[points$PANEL == 1], x[, 3])
  # No two points of a class are in one place unless they have one value.
  expect_identical(anyDuplicated(points[c("PANEL", "x", "y")]), 0L)
  expect_lt(max(abs(points$x - round(points$x))), 0.45)
  bars <- layer(picture, 2)
  expect_equal(
    bars$y[bars$PANEL == 2], unname(tapply(x[, 4], y, stats::median)), ignore_attr = TRUE
  )
  levels <- levels(ggplot2::ggplot_build(picture)$layout$layout$panel)
  expect_identical(levels, colnames(x)[3:5])
})

test_that("names of classes are whole where there is room, else in turns or slanting", {
  axis <- function(levels, n_columns) class_axis(levels, n_columns)
  two <- c("adenocarcinoma", "mesothelioma")
  for (n_columns in 2:3) {
    expect_identical(axis(two, n_columns)[[1]]$labels, two)
    expect_null(axis(two, n_columns)[[2]])
  }
  four <- c("acute", "chronic, stable", "chronic", "relapse")
  expect_identical(axis(four, 2L)[[1]]$labels, four)
  expect_s3_class(axis(four, 3L)[[2]], "theme")
  expect_identical(nchar(axis(c(strrep("x", 60), "y"), 2L)[[1]]$labels), c(24L, 1L))
})

test_that("halves have the Kaplan-Meier curves of survival", {
  skip_if_not_installed("survival")
  time <- exp(sin(1:22))
  event <- rep(0:1, 11)
  curves <- half_curves("a", x[, 1], time, event)
  high <- x[, 1] > stats::median(x[, 1])
  peer <- survival::survfit(survival::Surv(time[high], event[high]) ~ 1)
  own <- curves[curves$half == "above the median", ][-1, ]
  expect_equal(own$survival, peer$surv)
  expect_equal(own$time, peer$time)
  expect_identical(sum(curves$censored), sum(event == 0))
  # More than half of the values are at the maximum: these are one half.
  tied <- half_curves("a", rep(c(0, 1), c(7, 15)), time, event)
  expect_setequal(tied$half, c("above the median", "up to the median"))
})

test_that("all outcomes and forms of x are drawn, results of all kinds, and no feature at all", {
  fit <- fealect(x, y, n_runs = 10, n_boot = 0, oob = FALSE, seed = 1)
  expect_s3_class(ggplot2::ggplot_build(plot_values(fit, x, y, n = 2)), "ggplot_built")
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  expect_identical(plot_values(fit, sparse, y)$data, plot_values(fit, x, y)$data)
  number <- plot_values(colnames(x)[1:2], x, x[, 3])
  expect_identical(nrow(layer(number, 1)), 44L)
  none <- plot_values(character(), x, y)
  expect_match(layer(none, 1)$label, "No feature is selected")
})

test_that("other data, other names and other objects are refused", {
  fit <- fealect(x, y, n_runs = 10, n_boot = 0, oob = FALSE, seed = 1)
  refused <- function(call, pattern) expect_error(call, pattern, class = "stabilect_error_input")
  refused(plot_values(fit, x + 1, y), "not the data")
  refused(plot_values("nobody", x, y), "nobody")
  refused(plot_values(1, x, y), "`object`")
  refused(plot_values(stability(fit$selection), x, y), "`object`")
})

test_that("data may contain the covariates of a result", {
  data <- data.frame(outcome = y, age = seq_along(y), x)
  fit <- stability_selection(outcome ~ ., data, covariates = ~age, q = 4, n_pairs = 10, seed = 1)
  expect_s3_class(plot_values(fit, outcome ~ ., data), "ggplot")
})

test_that("permutations are drawn with the observed value, all of them", {
  fit <- fealect(x, y, n_runs = 10, n_boot = 0, permute = 24, seed = 1)
  picture <- ggplot2::autoplot(fit$null)
  expect_identical(sum(layer(picture, 1)$count), as.numeric(fit$null$n_permutations))
  expect_identical(layer(picture, 2)$xintercept, max(fit$null$observed))
  n <- sum(fit$null$maxima >= max(fit$null$observed) - 1e-9)
  expect_match(
    picture$labels$title, sprintf(
      "^%s of %d permutations\\sreach(es)? the observed value", if (n == 0) "None" else n,
      fit$null$n_permutations
    )
  )
})
