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
  expect_refusals({
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
  expect_refusals({
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
  selection <- as_selection(sets, n_total = 1e6)
  expect_lt(unclass(object.size(selection$selected)), 1e8)
  expect_identical(selection$selected@i[1:50], sort(sets[[1]]) - 1L)
  expect_identical(diff(selection$selected@p), rep(50L, runs))
  # Not expect_identical(), which takes ten times as long to find nothing.
  expect_true(identical(as_selection(Matrix::t(selection$score)), selection))
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
