sets_of <- function(selection) {
  m <- as.matrix(selection$selected)
  lapply(seq_len(ncol(m)), function(b) rownames(m)[m[, b]])
}

test_that("sets given as numbers, names and factors are the same selection", {
  labels <- c("a", "b", "c", "d")
  sets <- list(c(2, 1), integer(0), 4L, 1:4)
  by_number <- as_selection(sets, feature_names = labels)
  expect_s3_class(by_number, "stabilect_selection")
  expect_identical(sets_of(by_number), list(c("a", "b"), character(), "d", labels))
  expect_identical(by_number$n_total, 4L)
  expect_identical(by_number$n_runs, 4L)
  expect_null(by_number$importance)
  by_name <- lapply(sets, function(set) labels[set])
  expect_identical(as_selection(by_name, feature_names = labels), by_number)
  expect_identical(as_selection(lapply(by_name, factor), feature_names = labels), by_number)
  mixed <- list(by_name[[1]], NULL, 4, factor(labels))
  expect_identical(as_selection(mixed, feature_names = labels), by_number)
  expect_identical(sets_of(as_selection(sets, n_total = 4))[[1]], c("V1", "V2"))
})

test_that("the score of a set is its indicator, so that its mean is the frequency", {
  table <- as.data.frame(as_selection(list(1:2, 2:3, 2), n_total = 3))
  expect_equal(table$frequency, c(1, 3, 1) / 3)
  expect_equal(table$mean_score, table$frequency)
})

test_that("names without all feature names are completed to p", {
  selection <- as_selection(list(c("x", "unseen_1"), factor("y")), n_total = 5)
  expect_identical(selection$feature_names, c("x", "unseen_1", "y", "unseen_2", "unseen_3"))
})

test_that("what is wrong with sets is told with its place", {
  labels <- c("a", "b")
  expect_snapshot(error = TRUE, {
    as_selection(list(1:2, c(3, 9)), n_total = 5)
    as_selection(list(0), n_total = 5)
    as_selection(list(1, 1.5), n_total = 5)
    as_selection(list(1, c(2, NA)), n_total = 5)
    as_selection(list("a", c("b", "q")), feature_names = labels)
    as_selection(list("a", NA_character_), feature_names = labels)
    as_selection(list(1:2, c(3, 4, 3)), n_total = 5)
    as_selection(list("a", factor(c("b", "a", "a"))), feature_names = labels)
    as_selection(list("a", c("b", "c")))
    as_selection(list(1:3, 2))
    as_selection(list("a", 2), n_total = 4)
    as_selection(list("a", "b", "c"), n_total = 2)
    as_selection(list(c(TRUE, FALSE)), n_total = 2)
    as_selection(list(1, mean), n_total = 2)
    as_selection(list(), n_total = 2)
    as_selection(list("a"), feature_names = c("a", "b", "a"))
    as_selection(list("a"), feature_names = labels, n_total = 3)
    as_selection(list(1), n_total = 0)
    as_selection(list(1), n_total = 2, n_features = 3)
    as_selection(1:3)
    as_selection(mean)
  })
})

test_that("all forms of a 0/1 matrix are the same selection", {
  z <- rbind(c(1, 1, 0, 0), c(0, 0, 0, 0), c(1, 0, 0, 1))
  wanted <- as_selection(list(1:2, NULL, c(1, 4)), n_total = 4)
  expect_identical(as_selection(z), wanted)
  expect_identical(as_selection(z != 0), wanted)
  integers <- z
  storage.mode(integers) <- "integer"
  expect_identical(as_selection(integers), wanted)
  expect_identical(as_selection(t(z), runs_in = "columns"), wanted)
  expect_identical(as_selection(as.data.frame(z)), wanted)
  sparse <- methods::as(z, "CsparseMatrix")
  expect_identical(as_selection(sparse), wanted)
  expect_identical(as_selection(methods::as(sparse, "nMatrix")), wanted)
  expect_identical(as_selection(methods::as(sparse, "lMatrix")), wanted)
  expect_identical(as_selection(methods::as(sparse, "TsparseMatrix")), wanted)
  expect_identical(as_selection(methods::as(sparse, "RsparseMatrix")), wanted)
  expect_identical(as_selection(Matrix::Matrix(z, sparse = FALSE)), wanted)
  with_zero <- sparse
  with_zero@x[2] <- 0
  expect_identical(sets_of(as_selection(with_zero))[[3]], "V4")
  diagonal <- as_selection(Matrix::Diagonal(3))
  expect_identical(sets_of(diagonal), list("V1", "V2", "V3"))
  symmetric <- as_selection(Matrix::forceSymmetric(methods::as(rbind(0:1, 1:0) + 0,
    "CsparseMatrix")))
  expect_identical(sets_of(symmetric), list("V2", "V1"))
})

test_that("feature names come from the matrix or the argument", {
  z <- matrix(c(1, 0, 1, 1), 2, dimnames = list(c("r1", "r2"), c("g", "h")))
  expect_identical(as_selection(z)$feature_names, c("g", "h"))
  expect_identical(as_selection(z, runs_in = "columns")$feature_names, c("r1", "r2"))
  expect_identical(as_selection(z, feature_names = c("k", "l"))$feature_names, c("k", "l"))
})

test_that("weights select what is not zero, or the largest", {
  w <- rbind(c(-2, 0, 0.5, 0.5, 0.1), c(0, 0, 0, 0, 3))
  colnames(w) <- letters[1:5]
  for (x in list(w, methods::as(w, "CsparseMatrix"))) {
    all <- as_selection(x, type = "weight")
    expect_identical(sets_of(all), list(c("a", "c", "d", "e"), "e"))
    expect_equal(as.matrix(all$score), t(abs(w)), ignore_attr = TRUE)
    expect_equal(as.matrix(all$importance), t(abs(w)), ignore_attr = TRUE)
    one <- as_selection(x, type = "weight", n_features = 1)
    expect_identical(sets_of(one), list("a", "e"))
    expect_equal(as.matrix(one$score), t(abs(w)), ignore_attr = TRUE)
    expect_equal(unname(one$importance["c", 1]), 0)
    # A tie at the cut is no reason to prefer one of the two; a zero is never selected.
    two <- as_selection(x, type = "weight", n_features = 2)
    expect_identical(sets_of(two), list(c("a", "c", "d"), "e"))
  }
})

test_that("the choice by weight does not depend on the order of the features", {
  withr::local_seed(1)
  w <- matrix(sample(-4:4, 300, replace = TRUE), 10, dimnames = list(NULL, paste0("f", 1:30)))
  order <- sample(30)
  one <- lapply(sets_of(as_selection(w, type = "weight", n_features = 7)), sort)
  expect_identical(
    one, lapply(sets_of(as_selection(w[, order], type = "weight", n_features = 7)), sort)
  )
  expect_identical(one, lapply(1:10, function(b) {
    sort(colnames(w)[rank(-abs(w[b, ]), ties.method = "min") <= 7 & w[b, ] != 0])
  }))
})

test_that("ranks give sets and scores", {
  rank <- rbind(c(1, 2.5, 2.5, 4), 4:1)
  two <- as_selection(rank, type = "rank", n_features = 2)
  expect_identical(sets_of(two), list("V1", c("V3", "V4")))
  expect_equal(unname(two$score), t(5 - rank))
  expect_null(two$importance)
})

test_that("what is wrong with a matrix is told with its place", {
  z <- rbind(a = c(1, 1, 0), b = c(0, 2, -1))
  twice <- z[, c(1, 2, 1)]
  colnames(twice) <- c("u", "v", "u")
  expect_snapshot(error = TRUE, {
    as_selection(z)
    as_selection(methods::as(z, "CsparseMatrix"))
    as_selection(rbind(c(1, NA), c(0, Inf)), type = "weight")
    as_selection(matrix("a"))
    as_selection(z, n_features = 2)
    as_selection(z, type = "rank")
    as_selection(z, type = "rank", n_features = 2)
    as_selection(z, type = "weight", n_features = 4)
    as_selection(z, type = "best")
    as_selection(z, feature_names = c("k", "l"))
    as_selection(twice)
    as_selection(z[, 0])
    as_selection(data.frame(run = c("a", "b"), g = 0:1))
    as_selection(z, n_total = 3)
  })
})

test_that("selections, and results that hold one, are taken as they are", {
  fit <- fealect(as.matrix(mcl_sll[, 2:6]), mcl_sll$MCL, n_runs = 6, n_boot = 0, seed = 1)
  expect_identical(as_selection(fit$selection), fit$selection)
  expect_identical(as_selection(fit), fit$selection)
  expect_identical(as_selection(list(fit$selection[1:2], fit$selection[3:6])), fit$selection)
})

test_that("10,000 runs over a million features stay sparse", {
  skip_on_cran()
  runs <- 10000L
  withr::local_seed(1)
  sets <- lapply(seq_len(runs), function(b) sample.int(1e6, 50, useHash = TRUE))
  elapsed <- system.time(selection <- as_selection(sets, n_total = 1e6))[["user.self"]]
  expect_lt(elapsed, 15)
  expect_lt(unclass(object.size(selection$selected)), 1e8)
  expect_identical(selection$selected@i[1:50], sort(sets[[1]]) - 1L)
  expect_identical(diff(selection$selected@p), rep(50L, runs))
  # Not expect_identical(), which takes ten times as long to find nothing.
  expect_true(identical(as_selection(Matrix::t(selection$score)), selection))
})

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
  expect_snapshot(error = TRUE, {
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
  expect_snapshot(error = TRUE, {
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
  expect_snapshot(as_selection(result), error = TRUE)
})

test_that("stabsel results are refused with advice that works", {
  skip_if_not_installed("stabs")
  skip_if_not_installed("lars")
  withr::local_seed(1)
  x <- matrix(rnorm(400), 40, dimnames = list(NULL, paste0("g", 1:10)))
  y <- 2 * x[, 1] + rnorm(40)
  fit <- stabs::stabsel(x, y, stabs::lars.lasso, cutoff = 0.75, q = 2, B = 5, papply = lapply)
  expect_snapshot(as_selection(fit), error = TRUE)
  halves <- stabs::subsample(rep(1, nrow(x)), B = 5)
  sets <- lapply(seq_len(ncol(halves)), function(b) {
    rows <- halves[, b] == 1
    which(stabs::lars.lasso(x[rows, ], y[rows], q = 2)$selected)
  })
  expect_identical(as_selection(sets, n_total = 10)$n_runs, ncol(halves))
})

test_that("a selection can be cut to the best of every run", {
  x <- as.matrix(mcl_sll[, -1])
  fit <- fealect(x, mcl_sll$MCL, n_runs = 6, n_boot = 0, oob = FALSE, seed = 1)
  cut <- as_selection(fit, n_features = 4)
  for (b in 1:6) {
    score <- fit$selection$score[, b]
    expect_identical(which(cut$selected[, b]), which(score >= sort(score, decreasing = TRUE)[4]))
  }
  expect_error(as_selection(fit, n_features = 0), "`n_features` must be a whole number")
  ranked <- as_selection(rbind(1:5, c(2, 1, 5, 4, 3)), type = "rank", n_features = 3)
  best <- as_selection(ranked, n_features = 1)
  expect_identical(unname(as.matrix(best$selected)), cbind(1:5 == 1, 1:5 == 2))
  expect_identical(as_selection(ranked, n_features = 3)$selected, ranked$selected)
  ranked$status[2] <- "failed"
  expect_identical(sum(as_selection(ranked, n_features = 2)$selected[, 2]), 0L)
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
  expect_snapshot(error = TRUE, {
    as_selection(fit, lambda = 0.15)
    as_selection(bare)
  })
})

test_that("matrices are refused with arguments that nothing reads", {
  sets <- matrix(c(TRUE, FALSE, TRUE, FALSE, TRUE, TRUE), 2)
  expect_error(as_selection(sets, cutof = 0.5), "cutof", class = "stabilect_error")
})

test_that("a row for each feature of each run is a list of sets", {
  rows <- data.frame(run = c("x", "x", "y", "z"), feature = c("a", "b", "a", "c"), note = 1:4)
  expect_identical(
    as_selection(rows, n_total = 5)$selected,
    as_selection(list(c("a", "b"), "a", "c"), n_total = 5)$selected
  )
  # A level without rows is a run that selected nothing.
  rows$run <- factor(rows$run, c("z", "y", "none", "x"))
  sets <- list("c", "a", character(), c("a", "b"))
  expect_identical(
    as_selection(rows, n_total = 5)$selected, as_selection(sets, n_total = 5)$selected
  )
  rows$selected <- c(TRUE, FALSE, TRUE, TRUE)
  expect_identical(as_selection(rows)$n_total, 3L)
  expect_identical(sum(as_selection(rows)$selected), 3L)
  rows$feature[2] <- NA
  expect_error(as_selection(rows), "row 2", class = "stabilect_error_input")
  expect_error(
    as_selection(data.frame(run = 1, feature = "a", selected = 2), n_total = 2), "selected",
    class = "stabilect_error_input"
  )
  expect_error(
    as_selection(data.frame(a = 0:1, b = 1), n_total = 2), "n_total",
    class = "stabilect_error_input"
  )
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
