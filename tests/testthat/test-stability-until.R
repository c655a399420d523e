until_data <- function() list(x = as.matrix(mcl_sll[, 2:60]), y = mcl_sll$MCL)

without_until <- function(result) {
  result$made["until"] <- list(NULL)
  without_call(result)
}

test_that("looks grow by half, in whole pairs, up to the bound", {
  sizes <- function(plan) look_sizes(draw_resamples(plan, n = 20, seed = 1))
  expect_identical(sizes(resample_bootstrap(400)), c(50L, 75L, 112L, 168L, 252L, 378L, 400L))
  expect_identical(sizes(resample_bootstrap(75)), c(50L, 75L))
  expect_identical(sizes(resample_bootstrap(30)), 30L)
  expect_identical(sizes(resample_pairs(60)), c(50L, 74L, 112L, 120L))
})

test_that("an ensemble that stops is that of a plan with as many runs", {
  d <- until_data()
  run <- function(n_runs, ..., selector = list(selector_filter("t"), selector_lasso_path())) {
    select_ensemble(
      d$x, d$y, selector, resample_bootstrap(n_runs), n_features = 5, seed = 1, ...
    )
  }
  stopped <- run(300, until = until_stable(0.06))
  until <- stopped$made$until
  expect_true(until$reached)
  expect_gt(until$n_runs, 50)
  expect_lt(until$n_runs, 300)
  expect_identical(until$max_runs, 300L)
  expect_identical(without_until(stopped), without_call(run(until$n_runs)))
  expect_identical(run(300, until = until_stable(0.06), n_threads = 2), stopped)
  # The rule holds for both selectors, and the value is that of the worse one.
  widths <- vapply(split(seq_len(nrow(stopped$runs)), stopped$runs$selector), function(runs) {
    table <- stability(stopped$selection[runs])$table
    table$upper - table$lower
  }, 0)
  expect_identical(until$looks$value[nrow(until$looks)], max(widths))
  expect_identical(until$looks$reached, until$looks$value < 0.06)
})

test_that("runs with features and settings of their own stop, too", {
  d <- until_data()
  run <- function(n_runs, ...) {
    select_ensemble(
      d$x, d$y, selector_lasso_path, resample_subsample(n_runs), n_features = 3, subspace = 0.5,
      parameters = list(max_features = c(3, 6)), seed = 1, ...
    )
  }
  stopped <- run(200, until = until_decided(0.8, share = 0.9))
  expect_true(stopped$made$until$reached)
  expect_lt(stopped$made$until$n_runs, 200)
  expect_identical(
    without_until(stopped), without_call(run(stopped$made$until$n_runs))
  )
})

test_that("FeaLect and stability selection that stop are those of plans with as many runs", {
  d <- until_data()
  run <- function(n_runs, ...) fealect(d$x, d$y, n_runs = n_runs, n_boot = 20, seed = 2, ...)
  stopped <- run(300, until = until_stable(0.03, "jaccard", corrected = TRUE))
  until <- stopped$made$until
  expect_true(until$reached && until$n_runs > 50 && until$n_runs < 300)
  expect_identical(without_until(stopped), without_call(run(until$n_runs)))
  last <- stability(stopped$selection, "jaccard", corrected = TRUE)$table
  expect_identical(until$looks$value[nrow(until$looks)], last$upper - last$lower)
  for (two in list(list(q = 5, pfer = 1), list(q = 5, cutoff = 0.7))) {
    run <- function(n_pairs, ...) {
      arguments <- list(d$x, d$y, n_pairs = n_pairs, seed = 2, weakness = 0.8, ...)
      do.call(stability_selection, c(arguments, two))
    }
    share <- if (is.null(two$pfer)) 1 else 0.97
    stopped <- run(150, until = until_decided(share = share))
    until <- stopped$made$until
    expect_true(until$reached && until$n_runs < 300)
    expect_identical(without_until(stopped), without_call(run(until$n_runs / 2)))
    expect_lte(length(until$undecided), (1 - share) * ncol(d$x))
  }
  expect_gt(until$n_runs, 50)
  # A stage whose pairs are too few for any cutoff does not stop.
  strict <- stability_selection(
    d$x, d$y, q = 8, pfer = 0.05, n_pairs = 200, seed = 2, until = until_stable(0.9)
  )
  expect_true(all(strict$made$until$looks$value < 0.9))
  reached <- strict$made$until$looks$reached
  expect_identical(reached, seq_along(reached) == length(reached))
  expect_gt(length(reached), 1)
  expect_lte(strict$bound$pfer, 0.05)
})

test_that("where the bound comes first, the result is that of all runs and says so", {
  d <- until_data()
  run <- function(...) {
    select_ensemble(
      d$x, d$y, selector_filter("t"), resample_bootstrap(60), n_features = 5, seed = 1, ...
    )
  }
  late <- run(until = until_stable(0.001))
  expect_false(late$made$until$reached)
  expect_identical(late$made$until$looks$n_runs, c(50L, 60L))
  expect_identical(without_until(late), without_call(run()))
  expect_snapshot({
    print_text(describe_stop(late$made$until))
    print_text(describe_stop(run(until = until_decided(0.9, share = 0.5))$made$until))
    until_decided()
    until_stable(0.1, "jaccard")
  })
  expect_output(print(late), "all 60 runs were done before")
  expect_output(print(summary(late)), "Checks of the rule: stop once")
})

test_that("a feature is decided when the exact interval does not hold the cutoff", {
  # Feature k is in the first k of 30 runs.
  selection <- as_selection(lapply(1:30, function(run) run:30), n_total = 31)
  for (cutoff in c(0.2, 0.5, 0.9)) {
    inside <- vapply(c(1:30, 0), function(count) {
      limits <- stats::binom.test(count, 30, conf.level = 0.99)$conf.int
      limits[1] <= cutoff && cutoff <= limits[2]
    }, NA)
    expect_identical(decided_features(selection, cutoff, 0.99), !inside)
  }
  judged <- judge_runs(until_decided(0.5, share = 0.5), list(selection), 5, 0.5, 1)
  expect_identical(judged$value, mean(decided_features(selection, 0.5, 0.99)))
  expect_identical(judged$undecided, which(!decided_features(selection, 0.5, 0.99)))
  # Over the runs that looked at it: NA elsewhere.
  gaps <- selection
  gaps$score <- as.matrix(gaps$score)
  gaps$score[1, 2:30] <- NA
  gaps$score[31, ] <- NA
  expect_identical(decided_features(gaps, 0.9, 0.95)[c(1, 31)], c(FALSE, FALSE))
  expect_identical(decided_features(selection, 0.9, 0.95)[c(1, 31)], c(TRUE, TRUE))
})

test_that("a call in stages resumes from its checkpoint", {
  d <- until_data()
  run <- function(file, until = until_stable(0.06), ...) {
    select_ensemble(d$x, d$y, list(selector_filter("t"), selector_filter("wilcoxon")),
      resample_bootstrap(300),
      n_features = 5, seed = 1, until = until, checkpoint = file, ...)
  }
  plain <- run(NULL)
  file <- withr::local_tempfile(fileext = ".rds")
  withr::defer(unlink(paste0(file, "-2")))
  expect_identical(run(file), plain)
  second <- checkpoint_content(paste0(file, "-2"))
  done <- unlist(lapply(second$parts, `[[`, "index"))
  expect_identical(sort(done), seq_len(plain$made$until$n_runs))
  # Repeated, with later stages in the file; and with blocks of the second stage lost.
  expect_identical(run(file), plain)
  second$parts <- Filter(function(part) max(part$index) <= 60, second$parts)
  write_content(second, paste0(file, "-2"))
  expect_identical(run(file), plain)
  refused <- function(code) expect_error(code, class = "stabilect_error_checkpoint")
  refused(run(file, until = until_stable(0.2)))
  refused(run(file, until = NULL))
})

test_that("stages are the same on workers", {
  skip_on_cran()
  skip_if_not_installed("future")
  d <- until_data()
  run <- function() {
    fealect(d$x, d$y, n_runs = 120, n_boot = 0, oob = FALSE, seed = 2, until = until_stable(0.09))
  }
  alone <- run()
  withr::defer(future::plan("sequential"))
  future::plan("multisession", workers = 2)
  expect_identical(run(), alone)
})

test_that("only seeds decide, and R's generator is left alone", {
  d <- until_data()
  withr::local_seed(5)
  before <- .Random.seed
  run <- function() {
    fealect(d$x, d$y, n_runs = 60, n_boot = 0, oob = FALSE, seed = 2,
      until = until_stable(0.1, interval = "bootstrap", n_boot = 200))
  }
  expect_identical(run(), run())
  expect_identical(.Random.seed, before)
})

test_that("rules and plans that make no sense are refused with advice", {
  d <- until_data()
  run <- function(plan, until) {
    select_ensemble(d$x, d$y, selector_filter("t"), plan, until = until, seed = 1)
  }
  expect_refusals({
    run(resample_folds(5, 20), until_stable())
    run(resample_loo(), until_stable())
    run(resample_custom(list(1:20, 2:22)), until_stable())
    run(resample_bootstrap(100), until_decided())
    run(resample_bootstrap(100), 0.05)
    stability_selection(d$x, d$y, cutoff = 0.9, pfer = 1, seed = 1, until = until_decided())
    until_stable(0)
    until_stable(index = "all")
    until_stable(level = 0.9)
    until_decided(1)
    until_decided(0.6, share = 0)
    until_decided(0.6, conf_level = 1)
  })
})
