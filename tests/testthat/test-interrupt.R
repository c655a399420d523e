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

test_that("an interrupt deep in the core is R's, not an error", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  child <- callr::r_bg(function() {
    cat("start\n")
    tryCatch(
      stabilect:::cpp_distribute_sets(
        20000L, rep(5000L, 3000), rep(300L, 3000), rep(1L, 3000), "union", TRUE
      ),
      interrupt = function(e) class(e)
    )
  }, stdout = "|")
  child$poll_io(30000)
  Sys.sleep(1)
  child$interrupt()
  child$wait(20000)
  expect_false(child$is_alive())
  expect_identical(child$get_result(), c("interrupt", "condition"))
  child$kill()
})

test_that("an interrupt ends the work of the workers, too", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
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
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  child <- callr::r_bg(function() {
    cat("start\n")
    tryCatch(
      stabilect::simulate_stability(
        1e6, 20, 100, 0.5, n_weak = 1000, n_simulations = 5, engine = "simulate", seed = 1
      ),
      interrupt = function(e) "interrupted"
    )
  }, stdout = "|")
  child$poll_io(30000)
  Sys.sleep(2)
  child$interrupt()
  child$wait(10000)
  expect_false(child$is_alive())
  expect_identical(child$get_result(), "interrupted")
  child$kill()
})

test_that("an interrupt ends a search for signals in many samples", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  child <- callr::r_bg(function() {
    x <- matrix(stats::rnorm(3000 * 3000), 3000)
    cat("start\n")
    tryCatch(
      stabilect::find_signals(x, rep(0:1, 1500), n_null = 19, seed = 1),
      interrupt = function(e) "interrupted"
    )
  }, stdout = "|")
  child$poll_io(30000)
  Sys.sleep(4)
  sent <- Sys.time()
  child$interrupt()
  child$wait(20000)
  expect_false(child$is_alive())
  expect_identical(child$get_result(), "interrupted")
  expect_lt(as.numeric(difftime(Sys.time(), sent, units = "secs")), 5)
  child$kill()
})

# Calls that take minutes, one of every verb that can.
long_calls <- function() {
  rlang::exprs(
    stability_selection = stability_selection(x, y, q = 30, cutoff = 0.9, n_pairs = 1e5, seed = 1),
    bolasso = bolasso(x, y, lambda = 0.05, n_runs = 1e5, seed = 1),
    select_ensemble = select_ensemble(x, y, t_test, many, n_features = 5, seed = 1),
    eliminate_features = eliminate_features(
      x, y, learner_logistic(), search_sizes(step = 1), resample_folds(10, 50), seed = 1
    ),
    evaluate_elimination = evaluate_elimination(
      x, y, outer = resample_folds(10, 100), search = search_sizes(step = 1), seed = 1
    ),
    hybrid_rfe = hybrid_rfe(x, y, n_features = 10, n_stable = 5, resampling = many, seed = 1),
    tune_tradeoff = tune_tradeoff(x, y, list(n_stable = 0:20), resampling = many, seed = 1),
    evaluate_selectors = evaluate_selectors(
      x, y, t_test, n_features = 5, n_splits = 1000, resampling = many, seed = 1
    ),
    evaluate_replication = evaluate_replication(
      function(x, y, ...) select_ensemble(x, y, t_test, many, n_features = 5, ...), x, y,
      n_pairs = 1000, n_features = 5, seed = 1
    ),
    calibrate_selection = calibrate_selection(
      function(x, y, ...) select_ensemble(x, y, t_test, many, n_features = 5, ...), x, y,
      n_true = 5, n_sets = 1000, seed = 1
    ),
    find_signals = find_signals(x, y, n_null = 1e6, seed = 1),
    estimate_stability = estimate_stability(
      x, y, t_test, n_features = 20, n_simulations = 1e5, seed = 1
    ),
    plan_ensemble = plan_ensemble(
      0.999, n_total = 5000, n_features = 50, n_useful = 50, p = 0.1, n_simulations = 1e5, seed = 1
    ),
    stability = stability(runs, "jaccard", interval = "bootstrap", n_boot = 1e6, seed = 1),
    explain_stability = explain_stability(runs, similarity = list(x = wide)),
    stability_convergence = stability_convergence(runs, "intersection_mbm",
      similarity = list(x = wide)
    ),
    importance_permutation = importance_permutation(
      fit_model(x, y), x, y, n_repeats = 1e5, seed = 1
    ),
    three_segment = three_segment(exp(-seq(0, 9, length.out = 60000)))
  )
}

test_that("an interrupt ends every long verb soon", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  child <- callr::r_bg(function(calls) {
    library(stabilect)
    set.seed(1)
    x <- matrix(stats::rnorm(60 * 1500), 60, dimnames = list(NULL, paste0("g", 1:1500)))
    wide <- matrix(stats::rnorm(60 * 4000), 60)
    y <- factor(rep_len(c("a", "b"), 60))
    many <- resample_bootstrap(20000)
    t_test <- selector_filter("t")
    runs <- as_selection(replicate(500, sample.int(4000, 200), simplify = FALSE), n_total = 4000)
    vapply(names(calls), function(name) {
      tryCatch(
        {
          cat(name, "\n")
          eval(calls[[name]])
          "ended by itself"
        },
        interrupt = function(e) "interrupted", error = function(e) conditionMessage(e)
      )
    }, "")
  }, list(long_calls()), stdout = "|")
  seconds <- numeric()
  for (name in names(long_calls())) {
    expect_identical(child$poll_io(60000)[["output"]], "ready", info = name)
    expect_identical(trimws(child$read_output_lines()), name)
    Sys.sleep(1)
    sent <- Sys.time()
    child$interrupt()
    child$poll_io(20000)
    seconds[name] <- as.numeric(difftime(Sys.time(), sent, units = "secs"))
  }
  child$wait(20000)
  ended <- child$get_result()
  expect_identical(ended[ended != "interrupted"], stats::setNames(character(), character()))
  # Half a second on a quiet machine; the bound leaves room for a loaded one.
  expect_identical(names(seconds)[seconds > 3], character())
  child$kill()
})
