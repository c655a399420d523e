test_that("an interrupt ends a long run soon", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  for (n_threads in 1:2) {
    child <- callr::r_bg(function(n_threads) {
      x <- matrix(stats::rnorm(200 * 20000), 200)
      y <- factor(rep_len(c("a", "b"), 200))
      cat("start\n")
      tryCatch(
        stabilect::fealect(x, y, n_runs = 1e5, n_threads = n_threads, seed = 1),
        interrupt = function(e) "interrupted"
      )
    }, list(n_threads), stdout = "|")
    child$poll_io(30000)
    Sys.sleep(3)
    sent <- Sys.time()
    child$interrupt()
    child$wait(20000)
    expect_false(child$is_alive())
    expect_identical(child$get_result(), "interrupted")
    # Within a second on a quiet machine; the bound leaves room for a loaded one.
    expect_lt(as.numeric(difftime(Sys.time(), sent, units = "secs")), 10)
    child$kill()
  }
})
