# Permutations of whole procedures against multtest, loops written out, and complete enumeration.

x <- mcl_distinct()
y <- mcl_sll$MCL

seven <- withr::with_seed(5, matrix(
  stats::rnorm(7 * 6), 7, 6, dimnames = list(NULL, paste0("g", 1:6))
))

# One run with all samples.
everything <- function(n) resample_custom(list(seq_len(n)))

test_that("step-down p values of a t filter are those of multtest, by complete enumeration", {
  for (answer in readRDS(test_path("fixtures", "multtest.rds"))) {
    fit <- suppressWarnings(select_ensemble(
      answer$x, answer$y, selector_filter("welch"), everything(nrow(answer$x)), n_features = 3,
      permute = 200, seed = 1
    ))
    at <- match(colnames(answer$x), fit$table$feature)
    expect_equal(fit$table$score[at], abs(answer$t), tolerance = 1e-10)
    expect_equal(fit$table$p_fwer[at], answer$adjusted, tolerance = 1e-10)
    expect_true(fit$null$complete)
    expect_identical(fit$null$n_permutations, 125L)
  }
})

test_that("with all arrangements done, p is uniform over them", {
  arrangements <- utils::combn(7, 3)
  p <- apply(arrangements, 2L, function(first) {
    fit <- suppressWarnings(stability_selection(
      seven, replace(numeric(7), first, 1), q = 2, cutoff = 0.9, n_pairs = 4, permute = 34,
      seed = 1
    ))
    expect_true(fit$null$complete)
    fit$null$p
  })
  # Exactly k / 35, each once, but for ties, which all have the larger p.
  n <- ncol(arrangements)
  expect_identical(n, 35L)
  expect_equal(p * n, round(p * n))
  expect_equal(sort(p), rank(sort(p), ties.method = "max") / n)
  expect_gt(length(unique(p)), 25)
})

test_that("numbers are enumerated, too, and equal values are not told apart", {
  y <- c(1, 2, 2, 5, 9)
  fit <- select_ensemble(
    seven[1:5, ], y, selector_filter("pearson"), everything(5), n_features = 2, permute = 60,
    seed = 1
  )
  expect_identical(fit$null$n_permutations, 59L)
  orders <- unique(as.matrix(expand.grid(y, y, y, y, y)))
  orders <- orders[apply(orders, 1L, function(v) identical(sort(unname(v)), y)), ]
  maxima <- apply(orders, 1L, function(v) max(abs(stats::cor(seven[1:5, ], v))))
  observed <- max(abs(stats::cor(seven[1:5, ], y)))
  expect_equal(fit$null$p, mean(maxima >= observed - 1e-12))
})

test_that("the statistic is the mean penalty at entry over the norm of the response", {
  fit <- fealect(x, y, n_runs = 4, permute = 5, oob = FALSE, seed = 2)
  expected <- rowMeans(vapply(1:4, function(b) {
    rows <- split(fit$resamples)[[b]]
    coded <- 2 * y[rows] - 1
    path <- lars_path(x[rows, ], coded, max_features = 10)
    value <- stats::setNames(numeric(ncol(x)), colnames(x))
    events <- unlist(path$actions)
    step <- rep(seq_along(path$actions), lengths(path$actions))
    entry <- events > 0 & !duplicated(abs(events))
    value[events[entry]] <- path$lambda[step[entry]]
    value / sqrt(sum((coded - mean(coded))^2))
  }, numeric(ncol(x))))
  observed <- stats::setNames(fit$null$observed, colnames(x))
  counts <- as.matrix(fit$resamples)
  expect_equal(
    sums_of_equal(observed, x, counts), sums_of_equal(expected, x, counts), tolerance = 1e-8
  )
})

test_that("columns of the table are those of loops written out", {
  fit <- select_ensemble(
    x, y, selector_filter("t"), resample_subsample(3), n_features = 5, permute = 30, seed = 3
  )
  study <- open_study(x, y, "binary")
  orders <- draw_arrangements(study, NULL, 30, fit$resamples$seed)$orders
  scores <- vapply(orders, function(order) {
    again <- select_ensemble(
      x, y[order], selector_filter("t"), resample_subsample(3), n_features = 5, seed = 3
    )
    again$table$score[match(fit$table$feature, again$table$feature)]
  }, numeric(ncol(x)))
  # Duplicated features have equal scores but for rounding.
  observed <- fit$table$score * (1 - 1e-9)
  n <- nrow(scores)
  p <- q <- chance <- numeric(n)
  for (k in seq_len(n)) {
    p[k] <- (1 + sum(apply(scores[k:n, , drop = FALSE], 2L, max) >= observed[k])) / 31
    chance[k] <- mean(colSums(scores[, 1:20] >= observed[k]))
    q[k] <- mean(colSums(scores >= observed[k])) / sum(observed >= observed[k])
  }
  expect_equal(fit$table$p_fwer, cummax(p))
  expect_equal(fit$table$expected_by_chance, chance)
  expect_equal(fit$table$q_fdr, pmin(1, pmax(1 / 31, rev(cummin(rev(q))))))
  expect_equal(fit$null$maxima, apply(scores, 2L, max))
  expect_equal(fit$null$n_supported, max(0L, which(chance <= seq_len(n) / 2)))
})

test_that("errors by chance are those of the verb on permuted classes", {
  fit <- fealect(x, y, n_runs = 20, permute = 6, seed = 4)
  study <- open_study(x, y, "binary")
  orders <- draw_arrangements(study, NULL, 6, 4L)$orders
  again <- lapply(orders, function(order) fealect(x, y[order], n_runs = 20, seed = 4))
  error <- vapply(again, function(one) one$oob$error, 0)
  expect_equal(fit$null$error$values, error)
  # One rule for every p value of permutations.
  expect_identical(fit$null$error$p, (1 + sum(error <= fit$oob$error + 1e-9)) / 7)
  auc <- vapply(again, function(one) {
    # Two entries a pair.
    order <- lapply(one$oob$order[c("row", "value")], function(part) {
      as.matrix(part)[order(one$oob$order$group), , drop = FALSE]
    })
    positive <- one$oob$predictions$observed[order$row] == "1"
    link <- order$value[, 2] - order$value[, 1]
    ahead <- link[positive] - link[!positive]
    mean((ahead > 0) + (ahead == 0) / 2)
  }, 0)
  expect_equal(fit$null$auc$values, auc)
  # The score curve by chance.
  curve <- vapply(again, function(one) one$table$score, numeric(ncol(x)))
  expect_equal(fit$null$curve$median, apply(curve, 1L, stats::quantile, 0.5, type = 1))
})

test_that("permutations stop once the best feature cannot be significant", {
  noise <- withr::with_seed(1, matrix(stats::rnorm(30 * 50), 30))
  p <- vapply(1:6, function(seed) {
    fit <- suppressWarnings(select_ensemble(
      noise, rep(0:1, 15), selector_filter("t"), resample_subsample(2), n_features = 3,
      permute = 99, seed = seed
    ))
    null <- fit$null
    expect_identical(null$stopped, null$n_permutations < 99L)
    reached <- null$maxima >= max(fit$table$score)
    if (null$stopped && null$n_permutations > 20L) {
      expect_identical(sum(reached), 5L)
      expect_true(reached[null$n_permutations])
      expect_equal(null$p, 5 / null$n_permutations)
    } else {
      expect_equal(null$p, (1 + sum(reached)) / (1 + null$n_permutations))
    }
    expect_equal(min(fit$table$p_fwer), null$p)
    if (null$stopped) null$p else NA
  }, 0)
  expect_true(any(p > 0.05, na.rm = TRUE))
})

test_that("blocks of one response swap as a whole, others within", {
  block <- rep(1:8, each = 2)
  pure <- open_study(x[1:16, ], rep(0:1, each = 2, times = 4), "binary")
  blocks <- factor(block)
  whole <- draw_arrangements(pure, blocks, 1000, 1L)
  expect_identical(whole$scheme, "whole blocks")
  expect_true(whole$complete)
  expect_length(whole$orders, choose(8, 4) - 1)
  for (order in whole$orders) {
    expect_true(blocks_are_pure(pure$response$y[order], blocks))
  }
  paired <- open_study(x[1:16, ], rep(0:1, 8), "binary")
  within <- draw_arrangements(paired, blocks, 1000, 1L)
  expect_identical(within$scheme, "within blocks")
  expect_length(within$orders, 2^8 - 1)
  sums <- vapply(within$orders, function(order) {
    rowsum(paired$response$y[order], block)[, 1]
  }, 1:8 + 0)
  expect_true(all(sums == 0))
  # Blocks of different sizes do not swap.
  uneven <- factor(rep(1:6, c(2, 2, 3, 3, 3, 3)))
  study <- open_study(x[1:16, ], c(0, 1, 0, 1, 0, 1)[uneven], "binary")
  mixed <- draw_arrangements(study, uneven, 1000, 1L)
  expect_length(mixed$orders, choose(2, 1) * choose(4, 2) - 1)
  # The verb takes them from the plan.
  fit <- select_ensemble(
    x[1:16, ], rep(0:1, each = 2, times = 4), selector_filter("t"),
    resample_bootstrap(4, blocks = block), n_features = 2, permute = 100, seed = 1
  )
  expect_identical(fit$null$scheme, "whole blocks")
  expect_identical(fit$null$n_permutations, 69L)
})

test_that("drawn arrangements are the same for any number, and leave R's generator alone", {
  study <- open_study(x, y, "binary")
  state <- withr::with_seed(7, {
    before <- .Random.seed
    short <- draw_arrangements(study, NULL, 3, 1L)
    list(same = identical(before, .Random.seed))
  })
  expect_true(state$same)
  short <- draw_arrangements(study, NULL, 3, 1L)$orders
  expect_identical(draw_arrangements(study, NULL, 10, 1L)$orders[1:3], short)
  expect_false(identical(draw_arrangements(study, NULL, 3, 2L)$orders, short))
})

test_that("resamples stay, unless they depend on the classes", {
  study <- open_study(x, y, "binary")
  permuted <- permute_study(study, rev(seq_along(y)))
  plain <- draw_resamples(resample_subsample(10), y, seed = 1)
  expect_identical(permuted_draws(plain, permuted)$counts, plain$counts)
  strata <- draw_resamples(resample_subsample(10, stratify = TRUE), y, seed = 1)
  again <- permuted_draws(strata, permuted)
  expect_identical(again, draw_resamples(strata$plan, rev(y), seed = 1))
  # A run of one class is drawn again where the plan allows it, and fails otherwise.
  few <- open_study(x[1:8, ], c(1, 1, 0, 0, 0, 0, 0, 0), "binary")
  draws <- draw_resamples(resample_subsample(30, 0.4), c(1, 1, 0, 0, 0, 0, 0, 0), seed = 1)
  expect_true(all(permuted_draws(draws, permute_study(few, 8:1))$status == "ok"))
  part <- permuted_draws(draws[2:9], permute_study(few, 8:1))
  expect_true(any(part$status == "one class"))
})

test_that("the same bits for any number of threads, and without permutations nothing changes", {
  args <- list(x, y, n_runs = 12, permute = 25, seed = 5)
  one <- do.call(fealect, args)
  two <- do.call(fealect, c(args, n_threads = 2))
  expect_identical(one$null, two$null)
  expect_identical(one$table, two$table)
  plain <- fealect(x, y, n_runs = 12, seed = 5)
  expect_null(plain$null)
  shared <- names(plain$table)
  expect_identical(one$table[shared], plain$table)
  expect_identical(setdiff(names(one$table), shared), c("expected_by_chance", "p_fwer", "q_fdr"))
})

test_that("randomised lasso draws the same weights in every permutation", {
  study <- open_study(x, y, "binary")
  draws <- draw_resamples(resample_pairs(5), y, seed = 1)
  control <- run_control(1, FALSE)
  both <- entry_statistics(list(study, study), list(draws, draws), 5L, 0.5, control)
  expect_identical(both[, 1], both[, 2])
  plain <- entry_statistics(list(study), list(draws), 5L, 1, control)
  expect_false(identical(both[, 1], plain[, 1]))
})

test_that("bolasso and stability selection have permutations, too", {
  lasso <- bolasso(x, y, lambda = 0.1, n_runs = 10, permute = 21, seed = 1)
  expect_s3_class(lasso$null, "stabilect_null")
  expect_null(lasso$null$error)
  stable <- stability_selection(x, y, q = 5, pfer = 1, n_pairs = 10, permute = 21, seed = 1)
  # Paths are the same for both up to what each follows: q = 5 here.
  expect_identical(stable$null$path_size, 5L)
  expect_identical(lasso$null$path_size, 10L)
  expect_null(stability_selection(stable, cutoff = 0.6)$null)
  expect_snapshot(print(lasso$null))
})

test_that("bounds on false ones hold for every cut at once", {
  # Independent noise: the bound must be the size of every cut in at least 95 % of data sets.
  broken <- vapply(1:40, function(seed) {
    noise <- withr::with_seed(seed, matrix(stats::rnorm(20 * 40), 20))
    fit <- suppressWarnings(select_ensemble(
      noise, rep(0:1, 10), selector_filter("t"), everything(20), n_features = 5, permute = 99,
      seed = seed
    ))
    bound <- fdp_bound(fit, 1:40, conf_level = 0.9)
    any(bound$n_false < bound$n_features)
  }, NA)
  expect_lte(sum(broken), stats::qbinom(0.999, 40, 0.1))
  noise <- withr::with_seed(1, matrix(stats::rnorm(60 * 80), 60))
  signal <- drop(noise[, 1:4] %*% c(3, -3, 3, 3))
  fit <- stability_selection(noise, signal, q = 8, pfer = 2, n_pairs = 10, permute = 99, seed = 1)
  bound <- fdp_bound(fit, 1:10)
  expect_true(all(diff(bound$n_false) %in% 0:1))
  expect_lte(bound$n_false[4], 1L)
  expect_gte(bound$n_false[10], 5L)
  expect_equal(bound$share, bound$n_false / bound$n_features)
  expect_s3_class(bound, c("stabilect_fdp_bound", "data.frame"), exact = TRUE)
  expect_identical(class(as.data.frame(bound)), "data.frame")
  expect_identical(bound[bound$n_false == 0L, "n_features"], which(bound$n_false == 0L))
  best <- which.max(bound$n_features - bound$n_false)
  lines <- capture.output(print(bound))
  expect_match(
    lines, sprintf("^List  at most %d of the best %d ", bound$n_false[best], best), all = FALSE
  )
  # A cut without a further associated feature adds nothing.
  expect_length(grep("^ +[0-9]", lines), max(bound$n_features - bound$n_false))
  expect_match(lines, "as.data.frame\\(\\) returns all", all = FALSE)
  expect_output(print(bound[1:2, c("feature", "share")]), "share")
  # Too few permutations say nothing.
  few <- stability_selection(x, y, q = 10, pfer = 1, n_pairs = 10, permute = 10, seed = 1)
  expect_identical(fdp_bound(few, 1:4)$n_false, 1:4)
  lines <- capture.output(print(fdp_bound(few)))
  expect_match(
    lines, "^List  no bound below 100 % is possible for the best 20 features", all = FALSE
  )
  expect_false(any(grepl("n_false", lines)))
})

test_that("bad values are refused", {
  expect_error(
    fealect(x, y, n_runs = 5, permute = -1), "permute", class = "stabilect_error_input"
  )
  fit <- fealect(x, y, n_runs = 5, n_boot = 0, seed = 1)
  expect_error(fdp_bound(fit), "permute = 199", class = "stabilect_error_input")
  block <- rep(1:5, c(2, 3, 4, 5, 6))
  expect_error(
    select_ensemble(
      x[1:20, ], c(0, 1, 0, 1, 0)[block], selector_filter("t"),
      resample_bootstrap(4, blocks = block), n_features = 2, permute = 9, seed = 1
    ),
    "no two can", class = "stabilect_error_input"
  )
})

test_that("the statistic is the same from long and from short paths", {
  study <- open_study(x, y, "binary")
  draws <- draw_resamples(resample_pairs(8), y, seed = 1)
  control <- run_control(1, FALSE)
  long <- stability_selection(x, y, q = 12, cutoff = 0.9, resampling = draws)
  short <- entry_statistics(list(study), list(draws), 5L, 1, control)
  expect_identical(entries_of_fit(long, study, draws, 5L), short)
  expect_false(identical(entries_of_fit(long, study, draws, 6L), short))
})
