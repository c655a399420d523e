# Scores without learners: value[s] is the score of size s.
find_best <- function(search, value, tie = "smallest") {
  found <- run_search(search, length(value), function(sizes) value[sizes], tie)
  found$best <- best_size(found$sizes, found$scores, tie)
  found
}

# Rises to a plateau from `first` to `last` and falls after it.
peak <- function(p, first, last, rise = 1, fall = 1) {
  size <- seq_len(p)
  -rise * pmax(first - size, 0) - fall * pmax(size - last, 0)
}

searches <- list(
  search_peak(), search_peak(4), search_peak(3), search_peak(5), search_peak(10)
)

expect_finds <- function(search, value, tie, last, first) {
  found <- find_best(search, value, tie)
  identical(found$best, as.integer(if (tie == "smallest") first else last)) &&
    all(found$sizes >= 1 & found$sizes <= length(value)) && !anyDuplicated(found$sizes)
}

test_that("searches find the best of one-by-one elimination: every plateau, small p", {
  for (search in searches) {
    for (tie in c("smallest", "largest")) {
      bad <- 0L
      for (p in 1:16) {
        for (first in seq_len(p)) {
          for (last in first:p) {
            # The same peak, lopsided: the order of sizes on different sides turns around.
            for (fall in c(1, 0.01)) {
              value <- peak(p, first, last, fall = fall)
              bad <- bad + !expect_finds(search, value, tie, last, first)
            }
          }
        }
      }
      expect_identical(bad, 0L, label = paste(search$label, tie))
    }
  }
})

test_that("searches find the best of one-by-one elimination: peaks up to p = 400", {
  for (p in c(39, 145, 234, 400)) {
    for (search in searches[c(1, 3, 5)]) {
      firsts <- unique(c(1:3, seq(4, p - 3, by = 13), p - 2:0))
      ok <- vapply(firsts, function(first) {
        last <- min(p, first + first %% 3)
        expect_finds(search, peak(p, first, last), "smallest", last, first) &&
          expect_finds(search, peak(p, first, last, 0.01), "largest", last, first)
      }, NA)
      expect_true(all(ok), label = paste(search$label, p))
    }
  }
})

test_that("one-by-one and other sweeps evaluate what they say", {
  value <- peak(10, 4, 6)
  expect_identical(find_best(search_sizes(step = 1), value)$best, 4L)
  expect_identical(find_best(search_sizes(step = 1), value, "largest")$best, 6L)
  expect_equal(find_best(search_sizes(step = 1), value)$sizes, 10:1)
  expect_equal(find_best(search_sizes(step = 4), value)$sizes, c(10, 6, 2, 1))
  expect_equal(find_best(search_sizes(step = 0.2), value)$sizes, c(10, 8, 7, 6, 5, 4, 3, 2, 1))
  expect_equal(find_best(search_sizes(c(3, 20, 5, 5)), value)$sizes, c(10, 5, 3))
  expect_equal(find_best(search_sizes(n_sizes = 4), value)$sizes, c(10, 7, 4, 1))
  expect_equal(find_best(search_sizes(n_sizes = 40), value)$sizes, 10:1)
})

test_that("Algorithm 1 and 2 by hand", {
  # F_n = 8 > 7: 1 + 3 and 1 + 5; the better side keeps a known size.
  found <- find_best(search_peak(), peak(8, 2, 2))
  expect_equal(found$sizes[order(found$pass, -found$sizes)], c(8, 6, 4, 3, 2, 1))
  expect_identical(found$pass, c(1L, 2L, 2L, 3L, 4L, 5L))
  # Steps of floor(11 / 3) = 3, then floor(6 / 3) = 2, then 1.
  found <- find_best(search_peak(3), peak(12, 5, 5))
  expect_setequal(found$sizes[found$pass == 1L], c(12, 9, 6, 3, 1))
  expect_setequal(found$sizes[found$pass == 2L], c(7, 5))
  expect_setequal(found$sizes[found$pass == 3L], 4)
  # p = 2 evaluates 1.
  for (search in searches) expect_equal(find_best(search, c(1, 0))$sizes, 2:1)
  # The peak of Figure 1 of the paper, f(x) = -0.2 x^2 + 2 x.
  for (search in searches) {
    expect_identical(find_best(search, -0.2 * (1:10)^2 + 2 * (1:10))$best, 5L)
  }
})

test_that("a search is asked for its next sizes by what is known, and nothing else", {
  value <- rep(NA_real_, 8)
  expect_identical(next_sizes(search_peak(), value, "smallest"), 8L)
  value[8] <- 0
  expect_equal(next_sizes(search_peak(), value, "smallest"), c(6, 4))
  value[c(6, 4)] <- c(1, 2)
  expect_equal(next_sizes(search_peak(), value, "smallest"), 3)
  known <- next_sizes(search_sizes(step = 1), as.double(1:8), "smallest")
  expect_identical(known, integer())
})

test_that("the number of sizes is logarithmic", {
  p <- 12600
  sizes <- length(find_best(search_peak(), peak(p, 137, 137))$sizes)
  expect_lt(sizes, log(p) / log((1 + sqrt(5)) / 2) + 3)
  for (k in c(3, 4, 5, 10)) {
    counts <- vapply(c(200, 1000, 5000, 20000), function(p) {
      length(find_best(search_peak(k), peak(p, p %/% 3, p %/% 3))$sizes)
    }, 0L)
    # A hundred times as many features take at most 2.5 times as many sizes.
    expect_lt(counts[4], 2.5 * counts[1])
    expect_lt(counts[4], 70)
  }
})

test_that("an early stop leaves an interval with the best size", {
  for (first in c(1, 2, 50, 137, 399, 400)) {
    for (search in list(search_peak(max_steps = 6), search_peak(5, max_steps = 8))) {
      found <- find_best(search, peak(400, first, first))
      expect_false(found$complete)
      expect_length(found$sizes, search$max_steps)
      interval <- promising_sizes(found$sizes, found$best, 400)
      expect_true(interval[["lower"]] <= first && first <= interval[["upper"]])
      expect_lt(interval[["upper"]] - interval[["lower"]], 320)
    }
    found <- find_best(search_peak(), peak(400, first, first))
    expect_true(found$complete)
    expect_equal(
      unname(promising_sizes(found$sizes, found$best, 400)), c(first, first)
    )
  }
})

test_that("means that differ by rounding are ties", {
  value <- c(0.5, 0.1 + 0.2, 0.3, 0.3 + 1e-16)
  value[1] <- 0.1
  expect_identical(find_best(search_sizes(step = 1), value)$best, 2L)
  expect_identical(find_best(search_sizes(step = 1), value, "largest")$best, 4L)
})

test_that("errors and print", {
  expect_match(message_of(search_sizes(step = 0)), "`step` must be")
  expect_match(message_of(search_sizes(step = 1.5)), "`step` must be")
  expect_match(message_of(search_sizes("a")), "`sizes` must be")
  expect_match(message_of(search_sizes(n_sizes = 1)), "`n_sizes` must be")
  expect_match(message_of(search_peak(2)), "`k` must be at least 3")
  expect_error(search_peak(2), class = "stabilect_error_input")
  expect_match(message_of(search_peak(max_steps = 1)), "`max_steps` must be")
  expect_output(print(search_peak(3, max_steps = 9)), "3-subsecting, at most 9 sizes")
})

test_that("sizes between two of a path are filled where the order of the larger was not kept", {
  # The core keeps no orders of more than 1000 features in the middle of a path.
  data <- withr::with_seed(1, {
    x <- matrix(stats::rnorm(24 * 1400), 24, dimnames = list(NULL, paste0("f", 1:1400)))
    list(x = x, y = factor(rep(c("a", "b"), 12)))
  })
  search <- new_search("test", "test", list(), function(p, ask, tie) {
    ask(c(p, 1300, 1100, 900))
    ask(1200)
    ask(c(1250, 1150))
  })
  plain <- learner_svm(0.1)
  plain$path <- NULL
  folds <- resample_folds(3, stratify = TRUE)
  fast <- eliminate_features(data$x, data$y, learner_svm(0.1), search, folds, seed = 1)
  slow <- eliminate_features(data$x, data$y, plain, search, folds, seed = 1)
  expect_identical(fast$rankings, slow$rankings)
  expect_equal(fast$scores, slow$scores)
})
