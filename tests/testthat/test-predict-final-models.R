# Final models are records: what is particular to one stands in the file that registers it.

# Strings of the code that name one, in calls that compare or choose.
names_in <- function(e, names) {
  if (is.character(e)) {
    return(sum(e %in% names))
  }
  if (!is.call(e)) {
    return(0L)
  }
  sum(vapply(as.list(e), function(part) {
    if (missing(part)) 0L else as.integer(names_in(part, names))
  }, 0L))
}

test_that("few places outside the records name a final model", {
  folder <- sources("R")
  files <- list.files(folder, "[.]R$")
  code <- lapply(stats::setNames(files, files), function(file) parse(file.path(folder, file)))
  registers <- vapply(code, function(file) {
    any(vapply(file, function(e) identical(e[[1]], quote(register_final_model)), NA))
  }, NA)
  named <- vapply(code[!registers & !startsWith(files, "outcome-")], function(file) {
    sum(vapply(as.list(file), names_in, 0L, names = final_models()))
  }, 0L)
  # Learners say which one they fit.
  expect_identical(named[named > 0L], c("predict-linear.R" = 2L, "predict-ridge.R" = 2L))
})

test_that("each outcome has final models, and each of these an outcome", {
  of_outcomes <- unlist(lapply(outcome_records(), `[[`, "models"))
  expect_setequal(final_models(), of_outcomes)
  for (name in final_models()) {
    one <- final_model_record(name)
    expect_identical(one$name, name)
    expect_true(is.function(one$fit))
    # A number that says what is predicted, or several classes.
    expect_true(is.null(one$one) || identical(one$n_links(3L), 1L))
  }
  expect_null(final_model_record("none"))
})

test_that("few places outside the records name a family", {
  folder <- sources("R")
  files <- setdiff(list.files(folder, "[.]R$"), "path-families.R")
  files <- files[!startsWith(files, "outcome-")]
  # A filter and a shape of distribution have such names also.
  names <- setdiff(families(), c("gaussian", "cox"))
  named <- vapply(stats::setNames(files, files), function(file) {
    code <- as.list(parse(file.path(folder, file)))
    sum(vapply(code, names_in, 0L, names = names))
  }, 0L)
  # Those of glmnet, a learner's argument, and the model by which counts are read as such.
  expect_identical(named[named > 0L], c(
    "predict-library.R" = 1L, "predict-linear.R" = 4L, "predict-models.R" = 1L,
    "score-lasso.R" = 3L
  ))
})

test_that("metrics say what they need, which way is better, and what chance gives", {
  names_of <- names(metric_registry$all())
  expect_false(anyDuplicated(names_of) > 0L)
  outcomes <- names(outcome_records())
  for (name in names_of) {
    one <- metric_record(name)
    expect_true(all(one$outcomes %in% outcomes), info = name)
    expect_true(one$needs %in% c("predict", "probability", "decision", "survival"), info = name)
    expect_true(one$sign %in% c(-1, 1), info = name)
  }
  # A metric of a file of its own is known to all verbs.
  before <- metrics_of("numeric")
  add <- metric_registry$add
  add("largest_miss", function() {
    new_metric("largest_miss", "numeric", 99,
      function(truth, prediction) max(abs(truth - prediction$value)), sign = -1
    )
  })
  withr::defer(add("largest_miss", NULL))
  expect_identical(measure_predictions(c(1, 5), c(2, 8), metric = "largest_miss")[[1]], 3)
  path <- eliminate_features(
    matrix(sin(1:80), 20, dimnames = list(NULL, letters[1:4])), cos(1:20),
    metric = "largest_miss", seed = 1
  )
  expect_identical(path$asked$metric, "largest_miss")
  add("largest_miss", NULL)
  expect_identical(metrics_of("numeric"), before)
})
