# Halves given by hand are complementary pairs: recognised, and with the cutoff of stabs.

drawn_halves <- function(n = 22) {
  withr::with_seed(8, replicate(20, sample(rep(0:1, c(n - n %/% 2, n %/% 2)))))
}
pair_of <- function(counts, ...) {
  draw_resamples(resample_custom(counts = counts, ...), n = nrow(counts))$pair
}

test_that("both orders of halves are pairs, for even and odd numbers of samples", {
  for (n in c(22, 23)) {
    folds <- drawn_halves(n)
    expect_identical(pair_of(cbind(folds, 1 - folds)), rep(1:20, 2))
    both <- cbind(folds, 1 - folds)[, order(rep(1:20, 2))]
    expect_identical(pair_of(both), rep(1:20, each = 2))
    drawn <- draw_resamples(resample_pairs(6), n = n, seed = 3)
    expect_identical(pair_of(drawn$counts), drawn$pair)
  }
})

test_that("what is not a set of complementary halves has no pairs", {
  folds <- drawn_halves()
  both <- cbind(folds, 1 - folds)
  expect_null(pair_of(folds))
  expect_null(pair_of(both[, -1]))
  expect_null(pair_of(both[, c(2, 1, 3:40)]))
  expect_null(pair_of(2 * both))
  # Disjoint, but no halves.
  expect_null(pair_of(cbind(rep(1:0, c(4, 18)), rep(0:1, c(4, 18)))))
  # One sample in both, and one in neither.
  moved <- both
  moved[which(both[, 1] == 1)[1], 21] <- 1
  moved[which(both[, 21] == 1)[1], 21] <- 0
  expect_null(pair_of(moved))
  # Two pairs with a sample left out, of an even number.
  expect_null(pair_of(rbind(both, 0, 0)))
})

test_that("blocks are halved whole", {
  blocks <- rep(1:8, 1:8)
  folds <- replicate(5, sample(rep(0:1, 4)))[blocks, ]
  expect_identical(pair_of(cbind(folds, 1 - folds), blocks = blocks), rep(1:5, 2))
  expect_null(pair_of(cbind(folds, 1 - folds)))
})

test_that("chosen and combined runs have pairs if they are halves", {
  folds <- drawn_halves()
  draws <- draw_resamples(resample_custom(counts = cbind(folds, 1 - folds)), n = 22)
  expect_identical(draws[c(1:3, 21:23)]$pair, rep(1:3, 2))
  expect_null(draws[1:3]$pair)
  expect_identical(c(draws[c(1, 21)], draws[c(2, 22)])$pair, c(1L, 1L, 2L, 2L))
  expect_null(c(draws[c(1, 21)], draw_resamples(resample_subsample(2), n = 22, seed = 1))$pair)
})

test_that("halves of stabs have its frequencies and its cutoff, in both orders", {
  stabs_answers <- readRDS(test_path("fixtures", "stabs.rds"))
  x <- as.matrix(mcl_sll[, -1])
  y <- mcl_sll$MCL
  drawn <- draw_resamples(resample_pairs(20), factor(ifelse(y == 1, 1, -1)), seed = 1)
  folds <- as.matrix(drawn)[, match(1:20, drawn$pair)]
  both <- cbind(folds, 1 - folds)
  for (order in list(1:40, order(rep(1:20, 2)))) {
    fit <- stability_selection(
      x, y, q = 6, pfer = 1, resampling = resample_custom(counts = both[, order]),
      assumption = "unimodal", score_rule = "step"
    )
    # lars never selects a copy of a column beside the first.
    own <- colnames(x) %in% fit$table$feature
    expect_true(all(stabs_answers$lars_lasso[!own] == 0))
    expect_equal(
      sums_of_equal(named_frequency(fit), x[, own], both),
      sums_of_equal(stabs_answers$lars_lasso, x[, own], both), tolerance = 1e-12
    )
    expect_identical(fit$bound$assumption, "unimodal")
    own <- stability_selection(x, y, q = 6, pfer = 1, resampling = drawn, score_rule = "step")
    expect_identical(fit$table, own$table)
    expect_identical(fit$bound, own$bound)
  }
  expect_error(
    stability_selection(x, y, q = 6, pfer = 1, resampling = resample_custom(counts = both[, -1])),
    "complementary pairs", class = "stabilect_error_input"
  )
  skip_if_not_installed("stabs")
  # They count constant columns, too.
  varies <- apply(without_copies(x), 2, stats::sd) > 0
  for (assumption in c("unimodal", "r-concave")) {
    theirs <- stabs::stabsel_parameters(
      p = sum(varies), q = 6, PFER = 1, B = 20, assumption = assumption
    )
    ours <- stability_selection(
      x, y, q = 6, pfer = 1, resampling = resample_custom(counts = both),
      assumption = sub("-", "_", assumption), score_rule = "step"
    )
    expect_equal(ours$bound$cutoff, theirs$cutoff, tolerance = 2e-4)
  }
})

test_that("halves that stabs draws itself, of an odd number of samples, give its list", {
  skip_if_not_installed("stabs")
  skip_if_not_installed("lars")
  x <- without_copies(as.matrix(mcl_sll[-1, -1]))
  y <- ifelse(mcl_sll$MCL[-1] == 1, 1, -1)
  folds <- withr::with_seed(2, stabs::subsample(rep(1, 21), B = 25))
  theirs <- suppressWarnings(stabs::stabsel(x, y,
    fitfun = stabs::lars.lasso, q = 5, PFER = 1, B = 25, folds = folds, mc.cores = 1
  ))
  ours <- stability_selection(
    x, factor(y), q = 5, pfer = 1, resampling = resample_custom(counts = cbind(folds, 1 - folds)),
    score_rule = "step"
  )
  counts <- cbind(folds, 1 - folds)
  expect_equal(
    sums_of_equal(named_frequency(ours), x, counts), sums_of_equal(theirs$max, x, counts),
    tolerance = 1e-12
  )
  expect_equal(ours$bound$cutoff, theirs$cutoff, tolerance = 2e-4)
  expect_setequal(ours$features, names(theirs$selected))
})
