# Pictures of the Bolasso, models, resamples, explanations and plans: what they draw.
skip_if_not_installed("ggplot2")

x <- as.matrix(mcl_sll[, 2:21])
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
layer <- function(picture, at) ggplot2::layer_data(picture, at)
titles <- function(picture) unlist(picture$labels[c("title", "subtitle")])

test_that("the Bolasso draws shares of runs and the cutoff", {
  fit <- bolasso(x, y, n_runs = 12, cutoff = 0.5, seed = 1)
  picture <- ggplot2::autoplot(fit, n = 6)
  expect_setequal(layer(picture, 2)$x, utils::head(fit$table$frequency, 6))
  expect_identical(layer(picture, 3)$xintercept, 0.5)
  expect_match(titles(picture)[1], as.character(length(fit$features)))
})

test_that("models draw standardised coefficients, of several classes by class", {
  model <- fit_model(x, y, 1:5)
  picture <- ggplot2::autoplot(model, n = 3)
  expect_equal(
    sort(abs(layer(picture, 2)$x)), unname(sort(abs(model$standardised), decreasing = TRUE)[3:1])
  )
  expect_match(titles(picture)[2], "3 largest of 5 features; to the right: for MCL")
  classes <- factor(rep_len(c("a", "b", "c"), nrow(x)))
  several <- fit_model(x, classes, 1:4)
  drawn <- layer(ggplot2::autoplot(several), 2)
  expect_equal(
    as.vector(table(drawn$PANEL)), rep(4L, 3)
  )
  expect_equal(sort(drawn$x), sort(as.vector(several$standardised)))
  none <- ggplot2::autoplot(suppressWarnings(fit_model(x, y, character())))
  expect_match(layer(none, 1)$label, "The model has no features")
})

test_that("resamples draw who is in which bag", {
  draws <- draw_resamples(resample_bootstrap(7), y, seed = 1)
  tiles <- layer(ggplot2::autoplot(draws, n = 5), 1)
  expect_identical(nrow(tiles), 5L * length(y))
  expect_identical(sum(tiles$fill == "white"), sum(as.matrix(draws)[, 1:5] == 0))
})

test_that("explanations draw contributions, plans sizes", {
  fit <- fealect(x, y, n_runs = 20, max_features = 4, n_boot = 0, oob = FALSE, seed = 1)
  why <- explain_stability(fit, similarity = list(x = x), threshold = 0.7)
  picture <- ggplot2::autoplot(why, n = 4)
  expect_equal(sort(layer(picture, 2)$x), sort(why$features$contribution[1:4]))
  plan <- estimate_ensemble_size(
    0.3, n_total = 100, n_features = 5, n_useful = 10, p = 0.9, n_simulations = 20, budget = 10,
    seed = 1
  )
  picture <- ggplot2::autoplot(plan)
  expect_identical(layer(picture, 1)$yintercept, 0.3)
  expect_equal(sort(layer(picture, 3)$y), sort(plan$table$stability))
})
