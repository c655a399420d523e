
test_that("a feature that preparing left out of new samples is asked for in the table itself", {
  x <- matrix(stats::rnorm(60 * 50), 60, dimnames = list(NULL, paste0("g", 1:50)))
  fit <- fit_model(x, stats::rnorm(60), c("g1", "g2", "g3"))
  new <- matrix(stats::rnorm(25 * 50), 25, dimnames = list(NULL, colnames(x)))
  new[1:20, 2] <- NA
  prepared <- suppressMessages(prepare_study(new, na = "median"))
  expect_error(predict(fit, prepared), "lacks 1 of the 3.*mostly missing: give the table itself")
  expect_length(suppressMessages(predict(fit, new)), 25)
})
