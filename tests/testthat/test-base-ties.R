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

test_that("scores that are equal but for rounding are equal, in lists and ranks", {
  names <- sprintf("g%03d", 1:200)
  score <- cbind(rep(c(5, 3, 0.2, 0), each = 50), rep(c(1e-8, 3e5), 100))
  dimnames(score) <- list(names, NULL)
  near <- function(seed) {
    score * (1 + withr::with_seed(seed, stats::rnorm(length(score))) * 1e-13)
  }
  listed <- function(score, size) best_of_runs(score, size, 1L, NULL, c(4L, 5L))
  for (size in c(1L, 30L, 70L, 130L, 180L)) {
    expected <- listed(score, size)
    for (seed in 1:5) expect_identical(listed(near(seed), size), expected, info = size)
    # As one list of names has it.
    of_one <- order_best(names, score[, 1], seed = 4L)[seq_len(min(size, 150L))]
    expect_identical(which(as.matrix(expected)[, 1]), sort(of_one), ignore_attr = TRUE)
  }
  for (rule in c("mean_rank", "borda")) {
    ranked <- function(score) {
      runs <- as_selection(t(score), type = "weight", n_features = 30)
      aggregate_runs(runs, aggregate_by(rule))$table
    }
    expect_equal(ranked(near(1)), ranked(score), tolerance = 1e-9, info = rule)
  }
  # Where they are not, they decide.
  apart <- score
  apart[7, 1] <- 5 * (1 + 1e-8)
  expect_identical(which(as.matrix(listed(apart, 1L))[, 1]), 7L, ignore_attr = TRUE)
})

test_that("a prediction that is undecided is the first class, whatever rounding makes of it", {
  noise <- withr::with_seed(3, stats::rnorm(40)) * 1e-14
  expect_identical(class_of_link(noise, c("a", "b")), factor(rep("a", 40), c("a", "b")))
  expect_identical(ordered_class(cbind(1, noise)), rep(2L, 40))
  values <- cbind(-1000 + noise, -1000, -2000, -1000 - noise)
  # A level in common does not make them equal.
  expect_identical(top_class(1e8 + cbind(0, 0.05, 0.1)), 3L)
  expect_identical(top_class(values), rep(1L, 40))
  expect_identical(top_class(cbind(0.2, 0.5 + noise, 0.5)), rep(2L, 40))
  expect_identical(top_class(rbind(c(1, 2, 3), c(3, 2, 1))), c(3L, 1L))
  same <- new_response("multiclass", rep(1, 40), rep(1L, 40))
  expect_identical(link_errors(same, lapply(1:4, function(g) {
    matrix(values[, g])
  })), 0)
})
