# Calls that people make without the manual: they work, or the error says what to do.

calls_x <- withr::with_seed(1, matrix(stats::rnorm(60 * 40), 60))
colnames(calls_x) <- paste0("g", 1:40)
calls_y <- withr::with_seed(2, calls_x[, 1] + stats::rnorm(60))

test_that("one of q, cutoff and pfer alone takes the usual value of another", {
  bound <- function(...) stability_selection(calls_x, calls_y, n_pairs = 5, seed = 1, ...)
  by_cutoff <- bound(pfer = 1, bound = "cutoff")
  expect_identical(by_cutoff$table, bound(q = by_cutoff$bound$q, pfer = 1)$table)
  expect_identical(bound(bound = "cutoff")$table, by_cutoff$table)
  expect_identical(bound(q = 4)$bound, bound(q = 4, cutoff = 0.75)$bound)
  expect_identical(bound(cutoff = 0.9)$bound, bound(cutoff = 0.9, pfer = 1)$bound)
  made <- function(fit) printed_words(summary(fit))
  expect_match(made(by_cutoff), "given: pfer; q = 4 by default; cutoff follows")
  expect_match(made(bound(bound = "cutoff")), "q = 4 and pfer = 1 by default; cutoff follows")
  expect_match(made(bound(q = 4)), "given: q; cutoff = 0.75 by default; pfer follows")
  expect_match(made(bound(cutoff = 0.9)), "given: cutoff; pfer = 1 by default; q follows")
  expect_match(made(bound(q = 4, pfer = 1)), "given: q and pfer; cutoff follows")
  usual <- "in at least 75 % of the runs (the default)"
  expect_match(printed_words(bound(q = 4)), usual, fixed = TRUE)
  expect_match(message_of(bound(q = 4, cutoff = 0.9, pfer = 1)), "not all three.*`pfer` false")
})

test_that("a number alone is bounded along the paths, and another one as the result is", {
  run <- function(...) stability_selection(calls_x, calls_y, n_pairs = 5, seed = 1, ...)
  rate <- run(pfer = 1)
  expect_identical(rate$table, run()$table)
  expect_identical(rate$table, run(bound = "integrated")$table)
  expect_identical(stability_selection(rate, pfer = 2)$table, run(pfer = 2)$table)
  expect_identical(
    stability_selection(rate, q = 2)$table, run(q = 2, bound = "integrated")$table
  )
  share <- run(fdr = 0.3)
  expect_identical(
    stability_selection(share, q = 2)$table, run(q = 2, fdr = 0.3)$table
  )
  bound <- run(q = 3, pfer = 1)
  expect_identical(stability_selection(bound, pfer = 2)$table, run(q = 3, pfer = 2)$table)
  # Paths of 3 features are too short for the integrals of one with up to 4.
  expect_warning(
    again <- stability_selection(bound, fdr = 0.3, q = 1), "end at 3 features.*q` = 1 reads 4",
    class = "stabilect_warning_short_paths"
  )
  expect_identical(again$asked$rule, "integrated")
  long <- run(q = 4, pfer = 1)
  expect_no_warning(again <- stability_selection(long, fdr = 0.3, q = 1))
  expect_identical(again$table, run(q = 1, fdr = 0.3)$table)
  expect_match(message_of(run(bound = "none")), "`bound` must be")
})

test_that("two of the three are asked of the paths of fealect(), too", {
  pairs <- fealect(calls_x, calls_y, resampling = resample_pairs(5), seed = 1)
  fit <- expect_no_warning(stability_selection(pairs, cutoff = 0.9, pfer = 2))
  expect_identical(fit$bound$q, error_bound(40, cutoff = 0.9, pfer = 2, n_pairs = 5)$q)
  expect_identical(
    stability_selection(pairs, pfer = 2, bound = "cutoff")$bound[c("q", "cutoff")],
    stability_selection(
      calls_x, calls_y, pfer = 2, bound = "cutoff", n_pairs = 5, seed = 1
    )$bound[c("q", "cutoff")]
  )
  # Paths that end earlier end the q.
  short <- fealect(calls_x, calls_y, resampling = resample_pairs(5), max_features = 3, seed = 1)
  expect_identical(stability_selection(short, pfer = 2, bound = "cutoff")$bound$q, 3L)
  expect_identical(stability_selection(pairs, pfer = 2)$asked$rule, "integrated")
})

test_that("a logarithm of negative numbers is our error alone", {
  data <- calls_x
  for (verb in list(find_signals, fealect, stability_selection)) {
    expect_no_warning(text <- message_of(verb(log2(data), calls_y)))
    expect_match(text, "`x` has NaN at row 1, column 1.*logarithm")
  }
})

test_that("times and events as two arguments are told to be one response", {
  time <- abs(calls_y)
  status <- rep(0:1, 30)
  for (verb in list(fealect, stability_selection, bolasso)) {
    expect_match(message_of(verb(calls_x, time, status)), "survival::Surv\\(time, status\\)")
    expect_match(message_of(verb(calls_x, time, status == 1)), "survival::Surv\\(time, status\\)")
  }
})

test_that("t() is advised only where it would help", {
  expect_no_match(message_of(fealect(calls_x, calls_y[1:50])), "t(x)", fixed = TRUE)
  expect_match(message_of(fealect(calls_x, calls_y[1:40])), "t(x)", fixed = TRUE)
})

test_that("a column of a file that numbers the samples is told of, and a name is guessed", {
  samples <- data.frame(sample = 1:30, disease = factor(rep(c("a", "b"), 15)), calls_x[1:30, ])
  expect_warning(
    fealect(samples, "disease", n_runs = 2, seed = 1), "\"sample\" of `x` is a whole number",
    class = "stabilect_warning_numbered"
  )
  expect_no_warning(fealect(samples[-1], "disease", n_runs = 2, seed = 1))
  expect_match(message_of(fealect(samples, "diseases")), "no columns of the data\\s+have this name")
  expect_match(message_of(fealect(samples, "diseases")), "Did you mean \"disease\"?", fixed = TRUE)
})

test_that("raw intensities and a skewed response get one line each, and no more", {
  rlang::reset_message_verbosity("stabilect_message_raw")
  rlang::reset_message_verbosity("stabilect_message_skewed")
  raw <- colon_genes$x[, seq(1, 2000, by = 10)]
  # The procedure on halves is run by the package, not by the user.
  said <- 0L
  withCallingHandlers(
    evaluate_replication(function(x, y, ...) fealect(x, y, n_runs = 5), raw, colon_genes$y,
      n_pairs = 1, n_features = 5, seed = 1
    ),
    stabilect_message_raw = function(m) {
      said <<- said + 1L
      expect_match(cli::ansi_strip(conditionMessage(m)), "log2(x)", fixed = TRUE)
      invokeRestart("muffleMessage")
    }
  )
  expect_identical(said, 1L)
  expect_message(fealect(raw, colon_genes$y, n_runs = 3, seed = 1), NA)
  expect_message(fealect(log2(raw), colon_genes$y, n_runs = 3, seed = 1), NA)
  counts <- withr::with_seed(1, matrix(stats::rpois(60 * 40, 0.5) * 2000, 60))
  expect_false(looks_raw(counts))
  expect_false(looks_raw(matrix(rep(0:1, 1200), 60)))
  units <- sweep(calls_x + 10, 2, 10^seq(-2, 5, length.out = 40), "*")
  expect_false(looks_raw(units))
  expect_message(
    stability_selection(calls_x, exp(3 * calls_y), q = 3, pfer = 2, n_pairs = 3, seed = 1),
    "`log\\(y\\)`", class = "stabilect_message_skewed"
  )
  expect_message(stability_selection(calls_x, exp(3 * calls_y), q = 3, pfer = 2, seed = 1), NA)
  expect_message(find_signals(calls_x, calls_y, permute = 19, seed = 1), NA)
})

test_that("constant features are refused by every verb that selects", {
  still <- 0 * calls_x
  expect_match(message_of(select_ensemble(still, calls_y, selector_filter("pearson"))), "constant")
  expect_match(message_of(score_features(still, calls_y, selector_filter("pearson"))), "constant")
  expect_match(message_of(eliminate_features(still, calls_y)), "constant")
  expect_match(message_of(hybrid_rfe(still, factor(calls_y > 0))), "constant")
})

test_that("what is suggested for a result works for it", {
  y <- factor(calls_y > 0)
  fits <- list(
    fealect(calls_x, y, n_runs = 4, seed = 1),
    stability_selection(calls_x, y, q = 3, n_pairs = 3, seed = 1),
    bolasso(calls_x, y, resampling = resample_bootstrap(4), seed = 1),
    select_ensemble(calls_x, y, selector_filter("t"), resample_bootstrap(4), seed = 1),
    hybrid_rfe(calls_x, y, n_features = 3, resampling = resample_bootstrap(4), seed = 1),
    split_test(calls_x, y, n_runs = 3, seed = 1)
  )
  for (fit in fits) {
    expect_s3_class(stability(fit), "stabilect_stability")
    expect_s3_class(substitutes(fit, calls_x), "stabilect_substitutes")
    again <- suppressWarnings(evaluate_replication(fit, calls_x, y, n_pairs = 1, seed = 1))
    expect_s3_class(again, "stabilect_replication")
  }
  # The same halves and the same selector, by the result and by a function.
  by_result <- evaluate_replication(fits[[4]], calls_x, y, n_pairs = 2, seed = 1)
  by_function <- evaluate_replication(function(x, y, ...) {
    select_ensemble(x, y, selector_filter("t"), resample_bootstrap(4), ...)
  }, calls_x, y, n_pairs = 2, seed = 1)
  expect_identical(by_result$table, by_function$table)
  expect_s3_class(
    estimate_sample_size(fits[[4]], calls_x, y, n_pairs = 5, seed = 1), "stabilect_sample_size"
  )
})

test_that("where a suggestion does not suit a result, the error says which results it suits", {
  found <- find_signals(calls_x, calls_y, permute = 19, seed = 1)
  expect_match(message_of(stability(found)), "Results that hold.*`fealect\\(\\)`")
  expect_match(message_of(predict(found)), "Results of `fealect\\(\\)`.*fit_model")
  expect_match(
    message_of(evaluate_replication(found, calls_x, calls_y)), "`fealect\\(\\)`.*`split_test\\(\\)`"
  )
  expect_match(message_of(estimate_sample_size(found, calls_x, calls_y)), "`select_ensemble\\(\\)`")
  expect_match(message_of(substitutes(found)), "`x` is absent.*does not keep the data")
})

test_that("glance() has a row for results without runs of a selection", {
  skip_if_not_installed("generics")
  fit <- stability_selection(calls_x, calls_y, q = 3, n_pairs = 3, seed = 1)
  rates <- estimate_error_rates(fit, calls_x, calls_y,
    n_true = 2, r_squared = 0.5, n_simulations = 2, seed = 1
  )
  row <- generics::glance(rates)
  expect_identical(row$nobs, 60L)
  expect_identical(row$n_runs, rates$made$n_runs)
})

test_that("the division of work on the page about scaling out gives the same result", {
  # The steps of vignettes/scaling-out.Rmd, with fewer genes.
  genes <- log2(colon_genes$x)[, 1:60]
  draws <- draw_resamples(resample_subsample(20, stratify = TRUE), colon_genes$y, seed = 3)
  first <- fealect(genes, colon_genes$y, resampling = draws[1:10])
  second <- fealect(genes, colon_genes$y, resampling = draws[11:20])
  whole <- fealect(genes, colon_genes$y, n_runs = 20, seed = 3)
  expect_identical(c(first, second)$table, whole$table)
  page <- readLines(sources("vignettes", "scaling-out.Rmd"))
  expect_true(any(grepl("resample_subsample(100, stratify = TRUE)", page, fixed = TRUE)))
})
