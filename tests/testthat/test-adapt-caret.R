# caret::rfe() with our functions against our eliminate_features(), with the same folds and sizes.

# To caret a copy is a column like others.
x <- without_copies(as.matrix(mcl_sll[, -1]))
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
draws <- draw_resamples(resample_folds(4, stratify = TRUE), y, seed = 3)
sizes <- c(1, 2, 4, 8, 16)

caret_rfe <- function(functions, x, y, ...) {
  control <- caret::rfeControl(
    functions = functions, rerank = TRUE, method = "cv", number = 4, allowParallel = FALSE,
    index = split(draws)[1:4]
  )
  withr::with_seed(1, caret::rfe(x, y, sizes = sizes, rfeControl = control, ...))
}

test_that("a resample of caret selects what the run of ours selects, with the same scores", {
  skip_if_not_installed("caret")
  ours <- eliminate_features(
    x, y, learner_svm(), search_sizes(sizes), draws, size_rule = "best", seed = 1
  )
  theirs <- caret_rfe(caret_functions(learner_svm()), x, y)
  expect_equal(theirs$optsize, ours$n_features)
  expect_equal(rev(theirs$results$Accuracy), ours$sizes$score)
  for (size in sizes) {
    one <- as_selection(theirs, n_features = size)
    selected <- as.matrix(one$selected)[colnames(x), ]
    expect_identical(unname(selected), unname(ours$rankings <= size))
  }
  # The order of caret's final features is that of our mean ranks, as far as no run had ties.
  table <- as.data.frame(ours)
  table <- table[order(table$mean_rank), ]
  untied <- !duplicated(table$mean_rank) & !duplicated(table$mean_rank, fromLast = TRUE)
  full <- caret_functions()$selectVar(theirs$variables, ncol(x))
  first <- which(untied[1:60])
  expect_identical(full[first], table$feature[first])
  expect_identical(theirs$optVariables, full[seq_len(theirs$optsize)])
  expect_identical(levels(stats::predict(theirs, x)), levels(y))
})

test_that("learners with probabilities serve caret's metrics, and several classes", {
  skip_if_not_installed("caret")
  skip_if_not_installed("pROC")
  functions <- caret_functions(learner_logistic())
  functions$summary <- caret::twoClassSummary
  theirs <- caret_rfe(functions, x, y, metric = "ROC")
  ours <- eliminate_features(
    x, y, learner_logistic(), search_sizes(sizes), draws, metric = "auc", seed = 1
  )
  expect_equal(rev(theirs$results$ROC), ours$sizes$score)
  iris <- datasets::iris
  control <- caret::rfeControl(
    functions = caret_functions(learner_logistic()), method = "cv", number = 3,
    allowParallel = FALSE
  )
  fit <- withr::with_seed(
    1, caret::rfe(iris[, 1:4], iris$Species, sizes = 1:3, rfeControl = control)
  )
  expect_gt(max(fit$results$Accuracy), 0.9)
  table <- stats::predict(fit, iris[c(1, 51, 101), 1:4])
  expect_named(table, c("pred", levels(iris$Species)))
  expect_equal(rowSums(table[-1]), rep(1, 3), ignore_attr = TRUE)
})

test_that("a selector ranks: features of the first resample are those of score_features()", {
  skip_if_not_installed("caret")
  rfe <- selector_learner(learner_svm(), step = 0.2)
  rows <- split(draws)[[1]]
  # Columns that are copies in these rows are one feature.
  x <- x[, colnames(without_copies(x[rows, ]))]
  fit <- caret_rfe(caret_functions(learner_svm(), rfe), x, y)
  ranks <- vapply(1:8, function(seed) {
    score_features(x[rows, ], y[rows], rfe, seed = seed)$rank
  }, integer(ncol(x)))
  first <- fit$variables[fit$variables$Resample == fit$variables$Resample[1], ]
  place <- match(colnames(x), first$var[first$Variables == ncol(x)])
  # The seed orders equal features, and caret has another.
  untied <- apply(ranks == ranks[, 1], 1, all)
  expect_gt(sum(untied), ncol(x) / 2)
  expect_identical(place[untied], ranks[untied, 1])
  # Scores below zero are moved up, in their order.
  functions <- caret_functions(learner_svm(), selector_relief())
  table <- functions$rank(NULL, x, y)
  scores <- score_features(x, y, selector_relief(), seed = 1)
  expect_lt(min(scores$score), 0)
  expect_identical(table$var, scores$feature[order(scores$rank)])
  expect_identical(min(table$Overall), 0)
  # caret eliminates columns: a copy has the place after its feature.
  copied <- cbind(zz = -x[, 7], x)
  table <- functions$rank(NULL, copied, y)
  expect_setequal(table$var, colnames(copied))
  expect_identical(diff(match(c(colnames(x)[7], "zz"), table$var)), 1L)
  expect_identical(setdiff(table$var, "zz"), functions$rank(NULL, x, y)$var)
})

test_that("sizes within rounding are ties", {
  functions <- caret_functions()
  table <- data.frame(Variables = c(2, 5, 9), Accuracy = c(0.8, 0.9, 0.9 + 1e-13))
  expect_identical(functions$selectSize(table, "Accuracy", TRUE), 5)
  expect_identical(caret_functions(tie = "largest")$selectSize(table, "Accuracy", TRUE), 9)
  expect_identical(functions$selectSize(table, "Accuracy", FALSE), 2)
})

test_that("what is wrong is told", {
  blind <- learner_custom(function(x, y) NULL, function(model, newdata) rep("a", nrow(newdata)))
  expect_refusals({
    caret_functions("svm")
    caret_functions(blind)
    caret_functions(selector = learner_svm())
    caret_functions()$fit(x, as.numeric(y), first = TRUE, last = FALSE)
  })
})

test_that("numbers are eliminated as by eliminate_features()", {
  skip_if_not_installed("caret")
  number <- x[, 3] + x[, 5] / 2
  learner <- learner_ridge(2)
  folds <- draw_resamples(resample_folds(4), number, seed = 3)
  ours <- eliminate_features(
    x, number, learner, search_sizes(sizes), folds, metric = "rmse", size_rule = "best", seed = 1
  )
  control <- caret::rfeControl(
    functions = caret_functions(learner), rerank = TRUE, method = "cv", number = 4,
    allowParallel = FALSE, index = split(folds)[1:4]
  )
  theirs <- withr::with_seed(1, caret::rfe(x, number, sizes = sizes, rfeControl = control))
  expect_equal(rev(theirs$results$RMSE), ours$sizes$score)
  expect_equal(theirs$optsize, ours$n_features)
  expect_true("numeric" == class(stats::predict(theirs, x)))
})
