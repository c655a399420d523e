# Calls that left with an error of base R, or with numbers that are none; and their relatives.

skip_if_not_installed("survival")

d <- withr::with_seed(1, {
  x <- matrix(stats::rnorm(20 * 7), 20, dimnames = list(NULL, paste0("g", 1:7)))
  y <- factor(rep(c("ill", "well"), 10))
  x[, 1:2] <- x[, 1:2] + 1.3 * (y == "ill")
  list(x = x, y = y, times = survival::Surv(stats::rexp(20), rep(1:0, 10)))
})

refused <- function(code, pattern) {
  error <- expect_error(code, class = "stabilect_error")
  text <- gsub("\\s+", " ", cli::ansi_strip(conditionMessage(error)))
  expect_match(text, pattern)
}

test_that("features and responses beyond the range of sums and coefficients are refused by name", {
  verbs <- list(
    function(x, y) fealect(x, y, n_runs = 5, seed = 1), lars_path, fit_model,
    function(x, y) lasso_path(x, y, "binomial"),
    function(x, y) importance_svm(rep(0.5, 20), x, y)
  )
  for (unit in c(1e-310, 1e307)) {
    x <- d$x
    x[, 2] <- x[, 2] * unit
    for (verb in verbs) refused(verb(x, d$y), "Column 2 \\(\"g2\"\\) of `x` has values up to")
    refused(fit_model(d$x, x[, 2]), "`y` has values up to")
    slabs <- Matrix::Matrix(x, sparse = TRUE)
    refused(
      select_ensemble(slabs, d$y, selector_filter("t"), n_features = 2, seed = 1), "Column 2"
    )
  }
  # Sums of zero: nothing is small but the sum.
  x <- cbind(d$x, a = rep(c(-1, 1), 10), b = 0)
  expect_s3_class(lars_path(x, d$y), "stabilect_path")
})

test_that("an importance by a support vector machine does not depend on the unit of x", {
  plain <- importance_svm(rep(0.5, 20), d$x, d$y)
  for (unit in 2^c(-900, 900)) {
    expect_equal(importance_svm(rep(0.5, 20), d$x * unit, d$y), plain, tolerance = 1e-12)
  }
  refused(importance_svm(list(dual = rep(0.5, 20), gamma = 1), d$x * 1e200, d$y), "is no number")
})

test_that("survival times are no observations of a model of classes or numbers", {
  refused(validate_model(fit_model(d$x, d$y), d$x, d$times), "`y` must be classes")
  refused(validate_model(fit_model(d$x, d$x[, 3]), d$x, d$times), "`y` must be numbers")
})

test_that("the overlap of empty lists is missing, not a quotient of zeros", {
  empty <- overlap_of_halves(list(integer(), integer()), 9)
  expect_identical(empty$n_features, 0)
  for (column in c("overlap", "by_chance", "extrapolated")) {
    expect_identical(empty[[column]], NA_real_)
  }
})

test_that("every selected feature of hybrid-RFE is in its table", {
  fit <- hybrid_rfe(
    d$x, d$y, n_features = 3, n_stable = 1, step = 0.82, resampling = resample_bootstrap(1),
    seed = 1
  )
  expect_setequal(fit$table$feature[fit$table$selected], fit$features)
  # This seed: the fit to all samples selects what the only run did not.
  missed <- fit$table[fit$table$frequency == 0, ]
  expect_gt(nrow(missed), 0)
  expect_identical(missed$frequency_score, rep(NA_real_, nrow(missed)))
})

test_that("sizes without any score are told, not compared", {
  sizes <- data.frame(size = 1:2, score = c(0.5, NaN), se = NA_real_)
  refused(abort_no_score(sizes, "rmse"), "No run has a rmse for 2 features")
})

test_that("a simulated stability that is not defined prints as such", {
  simulated <- simulate_stability(2, 2, 2, 0.5, index = "nogueira", seed = 1)
  expect_output(print(simulated), "nogueira is not defined")
  expect_false(any(is.nan(simulated$table$stability)))
})

test_that("a method without any result has no mean", {
  values <- matrix(c(rep(NA, 6), 3:8), 6, 2, dimnames = list(NULL, c("a", "b")))
  table <- compare_methods(values, na = "last")$table
  expect_identical(table$mean[table$method == "a"], NA_real_)
  expect_false(any(is.nan(table$mean)))
})

test_that("arguments that do not fit are refused by class", {
  draws <- draw_resamples(resample_subsample(5, 0.7), d$y, seed = 1)
  refused(until_decided(foo = 3), "`foo` does not apply")
  refused(ignore.redundant(d$x, 1i), "`num.of.values`")
  refused(fealect(d$x), "`y` is absent")
  model <- fit_model(d$x, d$y)
  for (newdata in list(unname(d$x), Matrix::Matrix(unname(d$x)), unname(d$x)[, 1:2])) {
    refused(stats::predict(model, newdata), "lacks")
  }
  none <- suppressWarnings(fit_model(d$x, d$y, character()))
  expect_length(stats::predict(none, unname(d$x)), 20)
  compared <- compare_methods(matrix(c(1:6, 3:8), 6, dimnames = list(NULL, c("a", "b"))))
  refused(write_report(compared, tempfile(fileext = ".html")), "must be a result from features")
})

test_that("a lack of memory is told by what needed it", {
  short <- structure(
    class = c("std::bad_alloc", "C++Error", "error", "condition"),
    list(message = "std::bad_alloc", call = NULL)
  )
  refused(with_memory(stop(short), 8e6, "a ranking"), "a ranking needs at least 8 MB")
  # Of R itself, in the words of the session.
  words <- passing_messages()[1]
  refused(with_memory(stop(words, "3.0 Gb"), 3e9, "a table"), "needs at least 3 GB")
  expect_error(with_memory(stop("other"), 1, "a table"), "^other$")
})
