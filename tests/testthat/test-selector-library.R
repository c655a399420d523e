test_that("a missing package is named", {
  expect_error(
    stabilect:::check_package("no.such.package"), "no.such.package",
    class = "stabilect_error_package"
  )
})

test_that("forest importance is that of ranger, seeded by run", {
  skip_if_not_installed("ranger")
  d <- selector_design(3)
  number <- d$x[, 1] * 2 + d$x[, 2]
  for (importance in c("impurity", "permutation")) {
    selector <- selector_forest(importance, n_trees = 40)
    for (y in list(d$y, number)) {
      out <- run_selector(selector, d$x, y, d$weights, seed = 5L)
      expect_identical(out$status, rep("ok", 6))
      rows <- rep(seq_len(30), d$weights[, 4])
      fit <- ranger::ranger(
        x = d$x[rows, ], y = y[rows], num.trees = 40, importance = importance,
        seed = stabilect:::run_seed(5L, 4), num.threads = 1
      )
      expect_identical(out$score[, 4], fit$variable.importance)
      expect_identical(run_selector(selector, d$x, y, d$weights, seed = 5L, n_threads = 2L), out)
    }
  }
  expect_error(selector_forest("gini"), "importance", class = "stabilect_error_input")
})

test_that("the forest takes sample names, and no more features at a split than there are", {
  skip_if_not_installed("ranger")
  d <- selector_design()
  rownames(d$x) <- paste0("s", 1:30)
  all <- run_selector(selector_forest(n_trees = 5, mtry = 60), d$x, d$y, d$weights, seed = 1L)
  expect_identical(all$status, rep("ok", 6))
  more <- run_selector(selector_forest(n_trees = 5, mtry = 900), d$x, d$y, d$weights, seed = 1L)
  expect_identical(more, all)
})

test_that("Relief and boosting find what separates the classes", {
  d <- selector_design()
  d$x[, 3] <- as.integer(d$y) + 0.01 * d$x[, 3]
  makers <- list(CORElearn = selector_relief, xgboost = selector_boosting)
  for (package in names(makers)) {
    if (!requireNamespace(package, quietly = TRUE)) {
      expect_error(makers[[package]](), package, class = "stabilect_error_package")
      next
    }
    selector <- makers[[package]]()
    out <- run_selector(selector, d$x, d$y, d$weights, seed = 1L)
    expect_identical(out$status, rep("ok", 6))
    expect_identical(unname(apply(out$score, 2, which.max)), rep(3L, 6))
  }
})
