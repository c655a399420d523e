# The border to C++ refuses what it does not know instead of taking it for something else.

test_that("unknown words are refused with those that are known", {
  paths <- list(event = 1L, event_end = 1L, run_events = 1L, run_steps = 1L)
  expect_identical(cpp_frequency_by_size(paths, 1L, 1L, "step"), matrix(1))
  expect_error(
    cpp_frequency_by_size(paths, 1L, 1L, "foo"), '`rule` must be "size" or "step", not "foo".',
    fixed = TRUE
  )
  expect_error(
    cpp_distribute_sets(5L, 2L, 2L, 1L, "both", FALSE),
    '`kind` must be "union" or "count", not "both".', fixed = TRUE
  )
  expect_error(
    cpp_score_information(diag(3), 1:3, 3L, 1:3, matrix(1L, 3), "width", 2L, FALSE, 1L, NULL),
    '`discretise` must be "equal_width", "equal_frequency" or "sd", not "width".', fixed = TRUE
  )
})

test_that("unknown options are refused", {
  x <- matrix(c(1, 2, 4, 3, 5, 1), 3)
  run <- function(...) cpp_score_paths(x, c(1, 3, 2), matrix(1, 3), list(...), 1L, NULL)
  expect_named(run(), c("scores", "status", "paths"))
  expect_length(run(keep_paths = FALSE)$paths, 0L)
  expect_error(run(keep_path = TRUE), "There is no option `keep_path`.", fixed = TRUE)
})

test_that("what the core refuses has the class of the package", {
  expect_error(
    cpp_distribute_sets(5L, 2L, 2L, 1L, "both", FALSE), class = "stabilect_error_input"
  )
  expect_error(
    cpp_score_paths(diag(3), c(1, 3, 2), matrix(1, 3), list(no = 1), 1L, NULL),
    class = "stabilect_error"
  )
})

test_that("counts, weights, codes and responses of other shapes or values are refused", {
  x <- matrix(c(1, 2, 4, 3, 5, 1, 0, 2), 4)
  codes <- c(1L, 2L, 1L, 2L)
  good <- matrix(1L, 4, 2)
  machine <- list(loss = "l2", penalty = 1, free_intercept = TRUE, scaling = "sd", pairs = FALSE)
  by_counts <- list(
    function(counts) cpp_score_filter(x, codes, 2L, c(1, 2, 3, 4), counts, "t", 1L, NULL),
    function(counts) cpp_score_filter(x, codes, 2L, c(0, 1, 0, 1), counts, "wilcoxon", 1L, NULL),
    function(counts) {
      cpp_score_information(x, codes, 2L, c(1, 2, 3, 4), counts, "sd", 3L, FALSE, 1L, NULL)
    },
    function(counts) {
      cpp_select_mrmr(
        x, codes, 2L, c(1, 2, 3, 4), counts, "sd", 3L, FALSE, 1L, character(), double(), 1L, NULL
      )
    },
    function(counts) {
      cpp_score_linear(x, codes, 2L, counts, machine, -1, character(), double(), 1L, NULL)
    },
    function(counts) cpp_score_cox(x, c(1, 3, 2, 1), codes - 1L, counts, 1L, NULL),
    function(counts) cpp_score_relief(x, as.double(codes), 2L, counts, 1L, 1L, NULL),
    function(counts) cpp_select_trex(x, c(1, 3, 2, 1), counts, c(1, 2), 0.2, 4L, 2L, 1L, NULL),
    function(counts) {
      storage.mode(counts) <- "double"
      cpp_score_paths(x, c(1, 3, 2, 1), counts, list(), 1L, NULL)
    }
  )
  short <- good[1:2, ]
  long <- rbind(good, good)
  for (run in by_counts) {
    expect_no_error(run(good))
    for (bad in list(short, long, replace(good, 3, -1L), replace(good, 3, NA))) {
      expect_error(run(bad), class = "stabilect_error")
    }
  }
  expect_error(
    cpp_score_paths(x, c(1, 3), matrix(1, 4), list(), 1L, NULL), "one value for each row",
    class = "stabilect_error"
  )
  for (bad in list(codes + 1L, codes - 1L, replace(codes, 2, NA), codes[1:3])) {
    expect_error(
      cpp_score_linear(x, bad, 2L, good, machine, -1, character(), double(), 1L, NULL),
      class = "stabilect_error"
    )
  }
})

test_that("ties need a name for each feature and a seed for each run", {
  best <- function(names, seeds) {
    cpp_best_features(c(1, 2, 2, 3), integer(), integer(), names, seeds, 1L, 1L)
  }
  expect_identical(best(c("a", "b"), 1:2)$i, c(1L, 1L))
  expect_error(best(c("a", "b"), 1), "a seed for each run", class = "stabilect_error")
})

test_that("runs of other shapes are refused where stability is computed", {
  runs <- index_runs(as_selection(list(1:2, 2:3, c(1, 4)), n_total = 5))
  one <- matrix(1)
  by_runs <- list(
    function(start, feature) {
      cpp_sum_pairs(start, feature, 5L, integer(3), one, one, FALSE, 1L)
    },
    function(start, feature) {
      cpp_weigh_pairs(start, feature, 5L, integer(3), one, one, TRUE, matrix(1, 3), 1L)
    },
    function(start, feature) {
      cpp_compare_pairs(start, feature, 5L, integer(3), one, one, FALSE, 1L)
    },
    function(start, feature) {
      cpp_compare_ranks(start, feature, as.double(feature), 5L, "kendall", 1L, numeric(), 1L)
    },
    function(start, feature) {
      cpp_importance_overlap(start, feature, as.double(feature), 5L, 1L)
    },
    function(start, feature) {
      core <- list(kind = "groups", group = rep(0:1, length.out = 5), n_groups = 2L)
      cpp_compare_sets(core, start, feature, "zucknick", 1L)
    }
  )
  for (run in by_runs) {
    expect_no_error(run(runs$start, runs$feature))
    for (bad in list(c(0L, 2L), c(0L, 4L, 2L, 6L), c(0L, 2L, 4L, 99L), c(0L, NA, 4L, 6L))) {
      expect_error(run(bad, runs$feature), class = "stabilect_error")
    }
    for (bad in list(replace(runs$feature, 2, 5L), replace(runs$feature, 2, -1L))) {
      expect_error(run(runs$start, bad), class = "stabilect_error")
    }
  }
  expect_error(
    cpp_sum_pairs(runs$start, runs$feature, 5L, c(0L, 1L, 0L), one, one, FALSE, 1L), "classes",
    class = "stabilect_error"
  )
  expect_error(
    cpp_weigh_pairs(runs$start, runs$feature, 5L, integer(3), one, one, TRUE, matrix(1, 2), 1L),
    "one row for each run", class = "stabilect_error"
  )
})

test_that("samples and names of other numbers are refused by the interface of FeaLect", {
  x <- matrix(c(1, 2, 4, 3, 5, 1, 0, 2), 4)
  train <- function(y, positive, weights, names) {
    cpp_train_doctors(x, y, positive, weights, matrix(0, 4, 0), names, 2L, TRUE, FALSE, 1L)
  }
  good <- list(c(0, 1, 0, 1), c(0L, 1L, 0L, 1L), matrix(1, 4, 1), c("a", "b"))
  expect_no_error(do.call(train, good))
  for (i in seq_along(good)) {
    bad <- good
    bad[[i]] <- if (is.matrix(bad[[i]])) bad[[i]][1:2, , drop = FALSE] else bad[[i]][1]
    expect_error(do.call(train, bad), class = "stabilect_error")
  }
  expect_error(cpp_fit_lrm(c(0.1, 0.2), 1L), class = "stabilect_error")
})
