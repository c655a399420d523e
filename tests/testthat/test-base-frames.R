test_that("errors of scripts come without a backtrace of our functions", {
  fail <- function() abort("bad", call = NULL)
  kept <- tryCatch(fail(), error = identity)
  withr::local_envvar(TESTTHAT = "")
  bare <- tryCatch(fail(), error = identity)
  expect_gt(nrow(kept$trace), 0)
  skip_if(rlang::is_interactive(), "the prompt shows none")
  expect_identical(nrow(bare$trace), 0L)
})
