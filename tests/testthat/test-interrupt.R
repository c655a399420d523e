# Runs `code` in another process, which says on standard output when it starts, interrupts it
# `after` seconds and returns what it gave and how long it took to end.
interrupted <- function(code, args = list(), after, wait = 20000) {
  child <- callr::r_bg(code, args, stdout = "|")
  on.exit(child$kill())
  child$poll_io(30000)
  Sys.sleep(after)
  sent <- Sys.time()
  child$interrupt()
  child$wait(wait)
  expect_false(child$is_alive())
  seconds <- as.numeric(difftime(Sys.time(), sent, units = "secs"))
  list(result = child$get_result(), seconds = seconds)
}

skip_interrupts <- function() {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
}

test_that("an interrupt ends a long run soon", {
  skip_interrupts()
  for (n_threads in 1:2) {
    ended <- interrupted(function(n_threads) {
      x <- matrix(stats::rnorm(200 * 20000), 200)
      y <- factor(rep_len(c("a", "b"), 200))
      cat("start\n")
      tryCatch(
        stabilect::fealect(x, y, n_runs = 1e5, n_threads = n_threads, seed = 1),
        interrupt = function(e) "interrupted"
      )
    }, list(n_threads), after = 3)
    expect_identical(ended$result, "interrupted")
    # Within a second on a quiet machine; the bound leaves room for a loaded one.
    expect_lt(ended$seconds, 10)
  }
})

test_that("an interrupt deep in the core is R's, not an error", {
  skip_interrupts()
  ended <- interrupted(function() {
    cat("start\n")
    tryCatch(
      stabilect:::cpp_distribute_sets(
        20000L, rep(5000L, 3000), rep(300L, 3000), rep(1L, 3000), "union", TRUE
      ),
      interrupt = function(e) class(e)
    )
  }, after = 1)
  expect_identical(ended$result, c("interrupt", "condition"))
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

test_that("an interrupt ends a simulated ensemble of many members", {
  skip_interrupts()
  ended <- interrupted(function() {
    cat("start\n")
    tryCatch(
      stabilect::simulate_stability(
        1e6, 20, 100, 0.5, n_weak = 1000, n_simulations = 5, engine = "simulate", seed = 1
      ),
      interrupt = function(e) "interrupted"
    )
  }, after = 2, wait = 10000)
  expect_identical(ended$result, "interrupted")
})

test_that("an interrupt ends a search for signals in many samples", {
  skip_interrupts()
  ended <- interrupted(function() {
    x <- matrix(stats::rnorm(3000 * 3000), 3000)
    cat("start\n")
    tryCatch(
      stabilect::find_signals(x, rep(0:1, 1500), n_null = 19, seed = 1),
      interrupt = function(e) "interrupted"
    )
  }, after = 4)
  expect_identical(ended$result, "interrupted")
  expect_lt(ended$seconds, 5)
})

test_that("an interrupt ends long verbs of every kind", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  # One call of the core for all runs, a library, C++ that asks within a run, and R.
  for (name in c("tune_tradeoff", "select_ensemble, boosting", "FeaLect", "calibrate_selection")) {
    end <- interrupt_call(long_calls()[[name]])
    expect_identical(end$how, "interrupted", info = name)
    # Half a second on a quiet machine; `make attack-interrupt` makes all calls, and measures.
    expect_lt(min(end$seconds, end$cpu, na.rm = TRUE), 3)
  }
})
