rows <- function(y, blocks = NULL) {
  study <- open_study(matrix(rnorm(2 * NROW(y)), ncol = 2), y, takes_of("fealect"))
  study$response$blocks <- blocks
  order_groups(study$response, seq_len(NROW(y)))
}

test_that("groups hold classes in proportion, and numbers have none", {
  withr::local_seed(1)
  y <- factor(rep(c("a", "b"), c(54, 6)))
  groups <- rows(y)
  expect_length(groups, 3)
  for (group in groups) {
    expect_identical(as.vector(table(group[y == "b"])), rep(1L, 6))
    expect_lte(diff(range(table(group[y == "a"]))), 1)
  }
  expect_identical(rows(y), groups)
  expect_false(identical(groups[[1]], groups[[2]]))
  expect_null(rows(rnorm(30)))
  expect_length(rows(factor(rep(1:2, 200))), 1)
  # With three samples of a class still at least five groups, and no class is left out as a whole.
  rare <- factor(rep(c("a", "b"), c(37, 3)))
  for (group in rows(rare)) expect_length(unique(group[rare == "b"]), 3)
})

test_that("blocks stay together, also those of several classes", {
  withr::local_seed(1)
  blocks <- factor(rep(1:15, 4))
  for (y in list(factor(rep(1:2, 30)), factor((1:60) %in% which(as.integer(blocks) > 8)))) {
    for (group in rows(y, blocks)) {
      expect_true(all(tapply(group, blocks, function(own) length(unique(own))) == 1))
    }
  }
})

test_that("pairs can be compared, lie in one group, and are as many as asked for", {
  time <- new_surv(c(1, 2, 3, 4, 5, 5, 6, 7, 8, 9), c(1, 0, 1, 1, 0, 1, 0, 0, 1, 0))
  response <- open_study(matrix(rnorm(20), ncol = 2), time, "survival")$response
  pairs <- pairs_in_groups(response, list(rep(1L, 10)), 100)
  by_hand <- 0
  for (i in 1:9) {
    for (j in (i + 1):10) {
      first <- response$event[i] == 1 || response$y[i] == response$y[j] && response$event[j] == 1
      by_hand <- by_hand + first
    }
  }
  expect_length(pairs$first, by_hand)
  expect_length(pairs_in_groups(response, list(rep(1L, 10)), 7)$first, 7)
  apart <- pairs_in_groups(response, list(rep(1:2, 5)), 100)
  expect_true(all((apart$first - apart$second) %% 2 == 0))
  expect_true(all(mapply(function(i, out) i %in% out, apart$first, apart$left_out)))
})
