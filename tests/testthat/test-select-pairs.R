# How often both halves of a pair select a feature, beside a count by hand.

test_that("`simultaneous` is the share of complete pairs with a feature in both runs", {
  x <- withr::with_seed(1, matrix(stats::rnorm(24 * 30), 24))
  colnames(x) <- paste0("g", 1:30)
  y <- factor(rep(c("a", "b"), c(20, 4)))
  x[, 1] <- x[, 1] + 2 * (y == "b")
  folds <- withr::with_seed(2, replicate(10, sample(rep(0:1, 12))))
  # A half without the second class.
  folds[, 4] <- rep(c(1, 0), each = 12)
  fit <- suppressWarnings(stability_selection(
    x, y, q = 4, cutoff = 0.7, resampling = resample_custom(counts = cbind(folds, 1 - folds))
  ))
  chosen <- as.matrix(fit$selection$selected)
  pair <- fit$resamples$pair
  ok <- fit$selection$status == "ok"
  both <- vapply(split(seq_along(pair), pair), function(runs) {
    if (all(ok[runs])) chosen[, runs[1]] & chosen[, runs[2]] else rep(NA, 30)
  }, logical(30))
  expect_true(anyNA(both))
  shares <- rowMeans(both, na.rm = TRUE)
  expect_gt(sum(shares > 0), 2)
  expect_equal(fit$table$simultaneous, unname(shares[match(fit$table$feature, colnames(x))]))
})
