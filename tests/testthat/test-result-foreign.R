# Results of other packages as runs.

test_that("cv.glmnet fits give their non-zero coefficients", {
  skip_if_not_installed("glmnet")
  withr::local_seed(1)
  x <- matrix(rnorm(400), 40, dimnames = list(NULL, paste0("g", 1:10)))
  y <- 2 * x[, 1] + x[, 2] + rnorm(40)
  rows <- lapply(1:3, function(b) sample(40, 30))
  fits <- lapply(rows, function(i) glmnet::cv.glmnet(x[i, ], y[i], nfolds = 5))
  beta <- vapply(fits, function(f) as.vector(stats::coef(f, s = "lambda.min"))[-1], numeric(10))
  selection <- as_selection(fits, lambda = "lambda.min")
  expect_equal(unname(as.matrix(selection$importance)), abs(beta))
  expect_identical(unname(as.matrix(selection$selected)), beta != 0)
  expect_lt(sum(as_selection(fits, lambda = 1.5)$selected), sum(beta != 0))
  turned <- glmnet::cv.glmnet(x[rows[[1]], 10:1], y[rows[[1]]], nfolds = 5)
  expect_identical(
    sets_of(as_selection(list(fits[[1]], turned), lambda = 0.3))[[2]],
    sets_of(as_selection(fits, lambda = 0.3))[[1]]
  )
  fewer <- glmnet::cv.glmnet(x[, 1:4], y, nfolds = 5)
  expect_refusals({
    as_selection(fits[[1]])
    as_selection(c(fits, list(fewer)))
    as_selection(list(fewer, turned))
    as_selection(fits, lambda = "best")
  })
  together <- as_selection(list(fewer, turned), feature_names = colnames(x))
  expect_identical(together$feature_names, colnames(x))
})

# The fields are those of caret 6.0-93; fitting would take longer than all other tests here.

rfe_like <- function() {
  ranked <- list(Fold1 = c("a", "b", "c"), Fold2 = c("c", "a", "b"))
  table <- do.call(rbind, lapply(names(ranked), function(fold) {
    data.frame(
      Overall = c(3, 2, 1, 3, 2), var = c(ranked[[fold]], ranked[[fold]][1:2]),
      Variables = c(3, 3, 3, 2, 2), Resample = fold
    )
  }))
  structure(list(variables = table, optsize = 2, optVariables = c("a", "b")), class = "rfe")
}

test_that("the resamples of caret::rfe are runs", {
  fit <- rfe_like()
  selection <- as_selection(fit)
  expect_identical(sets_of(selection), list(c("a", "b"), c("a", "c")))
  expect_equal(unname(as.matrix(selection$score)), cbind(c(3, 2, 1), c(2, 1, 3)))
  expect_equal(unname(as.matrix(selection$importance)), cbind(c(3, 2, 0), c(2, 0, 3)))
  expect_identical(sets_of(as_selection(fit, n_features = 3))[[2]], c("a", "b", "c"))
  many <- as_selection(list(fit, fit))
  expect_identical(sets_of(many), list(c("a", "b"), c("a", "b")))
  no_resamples <- fit
  no_resamples$variables$Resample <- NULL
  expect_refusals({
    as_selection(no_resamples)
    as_selection(fit, n_features = 1)
  })
})

test_that("a fit of caret::rfe is read as the stand-in is", {
  skip_on_cran()
  # Packages that caret loads ask the system for the time zone, where there may be none.
  withr::local_envvar(TZ = "UTC")
  skip_if_not_installed("caret")
  withr::local_seed(1)
  x <- data.frame(matrix(rnorm(300), 50))
  control <- caret::rfeControl(functions = caret::lmFuncs, method = "cv", number = 3)
  fit <- caret::rfe(x, 2 * x[, 1] + rnorm(50), sizes = 2:3, rfeControl = control)
  selection <- as_selection(fit, n_features = 2)
  wanted <- fit$variables[fit$variables$Variables == 2, ]
  expect_identical(selection$n_runs, 3L)
  expect_setequal(selection$feature_names, names(x))
  expect_identical(
    lapply(sets_of(selection), sort), unname(lapply(split(wanted$var, wanted$Resample), sort))
  )
})

boruta_like <- function(decisions, history = TRUE) {
  levels <- c("Tentative", "Confirmed", "Rejected")
  names <- c("a", "b", "c")
  structure(
    list(
      finalDecision = structure(factor(decisions, levels), names = names),
      ImpHistory = if (history) {
        cbind(a = c(3, 5, 4), b = c(1, -Inf, -Inf), c = c(-2, -1, -3), shadowMax = 1:3)
      }
    ),
    class = "Boruta"
  )
}

test_that("Boruta results are runs of confirmed features", {
  one <- boruta_like(c("Confirmed", "Rejected", "Tentative"))
  two <- boruta_like(c("Confirmed", "Confirmed", "Rejected"))
  selection <- as_selection(list(one, two))
  expect_identical(sets_of(selection), list("a", c("a", "b")))
  expect_equal(unname(as.matrix(selection$score)), cbind(c(4, 1, 0), c(4, 1, 0)))
  expect_equal(unname(as.matrix(selection$importance)), cbind(c(4, 0, 0), c(4, 1, 0)))
  expect_identical(as_selection(one)$n_runs, 1L)
  bare <- as_selection(list(one, boruta_like(c("Confirmed", "Confirmed", "Rejected"), FALSE)))
  expect_null(bare$importance)
  expect_identical(sets_of(bare), sets_of(selection))
})

test_that("the sets of an mlr3fselect result are read, and p is asked for", {
  table <- data.frame(resampling_iteration = 1:3, learner_id = "rpart", n_features = c(2, 1, 0))
  table$features <- list(c("a", "b"), "c", character())
  # The class is R6: an environment with an active field `result`.
  result <- structure(new.env(), class = c("EnsembleFSResult", "R6"))
  makeActiveBinding("result", function() table, result)
  selection <- as_selection(result, feature_names = letters[1:5])
  expect_identical(sets_of(selection), list(c("a", "b"), "c", character()))
  expect_identical(as_selection(result, n_total = 9)$n_total, 9L)
  expect_refusals(as_selection(result))
})

test_that("stabsel results are refused with advice that works", {
  skip_if_not_installed("stabs")
  skip_if_not_installed("lars")
  withr::local_seed(1)
  x <- matrix(rnorm(400), 40, dimnames = list(NULL, paste0("g", 1:10)))
  y <- 2 * x[, 1] + rnorm(40)
  fit <- stabs::stabsel(x, y, stabs::lars.lasso, cutoff = 0.75, q = 2, B = 5, papply = lapply)
  expect_refusals(as_selection(fit))
  halves <- stabs::subsample(rep(1, nrow(x)), B = 5)
  sets <- lapply(seq_len(ncol(halves)), function(b) {
    rows <- halves[, b] == 1
    which(stabs::lars.lasso(x[rows, ], y[rows], q = 2)$selected)
  })
  expect_identical(as_selection(sets, n_total = 10)$n_runs, ncol(halves))
})

test_that("the subsamples of sharp are runs, at the calibrated penalty or another", {
  skip_on_cran()
  skip_if_not_installed("sharp")
  x <- withr::with_seed(3, matrix(rnorm(60 * 15), 60, dimnames = list(NULL, paste0("g", 1:15))))
  y <- withr::with_seed(4, 2 * x[, 1] - x[, 2] + rnorm(60))
  fit <- suppressMessages(sharp::VariableSelection(x, y, K = 12, verbose = FALSE))
  selection <- as_selection(fit)
  expect_identical(selection$n_runs, 12L)
  wanted <- sharp::SelectionProportions(fit)
  expect_equal(as.data.frame(selection)$frequency, unname(as.vector(wanted)))
  row <- 3
  other <- as_selection(fit, lambda = fit$Lambda[row, 1])
  expect_equal(as.data.frame(other)$frequency, unname(fit$selprop[row, ]))
  expect_equal(as.matrix(other$importance), abs(fit$Beta[row, , ]), ignore_attr = TRUE)
})

test_that("what sharp documents is read, with several outcomes and failed subsamples", {
  beta <- array(0, c(2, 3, 4), list(NULL, c("a", "b", "c"), NULL))
  beta[2, "a", ] <- c(1, -2, NA, 0)
  beta[2, "c", 2] <- 0.5
  fit <- structure(
    list(Beta = beta, Lambda = matrix(c(0.2, 0.1)), S = matrix(c(NA, 3))),
    class = "variable_selection"
  )
  selection <- as_selection(fit)
  expect_identical(sets_of(selection), list("a", c("a", "c"), character(), character()))
  expect_identical(selection$status, c("ok", "ok", "no coefficients", "ok"))
  expect_equal(selection$importance["a", 1:2], c(1, 2), ignore_attr = TRUE)
  expect_identical(lengths(sets_of(as_selection(fit, lambda = 0.2))), rep(0L, 4))
  two <- fit
  two$Beta <- array(c(beta, beta), c(2, 3, 4, 2), list(NULL, c("a", "b", "c"), NULL, NULL))
  expect_equal(as_selection(two)$importance, 2 * selection$importance)
  bare <- fit
  bare$Beta <- NULL
  expect_refusals({
    as_selection(fit, lambda = 0.15)
    as_selection(bare)
  })
})

test_that("forests are runs with importances", {
  forest <- function(...) structure(list(variable.importance = c(...)), class = "ranger")
  fits <- list(forest(a = 3, b = -1, c = 1), forest(a = 0, b = 2, c = 1))
  found <- as_selection(fits)
  expect_equal(as.matrix(found$score), rbind(a = c(3, 0), b = c(0, 2), c = c(1, 1)))
  expect_identical(unname(as.matrix(as_selection(fits, n_features = 1)$selected)),
    matrix(c(TRUE, FALSE, FALSE, FALSE, TRUE, FALSE), 3)
  )
  expect_error(as_selection(list(structure(list(), class = "ranger"))), "no importance",
    class = "stabilect_error_input"
  )
  expect_error(as_selection(list("a"), n_features = 1), "list of sets",
    class = "stabilect_error_input"
  )
  skip_if_not_installed("ranger")
  x <- data.frame(y = factor(rep(1:2, 20)), matrix(stats::rnorm(160), 40))
  live <- lapply(1:3, function(seed) ranger::ranger(y ~ ., x, importance = "impurity", seed = seed))
  expect_identical(as_selection(live, n_features = 2)$n_total, 4L)
})

test_that("plain glmnet fits need a penalty", {
  skip_if_not_installed("glmnet")
  x <- matrix(stats::rnorm(200), 40, dimnames = list(NULL, letters[1:5]))
  fits <- lapply(1:3, function(b) glmnet::glmnet(x, x[, 1] + stats::rnorm(40)))
  found <- as_selection(fits, lambda = 0.1)
  expect_equal(
    unname(as.matrix(found$score)[, 2]), abs(as.vector(stats::coef(fits[[2]], s = 0.1)))[-1]
  )
  expect_error(as_selection(fits), "number", class = "stabilect_error_input")
})
