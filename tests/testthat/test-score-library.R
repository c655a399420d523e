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

# The conditions of the minimum of the group lasso, by hand: how far the gradient is from them, as a
# share of the penalty. The intercept is at its minimum.
group_lasso_gap <- function(beta, z, y, group, lambda) {
  eta <- drop(z %*% beta)
  loss <- if (is.factor(y)) "binomial" else "gaussian"
  number <- if (is.factor(y)) as.integer(y) - 1 else y
  free <- stats::glm.fit(cbind(rep(1, length(y))), number, offset = eta,
    family = getExportedValue("stats", loss)(), control = list(epsilon = 1e-14, maxit = 100)
  )
  gradient <- drop(crossprod(z, free$fitted.values - number)) / length(y)
  max(vapply(unique(group), function(g) {
    b <- beta[group == g]
    most <- lambda * sqrt(length(b))
    if (all(b == 0)) {
      return(max(sqrt(sum(gradient[group == g]^2)) - most, 0))
    }
    sqrt(sum((gradient[group == g] + most * b / sqrt(sum(b^2)))^2))
  }, 0)) / lambda
}

standard <- function(x) {
  x <- scale(x, scale = FALSE)
  x / rep(sqrt(colMeans(x^2)), each = nrow(x))
}

test_that("coefficients of the group lasso minimise, columns as they are", {
  skip_if_not_installed("gglasso")
  d <- selector_design()
  groups <- rep(1:15, length.out = 60)
  d$x[, groups == 3] <- d$x[, 3] + 0.3 * d$x[, groups == 3]
  number <- drop(d$x[, groups == 4] %*% c(2, -1, 1, 1)) + d$x[, 2]
  rows <- rep(seq_len(30), d$weights[, 2])
  for (y in list(number, d$y)) {
    response <- y[rows]
    z <- standard(d$x[rows, ])
    residual <- if (is.factor(y)) as.integer(response) else response
    norm <- tapply(crossprod(z, residual - mean(residual))^2, groups, sum)
    top <- sqrt(max(norm / 4)) / length(rows)
    for (share in c(0.8, 0.4, 0.2)) {
      selector <- selector_group_lasso(groups, lambda = share * top)
      out <- runs_of_selector(selector, d$x, y, d$weights)
      expect_identical(out$status, rep("ok", 6))
      score <- out$score[, 2]
      inside <- tapply(score > 0, groups, unique)
      expect_true(any(inside))
      expect_identical(as.matrix(out$selected)[, 2], score > 0, ignore_attr = TRUE)
      # Scores have no signs: those of the minimum are found.
      fit <- gglasso::gglasso(
        z[, order(groups)], if (is.factor(y)) 2 * as.integer(response) - 3 else response,
        sort(groups), if (is.factor(y)) "logit" else "ls", lambda = share * top
      )
      beta <- score * sign(fit$beta[order(order(groups)), 1])
      expect_lt(group_lasso_gap(beta, z, response, groups, share * top), 3e-4)
    }
    none <- runs_of_selector(
      selector_group_lasso(groups, lambda = 1.001 * top), d$x, y, d$weights
    )
    expect_identical(unique(none$score[, 2]), 0)
  }
})

test_that("with orthonormal groups they are those of grpreg", {
  skip_if_not_installed("gglasso")
  skip_if_not_installed("grpreg")
  d <- selector_design()
  groups <- rep(1:12, c(1, 2, 3, 1, 2, 3, 4, 1, 2, 3, 4, 4))
  x <- d$x[, seq_along(groups)]
  for (g in seq_len(12)) {
    x[, groups == g] <- qr.Q(qr(scale(x[, groups == g, drop = FALSE], scale = FALSE))) * sqrt(30)
  }
  numbers <- drop(x %*% sin(seq_len(ncol(x)))) + d$x[, 60]
  all <- matrix(1L, 30, 1)
  for (y in list(numbers, d$y)) {
    peer <- grpreg::grpreg(x, if (is.factor(y)) as.integer(y) - 1 else y, groups,
      penalty = "grLasso", family = if (is.factor(y)) "binomial" else "gaussian", nlambda = 500,
      eps = 1e-9
    )
    for (k in c(50, 150, 250)) {
      selector <- selector_group_lasso(groups, lambda = peer$lambda[k])
      expect_equal(
        unname(runs_of_selector(selector, x, y, all)$score[, 1]), unname(abs(peer$beta[-1, k])),
        tolerance = 1e-4
      )
    }
    order_of <- function(found) order(unname(found)[!duplicated(groups)], decreasing = TRUE)[1:4]
    score <- runs_of_selector(selector_group_lasso(groups, 500), x, y, all)$score[, 1]
    entry <- apply(peer$beta[-1, ] != 0, 1, function(inside) which(inside)[1])
    expect_identical(order_of(score), order_of(-entry))
  }
})

test_that("groups of alike features that a filter ranks first enter first", {
  skip_if_not_installed("gglasso")
  d <- simulate_data("groups", n = 200, group_size = 10, mean_group = 0.5, seed = 2)
  groups <- c(rep(1:5, each = 10), 5 + 1:1000)
  t <- score_features(d$x, d$y, selector_filter("t"))
  expect_lt(max(t$rank[1:50]), 60)
  score <- score_features(d$x, d$y, selector_group_lasso(groups))$score
  expect_true(all(tapply(score, groups, function(s) length(unique(s))) == 1L))
  expect_lte(max(rank(-score[!duplicated(groups)], ties.method = "min")[1:5]), 6)
  # A group that does not vary is not in the way.
  d$x[, 1:10] <- rep(1:10, each = 200)
  left <- score_features(d$x, d$y, selector_group_lasso(groups))$score
  expect_identical(unique(left[1:10]), 0)
  expect_gt(min(left[11:50]), 0.5)
})

test_that("groups go with the names of features", {
  skip_if_not_installed("gglasso")
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
  expect_error(selector_group_lasso(1, lambda = 0), "lambda", class = "stabilect_error_input")
})
