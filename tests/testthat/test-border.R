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
