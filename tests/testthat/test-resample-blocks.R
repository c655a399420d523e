# 12 blocks of 1 to 4 samples, in no order; classes of the blocks by the first letter.
some_blocks <- c(
  "b3", "a1", "a2", "b3", "b1", "a2", "a4", "b2", "a3", "b1", "a2", "b4", "a5", "b3", "a6", "b1",
  "a4", "b6", "b5", "a1", "b6", "a2", "b2"
)
some_y <- factor(substr(some_blocks, 1, 1))
n_blocks <- length(unique(some_blocks))

blocked_plans <- function(...) {
  list(
    resample_subsample(60, blocks = some_blocks, ...),
    resample_bootstrap(60, blocks = some_blocks, ...),
    resample_bootstrap(60, fraction = 1 / 2, blocks = some_blocks, ...),
    resample_pairs(30, blocks = some_blocks, ...), resample_folds(5, 12, blocks = some_blocks, ...)
  )
}

# Counts of the blocks, from those of their first samples.
counts_of_blocks <- function(draws, blocks) draws$counts[!duplicated(blocks), , drop = FALSE]

expect_whole <- function(counts, blocks) {
  by_block <- rowsum(counts, blocks, reorder = FALSE)
  first <- counts[!duplicated(blocks), , drop = FALSE]
  expect_identical(unname(by_block), unname(first * c(table(blocks)[unique(blocks)])))
}

test_that("no draw of any plan splits a block", {
  for (flags in list(list(), list(stratify = TRUE), list(balance = TRUE))) {
    for (plan in do.call(blocked_plans, flags)) {
      draws <- draw_resamples(plan, some_y, seed = 1)
      expect_whole(draws$counts, some_blocks)
      expect_identical(draws$n_runs, 60L)
      expect_identical(unique(draws$status), "ok")
    }
  }
  loo <- draw_resamples(resample_loo(some_blocks), some_y, seed = 1)
  expect_whole(loo$counts, some_blocks)
  expect_identical(
    split(loo, "out"),
    lapply(unique(some_blocks), function(block) which(some_blocks == block))
  )
})

test_that("a single run of blocks is a matrix of one column", {
  one <- draw_resamples(resample_subsample(1, blocks = some_blocks), some_y, seed = 1)
  expect_identical(dim(one$counts), c(length(some_blocks), 1L))
  expect_whole(one$counts, some_blocks)
})

test_that("blocks of one sample are the plan without blocks, bit for bit", {
  y <- rep(0:1, c(9, 14))
  for (stratify in c(FALSE, TRUE)) {
    for (balance in c(FALSE, TRUE)) {
      flags <- list(stratify = stratify, balance = balance)
      for (maker in list(resample_subsample, resample_bootstrap, resample_pairs)) {
        plain <- draw_resamples(do.call(maker, c(7, flags)), y, seed = 3)
        alone <- do.call(maker, c(7, flags, list(blocks = sample(23))))
        alone <- draw_resamples(alone, y, seed = 3)
        expect_identical(alone$counts, plain$counts)
        expect_identical(alone$redraws, plain$redraws)
        expect_true(same_resamples(alone, plain))
      }
      plain <- draw_resamples(do.call(resample_folds, c(4, 2, flags)), y, seed = 3)
      alone <- do.call(resample_folds, c(4, 2, flags, list(blocks = paste0("s", 1:23))))
      expect_identical(draw_resamples(alone, y, seed = 3)$counts, plain$counts)
    }
  }
  expect_identical(
    draw_resamples(resample_loo(1:23), y)$counts, draw_resamples(resample_loo(), y)$counts
  )
})

test_that("blocks are drawn as samples are: the blocks alone give the same draws", {
  alone <- factor(substr(unique(some_blocks), 1, 1), c("b", "a"))
  y <- factor(some_y, c("b", "a"))
  for (flags in list(list(), list(stratify = TRUE), list(balance = TRUE))) {
    for (plan in do.call(blocked_plans, flags)) {
      blocked <- draw_resamples(plan, y, seed = 8)
      plan["blocks"] <- list(NULL)
      plan$n <- NULL
      expect_identical(
        counts_of_blocks(blocked, some_blocks), draw_resamples(plan, alone, seed = 8)$counts
      )
    }
  }
})

test_that("all halves of the blocks are equally likely, and bootstrap counts multinomial", {
  blocks <- c(1, 1, 2, 3, 3, 3, 4)
  pairs <- draw_resamples(resample_pairs(6000, blocks = blocks), seed = 4)
  expect_true(all(pairs$counts[, c(TRUE, FALSE)] + pairs$counts[, c(FALSE, TRUE)] == 1))
  observed <- table(colSums(counts_of_blocks(pairs, blocks)[, c(TRUE, FALSE)] * 2^(0:3)))
  expect_length(observed, choose(4, 2))
  expect_lt(sum((observed - 1000)^2 / 1000), stats::qchisq(0.999, 5))
  three <- rep(1:3, c(2, 1, 4))
  draws <- draw_resamples(resample_bootstrap(20000, blocks = three), seed = 5)
  observed <- table(apply(counts_of_blocks(draws, three), 2, paste, collapse = ""))
  expected <- 20000 * vapply(strsplit(names(observed), ""), function(count) {
    stats::dmultinom(as.integer(count), prob = rep(1, 3))
  }, 0)
  expect_length(observed, 10)
  expect_lt(sum((observed - expected)^2 / expected), stats::qchisq(0.999, 9))
})

test_that("stratified and balanced draws go by the classes of the blocks", {
  of_block <- substr(unique(some_blocks), 1, 1)
  totals <- function(plan) {
    rowsum(counts_of_blocks(draw_resamples(plan, some_y, seed = 9), some_blocks), of_block)
  }
  half <- resample_subsample(50, 1 / 2, stratify = TRUE, blocks = some_blocks)
  expect_true(all(totals(half) == 3))
  balanced <- totals(resample_bootstrap(50, balance = TRUE, blocks = some_blocks))
  expect_identical(balanced[1, ], balanced[2, ])
  # Of several classes in a block: neither.
  mixed <- some_y
  mixed[2] <- "b"
  expect_error(draw_resamples(half, mixed), "\"a1\"", class = "stabilect_error_input")
  free <- draw_resamples(resample_subsample(50, 1 / 2, blocks = some_blocks), mixed, seed = 1)
  expect_whole(free$counts, some_blocks)
})

test_that("runs of one class are found out by the samples, not by the blocks", {
  blocks <- rep(1:4, each = 2)
  # Block 4 has both classes: a run is good with it, or with 1 and another one.
  y <- c(1, 1, 0, 0, 0, 0, 0, 1)
  draws <- draw_resamples(resample_subsample(300, 1 / 4, blocks = blocks), y, seed = 1)
  expect_true(all(draws$counts[7:8, ] == 1L))
  # Geometric with success probability 1/4: mean 3, variance 12.
  expect_lt(abs(mean(draws$redraws) - 3), 4 * sqrt(12 / 300))
  loo <- draw_resamples(resample_loo(blocks), c(1, 1, 0, 0, 0, 0, 0, 0))
  expect_identical(loo$status, c("one class", "ok", "ok", "ok"))
  expect_identical(draw_resamples(resample_loo(blocks), y)$status, rep("ok", 4))
})

test_that("two blocks can take turns", {
  batch <- rep(c("first", "second"), c(3, 5))
  folds <- draw_resamples(resample_folds(2, blocks = batch), seed = 1)
  expect_setequal(split(folds, "out"), list(1:3, 4:8))
  pairs <- draw_resamples(resample_pairs(2, blocks = batch), seed = 1)
  expect_setequal(colSums(pairs$counts), c(3, 5))
})

test_that("plans get blocks, keep them for some rows, and refuse others", {
  with_blocks <- plan_with_blocks
  for_rows <- plan_for_rows
  plan <- resample_bootstrap(10)
  blocked <- with_blocks(plan, some_blocks)
  expect_identical(blocked, resample_bootstrap(10, blocks = some_blocks))
  expect_identical(with_blocks(blocked, paste0("x", some_blocks)), blocked)
  expect_identical(with_blocks(plan, NULL), plan)
  expect_identical(with_blocks("no plan", some_blocks), "no plan")
  expect_error(with_blocks(blocked, seq_along(some_blocks)), "other blocks",
    class = "stabilect_error_input"
  )
  drawn <- draw_resamples(blocked, seed = 1)
  expect_identical(with_blocks(drawn, some_blocks), drawn)
  by_sample <- draw_resamples(plan, n = 23, seed = 1)
  expect_error(with_blocks(by_sample, some_blocks), "splits block", class = "stabilect_error_input")
  custom <- resample_custom(counts = drawn$counts)
  expect_true(same_resamples(draw_resamples(with_blocks(custom, some_blocks)), drawn))
  rows <- c(1, 1, 4, 2, 20, 8)
  part <- for_rows(blocked, rows)
  expect_identical(part, resample_bootstrap(10, blocks = some_blocks[rows]))
  expect_identical(for_rows(plan, rows), plan)
  expect_error(for_rows(blocked, c(1, 4)), "at least two", class = "stabilect_error_input")
  expect_error(for_rows(with_blocks(custom, some_blocks), rows), "Custom",
    class = "stabilect_error_input"
  )
})

test_that("runs of blocked draws can be taken and combined with their like", {
  draws <- draw_resamples(resample_pairs(4, blocks = some_blocks), seed = 1)
  more <- draw_resamples(resample_pairs(2, blocks = toupper(some_blocks)), seed = 2)
  expect_identical(c(draws, more)$plan, resample_pairs(6, blocks = some_blocks))
  expect_identical(draws[1:4]$plan$blocks, draws$plan$blocks)
  other <- draw_resamples(resample_folds(3, blocks = some_blocks), seed = 2)
  expect_identical(c(draws, other)$plan$blocks, draws$plan$blocks)
  expect_error(c(draws, draw_resamples(resample_pairs(2), n = 23)), "same blocks",
    class = "stabilect_error_input"
  )
})

test_that("blocks are checked", {
  expect_refusals({
    resample_loo(c("a", NA, "b"))
    resample_pairs(blocks = list(1, 2))
    resample_folds(3, blocks = rep("a", 4))
    draw_resamples(resample_folds(3, blocks = c(1, 1, 2, 2)))
    draw_resamples(resample_pairs(3, blocks = c(1, 1, 2, 2)), n = 5)
    draw_resamples(resample_subsample(3, 1 / 2, blocks = c(1, 2, 2)))
    resample_custom(counts = diag(4), blocks = c(1, 1, 2, 3))
    draw_resamples(resample_custom(list(1:2), blocks = c(1, 2, 2)))
  })
})

test_that("plans and draws say what their blocks are", {
  hide_fingerprint <- function(lines) sub("(ingerprint:?) [0-9a-f]+", "\\1 <hash>", lines)
  expect_snapshot(transform = hide_fingerprint, {
    resample_subsample(stratify = TRUE, blocks = some_blocks)
    resample_loo(rep(1:5, each = 2))
    draw_resamples(resample_loo(rep(1:5, each = 2)), seed = 1)
    summary(draw_resamples(resample_pairs(2, blocks = some_blocks), seed = 1))
  })
})

test_that("numbers written as text are told from classes of one sample", {
  x <- withr::with_seed(1, matrix(stats::rnorm(12 * 4), 12))
  told <- function(y) tryCatch(fealect(x, y, n_runs = 2), error = conditionMessage)
  expect_match(cli::ansi_strip(told(as.character(1:12 / 7))), "as.numeric(y)", fixed = TRUE)
  expect_no_match(cli::ansi_strip(told(c(letters[1:6], letters[1:6], "z")[2:13])), "as.numeric")
})
