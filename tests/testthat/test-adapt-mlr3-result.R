# To mlr3fselect and back, with the package as installed.

skip_unless_fselect <- function() {
  for (package in c("mlr3", "mlr3fselect", "data.table")) skip_if_not_installed(package)
}

x <- as.matrix(mcl_sll[, 2:41])
y <- factor(mcl_sll$MCL)

test_that("an elimination goes out and comes back, with its scores and stability", {
  skip_unless_fselect()
  fit <- eliminate_features(x, y, learner_svm(), search_sizes(c(2, 5, 10)), seed = 1)
  result <- as_ensemble_fs_result(fit)
  expect_s3_class(result, "EnsembleFSResult")
  at <- fit$scores[fit$scores$size == fit$n_features, ]
  expect_identical(result$result$classif.acc, at$score)
  expect_identical(result$measure$id, "classif.acc")
  back <- as_selection(result, feature_names = colnames(x))
  expect_identical(as.matrix(back$selected), as.matrix(fit$selection$selected))
  expect_equal(as.matrix(back$importance), as.matrix(fit$selection$importance))
  skip_if_not_installed("stabm")
  expect_equal(result$stability("jaccard"), stability(fit, "jaccard")$table$estimate)
  expect_equal(
    result$stability("nogueira", stability_args = list(p = ncol(x))),
    stability(fit, "nogueira")$table$estimate
  )
})

test_that("failed runs stay out, and scores can be given", {
  skip_unless_fselect()
  sets <- as_selection(list("g1", c("g1", "g2"), character()), n_total = 4)
  sets$status[2] <- "one class"
  result <- as_ensemble_fs_result(sets, scores = 1:3 / 10, metric = "classif.ce")
  expect_identical(result$result$resampling_iteration, c(1L, 3L))
  expect_identical(result$result$classif.ce, c(0.1, 0.3))
  expect_identical(result$result$features, list("g1", character()))
  expect_null(result$result$importance)
})

test_that("several results make one, with an ensemble's selectors as learners", {
  skip_unless_fselect()
  two <- list(
    svm = eliminate_features(x, y, learner_svm(), search_sizes(c(2, 5)), seed = 1),
    logistic = eliminate_features(x, y, learner_logistic(), search_sizes(c(2, 5)), seed = 1)
  )
  result <- as_ensemble_fs_result(two)
  expect_identical(result$n_learners, 2L)
  expect_identical(unique(result$result$learner_id), c("svm", "logistic"))
  expect_identical(nrow(result$pareto_front()) >= 1L, TRUE)
  both <- list(selector_filter("t"), selector_filter("wilcoxon"))
  fit <- select_ensemble(x, y, both, resample_bootstrap(5), n_features = 4, seed = 1)
  result <- as_ensemble_fs_result(fit)
  expect_identical(result$result$learner_id, rep(c("t", "wilcoxon"), each = 5))
  expect_true(all(is.na(result$result$classif.acc)))
  expect_refusals({
    as_ensemble_fs_result(fit, scores = 1:3)
    as_ensemble_fs_result(fit, metric = "classif.gut")
    as_ensemble_fs_result(
      eliminate_features(x, y, search = search_sizes(3), metric = "g_mean", seed = 1)
    )
    as_ensemble_fs_result(list(a = two$svm, b = eliminate_features(x[, -1], y, seed = 1)))
  })
})

test_that("a result of mlr3fselect is read with the features of its task and its importance", {
  skip_unless_fselect()
  skip_if_not_installed("rpart")
  withr::local_seed(1)
  task <- mlr3::as_task_classif(data.frame(class = y, x[, 1:8]), target = "class")
  log <- utils::capture.output(result <- mlr3fselect::ensemble_fselect(
    mlr3fselect::fs("rfe", subset_sizes = c(6, 3)), task, mlr3::lrns("classif.rpart"),
    mlr3::rsmp("subsampling", repeats = 3), mlr3::rsmp("holdout"), mlr3::msr("classif.ce"),
    mlr3::msr("classif.acc"), mlr3fselect::trm("none")
  ))
  selection <- as_selection(result)
  expect_identical(selection$feature_names, task$feature_names)
  sets <- lapply(1:3, function(b) selection$feature_names[selection$selected[, b]])
  expect_identical(lapply(sets, sort), lapply(result$result$features, sort))
  first <- result$result$importance[[1]]
  first <- first[names(first) %in% sets[[1]] & first > 0]
  expect_equal(
    sort(selection$importance[selection$importance[, 1] > 0, 1]), sort(first)
  )
})
