test_that("equal values are ordered by names and a seed, whatever the order of the features", {
  names <- sprintf("g%02d", 1:40)
  value <- rep(c(3, 1, 2, NA), each = 10)
  in_order <- function(at, seed = NULL) names[at][order_best(names[at], value[at], seed = seed)]
  moved <- withr::with_seed(1, sample(40))
  for (seed in list(NULL, 1L, 2L)) {
    found <- in_order(1:40, seed)
    expect_identical(in_order(moved, seed), found)
    expect_setequal(found[1:10], names[1:10])
    expect_setequal(found[11:20], names[21:30])
    expect_setequal(found[31:40], names[31:40])
    expect_false(identical(found[1:10], names[1:10]))
  }
  expect_false(identical(in_order(1:40, 1L), in_order(1:40, 2L)))
  # Without a seed, other values order the equal ones in another way.
  other <- replace(value, 1, 4)
  expect_false(identical(order_best(names, other)[2:10], order_best(names, value)[2:10]))
  # Rounding does not.
  expect_identical(order_best(names, value * (1 + 2^-50)), order_best(names, value))
})

test_that("without ties it is an order, and the next value decides before chance", {
  values <- withr::with_seed(2, stats::rnorm(50))
  names <- paste0("g", 1:50)
  expect_identical(order_best(names, values), order(-values))
  expect_identical(order_best(names, rep(1, 50), values), order(-values))
})

test_that("each of equal features is equally often the best", {
  names <- paste0("gene", 1:8)
  first <- vapply(1:4000, function(seed) order_best(names, rep(0, 8), seed = seed)[1], 1L)
  expect_gt(stats::chisq.test(tabulate(first, 8))$p.value, 0.001)
  second <- vapply(1:4000, function(seed) order_best(names, rep(0, 8), seed = seed)[2], 1L)
  expect_gt(stats::chisq.test(table(first, second)[row(diag(8)) != col(diag(8))])$p.value, 0.001)
})

test_that("the order does not depend on the encoding of names", {
  utf8 <- c("\u00e4", "\u00f6", "a", "b")
  latin <- iconv(utf8, "UTF-8", "latin1")
  expect_identical(order_best(latin, rep(1, 4), seed = 5), order_best(utf8, rep(1, 4), seed = 5))
})

test_that("the core finds the best features of a run as a full order does", {
  score <- withr::with_seed(4, matrix(sample(c(-1, 0, 0, 1:3, NA), 60 * 6, TRUE), 60, 6))
  score[, 1:3] <- abs(score[, 1:3])
  rownames(score) <- paste0("g", 1:60)
  for (size in c(1L, 5L, 20L, 45L, 60L)) {
    best <- best_of_runs(score, size, seeds = 7:12)
    for (b in 1:6) {
      all <- order_best(rownames(score), score[, b], seed = 6L + b)
      all <- utils::head(all, min(size, sum(!is.na(score[, b]))))
      expect_setequal(which(best[, b]), intersect(all, which(has_score(score[, b]))))
    }
  }
})

test_that("a score of 0 is none where no score is negative", {
  expect_identical(has_score(c(2, 0, NA, 1)), c(TRUE, FALSE, FALSE, TRUE))
  expect_identical(has_score(c(2, 0, NA, -1)), c(TRUE, TRUE, FALSE, TRUE))
  expect_identical(has_score(c(0, 0)), c(FALSE, FALSE))
  expect_identical(scored_in_runs(c(0, 0.1, 0, NA), c(0, 0, 3, NA)), c(FALSE, TRUE, TRUE, FALSE))
})
