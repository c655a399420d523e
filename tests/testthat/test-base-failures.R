# Errors in functions of others: of the user, or of a library.

d <- withr::with_seed(1, {
  x <- matrix(stats::rnorm(100), 20, dimnames = list(NULL, paste0("g", 1:5)))
  list(x = x, y = factor(rep(c("a", "b"), 10)))
})

# A selector that fails in one way in its third run.
failing <- function(how) {
  run <- 0L
  selector_custom(function(x, y) {
    run <<- run + 1L
    if (run == 3L) how()
    colMeans(x)
  })
}

ensemble <- function(selector, ...) {
  select_ensemble(d$x, d$y, selector, resample_bootstrap(8), n_features = 2, seed = 1, ...)
}

test_that("an interrupt that a library makes an error of is an interrupt, not a failed run", {
  file <- withr::local_tempfile()
  ranger_like <- function() stop("User interrupt or internal error.")
  answer <- tryCatch(
    ensemble(failing(ranger_like), checkpoint = file), interrupt = function(e) "interrupted"
  )
  expect_identical(answer, "interrupted")
  # Only the runs before it are kept.
  expect_identical(unlist(lapply(checkpoint_content(file)$parts, `[[`, "index")), 1:2)
  learner <- learner_custom(
    function(x, y) ranger_like(), function(model, newdata) newdata, function(model) 1:5
  )
  expect_identical(
    tryCatch(eliminate_features(d$x, d$y, learner), interrupt = function(e) "interrupted"),
    "interrupted"
  )
})

test_that("memory, time and workers that are short now are no property of a run", {
  limit <- function() stop(gettext("reached elapsed time limit", domain = "R"))
  memory <- function() numeric(1e15)
  gone <- structure(
    class = c("FutureError", "error", "condition"), list(message = "gone", call = NULL)
  )
  worker <- function() stop(gone)
  for (how in list(limit, memory, worker, function() stop("std::bad_alloc"))) {
    error <- tryCatch(ensemble(failing(how)), error = identity)
    expect_s3_class(error, "error")
  }
  fit <- ensemble(failing(function() stop("no good")))
  expect_identical(fit$selection$status[3], "error: no good")
  expect_identical(fit$made$n_failed, 1L)
})

test_that("Ctrl-C in a forest ends the call", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  skip_if_not_installed("ranger")
  child <- callr::r_bg(function() {
    x <- matrix(stats::rnorm(60 * 2000), 60)
    cat("start\n")
    tryCatch(
      stabilect::select_ensemble(
        x, rep(0:1, 30), stabilect::selector_learner(stabilect::learner_forest(300)),
        stabilect::resample_bootstrap(2000), n_features = 20, seed = 1
      )$made$n_failed,
      interrupt = function(e) "interrupted"
    )
  }, stdout = "|")
  child$poll_io(30000)
  Sys.sleep(2)
  child$interrupt()
  child$wait(20000)
  expect_false(child$is_alive())
  expect_identical(child$get_result(), "interrupted")
  child$kill()
})

test_that("errors in functions of the user have our class, name the function and the run", {
  boom <- function(...) stop("boom {x}")
  predict_a <- function(model, newdata) rep("a", nrow(newdata))
  refused <- function(code, pattern) {
    error <- expect_error(code, class = "stabilect_error")
    expect_match(cli::ansi_strip(conditionMessage(error)), pattern)
  }
  refused(
    eliminate_features(d$x, d$y, learner_custom(boom, predict_a, boom), seed = 1),
    "Run 1: The learner \"custom\" cannot be fitted: boom \\{x\\}"
  )
  refused(
    eliminate_features(
      d$x, d$y, learner_custom(function(x, y) 1, boom, function(model) 1:5), seed = 1
    ),
    "Run 1: .* cannot"
  )
  refused(
    ensemble(selector_filter("t"), aggregation = aggregate_custom(boom, name = "mine")),
    "Aggregation \"mine\" failed: boom"
  )
  for (value in c(NaN, NA)) {
    refused(
      ensemble(selector_filter("t"), aggregation = aggregate_custom(function(s) rep(value, 5))),
      "must return 5 numbers, one per feature, not only missing ones|not an object|not NA"
    )
  }
  refused(
    tune_tradeoff(d$x, d$y, list(a = 1), method = function(a) stop("boom"), seed = 1), "boom"
  )
  model <- fit_model(d$x, d$y, c("g1", "g2"))
  refused(importance_permutation(model, d$x, d$y, predict = boom), "`predict` failed: boom")
  refused(importance_permutation(model, d$x, d$y, loss = boom), "`loss` failed: boom")
  refused(
    importance_permutation(model, d$x, d$y, loss = function(y, p) "a"), "must return one number"
  )
  scores <- aggregate(
    ensemble(selector_filter("t")), aggregate_custom(function(s) c(3, NaN, 1, 2, NA))
  )
  expect_identical(sum(is.na(scores$table$score)), 2L)
  expect_false(any(is.nan(scores$table$score)))
})

test_that("an error of a library in some folds of an elimination is a failed run", {
  # Fails when the first sample is in the bag and at most `below` features are left.
  frail <- function(below, failure = c("library", "learner")) {
    first <- d$x[1, 1]
    new_learner("frail", "frail", list(below, failure), function(x, y) {
      if (ncol(x) <= below && first %in% x) stop("singular")
      x
    }, function(model, newdata) rep(c("a", "b"), length.out = nrow(newdata)),
    importance = function(model) rev(seq_len(ncol(model))), failure = failure)
  }
  folds <- draw_resamples(resample_folds(4), d$y, seed = 1)
  eliminate <- function(learner, ...) {
    eliminate_features(
      d$x, d$y, learner, search_sizes(step = 1), folds, refit = FALSE, seed = 1, ...
    )
  }
  # Only the fold that leaves the first sample out can go on; the others leave the larger sizes,
  # too.
  fit <- eliminate(frail(2))
  without <- which(as.matrix(folds)[1, ] == 0)
  expect_identical(which(fit$resamples$status == "ok"), without)
  expect_match(fit$resamples$status[-without], "cannot be fitted: singular")
  expect_identical(unique(fit$scores$run), without)
  expect_identical(fit$made$n_failed, 3L)
  expect_true(all(is.na(fit$rankings[, -without])))
  expect_no_warning(expect_output(print(fit), "3 failed"))
  expect_identical(eliminate(frail(0))$made$n_failed, 0L)
  expect_error(eliminate(frail(2, "learner")), "Run .: The learner \"frail\" cannot be fitted")
  dead <- new_learner("dead", "dead", list(), function(x, y) stop("no licence"), function(...) 1,
    importance = function(model) 1
  )
  expect_error(eliminate(dead), "No run succeeded: .*no licence", class = "stabilect_error_runs")
  file <- withr::local_tempfile()
  kept <- eliminate(frail(2), checkpoint = file)
  expect_identical(kept$scores, fit$scores)
  expect_identical(eliminate(frail(2), checkpoint = file)$scores, fit$scores)
  expect_error(
    eliminate_features(d$x, d$y, frail(2), search_sizes(step = 1), folds, seed = 1),
    "fit to all samples failed", class = "stabilect_error_runs"
  )
})

# What R says that runs this code in a process that may have so many kB in all.
within_memory <- function(kb, code) {
  call <- sprintf(
    "ulimit -v %d; %s -e %s", kb, file.path(R.home("bin"), "Rscript"), shQuote(code)
  )
  withr::with_envvar(
    c(R_LIBS = paste(.libPaths(), collapse = ":")),
    # With what R itself says if it ends.
    suppressWarnings(system2("bash", c("-c", shQuote(call)), TRUE, TRUE))
  )
}

test_that("memory that the core cannot get is an error of ours, with what it needs", {
  skip_on_cran()
  skip_on_os(c("windows", "mac"))
  # More than a gigabyte for permutations, in a process that may have as much in all.
  said <- paste(within_memory(1200000, paste0(
    "library(stabilect); x <- matrix(sin(seq_len(5e6)), 1e5, dimnames = list(NULL, 1:50)); ",
    "e <- tryCatch(find_signals(x, cos(seq_len(1e5)^2), permute = 999), error = identity); ",
    "cat(class(e)[1], conditionMessage(e))"
  )), collapse = " ")
  expect_match(said, "stabilect_error_memory")
  expect_match(said, "this step with 100,?000 samples needs at least [0-9]+ MB")
})

test_that("no verb ends R where its data cannot be copied", {
  skip_on_cran()
  skip_on_os(c("windows", "mac"))
  skip_if_not(file.exists("/proc/self/status") && nzchar(Sys.which("prlimit")))
  calls <- c(
    "fealect(x, y, n_runs = 4, n_boot = 2, max_features = 5)",
    "fealect(y ~ ., data.frame(y, x), n_runs = 4, n_boot = 2, max_features = 5)",
    "stability_selection(x, y, n_pairs = 4, q = 5, cutoff = 0.7)",
    "bolasso(x, y, n_runs = 4, lambda = 0.05)", "split_test(x, y, n_runs = 2, n_features = 3)",
    "find_signals(x, y, permute = 99, covariates = x[, 1:2])",
    "select_ensemble(x, b, selector_filter('t'), resample_bootstrap(4), n_features = 3)",
    "test_signature(x, y, 1:3, n_random = 9, permute = 2)",
    "eliminate_features(x, b, learner_lda(), resampling = resample_folds(2))",
    "cluster_features(x)", "lasso_path(x, y, max_features = 5)", "compare_cohorts(x, y)"
  )
  # Each copy of x has 64 MB.
  data <- paste0(
    "library(stabilect); options(stabilect.n_threads = 1); n <- 20000; ",
    "x <- matrix(sin(seq_len(n * 400)^1.5), n, dimnames = list(NULL, paste0('g', 1:400))); ",
    "y <- x[, 1] + cos(seq_len(n)^2); b <- factor(y > 0); ",
    "invisible(fealect(x[1:60, 1:20], y[1:60], n_runs = 4)); "
  )
  # From here on 50 MB more than the process has; what it needs for calls within calls it has.
  limit <- paste0(
    "deep <- function(k) if (k > 0) deep(k - 1); deep(300); invisible(gc()); ",
    "now <- grep('^VmSize', readLines('/proc/self/status'), value = TRUE); ",
    "most <- 1024 * (as.numeric(gsub('[^0-9]', '', now)) + 1024 * 50); ",
    "system2('prlimit', c('--pid', Sys.getpid(), sprintf('--as=%.0f', most))); "
  )
  said <- within_memory(8e6, paste0(
    data, limit, "for (call in c(", paste(shQuote(calls, "cmd"), collapse = ", "), ")) { ",
    "invisible(gc()); e <- tryCatch({ suppressWarnings(suppressMessages(eval(str2lang(call)))); ",
    "'ended' }, error = function(e) class(e)[1]); cat('>', e, '\\n') }"
  ))
  states <- sub("^> (.*) $", "\\1", grep("^> ", said, value = TRUE))
  expect_length(states, length(calls))
  expect_true(
    all(states %in% c("ended", "stabilect_error_memory")), info = toString(states)
  )
  expect_gt(sum(states == "stabilect_error_memory"), 3)
})
