test_that("plans check their arguments", {
  expect_input_error <- function(code) expect_error(code, class = "stabilect_error_input")
  expect_input_error(resample_subsample(0))
  expect_input_error(resample_subsample(2.5))
  expect_input_error(resample_subsample(fraction = 0))
  expect_input_error(resample_subsample(fraction = 1.2))
  expect_input_error(resample_bootstrap(fraction = NA))
  expect_input_error(resample_bootstrap(stratify = NA))
  expect_input_error(resample_pairs(n_pairs = -1))
  expect_input_error(resample_pairs(balance = "yes"))
  expect_input_error(resample_folds(1))
  expect_input_error(resample_folds(n_repeats = 0))
  expect_input_error(resample_pairs(2^30))
  expect_input_error(resample_folds(n_repeats = 2^30))
})

test_that("custom resamples say where they are wrong", {
  expect_refusals({
    resample_custom()
    resample_custom(list(1:3), counts = diag(3))
    resample_custom("a")
    resample_custom(list(1:3, c(2, 0, 1)))
    resample_custom(list(1:3, c(2, 4, 1)), n = 3)
    resample_custom(list(1:3, integer()))
    resample_custom(list(c(1, NA)))
    resample_custom(counts = 1:3)
    resample_custom(counts = cbind(1:3, c(1, -1, 0)))
    resample_custom(counts = cbind(1:3, 0))
    resample_custom(counts = diag(3), n = 4)
    draw_resamples(resample_custom(list(1:3, c(2, 4, 1))), n = 3)
    draw_resamples(resample_custom(counts = diag(3)), n = 4)
  })
})

test_that("draws that cannot be made are refused with advice", {
  plan <- resample_subsample(5)
  stratified <- resample_subsample(5, stratify = TRUE)
  expect_refusals({
    draw_resamples("subsample", n = 10)
    draw_resamples(plan)
    draw_resamples(plan, 62)
    draw_resamples(plan, c(1, NA, 3))
    draw_resamples(plan, c(1, 2, Inf))
    draw_resamples(plan, factor(c("a", NA, "b")))
    draw_resamples(plan, rep("a", 10))
    draw_resamples(plan, matrix(1:10, 5))
    draw_resamples(plan, 1:10, n = 11)
    draw_resamples(stratified, n = 10)
    draw_resamples(stratified, c(0.5, 2, 3, 4))
    draw_resamples(resample_subsample(5, fraction = 1 / 10), n = 10)
    draw_resamples(resample_pairs(5), n = 3)
    draw_resamples(resample_loo(), n = 2)
    draw_resamples(resample_folds(11), n = 10)
  })
})

test_that("a refused draw does not touch R's generator", {
  withr::local_seed(1)
  before <- .Random.seed
  expect_error(draw_resamples(resample_pairs(5), n = 3))
  expect_identical(.Random.seed, before)
})

test_that("the verbs refuse what is not there", {
  draws <- draw_resamples(resample_subsample(5), n = 10, seed = 1)
  other <- draw_resamples(resample_subsample(5), n = 11, seed = 1)
  expect_refusals({
    draws[6]
    draws[0]
    c(draws, other)
    c(draws, 1)
    as.matrix(draws, run = 1)
    split(draws, "all")
  })
})
