# Categories of new samples: levels, or codes of the model.

n <- 40L
patients <- withr::with_seed(3, data.frame(
  sex = factor(rep(c("f", "m"), n / 2)), grade = factor(rep(1:4, n / 4), ordered = TRUE),
  tissue = rep(c("liver", "lung", "skin", "lung"), n / 4), gene = stats::rnorm(n),
  smoker = rep(c("0", "1", "1", "0", "1"), n / 5), arm = rep(c("1", "2", "2", "1", "2"), n / 5)
))
outcome <- factor(ifelse(
  patients$gene + 2 * (patients$sex == "m") + sin(seq_len(n)) > 1, "ill", "well"
))
two <- fit_model(patients[c("sex", "grade", "gene")], outcome, c("sex", "grade", "gene"))
columns <- prepare_study(patients[c("sex", "tissue", "gene")], outcome, factors = "columns")
by_column <- fit_model(columns, features = c("sex=m", "tissue=lung", "gene"))
link <- function(model, newdata) unname(predict(model, newdata, type = "link"))

test_that("codes of the model stand for levels, in a matrix and in a table", {
  coded <- transform(patients, sex = as.integer(sex) - 1L, grade = as.integer(grade))
  expect_equal(link(two, coded), link(two, patients))
  expect_equal(link(two, as.matrix(coded[c("sex", "grade", "gene")])), link(two, patients))
  expect_equal(link(two, transform(coded, sex = sex == 1)), link(two, patients))
  expect_equal(link(by_column, as.matrix(columns$x)), link(by_column, patients))
  # Levels that are the numbers of their codes.
  smoking <- fit_model(patients[c("smoker", "gene")], outcome, c("smoker", "gene"))
  expect_equal(
    link(smoking, transform(patients, smoker = as.numeric(smoker))), link(smoking, patients)
  )
})

test_that("other numbers are refused, with the codes", {
  expect_error(
    predict(two, data.matrix(patients)), "at row 2, but its\\s+codes are 0 \\(f\\), 1 \\(m\\)",
    class = "stabilect_error_input"
  )
  expect_error(predict(two, transform(patients, sex = 7)), "has 7", class = "stabilect_error_input")
  expect_error(predict(two, transform(patients, grade = 0.5)), "codes are 1 \\(1\\), 2 \\(2\\)",
    class = "stabilect_error_input"
  )
  wrong <- as.matrix(columns$x)
  wrong[5, "sex=m"] <- 2
  expect_error(predict(by_column, wrong), "row 5", class = "stabilect_error_input")
  expect_error(validate_model(two, data.matrix(patients), rev(outcome)), "codes",
    class = "stabilect_error_input"
  )
  # Numbers that are levels, but not their codes, may be either.
  arms <- fit_model(patients[c("arm", "gene")], outcome, c("arm", "gene"))
  expect_error(predict(arms, transform(patients, arm = as.numeric(arm))), "factor\\(newdata",
    class = "stabilect_error_input"
  )
  expect_equal(link(arms, transform(patients, arm = factor(arm))), link(arms, patients))
})

test_that("prepared new samples of other levels are refused, and not read by their own codes", {
  men <- patients[patients$sex == "m", c("sex", "tissue", "gene")]
  expect_error(predict(by_column, prepare_study(men, factors = "columns")), "other levels",
    class = "stabilect_error_input"
  )
})

test_that("every verb that predicts checks codes", {
  raw <- data.matrix(patients[c("sex", "grade", "gene")])
  table <- patients[c("sex", "grade", "gene")]
  fits <- list(
    fealect(table, outcome, n_runs = 5, n_boot = 0, seed = 1),
    stability_selection(table, outcome, q = 1, cutoff = 0.9, n_pairs = 5, seed = 1),
    eliminate_features(table, outcome, resampling = resample_folds(3), seed = 1),
    lasso_path(table, outcome, lambda = 0.01), lars_path(table, patients$gene + seq_len(n) %% 3)
  )
  for (fit in fits) {
    uses <- tryCatch(predict(fit, table), error = function(e) NULL)
    if (is.null(uses)) next
    expect_error(predict(fit, raw), "codes", class = "stabilect_error_input", info = class(fit)[1])
  }
})
