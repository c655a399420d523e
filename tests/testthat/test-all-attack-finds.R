# Faults that `make attack` found when its calls took other data and results went into other verbs.

test_that("labels that are none are refused by the small functions of FeaLect", {
  features <- matrix(stats::rnorm(24), 8, dimnames = list(paste0("s", 1:8), letters[1:3]))
  labels <- stats::setNames(rep(0:1, c(5, 3)), rownames(features))
  for (odd in list("nonsense", 1i, -1, NULL, factor("a"), unname(labels), sum, list(a = 1))) {
    expect_error(
      random.subset(features, odd, 0.75, replace = TRUE), class = "stabilect_error_input"
    )
  }
  for (odd in list("nonsense", 1i, -1, factor("a"), rep(1, 8), sum)) {
    expect_error(compute.balanced(features, odd), class = "stabilect_error_input")
  }
  # A factor counts as its codes: its smaller class was not drawn again before.
  words <- factor(labels, labels = c("well", "ill"))
  draw <- function(labels) withr::with_seed(1, compute.balanced(features, labels))
  expect_identical(draw(words)$F_, draw(labels)$F_)
  expect_identical(nrow(draw(words)$F_), 10L)
})

test_that("a report needs a result from data, not from runs of unknown data", {
  runs <- as_selection(
    withr::with_seed(3, matrix(stats::rexp(10 * 9), 10)), type = "weight", n_features = 3
  )
  estimate <- estimate_stability(runs, n_weak = 1, n_simulations = 5, n_boot = 20, seed = 1)
  expect_error(
    write_report(estimate, withr::local_tempfile(fileext = ".html")),
    class = "stabilect_error_input"
  )
})

test_that("an index that is not defined for most of the runs has no limits and no test", {
  # Eight runs with all features, for which Nogueira's index is not defined, and four others.
  runs <- as_selection(c(rep(list(1:3), 8), rep(list(1:2), 4)), n_total = 3)
  expect_error(
    test_stability(runs), "not defined for the runs that are the same",
    class = "stabilect_error_input"
  )
  table <- stability(runs, "nogueira")$table
  expect_identical(c(table$lower, table$upper), c(NA_real_, NA_real_))
  expect_match(table$note, "not defined for the runs that are the same")
  expect_gte(test_stability(runs, index = "jaccard")$p.value, 0)
})

test_that("predictions of numbers are measured in every unit", {
  truth <- c(1, 3, 2, 5, 4, 7)
  predicted <- c(1.5, 2, 2.5, 4, 5, 6)
  measured <- function(unit) measure_predictions(truth * unit, predicted * unit)
  for (power in c(-1000, -600, 600, 1000)) {
    found <- measured(2^power)
    found["rmse"] <- found["rmse"] / 2^power
    expect_equal(found, measured(1), tolerance = 1e-12)
  }
})

test_that("a path without features predicts samples without names", {
  x <- withr::with_seed(1, matrix(stats::rnorm(120), 20, dimnames = list(NULL, letters[1:6])))
  y <- factor(rep(c("a", "b"), 10))
  path <- lasso_path(x, y, family = "binomial", lambda = 5)
  expect_equal(sum(path$size), 0)
  expect_identical(predict(path, unname(x)), predict(path, x))
})

test_that("a cut that one simulated list alone has meets no target of error rates", {
  rows <- data.frame(
    cut = "n_features", cutoff = 1:3, n_simulations = 2L, power = c(0.1, 0.2, 0.3),
    pfer = c(0, 0, 0), pfer_se = c(0, NA, 0)
  )
  expect_identical(widest_cut(rows, "pfer", "pfer_se", 2)$cutoff, 1L)
  rows$pfer_se <- NA_real_
  expect_identical(widest_cut(rows, "pfer", "pfer_se", 2)$cutoff, NA_real_)
})

test_that("importance_permutation() of a table says that the response is absent", {
  expect_error(
    importance_permutation(stats::lm(mpg ~ wt, mtcars), mtcars),
    "`y` is absent", class = "stabilect_error_input"
  )
})

test_that("a setting that is a symbol is refused by class", {
  x <- as.matrix(mcl_sll[, -1])
  expect_error(fealect(x, mcl_sll$MCL, covariates = quote(a)), class = "stabilect_error")
})

test_that("groups of settings must be made by their functions", {
  x <- as.matrix(mcl_sll[, -1])
  for (wrong in list(NULL, list(), list(n_threads = 2), FALSE, path_control())) {
    expect_error(
      eliminate_features(x, mcl_sll$MCL, control = wrong), "`control` must be made by `run_control",
      class = "stabilect_error_input"
    )
  }
  expect_error(
    fealect(x, mcl_sll$MCL, paths = NULL), "`paths` must be made by `path_control",
    class = "stabilect_error_input"
  )
})

test_that("every predict() says that new samples are missing, or what is wrong with them", {
  x <- as.matrix(mcl_sll[, 2:30])
  y <- mcl_sll$MCL
  fits <- list(
    lars_path(x, y), lasso_path(x, y, "binomial", n_lambda = 5), fit_model(x, y, 1:3),
    fealect(x, y, n_runs = 5, n_boot = 0, seed = 1),
    eliminate_features(x, y, resampling = resample_folds(3), seed = 1)
  )
  for (fit in fits) {
    expect_error(predict(fit), "`newdata` is missing", class = "stabilect_error_input")
    expect_error(predict(fit, ""), "`newdata` must be", class = "stabilect_error_input")
  }
})

test_that("outer resamples are refused under their name", {
  x <- as.matrix(mcl_sll[, 2:30])
  y <- mcl_sll$MCL
  for (wrong in list("", 1, list(), quote(a))) {
    expect_error(
      test_signature(x, y, 1:2, n_random = 20, permute = 0, outer = wrong),
      "`outer` must come from", class = "stabilect_error_input"
    )
    expect_error(
      evaluate_elimination(x, y, outer = wrong), "`outer` must come from",
      class = "stabilect_error_input"
    )
  }
})

test_that("what is no vector is refused where a string is chosen", {
  x <- as.matrix(mcl_sll[, 2:30])
  y <- mcl_sll$MCL
  calls <- list(
    aggregate_by = function(a) aggregate_by(a), selector_filter = function(a) selector_filter(a),
    path_control = function(a) path_control(score_rule = a),
    family = function(a) path_control(family = a), ties = function(a) path_control(ties = a),
    ensemble = function(a) select_ensemble(x, y, selector_filter("t"), aggregation = a),
    model = function(a) fit_model(x, y, model = a), null = function(a) find_signals(x, y, null = a),
    kind = function(a) find_signals(x, y, kind = a),
    method = function(a) split_test(x, y, method = a),
    na = function(a) prepare_study(x, y, na = a), type = function(a) lars_path(x, y, type = a),
    rates = function(a) stability_selection(x, y, assumption = a),
    metric = function(a) eliminate_features(x, y, metric = a),
    index = function(a) stability(select_ensemble(x, y, selector_filter("t"), seed = 1), a)
  )
  for (name in names(calls)) {
    for (wrong in list(quote(a), quote(a + b), as.name("mean"))) {
      expect_error(calls[[name]](wrong), class = "stabilect_error", info = name)
    }
  }
})
