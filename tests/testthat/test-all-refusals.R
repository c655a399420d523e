# Calls that left with an error of base R or of a library, or with NaN.

d <- withr::with_seed(1, {
  x <- matrix(stats::rnorm(60), 12, dimnames = list(NULL, paste0("g", 1:5)))
  list(x = x, y = factor(rep(c("a", "b"), 6)))
})

refused <- function(code, pattern) {
  error <- expect_error(code, class = "stabilect_error")
  text <- gsub("\\s+", " ", cli::ansi_strip(conditionMessage(error)))
  expect_match(text, pattern)
}

test_that("one feature is enough for an ensemble of two selectors", {
  selectors <- list(selector_filter("t"), selector_learner(learner_svm()))
  fit <- select_ensemble(
    d$x[, 1, drop = FALSE], d$y, selectors, resample_bootstrap(10), n_features = 1, seed = 1
  )
  expect_identical(fit$features, "g1")
  expect_identical(fit$table$frequency, 1)
})

test_that("runs without features give a prediction, or the reason why there is none", {
  empty <- as_selection(c(list(integer(), integer()), rep(list(1:2), 4)), n_total = 9)
  estimate <- function(index) {
    estimate_stability(empty, n_weak = 1, n_simulations = 10, index = index, seed = 1)
  }
  refused(estimate("jaccard"), "stability of these runs by \"jaccard\" is not defined")
  expect_false(anyNA(estimate("nogueira")$table$stability))
})

test_that("an error in what an index is given keeps its class", {
  runs <- as_selection(list(1:2, 2:3, 1:3), n_total = 9)
  refused(stability(runs, "sechidis", similarity = diag(3)), "must be 9 x 9")
})

test_that("plans, runs and parameters of other kinds are refused", {
  runs <- as_selection(list(1:2, 2:3, 1:3), n_total = 9)
  refused(evaluate_elimination(d$x, d$y, resampling = "a"), "`resampling` must be a plan")
  for (i in list(list(1), globalenv(), "a", 4, NA, integer(), mean)) {
    refused(runs[i], "`i` must choose runs from 1 to 3")
    refused(draw_resamples(resample_bootstrap(3), d$y, seed = 1)[i], "must choose runs from 1 to 3")
  }
  refused(
    select_ensemble(
      d$x, d$y, selector_learner, resample_bootstrap(5), parameters = pairlist(step = 1),
      n_features = 2
    ),
    "`parameters` must be a list"
  )
  refused(as_selection(list("a"), n_total = 1e9), "`n_total` must be a whole number")
})

test_that("arguments without elements to count are described as they are", {
  path <- lars_path(d$x, seq_len(12))
  for (size in list(mean, quote(a), globalenv())) refused(selected(path, size), "`size` must")
  for (responses in list(globalenv(), mean, list(1))) {
    refused(
      learner_custom(function(x, y) y[1], function(model, newx) model, responses = responses),
      "`responses` must be some of"
    )
  }
})

test_that("models without a method for predictions are refused by every importance", {
  for (model in list(NULL, matrix("a", 2, 2))) {
    refused(importance_flip(model, d$x), "`predict` failed: no applicable method")
    refused(importance_permutation(model, d$x, d$y), "`predict` failed: no applicable method")
  }
})

test_that("numbers of an unknown class are no numbers of features", {
  fit <- fealect(d$x, d$y, n_runs = 5, n_boot = 2, permute = 9, seed = 1)
  refused(fdp_bound(fit, structure(1, class = "odd")), "`n_features` must hold whole numbers")
})

test_that("counts of runs are a matrix of numbers with columns", {
  for (counts in list(1:3, matrix("1", 3, 2), matrix(1, 3, 0))) {
    refused(resample_custom(counts = counts), "`counts` must be a numeric matrix")
  }
})

test_that("predictions that cannot be measured are refused", {
  y <- c("a", "b", "a")
  odds <- matrix(0.5, 3, 2, dimnames = list(NULL, c("a", "b")))
  refused(measure_predictions(list("a"), "a"), "`y` must be a vector of classes")
  refused(measure_predictions(y, function(x) x), "`predicted` must be a vector of classes")
  for (bad in list(odds[1:2, ], replace(odds, 2, NaN), unname(odds), "a", c(0.1, 0.2, 0.3))) {
    refused(measure_predictions(y, y, probability = bad), "`probability` must be a numeric matrix")
    refused(measure_predictions(y, y, decision = bad), "`decision` must be a numeric matrix")
  }
  expect_false(anyNA(measure_predictions(y, y, probability = odds)))
})

test_that("objectives are numbers that can be multiplied", {
  far <- data.frame(a = c(-1e308, 1e308, 0), b = c(1e308, -1e308, 0))
  refused(pareto_front(far), "must hold finite numbers")
  refused(
    pareto_front(data.frame(a = 1:2, b = 2:1), reference = c(-1e308, -1e308)), "`reference`"
  )
})

test_that("a bound is found where two extreme distributions are one", {
  expect_s3_class(
    error_bound(1e9, 1, 0.942166816070676, n_pairs = 500, assumption = "r_concave"),
    "stabilect_error_bound"
  )
})

test_that("the interface of FeaLect refuses what it cannot use", {
  labels <- stats::setNames(c(0, 1, 0, 1, 1), letters[1:5])
  values <- matrix(1:20, 5, dimnames = list(letters[1:5], letters[1:4]))
  refused(random.subset(values, labels, gamma = Sys.Date(), replace = TRUE), "`gamma` must be")
  refused(random.subset(values, labels, gamma = 0.5, replace = "a"), "`replace` must be")
  refused(compute.balanced(0, 1:3), "`F` must be a numeric matrix")
  refused(ignore.redundant(structure(2, dim = 1)), "`F` must be a numeric matrix")
})

test_that("what is not known is NA, not NaN", {
  # Both classes by chance: Cohen's kappa is 0 / 0.
  expect_identical(
    measure_predictions(c("a", "a"), c("a", "a"), metric = "kappa"), c(kappa = NA_real_)
  )
  never <- selector_custom(function(x, y) stop("no good"), name = "never")
  result <- evaluate_selectors(
    d$x, d$y, list(never, selector_filter("t")), n_features = 2, n_repeats = 2,
    resampling = resample_bootstrap(3), seed = 1
  )
  bad <- result$table[result$table$selector == "never", c("error", "error_se", "nogueira")]
  expect_true(all(is.na(bad)))
  expect_false(any(vapply(bad, function(v) any(is.nan(v)), NA)))
})

test_that("faults found by the attack are refused", {
  refused(
    importance_permutation(NA, d$x, d$y, n_repeats = 2, seed = 1), "`predict` failed: no applicable"
  )
  labels <- stats::setNames(rep(0:1, 6), paste0("s", 1:12))
  values <- d$x
  rownames(values) <- names(labels)
  refused(FeaLect(values, labels, 3, 3, plot.scores = FALSE, gamma = 1e6), "`gamma` must be")
  refused(random.subset(values, labels, gamma = 1e6, replace = TRUE), "`gamma` must be")
  refused(
    importance_svm(list(dual = rep(0.5, 12), kernel = character()), d$x, d$y),
    "`kernel` must be a function"
  )
  refused(selector_custom(function(x, y) 1, responses = quote(a)), "`responses` must be some of")
  refused(
    estimate_ensemble_size(
      0.2, n_total = 50, n_features = 5, n_useful = 9, p = 0.7, corrected = raw(2), seed = 1
    ), "`corrected` must be"
  )
  refused(
    estimate_ensemble_size(
      0.2, n_total = 50, n_features = 5, n_useful = 9, p = c(0.2, 0.3), n_simulations = 5, seed = 1
    ), "`p` must be one number"
  )
  refused(
    tune_tradeoff(
      d$x, d$y, list(n_stable = 0:1), resampling = resample_bootstrap(3), n_features = 2, seed = 1,
      index = function(x) x
    ), "`index` must hold names"
  )
  refused(fdp_bound(NA), "has no permutations")
  runs <- as_selection(list(1:2, 2:3, c(1, 4), 1:3), n_total = 9)
  expect_identical(stability_convergence(runs, width = 1e-320)$runs_needed, Inf)
  permuted <- fealect(d$x, d$y, n_runs = 5, n_boot = 2, permute = 9, seed = 1)
  refused(fdp_bound(permuted, n_features = mean), "`n_features` must hold whole numbers")
  refused(
    pareto_front(data.frame(a = 1:2, b = 2:1), direction = function(x) x), "`direction` must be"
  )
  refused(
    fit_model(d$x, seq_len(12), "g1", covariates = structure(1:12, class = "odd")),
    "`covariates` must be a numeric matrix"
  )
  select <- function(x, y, ...) select_ensemble(x, y, selector_filter("t"), n_features = 2, ...)
  none <- estimate_error_rates(select, d$x, d$y, n_true = 0, n_simulations = 2, seed = 1)
  expect_identical(unique(none$table$r_squared), 0)
  skip_if_not_installed("ggplot2")
  bare <- structure(list(), class = c("stabilect_bare", "stabilect_result", "stabilect"))
  refused(plot(bare), "no picture of a <stabilect_bare>")
})
