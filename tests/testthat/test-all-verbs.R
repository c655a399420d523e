# Every verb that takes x and y against every odd and bad form of them: the same answer everywhere.

n <- 24L
samples <- paste0("s", seq_len(n))
labels <- stats::setNames(rep(c("ill", "well"), length.out = n), samples)
features <- withr::with_seed(1, {
  x <- matrix(stats::rnorm(n * 8), n, dimnames = list(samples, paste0("g", 1:8)))
  x[, 1:2] <- x[, 1:2] + 1.2 * (labels == "ill")
  x
})
pairs_of_samples <- rep(seq_len(n / 4), each = 2, times = 2)

# What a verb is given besides the data, with the plan that it draws from, if it draws.
calls <- list(
  fealect = function(..., blocks = NULL) {
    fealect(..., resampling = resample_subsample(8, 0.7, blocks = blocks), n_boot = 5, seed = 1)
  },
  stability_selection = function(..., blocks = NULL) {
    plan <- resample_pairs(5, blocks = blocks)
    stability_selection(..., q = 2, cutoff = 0.9, resampling = plan, seed = 1)
  },
  bolasso = function(..., blocks = NULL) {
    bolasso(..., lambda = 0.1, resampling = resample_bootstrap(6, blocks = blocks), seed = 1)
  },
  select_ensemble = function(..., blocks = NULL) {
    select_ensemble(...,
      selector = selector_filter("t"), resampling = resample_bootstrap(6, blocks = blocks),
      n_features = 3, seed = 1
    )
  },
  eliminate_features = function(..., blocks = NULL) {
    eliminate_features(..., resampling = resample_folds(3, blocks = blocks), seed = 1)
  },
  evaluate_elimination = function(..., blocks = NULL) {
    inner <- resample_folds(2, blocks = blocks)
    evaluate_elimination(
      ..., outer = resample_folds(3, blocks = blocks), resampling = inner, seed = 1
    )
  },
  hybrid_rfe = function(..., blocks = NULL) {
    plan <- resample_bootstrap(5, blocks = blocks)
    hybrid_rfe(..., n_features = 3, n_stable = 2, resampling = plan, seed = 1)
  },
  tune_tradeoff = function(..., blocks = NULL) {
    plan <- resample_bootstrap(4, blocks = blocks)
    tune_tradeoff(..., grid = list(n_stable = c(0, 2)), n_features = 3, resampling = plan, seed = 1)
  },
  evaluate_selectors = function(..., blocks = NULL) {
    evaluate_selectors(...,
      selectors = selector_filter("t"), n_features = 3, n_repeats = 2,
      resampling = resample_bootstrap(3, blocks = blocks), seed = 1
    )
  },
  evaluate_replication = function(...) {
    rule <- function(x, y, ...) stability_selection(x, y, q = 2, cutoff = 0.9, n_pairs = 3, ...)
    evaluate_replication(rule, ..., n_pairs = 2, n_features = 3, seed = 1)
  },
  test_signature = function(...) {
    test_signature(..., features = 1:2, n_random = 20, permute = 2, seed = 1)
  },
  alternative_lists = function(...) {
    rule <- function(x, y, ...) stability_selection(x, y, q = 2, cutoff = 0.9, n_pairs = 3, ...)
    alternative_lists(rule, ..., n_features = 2, max_steps = 2, seed = 1)
  },
  feature_effects = function(...) {
    fit <- stability_selection(..., q = 2, cutoff = 0.6, n_pairs = 3, seed = 1)
    feature_effects(fit, ..., features = 1:2)
  },
  compare_cohorts = function(...) compare_cohorts(..., seed = 1),
  estimate_sample_size = function(...) {
    estimate_sample_size(selector_filter("t"), ..., n_pairs = 5, n_features = 3, seed = 1)
  },
  estimate_stability = function(..., blocks = NULL) {
    estimate_stability(...,
      selector = selector_filter("t"), n_features = 3, n_weak = 2, n_simulations = 5, n_boot = 20,
      resampling = resample_subsample(6, 0.5, blocks = blocks), seed = 1
    )
  },
  find_signals = function(..., blocks = NULL) {
    find_signals(..., blocks = blocks, permute = 49, seed = 1)
  },
  split_test = function(...) split_test(..., n_runs = 4, n_features = 2, seed = 1),
  estimate_error_rates = function(...) {
    filter <- function(x, y, ...) select_ensemble(x, y, selector_filter("t"), n_features = 2, ...)
    estimate_error_rates(filter, ..., n_true = 2, r_squared = 0.5, n_simulations = 2, seed = 1)
  },
  lars_path = function(...) lars_path(..., max_features = 4),
  lasso_path = function(...) lasso_path(..., max_features = 4),
  fit_model = function(...) fit_model(..., features = c("g1", "g3")),
  score_features = function(...) score_features(..., selector = selector_filter("wilcoxon")),
  feature_importance = function(...) {
    feature_importance(fit_model(features, labels), ..., n_repeats = 2, seed = 1)
  }
)

draws <- function(verb) "blocks" %in% names(formals(calls[[verb]]))

# These return bare numbers, which remember nothing.
forgetful <- c("score_features", "feature_importance")

lasting <- function(result) strip_closures(result)

expect_refused <- function(pattern, run, ...) {
  error <- expect_error(run(...), class = "stabilect_error_input")
  expect_match(cli::ansi_strip(conditionMessage(error)), pattern)
}

test_that("all verbs that take x and y are in the table", {
  space <- asNamespace("stabilect")
  takes_both <- Filter(function(name) {
    method <- paste0(name, ".default")
    fun <- get(if (exists(method, space)) method else name, space)
    is.function(fun) && all(c("x", "y") %in% names(formals(fun)))
  }, getNamespaceExports("stabilect"))
  # prepare_study() makes what verbs are given, test_stability() compares two selections,
  # merge_runs() compares the data with those of its results, and the others show the data.
  others <- c(
    "prepare_study", "test_stability", "merge_runs", "plot_values", "write_report", "write_tables"
  )
  expect_setequal(setdiff(takes_both, others), names(calls))
})

for (verb in names(calls)) {
  run <- calls[[verb]]

  test_that(paste0(verb, "() refuses labels in another order than the rows of x"), {
    swapped <- labels[replace(seq_len(n), c(3, 6), c(6, 3))]
    pattern <- "Sample name 3 of `y` is \"s6\", of `x` \"s3\"."
    expect_refused(pattern, run, features, swapped)
    expect_refused(pattern, run, features, as.matrix(swapped))
    expect_refused(pattern, run, features, as.matrix(ifelse(swapped == "ill", 0, 1)))
  })

  test_that(paste0(verb, "() reads a one-column matrix as a vector, and drops empty levels"), {
    expected <- lasting(run(features, labels))
    with_empty <- stats::setNames(factor(labels, c("ill", "never", "well")), samples)
    expect_identical(lasting(run(features, as.matrix(labels))), expected)
    expect_identical(lasting(run(features, with_empty)), expected)
  })

  test_that(paste0(verb, "() refuses bad values with their place"), {
    expect_refused("position 4", run, features, replace(labels, 4, NA))
    expect_refused("row 2, column", run, replace(features, cbind(2, 3), NA), labels)
    expect_refused(
      "`y` has 25 values but `x` has 24 rows", run, features, c(unname(labels), "ill")
    )
    # Samples to be predicted may be of one class.
    if (verb != "feature_importance") {
      expect_refused("only one class", run, features, rep("ill", n))
    }
  })

  if (draws(verb)) {
    test_that(paste0(verb, "() draws by the blocks of prepared data"), {
      prepared <- prepare_study(features, labels, blocks = pairs_of_samples)
      # What was asked for is a plan with blocks in one case, and without in the other.
      answer <- function(...) {
        result <- lasting(run(...))
        result[setdiff(names(result), "asked")]
      }
      by_plan <- answer(features, labels, blocks = pairs_of_samples)
      expect_identical(answer(prepared), by_plan)
      expect_false(identical(answer(features, labels), by_plan))
    })
  }

  if (!verb %in% forgetful) {
    test_that(paste0(verb, "() remembers and prints what was done to the data"), {
      gaps <- features
      gaps[c(3, 5), 2] <- NA
      result <- run(prepare_study(gaps, labels, na = "median"))
      note <- "2 missing values in 1 feature filled in with the median over all samples"
      expect_identical(result$study$notes, note)
      printed <- paste(utils::capture.output(result), collapse = "\n")
      expect_match(printed, paste("input:", note), fixed = TRUE)
    })
  }
}

test_that("a formula takes its data by name in every verb that has the argument", {
  table <- data.frame(status = labels, features)
  verb_of <- function(name) {
    method <- utils::getS3method(name, "default", optional = TRUE)
    if (is.null(method)) getExportedValue("stabilect", name) else method
  }
  takes <- Filter(function(name) "data" %in% names(formals(verb_of(name))), names(calls))
  expect_gte(length(takes), 15L)
  for (name in takes) {
    run <- calls[[name]]
    expect_identical(
      lasting(run(status ~ ., data = table)), lasting(run(status ~ ., table)), info = name
    )
    expect_refused("given once", run, status ~ ., table, data = table)
    expect_refused("goes with a formula", run, features, data = table)
    expect_refused("absent", run, status ~ .)
  }
})
