# Half a second on a quiet machine, which `make attack-interrupt` measures; the bounds here leave
# room for a loaded one.
skip_interrupts <- function() {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
}

test_that("an interrupt ends a long run soon", {
  skip_interrupts()
  for (n_threads in 1:2) {
    call <- rlang::expr(fealect(m$x, m$y, n_runs = 1e5, n_threads = !!n_threads, seed = 1))
    end <- interrupt_call(call, wait = 3)
    expect_identical(end$how, "interrupted")
    expect_lt(end$seconds, 10)
  }
})

test_that("an interrupt deep in the core is R's, not an error", {
  skip_interrupts()
  call <- quote(
    stabilect:::cpp_distribute_sets(
      20000L, rep(5000L, 1e5), rep(300L, 1e5), rep(1L, 1e5), "union", TRUE
    )
  )
  expect_identical(interrupt_call(call, material = function() NULL)$how, "interrupted")
})

test_that("an interrupt ends the work of the workers, too", {
  skip_interrupts()
  skip_if_not_installed("future")
  log <- withr::local_tempfile()
  child <- callr::r_bg(function(log) {
    future::plan("multisession", workers = 2)
    slow <- stabilect::selector_custom(function(x, y) {
      cat("run\n", file = log, append = TRUE)
      Sys.sleep(0.1)
      x[1, ]
    })
    x <- matrix(stats::rnorm(40 * 20), 40)
    tryCatch(
      stabilect::select_ensemble(
        x, rep(0:1, 20), slow, stabilect::resample_bootstrap(2000), n_features = 2, seed = 1
      ),
      interrupt = function(e) {
        # What a user does next: the workers are free again.
        again <- system.time(future::value(future::future(1)))[["elapsed"]]
        n <- length(readLines(log))
        Sys.sleep(2)
        list(again = again, more = length(readLines(log)) - n)
      }
    )
  }, list(log))
  deadline <- Sys.time() + 60
  while (!file.exists(log) && Sys.time() < deadline) Sys.sleep(0.1)
  child$interrupt()
  child$wait(60000)
  expect_false(child$is_alive())
  expect_lt(child$get_result()$again, 30)
  expect_lte(child$get_result()$more, 2L)
  child$kill()
})

test_that("an interrupt ends long verbs of every kind", {
  skip_interrupts()
  # One call of the core for all runs, a library, C++ that asks within a run, many members or
  # samples in one task, and R.
  names <- c(
    "tune_tradeoff", "select_ensemble, boosting", "FeaLect", "estimate_error_rates",
    "simulate_stability", "find_signals"
  )
  if (!requireNamespace("gbm", quietly = TRUE)) names <- names[-2]
  for (name in names) {
    end <- interrupt_call(long_calls()[[name]], wait = 2)
    expect_identical(end$how, "interrupted", info = name)
    expect_lt(min(end$seconds, end$cpu, na.rm = TRUE), 3)
  }
})
