plans <- function(...) {
  list(
    resample_subsample(20, ...), resample_bootstrap(20, ...), resample_pairs(10, ...),
    resample_folds(5, n_repeats = 4, ...)
  )
}
class_totals <- function(counts, y) unclass(rowsum(counts, y))

# Computed by a separate implementation (Python, big integers) of Threefry, of Lemire's bounded
# draw and of Fisher-Yates, written from the papers.
test_that("draws are those of an independent implementation", {
  seed <- 20240607
  subsamples <- draw_resamples(resample_subsample(5), n = 12, seed = seed)
  expect_identical(split(subsamples)[[1]], c(1L, 3:5, 7L, 9:12))
  expect_identical(split(subsamples)[[5]], c(2:4, 6:8, 10:12))
  bootstraps <- draw_resamples(resample_bootstrap(5), n = 12, seed = seed)
  expect_identical(as.matrix(bootstraps)[, 1], c(0L, 0L, 1L, 2L, 0L, 1L, 0L, 0L, 2L, 2L, 1L, 3L))
  expect_identical(as.matrix(bootstraps)[, 5], c(1L, 0L, 2L, 1L, 0L, 3L, 0L, 2L, 2L, 1L, 0L, 0L))
  pairs <- draw_resamples(resample_pairs(5), n = 12, seed = seed)
  expect_identical(split(pairs)[[1]], c(4L, 5L, 7L, 10:12))
  expect_identical(split(pairs)[[10]], c(2L, 6L, 8:10, 12L))
  folds <- draw_resamples(resample_folds(5, 5), n = 12, seed = seed)
  fold <- max.col(t(rowsum(1L - t(as.matrix(folds)[, 21:25]), 1:5)))
  expect_identical(fold, c(4L, 3L, 5L, 4L, 2L, 2L, 1L, 3L, 2L, 1L, 5L, 1L))
  y <- rep(c("a", "b"), c(4, 8))
  balanced <- draw_resamples(resample_subsample(5, stratify = TRUE, balance = TRUE), y, seed)
  expect_identical(as.matrix(balanced)[, 1], c(0L, 2L, 1L, 3L, 1L, 1L, 0L, 1L, 0L, 1L, 1L, 1L))
  expect_identical(as.matrix(balanced)[, 5], c(3L, 0L, 1L, 2L, 1L, 0L, 1L, 0L, 1L, 1L, 1L, 1L))
})

test_that("a run is the same however many runs are drawn", {
  y <- rep(0:1, c(2, 15))
  for (stratify in c(FALSE, TRUE)) {
    flags <- list(stratify = stratify, balance = TRUE)
    makers <- list(resample_subsample, resample_bootstrap, resample_pairs)
    for (maker in makers) {
      few <- draw_resamples(do.call(maker, c(10, flags)), y, seed = 7)
      many <- draw_resamples(do.call(maker, c(1000, flags)), y, seed = 7)
      expect_identical(many$counts[, seq_len(few$n_runs)], few$counts)
      expect_identical(many$redraws[seq_len(few$n_runs)], few$redraws)
    }
    few <- draw_resamples(do.call(resample_folds, c(3, 2, flags)), y, seed = 7)
    many <- draw_resamples(do.call(resample_folds, c(3, 100, flags)), y, seed = 7)
    expect_identical(many$counts[, 1:6], few$counts)
  }
})

test_that("schemes, seeds and runs do not repeat each other", {
  a <- draw_resamples(resample_subsample(50), n = 60, seed = 1)
  b <- draw_resamples(resample_subsample(50), n = 60, seed = 2)
  halves <- draw_resamples(resample_subsample(50, 1 / 2), n = 60, seed = 1)
  pairs <- draw_resamples(resample_pairs(50), n = 60, seed = 1)
  expect_false(any(duplicated(cbind(a$counts, b$counts), MARGIN = 2)))
  expect_false(any(duplicated(cbind(halves$counts, pairs$counts), MARGIN = 2)))
})

test_that("NULL as seed takes exactly one draw from R's generator, a seed takes none", {
  withr::local_seed(11)
  before <- .Random.seed
  given <- draw_resamples(resample_bootstrap(5), n = 9, seed = 1)
  expect_identical(.Random.seed, before)
  free <- draw_resamples(resample_bootstrap(5), n = 9)
  after <- .Random.seed
  set.seed(11)
  expect_identical(sample.int(.Machine$integer.max, 1L), free$seed)
  expect_identical(.Random.seed, after)
  set.seed(11)
  expect_identical(draw_resamples(resample_bootstrap(5), n = 9), free)
  expect_identical(draw_resamples(resample_bootstrap(5), n = 9, seed = free$seed), free)
  expect_false(same_resamples(given, free))
})

test_that("all subsets of 3 of 5 are equally likely", {
  draws <- draw_resamples(resample_subsample(20000, fraction = 3 / 5), n = 5, seed = 3)
  observed <- table(colSums(draws$counts * 2^(0:4)))
  expect_length(observed, choose(5, 3))
  expect_lt(sum((observed - 2000)^2 / 2000), stats::qchisq(0.999, 9))
})

test_that("all bootstrap counts of 3 samples have their multinomial probability", {
  draws <- draw_resamples(resample_bootstrap(27000), n = 3, seed = 4)
  observed <- table(apply(draws$counts, 2, paste, collapse = ""))
  probability <- vapply(strsplit(names(observed), ""), function(count) {
    stats::dmultinom(as.integer(count), prob = rep(1, 3))
  }, double(1))
  expect_length(observed, 10)
  statistic <- sum((observed - 27000 * probability)^2 / (27000 * probability))
  expect_lt(statistic, stats::qchisq(0.999, 9))
})

test_that("every sample is equally often in the bag", {
  n_runs <- 4000
  inclusion <- function(plan, share) {
    times <- rowSums(draw_resamples(plan, n = 40, seed = 5)$counts > 0)
    expect_true(all(times >= stats::qbinom(1e-5, n_runs, share)))
    expect_true(all(times <= stats::qbinom(1 - 1e-5, n_runs, share)))
  }
  inclusion(resample_subsample(n_runs), 30 / 40)
  inclusion(resample_bootstrap(n_runs), 1 - (1 - 1 / 40)^40)
  inclusion(resample_bootstrap(n_runs, fraction = 1 / 4), 1 - (1 - 1 / 40)^10)
  inclusion(resample_pairs(n_runs / 2), 1 / 2)
})

test_that("sizes are exact", {
  size <- function(plan, n) unique(colSums(draw_resamples(plan, n = n, seed = 6)$counts))
  expect_identical(size(resample_subsample(9), 62), 46)
  expect_identical(size(resample_subsample(9, fraction = 0.29), 100), 29)
  expect_identical(size(resample_subsample(9, fraction = 1), 7), 7)
  expect_identical(size(resample_bootstrap(9), 62), 62)
  expect_identical(size(resample_bootstrap(9, fraction = 1 / 2), 63), 31)
  expect_identical(size(resample_pairs(9), 63), 31)
  expect_identical(size(resample_loo(), 63), 62)
})

test_that("pairs are disjoint, and complementary when n is even", {
  for (n in c(10, 11)) {
    pairs <- draw_resamples(resample_pairs(30), n = n, seed = 7)
    expect_identical(pairs$pair, rep(1:30, each = 2L))
    both <- t(rowsum(t(pairs$counts), pairs$pair))
    expect_identical(max(both), 1L)
    expect_true(all(colSums(both) == 10))
  }
})

test_that("the folds of a repeat partition the samples", {
  folds <- draw_resamples(resample_folds(4, n_repeats = 3), n = 18, seed = 8)
  expect_identical(folds$fold, rep(1:4, 3))
  expect_identical(folds$repetition, rep(1:3, each = 4L))
  held_out <- split(folds, "out")
  expect_setequal(lengths(held_out), c(4, 5))
  for (rows in split(held_out, folds$repetition)) {
    expect_identical(sort(unlist(rows, use.names = FALSE)), 1:18)
  }
  expect_false(identical(held_out[1:4], held_out[5:8]))
})

test_that("leave-one-out leaves out sample b in run b", {
  expect_identical(split(draw_resamples(resample_loo(), n = 5), "out"), as.list(1:5))
})

test_that("stratified draws have the proportions of the data", {
  y <- factor(sample(rep(c("a", "b", "c"), c(8, 24, 16))))
  totals <- function(plan) class_totals(draw_resamples(plan, y, seed = 9)$counts, y)
  expect_true(all(totals(resample_subsample(20, stratify = TRUE)) == c(6, 18, 12)))
  expect_true(all(totals(resample_bootstrap(20, stratify = TRUE)) == c(8, 24, 16)))
  expect_true(all(totals(resample_pairs(10, stratify = TRUE)) == c(4, 12, 8)))
  expect_true(all(totals(resample_folds(8, 3, stratify = TRUE)) == c(7, 21, 14)))
  expect_false(all(totals(resample_subsample(20)) == c(6, 18, 12)))
})

test_that("totals stay exact when classes do not divide, ties to the first class", {
  totals <- function(y, plan) {
    class_totals(draw_resamples(plan, y, seed = 9)$counts, y)
  }
  half <- resample_subsample(20, fraction = 1 / 2, stratify = TRUE)
  expect_true(all(totals(rep(c("a", "b"), c(5, 5)), half) == c(3, 2)))
  expect_true(all(totals(factor(rep(c("a", "b"), c(5, 5)), c("b", "a")), half) == c(3, 2)))
  colon <- rep(c("normal", "tumour"), c(22, 40))
  expect_true(all(totals(colon, resample_subsample(20, stratify = TRUE)) == c(16, 30)))
  odd <- totals(rep(c("a", "b"), c(7, 9)), resample_pairs(20, stratify = TRUE))
  expect_true(all(colSums(odd) == 8))
  expect_identical(unique(as.vector(odd[1, ] - 3.5)), c(0.5, -0.5))
})

test_that("balanced draws have equal class totals and only drawn rows", {
  y <- rep(c("a", "b", "c"), c(6, 20, 11))
  plain <- plans(stratify = TRUE)
  balanced <- plans(stratify = TRUE, balance = TRUE)
  for (i in seq_along(plain)) {
    before <- draw_resamples(plain[[i]], y, seed = 10)$counts
    after <- draw_resamples(balanced[[i]], y, seed = 10)$counts
    expect_identical(after > 0, before > 0)
    expect_true(all(after >= before))
    largest <- apply(class_totals(before, y), 2, max)
    expect_identical(unname(class_totals(after, y)), rbind(largest, largest, largest,
      deparse.level = 0))
  }
})

test_that("balancing draws the rows of a class with equal probability", {
  y <- rep(0:1, c(3, 33))
  draws <- draw_resamples(resample_subsample(1000, fraction = 1, balance = TRUE), y, seed = 11)
  extra <- rowSums(draws$counts[1:3, ] - 1L)
  expect_lt(sum((extra - 10000)^2 / 10000), stats::qchisq(0.999, 2))
})

test_that("runs of one class are redrawn and the redraws recorded", {
  y <- rep(c("rare", "common"), c(1, 29))
  draws <- draw_resamples(resample_subsample(300, fraction = 1 / 5), y, seed = 12)
  expect_identical(unique(draws$status), "ok")
  expect_true(all(draws$counts[1, ] == 1L))
  # geometric with success probability 1/5: mean 4, standard deviation sqrt(20)
  expect_lt(abs(mean(draws$redraws) - 4), 4 * sqrt(20 / 300))
  expect_lte(max(draws$redraws), 1000L)
  first_try <- draw_resamples(resample_subsample(300, fraction = 1 / 5), n = 30, seed = 12)
  kept <- draws$redraws == 0L
  expect_identical(draws$counts[, kept], first_try$counts[, kept])
  expect_identical(first_try$redraws, integer(300))
})

test_that("a numeric response is redrawn when it is constant in the bag", {
  y <- c(2.5, rep(1, 19))
  draws <- draw_resamples(resample_bootstrap(100), y, seed = 13)
  expect_true(all(draws$counts[1, ] > 0L))
  expect_gt(sum(draws$redraws), 0L)
  loo <- draw_resamples(resample_loo(), y)
  expect_identical(loo$status, rep(c("constant y", "ok"), c(1, 19)))
})

test_that("runs that stay of one class are kept and marked", {
  y <- rep(c("rare", "common"), c(1, 29))
  for (plan in c(plans(), list(resample_loo()), plans(balance = TRUE))) {
    draws <- draw_resamples(plan, y, seed = 14)
    one_class <- draws$counts[1, ] == 0L
    expect_identical(draws$status, ifelse(one_class, "one class", "ok"))
    expect_identical(any(one_class), plan$scheme %in% c("pairs", "folds", "loo"))
  }
  tenth <- draw_resamples(resample_subsample(3, fraction = 1 / 10, stratify = TRUE), y, seed = 1)
  expect_identical(tenth$status, rep("one class", 3))
  expect_identical(tenth$redraws, integer(3))
  custom <- resample_custom(list(1:4, 2:5))
  expect_identical(draw_resamples(custom, y)$status, c("ok", "one class"))
  expect_identical(draw_resamples(custom, n = 30)$status, c("ok", "ok"))
})

test_that("all kinds of response with the same classes give the same draws", {
  plan <- resample_subsample(10, stratify = TRUE, balance = TRUE)
  reference <- draw_resamples(plan, factor(rep(c("no", "yes"), c(4, 9))), seed = 15)
  same <- list(
    rep(c("no", "yes"), c(4, 9)), rep(c(FALSE, TRUE), c(4, 9)), rep(0:1, c(4, 9)),
    rep(c(-1, 1), c(4, 9)), factor(rep(c("no", "yes"), c(4, 9)), c("unused", "no", "yes"))
  )
  for (y in same) {
    expect_true(same_resamples(draw_resamples(plan, y, seed = 15), reference))
  }
  flipped <- factor(rep(c("no", "yes"), c(4, 9)), c("yes", "no"))
  expect_false(same_resamples(draw_resamples(plan, flipped, seed = 15), reference))
})

test_that("text classes are sorted alike in every locale", {
  y <- rep(c("b", "A", "a", "B"), each = 5)
  plan <- resample_subsample(3, fraction = 1 / 2, stratify = TRUE)
  expected <- draw_resamples(plan, factor(y, c("A", "B", "a", "b")), seed = 1)
  expect_identical(draw_resamples(plan, y, seed = 1)$counts, expected$counts)
})

test_that("custom resamples are what was given", {
  counts <- cbind(c(2L, 0L, 1L, 0L), c(0L, 1L, 1L, 1L))
  index <- list(c(3, 1, 1), c(2, 3, 4))
  for (plan in list(
    resample_custom(index), resample_custom(index, n = 4), resample_custom(simplify2array(index)),
    resample_custom(counts = counts), resample_custom(counts = counts + 0)
  )) {
    draws <- draw_resamples(plan, n = 4, seed = 1)
    expect_identical(draws$counts, counts)
    expect_identical(plan$n_runs, 2L)
  }
  expect_identical(draw_resamples(resample_custom(counts = counts > 0))$counts,
    (counts > 0) + 0L)
})
