# The option of the number of threads.

with_threads <- function(value, code) {
  withr::with_options(list(stabilect.n_threads = value), code)
}

test_that("every export with n_threads takes its default from the option", {
  exports <- getNamespaceExports("stabilect")
  threaded <- Filter(function(name) {
    one <- getExportedValue("stabilect", name)
    is.function(one) && "n_threads" %in% names(formals(one))
  }, exports)
  expect_gt(length(threaded), 15L)
  for (name in threaded) {
    default <- formals(getExportedValue("stabilect", name))$n_threads
    expect_identical(default, quote(getOption("stabilect.n_threads", 1)), info = name)
  }
  # The others get it from run_control(), the default of `control`.
  for (name in exports) {
    control <- formals(getExportedValue("stabilect", name))$control
    if (!is.null(control) && !rlang::is_missing(control)) {
      expect_identical(control, quote(run_control()), info = name)
    }
  }
})

test_that("the option is read when a verb is called, and the argument comes first", {
  expect_identical(run_control()$n_threads, 1L)
  expect_identical(with_threads(3, run_control()$n_threads), 3L)
  expect_identical(with_threads(3, run_control(n_threads = 2)$n_threads), 2L)
  # One given does not look at the option.
  expect_identical(with_threads("many", run_control(n_threads = 2)$n_threads), 2L)
})

test_that("results have the same bits with the option", {
  x <- as.matrix(mcl_sll[, -1])
  run <- function() fealect(x, mcl_sll$MCL, n_runs = 20, seed = 1)
  find <- function() stability_selection(x, mcl_sll$MCL, q = 4, n_pairs = 10, seed = 1)
  expect_identical(with_threads(2, run()), run())
  expect_identical(with_threads(2, find()), find())
})

test_that("an option out of range is an error that names it, where it is used", {
  x <- as.matrix(mcl_sll[, -1])
  for (wrong in list(0, -1, 1.5, "2", NA, c(1, 2))) {
    expect_error(
      with_threads(wrong, fealect(x, mcl_sll$MCL, n_runs = 5, seed = 1)),
      "stabilect.n_threads", class = "stabilect_error_input"
    )
    expect_error(
      with_threads(wrong, score_features(x, mcl_sll$MCL, selector_filter("t"))),
      "stabilect.n_threads", class = "stabilect_error_input"
    )
  }
})
