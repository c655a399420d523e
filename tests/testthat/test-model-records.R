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
