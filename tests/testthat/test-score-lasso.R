test_that("contributions are those of fealect()", {
  d <- selector_design()
  for (limit in list(NULL, 6)) {
    draws <- draw_resamples(resample_subsample(8, 0.7), d$y, seed = 2)
    fit <- fealect(d$x, d$y, resampling = draws, max_features = limit, n_boot = 0, oob = FALSE)
    selector <- selector_lasso_path(max_features = limit)
    out <- runs_of_selector(selector, d$x, d$y, draws$counts)
    expect_identical(out$score, as.matrix(fit$selection$score))
    expect_identical(out$selected, methods::as(fit$selection$selected, "ngCMatrix"))
  }
})

test_that("entry order is that of the path, run by run", {
  d <- selector_design()
  out <- runs_of_selector(selector_lasso_path("entry"), d$x, d$y, d$weights)
  for (b in seq_len(ncol(d$weights))) {
    models <- selected(lars_path(d$x, d$y, weights = d$weights[, b]))
    entered <- unique(unlist(models))
    if (is.character(entered)) entered <- match(entered, colnames(d$x))
    expect_setequal(which(out$score[, b] > 0), entered)
    # Each model holds the features that have entered so far, less those that left.
    met <- integer(0)
    for (model in models) {
      if (is.character(model)) model <- match(model, colnames(d$x))
      new <- setdiff(model, met)
      expect_identical(unname(out$score[new, b]), rep(60 - length(met), length(new)))
      met <- c(met, new)
    }
  }
})

test_that("features that enter together share the score of entry", {
  paths <- list(
    event = c(3L, 1L, 2L, -3L, 4L, 3L, 2L), event_end = c(1L, 3L, 5L, 6L, 1L),
    run_events = c(6L, 7L), run_steps = c(4L, 5L)
  )
  out <- entry_scores(paths, 5)
  expect_identical(out[, 1], c(4, 4, 5, 2, 0))
  expect_identical(out[, 2], c(0, 5, 0, 0, 0))
})

test_that("lasso scores are the same for counts and rows, and for any number of threads", {
  d <- selector_design()
  rows <- rep(seq_len(30), d$weights[, 2])
  for (selector in list(selector_lasso_path(max_features = 12), selector_lasso_path("entry", 12))) {
    counted <- score_features(d$x, d$y, selector, d$weights[, 2])
    expect_equal(score_features(d$x[rows, ], d$y[rows], selector), counted, tolerance = 1e-10)
    score <- score_runs(selector, d$x, d$y, d$weights)
    expect_identical(score_runs(selector, d$x, d$y, d$weights, n_threads = 2L), score)
  }
})

test_that("runs without a signal are marked", {
  x <- cbind(a = rep(1:2, 4), b = c(rep(0, 7), 1))
  y <- c(1, 1, 2, 2, 3, 3, 4, 4)
  weights <- cbind(rep(1L, 8), as.integer(c(rep(1, 6), 0, 0)))
  x[1:6, 1] <- 5
  out <- runs_of_selector(selector_lasso_path(), x, y, weights)
  expect_identical(out$status, c("ok", "no signal"))
  expect_identical(unname(out$score[, 2]), c(0, 0))
})

test_that("the elastic net of three classes of which a run has two is that of two classes", {
  skip_if_not_installed("glmnet")
  d <- selector_design(3)
  two <- factor(d$y == "a")
  three <- factor(two, levels = c("FALSE", "TRUE", "absent"))
  scores <- function(y) {
    elastic_net_scores(d$x, y, rep(1, nrow(d$x)), alpha = 0.5, size = 5, seed = 1)
  }
  expect_identical(scores(three), scores(two))
})

test_that("the elastic net keeps as many features as were asked for", {
  skip_if_not_installed("glmnet")
  d <- selector_design(3)
  number <- d$x[, 1] + d$x[, 2] + d$x[, 3]
  for (y in list(d$y, d$y == "a", number)) {
    out <- runs_of_selector(selector_lasso_path("coefficient", 5, alpha = 0.5), d$x, y, d$weights)
    sizes <- Matrix::colSums(out$selected)
    expect_true(all(out$status == "ok"))
    expect_true(all(sizes >= 1 & sizes <= 5))
    expect_identical(unname(as.matrix(out$selected)), unname(out$score > 0))
  }
  # Two classes at the lambda of the chosen model, by a separate fit.
  lasso <- selector_lasso_path("coefficient")
  out <- score_features(d$x, d$y == "a", lasso, n_features = 5)
  spread <- sqrt(colMeans(sweep(d$x, 2, colMeans(d$x))^2))
  fit <- glmnet::glmnet(d$x, d$y == "a", family = "binomial", nlambda = 200)
  at <- max(which(fit$df <= 5 & fit$df > 0))
  expect_equal(out$score, unname(abs(fit$beta[, at]) * spread), tolerance = 1e-6)
})

test_that("sizes of models are chosen as documented", {
  choose <- choose_model
  expect_identical(choose(c(0, 1, 3, 2, 4, 6), 3), 4L)
  expect_identical(choose(c(0, 4, 6), 3), 2L)
  expect_error(choose(c(0, 0), 3), "no feature entered")
})

test_that("parameters out of range are refused", {
  expect_error(selector_lasso_path("last"), "criterion", class = "stabilect_error_input")
  expect_error(selector_lasso_path(max_features = 0), class = "stabilect_error_input")
  skip_if_not_installed("glmnet")
  expect_error(selector_lasso_path(alpha = 0), "alpha", class = "stabilect_error_input")
  expect_error(selector_lasso_path("coefficient", family = "cox"), "family")
  d <- selector_design()
  lasso <- selector_lasso_path("coefficient")
  expect_error(score_features(d$x, d$y, lasso), "needs a number of features")
})

test_that("the lasso path by likelihood scores the models of lasso_path()", {
  x <- withr::with_seed(1, matrix(stats::rnorm(50 * 30), 50))
  colnames(x) <- paste0("g", 1:30)
  y <- withr::with_seed(2, stats::rbinom(50, 1, stats::plogis(2 * x[, 1] - 2 * x[, 2])))
  path <- lasso_path(x, y, family = "binomial", max_features = 4)
  by_size <- rowSums(vapply(1:4, function(k) {
    (coef(path, at = k, mode = "size") != 0) / k
  }, numeric(30)))
  scored <- score_features(x, y, selector_lasso_path(max_features = 4, family = "binomial"))
  expect_equal(scored$score[match(names(by_size), scored$feature)], unname(by_size))
  net <- selector_lasso_path(max_features = 4, alpha = 0.4)
  entered <- score_features(x, y, net)
  held <- lasso_path(x, y, alpha = 0.4, max_features = 4)
  expect_setequal(
    entered$feature[entered$score > 0],
    names(which(Matrix::rowSums(held$coefficients != 0) > 0))
  )
  expect_error(selector_lasso_path(family = "poisson"), class = "stabilect_error_input")
})
