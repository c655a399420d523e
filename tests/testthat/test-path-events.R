# Run 1: feature 3; 1 and 2 together; 3 out and 4 in. Run 2: no step. Run 3: feature 4.
stored <- list(
  event = c(3L, 1L, 2L, -3L, 4L, 4L), positive = c(TRUE, FALSE, TRUE, TRUE, FALSE, TRUE),
  event_end = c(1L, 3L, 5L, 1L), lambda = c(9, 7, 5, 2, 8, 6, 4), run_events = c(5L, 5L, 6L),
  run_steps = c(3L, 3L, 4L)
)

test_that("stored paths are read as events, steps and runs", {
  events <- path_events(stored)
  expect_equal(events$run, c(1, 1, 1, 1, 1, 3))
  expect_equal(events$step, c(1, 2, 2, 3, 3, 4))
  expect_equal(events$feature, c(3, 1, 2, 3, 4, 4))
  expect_equal(events$change, c(1, 1, 1, -1, 1, 1))
  expect_equal(events$lambda, c(9, 7, 7, 5, 5, 6))
  expect_identical(is_first_entry(events), c(TRUE, TRUE, TRUE, FALSE, TRUE, TRUE))
  steps <- path_steps(stored)
  expect_equal(steps$run, c(1, 1, 1, 3))
  expect_equal(steps$before, c(0, 0, 0, 5))
  expect_equal(steps$end, c(1, 3, 5, 6))
  expect_equal(steps$size, c(1, 3, 3, 1))
  expect_equal(steps$lambda, c(9, 7, 5, 6))
  expect_equal(
    path_ends(stored), list(n_steps = c(3L, 0L, 1L), first = c(9, 8, 6), last = c(2, 8, 4))
  )
  expect_equal(run_sizes(stored), list(c(1, 3, 3), numeric(), 1))
})

test_that("the path of one run is its part of all of them", {
  expect_equal(path_of_run(stored, 1), list(
    event = c(3L, 1L, 2L, -3L, 4L), end = c(1L, 3L, 5L), lambda = c(9, 7, 5, 2)
  ))
  expect_equal(path_of_run(stored, 2), list(event = integer(), end = integer(), lambda = 8))
  expect_equal(path_of_run(stored, 3), list(event = 4L, end = 1L, lambda = c(6, 4)))
})

test_that("events are replaced and left out step by step", {
  found <- replace_events(stored, c(1L, 0L, 2L, -1L, 0L, 0L))
  expect_identical(found$event, c(1L, 2L, -1L))
  expect_identical(found$positive, c(TRUE, TRUE, TRUE))
  expect_equal(path_steps(found)$size, c(1, 2, 1, 0))
  expect_identical(found[c("lambda", "run_steps")], stored[c("lambda", "run_steps")])
  expect_identical(replace_events(stored, stored$event), stored)
})

test_that("paths of parts, joined, are those of all runs", {
  first <- list(
    event = stored$event[1:5], positive = stored$positive[1:5], event_end = stored$event_end[1:3],
    lambda = stored$lambda[1:5], run_events = c(5L, 5L), run_steps = c(3L, 3L)
  )
  second <- list(
    event = 4L, positive = TRUE, event_end = 1L, lambda = c(6, 4), run_events = 1L, run_steps = 1L
  )
  expect_identical(join_paths(list(first, second)), stored)
  expect_identical(join_paths(list(stored)), stored)
})

test_that("the decoder reads what the engine stores", {
  set.seed(3)
  x <- matrix(rnorm(30 * 20), 30, dimnames = list(NULL, paste0("g", 1:20)))
  fit <- fealect(x, x[, 1] - x[, 2] + rnorm(30), n_runs = 6, seed = 1)
  steps <- path_steps(fit$paths)
  events <- path_events(fit$paths)
  for (b in 1:6) {
    path <- path_of_run(fit$paths, b)
    expect_equal(steps$lambda[steps$run == b], path$lambda[-length(path$lambda)])
    expect_equal(run_sizes(fit$paths)[[b]], cumsum(sign(path$event))[path$end])
    expect_equal((events$change * events$feature)[events$run == b], path$event)
  }
})
