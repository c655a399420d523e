# validate_model() is for samples that the model was not fitted to.

d <- withr::with_seed(1, {
  y <- factor(rep(c("ill", "well"), length.out = 60))
  x <- matrix(rnorm(60 * 30), 60, dimnames = list(NULL, paste0("g", 1:30)))
  x[, 1:3] <- x[, 1:3] + 1.5 * (y == "ill")
  list(x = x, y = y)
})
new <- withr::with_seed(2, {
  y <- rev(d$y)[1:40]
  x <- matrix(rnorm(40 * 30), 40, dimnames = list(NULL, colnames(d$x)))
  x[, 1:3] <- x[, 1:3] + 1.5 * (y == "ill")
  list(x = x, y = y)
})

expect_overlap <- function(pattern, ...) {
  testthat::expect_error(validate_model(...), pattern, class = "stabilect_error_input")
}

test_that("the samples of the fit are refused as a test of it, in any form", {
  fit <- fealect(d$x, d$y, n_runs = 20, seed = 1)
  expect_overlap("60 of its 60.*fit\\$oob|60 of its 60.*object\\$oob", fit, d$x, d$y)
  model <- fit_model(d$x, d$y, c("g1", "g2", "g3"))
  message <- message_of(validate_model(model, d$x, d$y))
  expect_match(message, "60 of its 60 rows")
  expect_match(message, "evaluate_selectors\\(x, y, selectors\\)")
  expect_match(message, "Rows 1 \\(1 of the fit\\), 2 \\(2 of the fit\\)")
  mixed <- withr::with_seed(3, sample(60))
  expect_overlap("60 of its 60", model, d$x[mixed, ], d$y[mixed])
  expect_overlap("60 of its 60", model, d$x[, c("g3", "g1", "g2")], d$y)
  expect_overlap("60 of its 60", model, as.data.frame(d$x[, 30:1]), as.character(d$y))
  sparse <- d$x
  sparse[abs(sparse) < 1] <- 0
  of_sparse <- fit_model(Matrix::Matrix(sparse, sparse = TRUE), d$y, 1:3)
  expect_overlap("60 of its 60", of_sparse, sparse, d$y)
  expect_overlap("60 of its 60", of_sparse, Matrix::Matrix(sparse, sparse = TRUE), d$y)
  expect_s3_class(validate_model(model, new$x, new$y), "stabilect_validation")
  expect_s3_class(validate_model(fit, new$x, new$y), "stabilect_validation")
})

test_that("some samples of the fit among new ones are named by their rows", {
  for (features in list(c("g1", "g2", "g3"), "g1")) {
    model <- fit_model(d$x, d$y, features)
    x <- rbind(new$x, d$x[c(17, 4), ])
    y <- factor(c(as.character(new$y), as.character(d$y[c(17, 4)])))
    message <- message_of(validate_model(model, x, y))
    expect_match(message, "2 of its 42 rows")
    expect_match(message, "Rows 41 \\(17 of the fit\\), 42 \\(4 of the fit\\)")
    expect_match(message, "Leave these rows out")
    expect_s3_class(validate_model(model, x[1:40, ], y[1:40]), "stabilect_validation")
  }
  # The sample may lack values of features that the model has not.
  model <- fit_model(d$x, d$y, c("g1", "g2", "g3"))
  x[, 10] <- NA
  expect_overlap("2 of its 42", model, x, y)
})

test_that("samples are known in filled, merged and other outcomes' data", {
  holes <- d$x
  holes[cbind(1:5, 11:15)] <- NA
  filled <- prepare_study(holes, d$y, na = "median")
  model <- fit_model(filled, features = c("g1", "g2"))
  expect_overlap("60 of its 60", model, filled$x, d$y)
  expect_overlap("60 of its 60", model, holes, d$y)
  parts <- lapply(1:2, function(seed) fealect(d$x, d$y, n_runs = 10, seed = seed))
  merged <- merge_runs(parts[[1]], parts[[2]], x = d$x, y = d$y)
  expect_overlap("60 of its 60", merged, d$x, d$y)
  number <- d$x[, 1] + d$x[, 5]
  expect_overlap("60 of its 60", fit_model(d$x, number, 1), d$x, number)
  counts <- as.numeric(rep(0:3, 15))
  expect_overlap("60 of its 60", fit_model(d$x, counts, 1:2, "ridge_poisson"), d$x, counts)
  three <- factor(rep(c("a", "b", "c"), 20))
  expect_overlap("60 of its 60", fit_model(d$x, three, 1:2), d$x, three)
  skip_if_not_installed("survival")
  times <- survival::Surv(exp(-number), rep(c(TRUE, TRUE, FALSE), 20))
  expect_overlap("60 of its 60", fit_model(d$x, times, 1:2), d$x, times)
})

test_that("agreement by chance, of features with few values, is not refused", {
  flags <- function(seed, n, p = 8) {
    withr::with_seed(seed, {
      x <- matrix(stats::rbinom(n * p, 1, 0.4), n, dimnames = list(NULL, paste0("s", 1:p)))
      x[, 2] <- x[, 1]
      list(x = x, y = ifelse(stats::runif(n) < 0.3 + 0.4 * x[, 1], "a", "b"))
    })
  }
  few <- flags(1, 50)
  for (features in list(1, 1:3, 1:8)) {
    model <- fit_model(few$x, few$y, features)
    for (seed in 2:21) {
      other <- flags(seed, 40)
      expect_s3_class(validate_model(model, other$x, other$y), "stabilect_validation")
    }
    # In their own order there is no doubt.
    expect_overlap("50 of its 50", model, few$x, few$y)
  }
  # Many such features tell samples apart, one by one.
  many <- flags(1, 50, 400)
  model <- fit_model(many$x, many$y, 1:3)
  other <- flags(2, 40, 400)
  expect_s3_class(validate_model(model, other$x, other$y), "stabilect_validation")
  other$x[7, ] <- many$x[9, ]
  other$y[7] <- many$y[9]
  expect_overlap("1 of its 40.*7 \\(9 of the fit\\)", model, other$x, other$y)
})

test_that("the same order of the outcome is no overlap", {
  sorted <- factor(rep(c("ill", "well"), each = 30))
  age <- data.frame(age = withr::with_seed(5, stats::rnorm(60)))
  one <- cbind(d$x, few = as.numeric(sorted == "ill"))
  expect_warning(none <- fit_model(d$x, sorted, character(), covariates = age))
  other <- withr::with_seed(6, d$x[] + stats::rnorm(length(d$x)))
  expect_s3_class(validate_model(none, other, sorted, covariates = age), "stabilect_validation")
  model <- fit_model(one, sorted, "few")
  other <- cbind(other, few = one[, "few"])
  expect_s3_class(validate_model(model, other, sorted), "stabilect_validation")
  expect_s3_class(
    validate_model(model, other[, "few", drop = FALSE], sorted), "stabilect_validation"
  )
})

test_that("rounded values agree by chance, whole rows do not", {
  rounded <- function(seed) {
    withr::with_seed(seed, {
      x <- round(matrix(stats::rnorm(50 * 20), 50, dimnames = list(NULL, paste0("r", 1:20))), 1)
      list(x = x, y = rep(c("a", "b"), 25))
    })
  }
  first <- rounded(1)
  model <- fit_model(first$x, first$y, 1:2)
  for (seed in 2:31) {
    other <- rounded(seed)
    expect_s3_class(validate_model(model, other$x, other$y), "stabilect_validation")
    expect_s3_class(validate_model(model, other$x[, 1:2], other$y), "stabilect_validation")
  }
  other$x[3, ] <- first$x[8, ]
  other$y[3] <- first$y[8]
  expect_overlap("1 of its 50", model, other$x, other$y)
  # The model says where an honest error is.
  expect_output(print(model), "on\\s+the\\s+samples\\s+of\\s+the\\s+fit\\s+it\\s+is\\s+too\\s+low")
})
