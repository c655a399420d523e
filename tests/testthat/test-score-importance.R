unit_x <- function(n = 50, p = 5, seed = 1) {
  withr::with_seed(seed, {
    x <- scale(matrix(stats::rnorm(n * p), n))
    matrix(x, n, dimnames = list(NULL, letters[seq_len(p)]))
  })
}

test_that("linear importances are those of Eq. 7 and add up to the number of features", {
  w <- c(a = 2, b = -1, c = 0)
  expect_equal(importance_linear(w), c(a = 4 / 3, b = 2 / 3, c = 0))
  expect_identical(importance_linear(c(a = 0, b = 0)), c(a = 0, b = 0))
  expect_equal(importance_linear(10 * w), importance_linear(w))
  models <- cbind(w, 0, c(1, 1, 1))
  wanted <- apply(models, 2, importance_linear)
  sparse <- importance_linear(methods::as(models, "CsparseMatrix"))
  expect_s4_class(sparse, "dgCMatrix")
  expect_equal(as.matrix(sparse), wanted)
})

test_that("Theorem 1: the flip importance of a linear model is its linear importance", {
  x <- unit_x()
  for (seed in 1:5) {
    w <- withr::with_seed(seed, c(rnorm(4), 0))
    names(w) <- colnames(x)
    shift <- withr::with_seed(10 + seed, rnorm(1))
    decide <- function(w, x) drop(x %*% w) + shift > 0
    wanted <- importance_linear(w)
    expect_equal(importance_flip(w, x, decide, max_change = 1e5), wanted, tolerance = 1e-6)
    expect_equal(importance_flip(NULL, x, coefficients = c("(Intercept)" = shift, w)), wanted)
  }
})

test_that("flip importance takes the spread of the features into account", {
  x <- unit_x()
  w <- c(a = 1, b = -2, c = 0.5, d = 3, e = 1)
  scaled <- sweep(x, 2, 10^(-2:2), "*")
  expect_equal(importance_flip(NULL, scaled, coefficients = w / 10^(-2:2)), importance_linear(w))
})

test_that("the smallest change is found for a curved boundary", {
  x <- unit_x(80, 3)
  inside <- function(model, x) x[, "a"]^2 + x[, "b"]^2 < 1
  distance <- function(u, v) ifelse(v^2 < 1, abs(sqrt(pmax(1 - v^2, 0)) - abs(u)), Inf)
  inverse <- 1 / cbind(distance(x[, "a"], x[, "b"]), distance(x[, "b"], x[, "a"]), Inf)
  inverse <- inverse[rowSums(inverse) > 0, ]
  wanted <- 2 * colMeans(inverse / rowSums(inverse))
  expect_equal(unname(importance_flip(NULL, x, inside)), wanted, tolerance = 1e-6)
})

test_that("models, coefficients and predictions of one model agree", {
  x <- as.matrix(mcl_sll[, 2:6])
  model <- fit_model(x, mcl_sll$MCL)
  closed <- importance_flip(model, x)
  expect_equal(closed, importance_flip(NULL, x, coefficients = as.matrix(coef(model))))
  classes <- function(m, x) predict(m, x, type = "class")
  expect_equal(importance_flip(model, x, classes, max_change = 1e5), closed, tolerance = 1e-6)
  expect_equal(
    importance_flip(model, as.data.frame(x), classes, max_change = 1e5), closed, tolerance = 1e-6
  )
})

test_that("features that flip nothing have no importance", {
  x <- cbind(unit_x(), constant = 1)
  first <- function(model, x) x[, "a"] > 0
  expect_equal(importance_flip(NULL, x, first), c(a = 1, b = 0, c = 0, d = 0, e = 0, constant = 0))
  expect_equal(sum(importance_flip(NULL, x, function(model, x) rep(1L, nrow(x)))), 0)
  both <- function(model, x) x[, "a"] + x[, "b"] > 0
  expect_equal(importance_flip(NULL, x, both, features = "b")[["b"]], 1)
})

test_that("what is wrong with a flip is told", {
  x <- unit_x()
  factors <- data.frame(a = 1:3, b = letters[1:3])
  expect_refusals({
    importance_flip(NULL, x, function(model, x) x[, 1])
    importance_flip(NULL, x, function(model, x) TRUE)
    importance_flip(NULL, factors, function(model, x) x$a > 1)
    importance_flip(NULL, x, coefficients = c(q = 1))
    importance_flip(NULL, x, coefficients = 1:5)
    importance_flip(NULL, x, predict = "class")
    importance_flip(fit_model(x[, -1], x[, 1]), x)
    importance_flip(NULL, 1:3)
  })
})

test_that("linear SVM importance is the squared weight (Eq. 8)", {
  x <- unit_x(20)
  alpha <- withr::with_seed(2, pmax(rnorm(20), 0))
  y <- rep(c(-1, 1), 10)
  w <- drop(crossprod(x, alpha * y))
  closed <- importance_svm(alpha, x, y)
  expect_equal(closed, 5 * w^2 / sum(w^2))
  expect_equal(importance_svm(alpha, x, factor(y, labels = c("no", "yes"))), closed)
  expect_equal(importance_svm(list(dual = alpha, kernel = function(a, b) a %*% t(b)), x, y), closed)
})

test_that("radial SVM importance is the double sum of Eq. 8 without the feature", {
  x <- unit_x(12, 3)
  alpha <- withr::with_seed(2, pmax(rnorm(12), 0))
  y <- rep(c(-1, 1), 6)
  squared <- function(x) {
    total <- 0
    for (k in 1:12) {
      for (l in 1:12) {
        kernel <- exp(-0.3 * sum((x[k, ] - x[l, ])^2))
        total <- total + alpha[k] * alpha[l] * y[k] * y[l] * kernel
      }
    }
    total
  }
  change <- vapply(1:3, function(f) abs(squared(x) - squared(x[, -f, drop = FALSE])), 0)
  expect_equal(
    unname(importance_svm(list(dual = alpha, gamma = 0.3), x, y)), 3 * change / sum(change)
  )
})

test_that("the weights of e1071's machine are recovered", {
  skip_if_not_installed("e1071")
  x <- unit_x(40)
  y <- factor(ifelse(x[, 1] + 0.5 * x[, 2] > 0, "yes", "no"))
  fit <- e1071::svm(x, y, kernel = "linear", scale = FALSE)
  alpha <- numeric(40)
  alpha[fit$index] <- abs(fit$coefs)
  w <- drop(t(fit$coefs) %*% fit$SV)
  expect_equal(importance_svm(alpha, x, y), 5 * w^2 / sum(w^2), tolerance = 1e-6)
})

test_that("what is wrong with an SVM is told", {
  x <- unit_x(6)
  y <- rep(0:1, 3)
  expect_refusals({
    importance_svm(1:3, x, y)
    importance_svm(c(1, -1, 0, 0, 0, 1), x, y)
    importance_svm(rep(1, 6), x, 1:6)
    importance_svm(list(dual = rep(1, 6), gamma = 1, kernel = tcrossprod), x, y)
    importance_svm(list(dual = rep(1, 6), gamma = 0), x, y)
    importance_svm(list(dual = rep(1, 6), kernel = function(a, b) 1), x, y)
  })
})

test_that("permutation importance of a linear model is twice its explained variance", {
  x <- unit_x(4000, 3)
  w <- c(2, 1, 0)
  y <- drop(x %*% w) + withr::with_seed(3, rnorm(4000, sd = 0.1))
  gain <- importance_permutation(w, x, y, function(w, x) drop(x %*% w), seed = 1)
  # E (y - y_permuted)^2 - E (y - y_hat)^2 = 2 w^2 var(x) for independent features.
  expect_equal(unname(gain), 2 * w^2, tolerance = 0.03)
})

test_that("permutation importance depends on the seed alone", {
  x <- unit_x()
  y <- factor(ifelse(x[, 1] + x[, 2] > 0, "yes", "no"))
  model <- fit_model(x, y)
  withr::local_seed(5)
  before <- .Random.seed
  one <- importance_permutation(model, x, y, seed = 3)
  expect_identical(.Random.seed, before)
  expect_identical(importance_permutation(model, x, y, seed = 3), one)
  part <- importance_permutation(model, x, y, seed = 3, features = c("c", "a"))
  expect_identical(part[c("a", "c")], one[c("a", "c")])
  expect_identical(unname(part[c("b", "d", "e")]), numeric(3))
  expect_false(identical(importance_permutation(model, x, y, seed = 4), one))
  expect_true(all(one >= 0) && one[["a"]] > one[["e"]])
  withr::local_seed(7)
  drawn <- importance_permutation(model, x, y)
  withr::local_seed(7)
  expect_identical(importance_permutation(model, x, y), drawn)
})

test_that("survival times are ranked worse without what matters", {
  d <- survival_design()
  y <- surv_of(d)
  model <- fit_model(d$x, y, 1:4)
  got <- importance_permutation(model, d$x, y, features = 1:3, n_repeats = 2, seed = 1)
  orders <- withr::with_seed(1, lapply(1:2, function(i) sample.int(60)))
  loss <- function(x) 1 - measure_predictions(y, predict(model, x), metric = "concordance")[[1]]
  gains <- vapply(orders, function(order) {
    moved <- d$x
    moved[, 1] <- d$x[order, 1]
    loss(moved) - loss(d$x)
  }, 0)
  expect_equal(got[["g1"]], mean(gains))
  expect_gt(got[["g1"]], 0.1)
  bad <- y
  bad[4, 2] <- NA
  expect_match(message_of(importance_permutation(model, d$x, bad)), "missing at position 4")
  expect_match(message_of(importance_permutation(model, d$x, label_rows(y, 1:9))), "9 values")
})

test_that("forests can be asked", {
  skip_if_not_installed("ranger")
  x <- unit_x(60)
  y <- factor(ifelse(x[, 1] > 0, "yes", "no"))
  data <- data.frame(x, y = y)
  forest <- ranger::ranger(y ~ ., data, num.trees = 50, num.threads = 1, seed = 1)
  prob <- ranger::ranger(
    y ~ ., data, num.trees = 50, num.threads = 1, seed = 1, probability = TRUE
  )
  for (model in list(forest, prob)) {
    gain <- importance_permutation(model, as.data.frame(x), y, seed = 1)
    expect_identical(names(which.max(gain)), "a")
  }
  expect_identical(names(which.max(importance_flip(forest, as.data.frame(x)))), "a")
})

test_that("what is wrong with a permutation is told", {
  x <- unit_x(6)
  y <- rep(c("a", "b"), 3)
  half <- function(model, x) rep(0.5, nrow(x))
  expect_refusals({
    importance_permutation(NULL, x, y, half)
    importance_permutation(NULL, x, 1:6, function(model, x) 1)
    importance_permutation(NULL, x, y[-1], half)
    importance_permutation(NULL, x, c(NA, y[-1]), half)
    importance_permutation(NULL, unname(x), y, half)
    importance_permutation(NULL, x, y, half, features = "q")
    importance_permutation(NULL, x, y, half, loss = 3)
  })
})

test_that("importance is attached as a matrix or as a list", {
  runs <- as_selection(list(c("a", "b"), "b", NULL), feature_names = c("a", "b", "c"))
  as_list <- as_selection(runs, importance = list(c(b = 2, a = 1), c(b = 1), NULL))
  m <- cbind(c(1, 2, 0), c(0, 1, 0), 0)
  expect_equal(unname(as.matrix(as_list$importance)), m)
  expect_identical(as_selection(runs, importance = m), as_list)
  expect_identical(as_selection(runs, importance = methods::as(m, "CsparseMatrix")), as_list)
  rownames(m) <- runs$feature_names
  expect_identical(as_selection(runs, importance = m), as_list)
  expect_identical(as_list$selected, runs$selected)
})

test_that("importance that does not fit the selection is refused", {
  runs <- as_selection(list(c("a", "b"), "b", NULL), feature_names = c("a", "b", "c", "d"))
  m <- cbind(c(1, 2, 0, 0), c(0, 1, 0, 0), 0)
  expect_refusals({
    as_selection(runs, importance = t(m))
    as_selection(runs, importance = -m)
    as_selection(runs, importance = m[4:1, ])
    as_selection(runs, importance = `rownames<-`(m, c("a", "q", "b", "d")))
    as_selection(runs, importance = replace(m, 1, NA))
    as_selection(runs, importance = list(c(a = 1)))
    as_selection(runs, importance = list(c(q = 1), c(b = 1), NULL))
    as_selection(runs, importance = list(1, c(b = 1), NULL))
    as_selection(runs, importance = "a")
  })
})

test_that("labels in another order are refused, whatever holds the samples", {
  x <- unit_x(6)
  rownames(x) <- paste0("s", 1:6)
  y <- stats::setNames(factor(rep(c("a", "b"), 3)), rev(rownames(x)))
  first <- function(model, x) factor(ifelse(x[, 1] > 0, "a", "b"))
  for (labels in list(y, as.matrix(y))) {
    for (samples in list(x, as.data.frame(x))) {
      for (code in list(
        quote(importance_svm(rep(1, 6), samples, labels)),
        quote(importance_permutation(NULL, samples, labels, first)),
        quote(score_features(samples, labels, selector_filter("t")))
      )) {
        expect_match(message_of(eval(code)), "the same samples in another order")
      }
    }
  }
  named <- stats::setNames(y, rownames(x))
  expect_length(importance_permutation(NULL, x, as.matrix(named), first, seed = 1), 5L)
  # A table without row names says nothing about the order.
  plain <- data.frame(x, row.names = NULL)
  expect_length(importance_permutation(NULL, plain, y, first, seed = 1), 5L)
})

test_that("decisions may come as a matrix of one column", {
  x <- cbind(a = c(-1, 2, 3))
  as_column <- function(model, newdata) matrix(as.double(newdata[, 1] > 0), ncol = 1)
  as_vector <- function(model, newdata) as.double(newdata[, 1] > 0)
  expect_identical(decision_function(NULL, as_column)(x), decision_function(NULL, as_vector)(x))
})

test_that("feature_importance() names the three methods, with their settings", {
  x <- as.matrix(mcl_sll[, 2:5])
  y <- factor(mcl_sll$MCL)
  model <- fit_model(x, y)
  expect_identical(
    feature_importance(model, x, y, seed = 1, n_repeats = 2),
    importance_permutation(model, x, y, seed = 1, n_repeats = 2)
  )
  expect_identical(feature_importance(model, x, method = "flip"), importance_flip(model, x))
  dual <- rep(0.5, nrow(x))
  expect_identical(feature_importance(dual, x, y, "svm"), importance_svm(dual, x, y))
  expect_error(feature_importance(dual, x, y, "svm", loss = 1), "`loss` does not apply")
  expect_error(feature_importance(model, x), "`y` is absent", class = "stabilect_error_input")
})
