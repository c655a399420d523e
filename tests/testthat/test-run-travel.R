# Functions of the user that use others of the workspace, on workers.

test_that("what a function of the workspace uses travels to the workers", {
  skip_on_cran()
  skip_if_not_installed("future")
  names <- c("travel_selector", "travel_helper", "travel_factor", "index")
  before <- future::plan()
  withr::defer({
    future::plan(before)
    rm(list = intersect(names, ls(globalenv())), envir = globalenv())
  })
  # `index` is the name of an argument of the function that works there.
  eval(quote({
    travel_factor <- 2
    index <- 3
    travel_helper <- function(x, y) travel_factor * abs(stats::cor(x, y))[, 1]
    travel_selector <- function(x, y) travel_helper(x, y) + index
  }), globalenv())
  data <- withr::with_seed(1, list(x = matrix(stats::rnorm(200), 20), y = stats::rnorm(20)))
  run <- function() {
    selector <- selector_custom(get("travel_selector", globalenv()))
    select_ensemble(data$x, data$y, selector, resample_bootstrap(6), seed = 1)
  }
  here <- run()
  future::plan("multisession", workers = 2)
  expect_identical(run()$table, here$table)
})

test_that("packages that were attached are named, those of every session are not", {
  expect_null(package_with("cor"))
  expect_null(package_with("no_such_function_anywhere"))
  # testthat is attached while tests run.
  skip_if_not("package:testthat" %in% search())
  fn <- function(x) expect_true(x)
  environment(fn) <- globalenv()
  expect_true("testthat" %in% travelling_values(with_data(function() NULL, own = fn))$packages)
})
