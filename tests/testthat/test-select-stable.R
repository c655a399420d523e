lymphoma_x <- as.matrix(mcl_sll[, -1])
lymphoma_y <- mcl_sll$MCL
stabs_answers <- readRDS(test_path("fixtures", "stabs.rds"))

# Others never select a copy of a column beside the first.
in_order <- function(fit, x) {
  frequency <- stats::setNames(named_frequency(fit)[colnames(x)], colnames(x))
  ifelse(is.na(frequency) & !colnames(x) %in% fit$study$feature_names, 0, frequency)
}

test_that("frequencies on the same pairs are those of stabs with lars", {
  draws <- draw_resamples(resample_pairs(20), factor(ifelse(lymphoma_y == 1, 1, -1)), seed = 1)
  fit <- stability_selection(
    lymphoma_x, lymphoma_y, q = 6, cutoff = 0.75, resampling = draws, score_rule = "step"
  )
  sums <- function(values) sums_of_equal(values, lymphoma_x, as.matrix(draws))
  ours <- sums(in_order(fit, lymphoma_x))
  expect_equal(ours, sums(stabs_answers$frequency), tolerance = 1e-12)
  expect_equal(ours, sums(stabs_answers$lars_lasso), tolerance = 1e-12)
})

test_that("paths of fealect() give the same answer without new ones", {
  draws <- draw_resamples(resample_pairs(15), lymphoma_y, seed = 3)
  scored <- fealect(lymphoma_x, lymphoma_y, resampling = draws, oob = FALSE, n_boot = 0)
  again <- stability_selection(scored, q = 4, pfer = 1)
  fresh <- stability_selection(lymphoma_x, lymphoma_y, q = 4, pfer = 1, resampling = draws)
  expect_identical(again$table, fresh$table)
  expect_identical(again$bound, fresh$bound)
  expect_true(same_resamples(again, fresh))
  short <- fealect(lymphoma_x, lymphoma_y, resampling = draws, max_features = 3, n_boot = 0)
  expect_error(stability_selection(short, q = 4, pfer = 1), "end at 3 features")
})

test_that("another cutoff needs no new paths", {
  fit <- stability_selection(lymphoma_x, lymphoma_y, q = 6, pfer = 2, n_pairs = 10, seed = 1)
  fresh <- stability_selection(lymphoma_x, lymphoma_y, q = 3, cutoff = 0.8, n_pairs = 10, seed = 1)
  other <- stability_selection(fit, q = 3, cutoff = 0.8)
  expect_identical(other$table, fresh$table)
  expect_identical(other$bound, fresh$bound)
  # Lower cutoffs keep what higher ones keep.
  low <- stability_selection(fit, cutoff = 0.6)
  expect_true(all(stability_selection(fit, cutoff = 0.9)$features %in% low$features))
  expect_error(stability_selection(fit, q = 7, cutoff = 0.8), "at most 6 features")
  expect_error(stability_selection(fit), "Give one or two")
})

test_that("results are the same for any number of threads, with weakness too", {
  one <- stability_selection(
    lymphoma_x, lymphoma_y, q = 5, pfer = 1, n_pairs = 20, seed = 1, weakness = 0.5
  )
  two <- stability_selection(
    lymphoma_x, lymphoma_y, q = 5, pfer = 1, n_pairs = 20, seed = 1, weakness = 0.5, n_threads = 2
  )
  expect_identical(one, two)
  plain <- stability_selection(lymphoma_x, lymphoma_y, q = 5, pfer = 1, n_pairs = 20, seed = 1)
  expect_false(identical(one$table, plain$table))
})

test_that("the randomised lasso scales the columns by numbers from [weakness, 1)", {
  data <- withr::with_seed(2, list(x = matrix(rnorm(30 * 12), 30), y = rnorm(30)))
  draws <- draw_resamples(resample_pairs(20), n = 30, seed = 4)
  fit <- stability_selection(
    data$x, data$y, q = 4, cutoff = 0.9, resampling = draws, weakness = 0.2
  )
  # The first lambda is the product of the scaled first column with y: it gives the factor away.
  factor <- vapply(1:40, function(b) {
    rows <- split(draws)[[b]]
    x <- scale(data$x[rows, ], scale = FALSE)
    x <- sweep(x, 2, sqrt(colSums(x^2)), "/")
    y <- data$y[rows] - mean(data$y[rows])
    first <- abs(fit$paths$event[c(0, fit$paths$run_events)[b] + 1])
    fit$paths$lambda[c(0, fit$paths$run_steps)[b] + b] / abs(sum(x[, first] * y))
  }, 0)
  expect_true(all(factor >= 0.2 & factor < 1))
  expect_length(unique(factor), 40)
})

test_that("a pair with a failed run is dropped, and the bound is for the rest", {
  y <- rep(c(0, 1), c(3, 17))
  x <- withr::with_seed(1, matrix(rnorm(20 * 30), 20))
  index <- list(1:10, 11:20, c(1:2, 4:11), c(3, 12:20), c(3:12), c(1:2, 13:20))
  draws <- draw_resamples(resample_pairs(3), rep(0:1, c(10, 10)), seed = 1)
  counts <- vapply(index, tabulate, integer(20), nbins = 20L)
  broken <- draw_resamples(resample_custom(index), factor(y))
  broken$pair <- c(1L, 1L, 2L, 2L, 3L, 3L)
  expect_warning(
    fit <- stability_selection(x, factor(y), q = 2, cutoff = 1, resampling = broken),
    "Class \"0\" has only 3 samples",
    class = "stabilect_warning_small_class"
  )
  expect_identical(fit$selection$status[1], "the other run of the pair failed")
  expect_identical(fit$selection$status[2] == "ok", FALSE)
  expect_identical(fit$selection$status[3:6], rep("ok", 4))
  expect_identical(fit$made$n_failed, 2L)
  expect_identical(fit$bound$n_pairs, 2L)
  expect_equal(fit$bound$pfer, error_bound(30, q = 2, cutoff = 1, n_pairs = 2)$pfer)
  expect_output(print(fit), "2 of 6 runs left out")
})

test_that("an empty answer is explained", {
  data <- withr::with_seed(5, list(x = matrix(rnorm(40 * 100), 40), y = rep(0:1, 20)))
  fit <- stability_selection(data$x, data$y, q = 5, pfer = 0.5, seed = 1)
  expect_identical(fit$features, character())
  expect_output(print(fit), "List\\s+none: no feature of .*the\\s+most\\s+frequent")
})

test_that("bad input is refused", {
  x <- lymphoma_x
  y <- lymphoma_y
  expect_error(
    stability_selection(x, y, q = 5, cutoff = 0.9, pfer = 1), "not all three.*`pfer` false"
  )
  expect_error(
    stability_selection(x, y, q = 5, pfer = 1, resampling = resample_bootstrap(10)),
    "needs complementary pairs"
  )
  expect_error(stability_selection(x, y, q = 500, pfer = 1), "`q` must be a whole number")
  expect_error(stability_selection(x, y, q = 5, pfer = 1, weakness = 0), "`weakness`")
  expect_error(stability_selection(x, y, q = 5, pfer = 1, n_pairs = 1), "`n_pairs`")
  mb <- stability_selection(
    x, y, q = 5, pfer = 2, resampling = resample_subsample(20, 1 / 2), assumption = "none", seed = 1
  )
  expect_equal(mb$bound$cutoff, ceiling(20 * (25 / (2 * 236) + 1) / 2) / 20)
})

test_that("pictures are drawn", {
  skip_if_not_installed("ggplot2")
  fit <- stability_selection(lymphoma_x, lymphoma_y, q = 6, pfer = 2, n_pairs = 10, seed = 1)
  for (type in c("frequency", "paths")) {
    picture <- ggplot2::autoplot(fit, type = type)
    expect_s3_class(picture, "ggplot")
    expect_silent(ggplot2::ggplot_build(picture))
  }
})
