# Pictures of models on samples that they had not seen.
skip_if_not_installed("ggplot2")
x <- as.matrix(mcl_sll[, 2:41])
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))

test_that("a validation draws its measures, intervals and references", {
  model <- fit_model(x, y, colnames(x)[8:10])
  found <- validate_model(model, x + 1e-6, y)
  picture <- ggplot2::autoplot(found)
  expect_equal(sort(ggplot2::layer_data(picture, 3)$x), sort(found$table$estimate))
  expect_equal(
    sort(ggplot2::layer_data(picture, 1)$xintercept), sort(found$table$reference)
  )
  expect_match(picture$labels$title, "22 new samples")
})

test_that("an evaluation of elimination draws a point for each run", {
  found <- evaluate_elimination(
    x, y, learner_svm(), search = search_sizes(c(40, 10, 2)), resampling = resample_bootstrap(4),
    seed = 1
  )
  picture <- ggplot2::autoplot(found)
  expect_equal(ggplot2::layer_data(picture, 2)$y, found$table$accuracy)
  found$table$accuracy <- NA_real_
  expect_match(ggplot2::layer_data(ggplot2::autoplot(found), 1)$label, "No run could be judged")
})
