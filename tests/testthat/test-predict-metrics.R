test_that("metrics by hand", {
  truth <- c("a", "a", "a", "b", "b", "c")
  predicted <- c("a", "a", "b", "b", "b", "a")
  got <- measure_predictions(truth, predicted)
  recalls <- c(2 / 3, 1, 0)
  expect_equal(got[["accuracy"]], 4 / 6)
  # Chance: truth 3, 2, 1; predictions 3, 3, 0.
  expect_equal(got[["kappa"]], (4 / 6 - 15 / 36) / (1 - 15 / 36))
  expect_equal(got[["macro_recall"]], mean(recalls))
  expect_identical(got[["balanced_accuracy"]], got[["macro_recall"]])
  expect_identical(got[["g_mean"]], 0)
  expect_equal(got[["g_mean_floored"]], (2 / 3 * 0.001)^(1 / 3))
  expect_false(any(c("auc", "log_loss") %in% names(got)))
})

test_that("log loss and area under the curve", {
  probability <- cbind(b = c(0.9, 0.4, 0.4, 0), a = c(0.1, 0.6, 0.6, 1))
  truth <- c("b", "b", "a", "a")
  got <- measure_predictions(truth, c("b", "a", "a", "a"), probability)
  expect_equal(got[["log_loss"]], -mean(log(c(0.9, 0.4, 0.6, 1))))
  # Pairs (a, b): three in order, one tie.
  expect_equal(got[["auc"]], 3.5 / 4)
  expect_equal(measure_predictions("a", "a", probability[1, , drop = FALSE], metric = "auc"),
    c(auc = NA_real_))
  expect_equal(
    measure_predictions(truth, truth, cbind(a = c(1, 0, 1, 1), b = 0), metric = "log_loss"),
    c(log_loss = -mean(log(c(1e-15, 1e-15, 1, 1))))
  )
  three <- diag(3)
  colnames(three) <- letters[1:3]
  expect_equal(measure_predictions(letters[1:3], letters[1:3], three)[["auc"]], 1)
})

test_that("accuracy and kappa are caret's", {
  skip_if_not_installed("caret")
  skip_if_not_installed("e1071")
  withr::with_seed(1, {
    truth <- factor(sample(letters[1:4], 80, TRUE))
    predicted <- factor(ifelse(stats::runif(80) < 0.5, as.character(truth), "b"), letters[1:4])
  })
  peer <- caret::confusionMatrix(predicted, truth)$overall
  got <- measure_predictions(truth, predicted)
  expect_equal(got[c("accuracy", "kappa")], c(accuracy = peer[["Accuracy"]],
    kappa = peer[["Kappa"]]))
})

test_that("errors", {
  expect_match(message_of(measure_predictions("a", c("a", "b"))), "of one length")
  expect_match(message_of(measure_predictions("a", "a", metric = "auc")), "needs `decision`")
  expect_match(message_of(measure_predictions("a", "a", metric = "log_loss")), "`probability`")
  expect_match(message_of(measure_predictions("a", "a", metric = "mse")), "`metric` must be")
})
