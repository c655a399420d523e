# Out-of-bag errors of balanced designs: covariates that say nothing err as chance does.

balanced_batches <- function(n_batches, n_classes, each = 6L) {
  batch <- factor(rep(seq_len(n_batches), each = n_classes * each))
  y <- factor(rep(letters[seq_len(n_classes)], n_batches * each))
  list(y = y, z = data.frame(batch))
}

test_that("companions are of the same batch where classes are balanced in batches", {
  d <- balanced_batches(3L, 2L)
  response <- read_response(d$y, length(d$y))
  response$covariates <- stats::model.matrix(~ batch, d$z)[, -1]
  together <- left_out_together(response)
  expect_true(all(lengths(together) == 2L))
  expect_true(all(vapply(together, function(rows) {
    length(unique(d$z$batch[rows])) == 1L && length(unique(d$y[rows])) == 2L
  }, NA)))
  # A numeric dose, too; and only judged samples need companions.
  response$covariates <- cbind(dose = c(0.5, 1, 2)[d$z$batch])
  some <- left_out_together(response, judged = 1:3)
  expect_identical(lengths(some), rep(2:1, c(3, 33)))
  expect_identical(unique(as.integer(d$z$batch)[unlist(some[1:3])]), 1L)
})

test_that("covariates that are as they come change no companion and no group", {
  y <- factor(rep(c("a", "b"), 20))
  response <- read_response(y, 40L)
  plain <- left_out_together(response)
  groups <- order_groups(response, 1:40)
  response$covariates <- withr::with_seed(1, cbind(stats::rnorm(40), stats::rbinom(40, 1, 0.4)))
  expect_identical(left_out_together(response), plain)
  expect_identical(order_groups(response, 1:40), groups)
})

test_that("about 2 % of the covariates that are as they come look balanced", {
  y <- outer(rep(1:3, 20), 2:3, `==`) + 0
  drawn <- withr::with_seed(1, replicate(500, is_balanced(
    scale(matrix(stats::rnorm(120), 60)), scale(y)
  )))
  expect_lt(mean(drawn), 0.05)
})

test_that("groups of a balanced design have the classes of each batch in proportion", {
  for (n_classes in 2:3) {
    d <- balanced_batches(4L, n_classes, 5L)
    response <- read_response(d$y, length(d$y))
    response$covariates <- stats::model.matrix(~ batch, d$z)[, -1]
    for (group in order_groups(response, seq_along(d$y))) {
      counts <- table(d$z$batch, d$y, group)
      expect_true(all(apply(counts, c(1, 3), function(n) diff(range(n)) == 0)))
      sizes <- table(group)
      expect_lte(diff(range(sizes)), 3 * n_classes)
      expect_true(all(apply(counts, 3, function(one) all(colSums(one) > 0))))
    }
  }
})

test_that("batches that say nothing err as chance, by shares and by ranks, in every number", {
  for (n_batches in c(2L, 5L)) {
    for (n_classes in 2:3) {
      d <- balanced_batches(n_batches, n_classes, 4L)
      x <- withr::with_seed(n_batches, matrix(stats::rnorm(length(d$y) * 8), length(d$y)))
      fit <- fealect(x, d$y, covariates = d$z, n_runs = 40, n_boot = 0, seed = 1)
      info <- paste(n_batches, "batches", n_classes, "classes")
      expect_equal(fit$oob$baseline, 1 - 1 / n_classes, tolerance = 1e-9, info = info)
      expect_equal(fit$oob$auc_baseline, 0.5, tolerance = 1e-9, info = info)
    }
  }
})

test_that("ToothGrowth: the dose says nothing of the supplement", {
  x <- withr::with_seed(1, matrix(stats::rnorm(60 * 20), 60))
  for (dose in list(factor(datasets::ToothGrowth$dose), datasets::ToothGrowth$dose)) {
    fit <- fealect(
      x, datasets::ToothGrowth$supp, covariates = data.frame(dose), n_boot = 0, seed = 1
    )
    expect_equal(c(fit$oob$baseline, fit$oob$auc_baseline), c(0.5, 0.5), tolerance = 0.02)
    expect_gt(fit$oob$error, 0.4)
  }
})
