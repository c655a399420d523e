fixture <- readRDS(test_path("fixtures", "selector.rds"))

skip_if_other_data <- function(d) {
  check <- sum(d$x * cos(seq_along(d$x))) + sum(d$weights * seq_along(d$weights))
  skip_if_not(isTRUE(all.equal(check, fixture$check)), "this platform generates other data")
}

test_that("SVM weights are those of LIBLINEAR", {
  d <- selector_design()
  skip_if_other_data(d)
  for (loss in c("l2", "l1")) {
    selector <- selector_learner(learner_svm(0.3, loss, "none", "penalised"))
    out <- score_features(d$x, d$y, selector, weights = d$weights[, 1])
    expect_equal(out$score, fixture[[paste0("svm_", loss)]], tolerance = 1e-8)
  }
})

test_that("SVM-RFE eliminates in the order of a loop over LIBLINEAR", {
  d <- selector_design()
  skip_if_other_data(d)
  out <- score_features(
    d$x, d$y, selector_learner(learner_svm(0.3, intercept = "penalised"), step = 0.2),
    weights = d$weights[, 1]
  )
  expect_identical(out$score, fixture$svm_rfe)
})

test_that("ridge-logistic weights are those of glmnet, and of fit_model()", {
  d <- selector_design()
  skip_if_other_data(d)
  out <- score_features(d$x, d$y, selector_learner(learner_logistic(3)), weights = d$weights[, 1])
  expect_equal(out$score, fixture$ridge_logistic, tolerance = 1e-6)
  for (lambda in c(0.01, 3, 500)) {
    for (b in 2:4) {
      fit <- cpp_fit_ridge_logistic(
        d$x, as.double(d$y == "b"), as.double(d$weights[, b]), lambda
      )
      score <- score_features(
        d$x, d$y, selector_learner(learner_logistic(lambda)), d$weights[, b]
      )$score
      expect_equal(score, abs(fit$coefficients * fit$scale), tolerance = 1e-8)
    }
  }
})

test_that("weights meet the optimality conditions of their problem", {
  d <- selector_design()
  z <- d$x
  y <- ifelse(d$y == "b", 1, -1)
  for (intercept in c("free", "penalised")) {
    penalised <- c(rep(1, 60), intercept == "penalised")
    for (cost in c(1e-3, 1, 1e4)) {
      # The gradient of the squared hinge problem in w and bias vanishes.
      learner <- learner_svm(cost, scaling = "none", intercept = intercept)
      score <- score_features(z, d$y, selector_learner(learner))$score
      w <- stats::optim(
        numeric(61), method = "BFGS", control = list(maxit = 5000, reltol = 1e-16),
        fn = function(w) {
          lack <- pmax(0, 1 - y * drop(cbind(z, 1) %*% w))
          0.5 * sum(penalised * w^2) + cost * sum(lack^2)
        },
        gr = function(w) {
          lack <- pmax(0, 1 - y * drop(cbind(z, 1) %*% w))
          penalised * w - 2 * cost * drop(crossprod(cbind(z, 1), y * lack))
        }
      )$par
      expect_equal(score, abs(w[1:60]), tolerance = 1e-4)
    }
  }
})

test_that("elimination is a loop over fits of the rest", {
  d <- selector_design(3)
  for (rfe in list(
    list(selector_learner(learner_svm(0.5), step = "one"), selector_learner(learner_svm(0.5))),
    list(
      selector_learner(learner_logistic(2), step = "one"), selector_learner(learner_logistic(2))
    )
  )) {
    score <- score_features(d$x[, 1:20], d$y, rfe[[1]], d$weights[, 3])$score
    expect_setequal(score, 1:20)
    active <- 1:20
    for (k in 1:19) {
      w <- score_features(d$x[, active, drop = FALSE], d$y, rfe[[2]], d$weights[, 3])$score
      expect_identical(score[active[which.min(w)]], as.double(k))
      active <- active[-which.min(w)]
    }
  }
})

test_that("several classes are one against the rest", {
  d <- selector_design(3)
  for (selector in list(
    selector_learner(learner_svm()), selector_learner(learner_svm(loss = "l1")),
    selector_learner(learner_logistic())
  )) {
    all <- score_features(d$x, d$y, selector, d$weights[, 2])$score
    each <- vapply(levels(d$y), function(class) {
      score_features(d$x, d$y == class, selector, d$weights[, 2])$score
    }, numeric(60))
    expect_equal(all, sqrt(rowSums(each^2)), tolerance = 1e-8)
  }
})

test_that("counts are rows; threads change no bit; places and order do not matter", {
  d <- selector_design()
  d$x[, 9] <- d$x[, 1]
  d$x[, 12] <- 4
  rows <- rep(seq_len(30), d$weights[, 2])
  plain <- list(
    selector_learner(learner_svm()), selector_learner(learner_logistic()),
    selector_learner(learner_svm(2, "l1", "none"))
  )
  for (selector in c(plain, list(
    selector_learner(learner_svm(), step = 0.2), selector_learner(learner_logistic(), step = 0.2)
  ))) {
    # The seed orders the equal columns 1 and 9.
    counted <- score_features(d$x, d$y, selector, d$weights[, 2], seed = 1)$score
    spelt <- score_features(d$x[rows, ], d$y[rows], selector, seed = 1)$score
    expect_equal(spelt, counted, tolerance = 1e-7)
    score <- score_runs(selector, d$x, d$y, d$weights)
    expect_identical(score_runs(selector, d$x, d$y, d$weights, n_threads = 2L), score)
  }
  for (selector in plain[1:2]) {
    score <- score_runs(selector, d$x, d$y, d$weights)
    expect_identical(unname(score[9, ]), unname(score[1, ]))
    expect_identical(unname(score[12, ]), numeric(6))
    turned <- sample.int(30)
    expect_equal(
      score_runs(selector, d$x[turned, 60:1], d$y[turned], d$weights[turned, ]),
      score[60:1, ],
      tolerance = 1e-7
    )
  }
})

test_that("features of very different scales survive the subtraction of inner products", {
  d <- selector_design()
  d$x[, 20] <- 1e7 * d$x[, 20]
  raw <- selector_learner(learner_svm(scaling = "none"), step = "one")
  score <- score_features(d$x, d$y, raw)$score
  active <- seq_len(60)
  for (k in 1:20) active <- active[-which.min(
    score_features(d$x[, active], d$y, selector_learner(learner_svm(scaling = "none")))$score
  )]
  expect_identical(which(score > 20), active)
})

test_that("parameters out of range are refused", {
  expect_error(selector_learner(learner_svm(0)), "cost", class = "stabilect_error_input")
  expect_error(selector_learner(learner_svm(), step = 1), "step", class = "stabilect_error_input")
  expect_error(
    selector_learner(learner_svm(), step = "half"), "step", class = "stabilect_error_input"
  )
  expect_error(selector_learner(learner_logistic(-1)), "lambda", class = "stabilect_error_input")
})
