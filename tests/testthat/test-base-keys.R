# Rules that differ in a function of the user only: by its text, or by a value that it uses.

key_data <- function() list(x = as.matrix(mcl_sll[, 2:40]), y = mcl_sll$MCL)

upwards <- function(x, y) colMeans(x)
downwards <- function(x, y) -colMeans(x)
shifted <- function(by) function(x, y) abs(colMeans(x) - by)

# The same function as written by another session: only its source differs.
retyped <- function(fn) {
  eval(parse(text = c("# again", deparse(fn)), keep.source = TRUE), environment(fn))
}

learner_with <- function(predict) learner_custom(function(x, y) y, predict)
says <- function(at) function(model, newdata) rep(levels(model)[at], nrow(newdata))

expect_other_settings <- function(code) {
  expect_error(code, "other settings", class = "stabilect_error_checkpoint")
}

# How a user's function can be wrapped.
wrapped <- list(
  plain = selector_custom,
  screened = function(fn) selector_screened(selector_custom(fn), selector_filter("t"), 20),
  hybrid = function(fn) {
    selector_hybrid_rfe(n_features = 5, n_stable = 2, criterion = selector_custom(fn))
  },
  nested = function(fn) {
    screened <- selector_screened(selector_custom(fn), selector_filter("t"), 30)
    selector_hybrid_rfe(n_features = 5, n_stable = 2, criterion = screened)
  }
)

test_that("a checkpoint of an ensemble is for the functions it was made with", {
  d <- key_data()
  for (wrap in wrapped) {
    file <- withr::local_tempfile(fileext = ".rds")
    run <- function(fn) {
      select_ensemble(d$x, d$y, wrap(fn), resample_bootstrap(5), n_features = 3, seed = 1,
        checkpoint = file
      )
    }
    made <- run(upwards)
    expect_other_settings(run(downwards))
    expect_identical(run(retyped(upwards))$selection$score, made$selection$score)
    file <- withr::local_tempfile(fileext = ".rds")
    run(shifted(1))
    expect_other_settings(run(shifted(2)))
    expect_no_error(run(retyped(shifted(1))))
  }
})

test_that("a checkpoint of an evaluation is for the functions it was made with", {
  d <- key_data()
  file <- withr::local_tempfile(fileext = ".rds")
  run <- function(selector = selector_filter("t"), aggregation = list(), learner = learner_lda()) {
    evaluate_selectors(d$x, d$y, selector, aggregation, 3, learner,
      n_repeats = 2, resampling = resample_bootstrap(4), seed = 1, checkpoint = file
    )
  }
  run(selector_custom(upwards))
  expect_other_settings(run(selector_custom(downwards)))
  expect_no_error(run(selector_custom(retyped(upwards))))
  file <- withr::local_tempfile(fileext = ".rds")
  run(selector_custom(shifted(1)))
  expect_other_settings(run(selector_custom(shifted(2))))
  file <- withr::local_tempfile(fileext = ".rds")
  run(learner = learner_with(says(1)))
  expect_other_settings(run(learner = learner_with(says(2))))
  expect_no_error(run(learner = learner_with(retyped(says(1)))))
  file <- withr::local_tempfile(fileext = ".rds")
  scores <- function(sign) function(selection) sign * Matrix::rowMeans(selection$score)
  run(aggregation = aggregate_custom(scores(1)))
  expect_other_settings(run(aggregation = aggregate_custom(scores(-1))))
  expect_no_error(run(aggregation = aggregate_custom(retyped(scores(1)))))
  file <- withr::local_tempfile(fileext = ".rds")
  run(learner = learner_logistic())
  expect_other_settings(run(learner = learner_logistic(intercept = "penalised")))
})

test_that("results of different functions are not merged", {
  d <- key_data()
  run <- function(selector, seed, ...) {
    select_ensemble(d$x, d$y, selector, resample_bootstrap(4), n_features = 3, seed = seed, ...)
  }
  for (wrap in wrapped) {
    one <- run(wrap(shifted(1)), 1)
    for (other in list(upwards, shifted(2))) {
      expect_error(c(one, run(wrap(other), 2)), "settings of its selectors",
        class = "stabilect_error_merge"
      )
    }
    expect_s3_class(c(one, run(wrap(retyped(shifted(1))), 2)), "stabilect_ensemble")
  }
  weighted <- function(w) aggregate_custom(function(s) Matrix::rowMeans(s$score) * w)
  one <- run(selector_filter("t"), 1, aggregation = weighted(1))
  expect_error(
    c(one, run(selector_filter("t"), 2, aggregation = weighted(2))), "another `aggregation`",
    class = "stabilect_error_merge"
  )
  again <- run(selector_filter("t"), 2, aggregation = weighted(1))
  expect_s3_class(c(one, again), "stabilect_ensemble")
})

test_that("another session makes the same identity", {
  skip_on_cran()
  skip_if_not_installed("callr")
  make <- function() {
    helper <- function(v) if (length(v) > 1L) helper(v[-1]) else v
    values <- 1:3 + 0
    settings <- new.env()
    settings$scale <- 0.1
    settings$itself <- settings
    fn <- function(x, y, ...) helper(values) * settings$scale * stats::mad(x)
    rules <- list(
      stabilect::selector_custom(fn, power = 2), stabilect::aggregate_by(fn),
      stabilect::learner_custom(fn, fn), stabilect::search_peak(max_steps = 9), y ~ x, fn
    )
    vapply(rules, getNamespace("stabilect")$hash_identity, "")
  }
  environment(make) <- globalenv()
  here <- make()
  expect_length(unique(here), length(here))
  expect_identical(callr::r(make), here)
})

test_that("what a function uses decides, what it does not use plays no part", {
  make <- function(used, unused, helper = function() 1) {
    force(helper)
    function(x, y) {
      local <- used
      helper() + local + sum(x)
    }
  }
  one <- hash_identity(make(1, 1))
  expect_identical(hash_identity(make(1, 2)), one)
  expect_false(hash_identity(make(1 + 1e-15, 1)) == one)
  expect_false(hash_identity(make(1, 1, function() 2)) == one)
  passing <- function(...) function(x, y) range(x, ...)
  expect_false(hash_identity(passing(TRUE)) == hash_identity(passing(FALSE)))
  constant <- function(x) bquote(function() .(x))
  expect_false(hash_identity(eval(constant(1))) == hash_identity(eval(constant(1 + 1e-15))))
  # Equal numbers in another form.
  expect_identical(hash_identity(1:3), hash_identity(c(1L, 2L, 3L)))
  # An argument that was never given.
  absent <- function(by) function(x, y) if (FALSE) by else x
  expect_identical(hash_identity(absent()), hash_identity(absent()))
})

test_that("code is known by its names and values, not by its text", {
  text <- c(
    "function(x, ...) { if (x > 1L) y ~ x else -x }",
    "function(x, ...) {   # a comment\n  if (x > 1L) y ~ x else -x\n}",
    "function(x, ...) { if (x > 1) y ~ x else -x }",
    "function(x, ...) { if (x > 1L) y ~ x else x }",
    "function(y, ...) { if (x > 1L) y ~ x else -x }",
    "function(x, ..., z) { if (x > 1L) y ~ x else -x }",
    "function(x = 1, ...) { if (x > 1L) y ~ x else -x }"
  )
  hashes <- vapply(text, function(t) {
    hash_identity(eval(parse(text = t, keep.source = TRUE), baseenv()))
  }, "")
  expect_identical(hashes[[1]], hashes[[2]])
  expect_identical(anyDuplicated(unname(hashes[-1])), 0L)
  # Functions in functions keep no source either.
  inner <- lapply(c(TRUE, FALSE), function(keep) {
    eval(parse(text = "function() function(a) {\n a\n}", keep.source = keep), baseenv())
  })
  expect_identical(hash_identity(inner[[1]]), hash_identity(inner[[2]]))
  expect_false(hash_identity(quote(a(b = 1))) == hash_identity(quote(a(1))))
  expect_false(hash_identity(quote(a)) == hash_identity("a"))
  expect_false(hash_identity(expression(a)) == hash_identity(quote(a)))
  expect_identical(hash_identity(list(sum, NULL)), hash_identity(list(sum, NULL)))
  expect_false(hash_identity(sum) == hash_identity(max))
})

# Made once, by this version: other versions of R and of packages must make the same.
test_that("keys are what they always were", {
  fn <- eval(quote(function(x, by = 2, ...) vapply(x, function(v) v[["a"]] + by, 0)), baseenv())
  values <- list(
    fn, y ~ x + 1, selector_filter("t"), learner_ridge(), search_sizes(step = 2),
    aggregate_rank("median"), list(1:3, "a", NULL)
  )
  stored <- c(
    "5f2fd9d8ccc7cd393c7b33ef07ca3fa2", "3acb8f8d57880592c4169b07ac4bdada",
    "4cd380895082da227b73c92acc7eceb0", "ef3087d4039cdb9e124eaf65aa9e16ef",
    "686aaf1f18ec29b8d2d464ec9eb43bcf", "149ecfb80ed4342da31a1ec09ac67f2a",
    "2b3fd4b94cd04e2145abca07dbe3725c"
  )
  expect_identical(vapply(values, hash_identity, ""), stored)
})

test_that("every rule has a key that knows all of its arguments", {
  different <- list(
    selector_learner(learner_svm()), selector_learner(learner_svm(2)),
    selector_learner(learner_svm(), step = 0.2), selector_learner(learner_svm(), step = "one"),
    selector_learner(learner_svm(scaling = "none")), selector_learner(learner_logistic()),
    selector_screened(selector_filter("t")), selector_screened(selector_filter("welch")),
    selector_screened(selector_filter("t"), selector_filter("welch")),
    selector_screened(selector_filter("t"), n_keep = 5), selector_mrmr(), selector_mrmr(3),
    learner_svm(), learner_svm(feature_weights = c(a = 2)), learner_logistic(),
    learner_logistic(intercept = "penalised"), learner_lda(), learner_lda(0.5),
    aggregate_score(), aggregate_score(run_weights = 1:2), aggregate_rank("mean"),
    aggregate_rank("median"), aggregate_frequency(), aggregate_frequency("best"),
    search_sizes(step = 1), search_sizes(1), search_peak(), search_peak(max_steps = 9),
    search_peak(3), search_peak(5), until_stable(), until_stable(0.1), until_decided(0.6),
    until_decided(0.7)
  )
  hashes <- vapply(different, hash_identity, "")
  expect_identical(anyDuplicated(hashes), 0L)
})

test_that("functions of a package capture nothing: their values are those of the package", {
  expect_identical(captured_values(stats::sd), list())
  # A name that is nowhere ends the search where packages begin.
  lost <- local({
    by <- 3
    function(x) x + by + value_that_is_nowhere
  }, envir = new.env(parent = asNamespace("stats")))
  expect_identical(captured_values(lost), list(by = 3))
})

test_that("values of enclosing functions belong to a function, however far out they are", {
  made <- function(a, both) function(b, both) function(x) x + a + b + both
  values <- captured_values(made(1, 2)(3, 4))
  expect_setequal(names(values), c("a", "b", "both"))
  expect_identical(values[c("a", "b", "both")], list(a = 1, b = 3, both = 4))
})
