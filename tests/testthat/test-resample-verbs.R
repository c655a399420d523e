test_that("resamples become a matrix and lists of rows", {
  draws <- draw_resamples(resample_bootstrap(6), n = 10, seed = 16)
  expect_identical(as.matrix(draws), draws$counts)
  expect_identical(split(draws)[[2]], rep(seq_len(10), draws$counts[, 2]))
  expect_identical(vapply(split(draws), tabulate, integer(10), nbins = 10), draws$counts)
  expect_identical(split(draws, "out")[[2]], which(draws$counts[, 2] == 0L))
  expect_length(split(draws, "out"), 6)
  expect_type(split(draws[1]), "list")
  expect_type(split(draws[1], "out"), "list")
})

test_that("runs can be taken out and put together again", {
  y <- rep(0:1, c(2, 14))
  for (plan in list(
    resample_subsample(20), resample_bootstrap(20), resample_pairs(10), resample_folds(5, 4),
    resample_loo()
  )) {
    draws <- draw_resamples(plan, y, seed = 17)
    front <- draws[1:4]
    back <- draws[-(1:4)]
    again <- c(front, back)
    expect_true(same_resamples(again, draws))
    expect_false(same_resamples(front, draws))
    expect_identical(again$redraws, draws$redraws)
    expect_identical(again$status, draws$status)
    expect_identical(front$pair, draws$pair[1:4])
    expect_identical(front$fold, draws$fold[1:4])
    expect_identical(again$seed, 17L)
  }
  expect_identical(draws[draws$status == "ok"]$counts, draws$counts)
})

test_that("combined draws keep what they share", {
  a <- draw_resamples(resample_pairs(2), n = 9, seed = 1)
  b <- draw_resamples(resample_pairs(3), n = 9, seed = 2)
  ab <- c(a, b)
  expect_identical(ab$counts, cbind(a$counts, b$counts))
  expect_identical(ab$pair, rep(1:5, each = 2L))
  expect_identical(ab$seed, NA_integer_)
  expect_identical(ab$plan, resample_pairs(5))
  mixed <- c(a, draw_resamples(resample_folds(3), n = 9, seed = 1))
  expect_null(mixed$pair)
  expect_identical(mixed$fold, c(NA, NA, NA, NA, 1L, 2L, 3L))
  expect_identical(mixed$plan$scheme, "custom")
  expect_true(same_resamples(draw_resamples(mixed$plan, n = 9), mixed))
})

test_that("the fingerprint depends on the counts only", {
  a <- draw_resamples(resample_subsample(3), n = 30, seed = 1)
  custom <- draw_resamples(resample_custom(counts = a$counts + 0), n = 30)
  expect_true(same_resamples(a, custom))
  expect_true(same_resamples(a, list(resamples = custom)))
  expect_true(same_resamples(list(fingerprint = a$fingerprint), custom))
  expect_false(same_resamples(a, a[c(2, 1, 3)]))
})

test_that("as.data.frame() has every count", {
  draws <- draw_resamples(resample_bootstrap(4), n = 6, seed = 18)
  long <- as.data.frame(draws)
  expect_identical(dim(long), c(24L, 3L))
  expect_identical(unname(unclass(stats::xtabs(count ~ sample + run, long)))[, ],
    draws$counts)
})

test_that("summary() counts what is there", {
  draws <- draw_resamples(resample_bootstrap(50), rep(0:1, c(1, 11)), seed = 19)
  described <- summary(draws)
  distinct <- apply(draws$counts, 2, function(count) sum(count > 0))
  expect_identical(described$distinct[["minimum"]], min(distinct) + 0)
  expect_identical(described$out_of_bag[["maximum"]], 12 - min(distinct))
  expect_equal(described$oob_share, mean(lengths(split(draws, "out"))) / 12)
  expect_identical(described$runs_per_sample[["maximum"]], 50)
  expect_identical(described$redraws, sum(draws$redraws))
  expect_identical(described$redrawn, sum(draws$redraws > 0))
  expect_identical(described$status, c(ok = 50L))
})

test_that("plans and draws describe themselves", {
  expect_snapshot({
    resample_subsample(stratify = TRUE)
    resample_subsample(1, fraction = 0.632, balance = TRUE)
    resample_bootstrap(1000)
    resample_bootstrap(fraction = 1 / 2, stratify = TRUE, balance = TRUE)
    resample_pairs()
    resample_loo()
    resample_folds()
    resample_folds(5, n_repeats = 3, stratify = TRUE)
    resample_custom(list(1:3, 2:4))
  })
  # Which hash it is depends on rlang's version.
  hide_fingerprint <- function(lines) sub("(ingerprint:?) [0-9a-f]+", "\\1 <hash>", lines)
  y <- rep(c("rare", "common"), c(1, 19))
  expect_snapshot(transform = hide_fingerprint, {
    draw_resamples(resample_subsample(), n = 62, seed = 1)[1:10]
    draw_resamples(resample_bootstrap(), y, seed = 1)
    draw_resamples(resample_loo(), y, seed = 1)
    summary(draw_resamples(resample_pairs(), y, seed = 1))
  })
})

test_that("resamples that were changed after they were drawn are refused", {
  x <- matrix(stats::rnorm(48), 12)
  y <- rep(c("a", "b"), 6)
  drawn <- draw_resamples(resample_subsample(6), y, seed = 1)
  changed <- list(
    list(counts = drawn$counts[1:6, ]), list(counts = drawn$counts[, 1:3]), list(n_runs = 1000L),
    list(counts = replace(drawn$counts, 2, -1L)), list(counts = replace(drawn$counts, 2, NA)),
    list(counts = drawn$counts + 0), list(counts = NULL), list(status = "ok"),
    list(n_runs = NA_integer_)
  )
  for (change in changed) {
    other <- drawn
    other[names(change)] <- change
    expect_error(
      fealect(x, y, resampling = other, oob = FALSE), "Draw them again", class = "stabilect_error"
    )
  }
  expect_s3_class(fealect(x, y, resampling = drawn, oob = FALSE), "stabilect_fealect")
})
