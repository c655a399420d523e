test_that("a missing package is named", {
  expect_error(
    check_package("no.such.package", "learner"), "This learner needs .*no.such.package",
    class = "stabilect_error_package"
  )
})

test_that("forest importance is that of ranger, seeded by run", {
  skip_if_not_installed("ranger")
  d <- selector_design(3)
  number <- d$x[, 1] * 2 + d$x[, 2]
  for (importance in c("impurity", "permutation")) {
    selector <- selector_learner(learner_forest(n_trees = 40, importance = importance))
    for (y in list(d$y, number)) {
      out <- runs_of_selector(selector, d$x, y, d$weights, seed = 5L)
      expect_identical(out$status, rep("ok", 6))
      rows <- rep(seq_len(30), d$weights[, 4])
      fit <- ranger::ranger(
        x = d$x[rows, ], y = y[rows], num.trees = 40, importance = importance,
        seed = child_seeds(5L, 4)[4], num.threads = 1
      )
      expect_identical(out$score[, 4], fit$variable.importance)
      expect_identical(
        runs_of_selector(selector, d$x, y, d$weights, seed = 5L, n_threads = 2L), out
      )
    }
  }
  expect_error(selector_learner(learner_forest(), step = 0.2), "`step` is for linear classifiers")
})

test_that("the forest takes sample names, and no more features at a split than there are", {
  skip_if_not_installed("ranger")
  d <- selector_design()
  rownames(d$x) <- paste0("s", 1:30)
  forest <- function(mtry) selector_learner(learner_forest(n_trees = 5, mtry = mtry))
  all <- runs_of_selector(forest(60), d$x, d$y, d$weights, seed = 1L)
  expect_identical(all$status, rep("ok", 6))
  more <- runs_of_selector(forest(900), d$x, d$y, d$weights, seed = 1L)
  share <- runs_of_selector(forest(0.1), d$x, d$y, d$weights, seed = 1L)
  expect_identical(share, runs_of_selector(forest(6), d$x, d$y, d$weights, seed = 1L))
  expect_identical(more, all)
})

test_that("boosting is that of gbm, the same in every call, and leaves the generator alone", {
  skip_if_not_installed("gbm")
  d <- selector_design(3)
  d$x[, 3] <- as.integer(d$y) + 0.01 * d$x[, 3]
  selector <- selector_learner(learner_boosting(20))
  for (y in list(factor(d$y == "a"), d$x[, 3])) {
    before <- withr::with_seed(1, .Random.seed)
    withr::with_seed(1, {
      out <- runs_of_selector(selector, d$x, y, d$weights, seed = 1L)
      expect_identical(.Random.seed, before)
    })
    expect_identical(out$status, rep("ok", 6))
    expect_equal(colSums(out$score), rep(1, 6), tolerance = 1e-12)
    expect_identical(runs_of_selector(selector, d$x, y, d$weights, seed = 1L, n_threads = 2L), out)
    rows <- rep(seq_len(nrow(d$x)), d$weights[, 2])
    data <- data.frame(y = if (is.factor(y)) as.integer(y) - 1 else y, d$x)[rows, ]
    peer <- withr::with_seed(5, suppressWarnings(gbm::gbm(
      y ~ ., if (is.factor(y)) "bernoulli" else "gaussian", data, n.trees = 20,
      interaction.depth = 3, shrinkage = 0.1, n.minobsinnode = 1, bag.fraction = 1
    )))
    gain <- summary(peer, plotit = FALSE, order = FALSE, n.trees = 20)$rel.inf
    expect_equal(unname(out$score[, 2]), gain / 100, tolerance = 1e-10)
  }
})

test_that("groups enter the lasso in the order of the path of grpreg", {
  skip_if_not_installed("grpreg")
  d <- selector_design()
  groups <- rep(1:15, length.out = 60)
  number <- drop(d$x[, groups == 4] %*% c(2, -1, 1, 1)) + d$x[, 2]
  rows <- rep(seq_len(30), d$weights[, 2])
  for (y in list(number, d$y)) {
    out <- runs_of_selector(selector_group_lasso(groups), d$x, y, d$weights)
    expect_identical(out$status, rep("ok", 6))
    score <- out$score[, 2]
    expect_true(all(tapply(score, groups, function(s) length(unique(s))) == 1L))
    # Where the first group enters: the largest norm of the residual's products, by group, with the
    # columns of a group made orthonormal.
    response <- if (is.factor(y)) as.integer(y[rows]) else y[rows]
    norm <- vapply(1:15, function(g) {
      basis <- qr.Q(qr(scale(d$x[rows, groups == g], scale = FALSE)))
      sqrt(sum(crossprod(basis, response - mean(response))^2)) / 2
    }, 0)
    expect_identical(unique(groups[score == max(score)]), which.max(norm))
    expect_true(all(score >= 0 & score <= 1))
  }
  top <- runs_of_selector(selector_group_lasso(groups), d$x, number, d$weights)$score
  expect_true(all(apply(top, 2, function(s) s[4] == max(s))))
})

test_that("groups go with the names of features", {
  skip_if_not_installed("grpreg")
  d <- selector_design()
  named <- stats::setNames(rep(letters[1:12], 5), colnames(d$x))
  plain <- runs_of_selector(selector_group_lasso(unname(named)), d$x, d$y, d$weights)
  expect_identical(runs_of_selector(selector_group_lasso(rev(named)), d$x, d$y, d$weights), plain)
  some <- runs_of_selector(selector_group_lasso(named), d$x[, 1:20], d$y, d$weights)
  expect_identical(some$status, rep("ok", 6))
  expect_error(
    runs_of_selector(selector_group_lasso(unname(named)), d$x[, 1:20], d$y, d$weights),
    "20, not 60",
    class = "stabilect_error_input"
  )
  expect_error(
    runs_of_selector(selector_group_lasso(named[-7]), d$x, d$y, d$weights), "g7",
    class = "stabilect_error_input"
  )
  expect_error(selector_group_lasso(NA), "groups", class = "stabilect_error_input")
})
