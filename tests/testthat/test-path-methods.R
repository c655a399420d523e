test_that("coef() at the knots is what is stored, in every mode", {
  for (id in c(1, 3, 16)) {
    path <- run_design(path_design(id), "lasso")
    stored <- unname(as.matrix(path$coefficients))
    norm <- colSums(abs(stored) * unname(path$scale))
    steps <- seq_along(path$lambda) - 1
    expect_identical(unname(coef(path)), stored)
    expect_identical(unname(coef(path, at = steps)), stored)
    expect_identical(unname(coef(path, at = path$lambda, mode = "lambda")), stored)
    expect_equal(unname(coef(path, at = norm, mode = "norm")), stored, tolerance = 1e-9)
    at <- norm / norm[length(norm)]
    expect_equal(unname(coef(path, at = at, mode = "fraction")), stored, tolerance = 1e-9)
  }
})

test_that("norm finds the first point on a least angle path whose norm also falls", {
  falling <- function(path) {
    norms <- colSums(abs(as.matrix(path$coefficients)) * path$scale)
    any(diff(norms) < 0)
  }
  n_falling <- 0
  for (id in seq_len(120)) {
    path <- run_design(path_design(id), "lar")
    if (!falling(path)) next
    n_falling <- n_falling + 1
    target <- sum(abs(coef(path, at = length(path$actions)) * path$scale))
    b <- coef(path, at = target * c(0.2, 0.6, 1), mode = "norm")
    expect_equal(
      colSums(abs(b) * path$scale), target * c(0.2, 0.6, 1),
      tolerance = 1e-9, ignore_attr = TRUE
    )
  }
  expect_gt(n_falling, 0)
})

test_that("predict() agrees with the coefficients and matches columns by name", {
  path <- lars_path(mtcars_x, mtcars$mpg)
  b <- coef(path, at = 2.5, intercept = TRUE)
  expected <- drop(cbind(1, mtcars_x) %*% b)
  expect_equal(predict(path, mtcars_x, at = 2.5), expected)
  expect_equal(predict(path, mtcars_x[, 10:1], at = 2.5), expected)
  expect_equal(predict(path, mtcars, at = 2.5), expected)
  sparse <- Matrix::Matrix(mtcars_x, sparse = TRUE)
  expect_equal(predict(path, sparse, at = 2.5), expected)
  expect_identical(dim(predict(path, mtcars_x[1:2, ])), c(2L, 11L))
})

test_that("labels are coded -1/+1 and come back from predict(), numbers stay numbers", {
  labels <- factor(mtcars$am, labels = c("auto", "manual"))
  coded <- lars_path(mtcars_x[, -8], labels)
  expect_identical(coded$study$levels, c("auto", "manual"))
  expect_equal(coded$lambda, lars_path(mtcars_x[, -8], 2 * mtcars$am - 1)$lambda)
  expect_equal(coded$lambda, 2 * lars_path(mtcars_x[, -8], mtcars$am)$lambda, tolerance = 1e-12)
  link <- predict(coded, mtcars_x[, -8], at = 5, type = "link")
  class <- predict(coded, mtcars_x[, -8], at = 5)
  expected <- factor(ifelse(link > 0, "manual", "auto"), c("auto", "manual"))
  expect_identical(class, stats::setNames(expected, names(link)))
  both <- predict(coded, mtcars_x[, -8], at = c(1, 5))
  expect_identical(both[, 2], stats::setNames(as.character(expected), names(link)))
  # The labels 0 and 1 are labels.
  digits <- lars_path(mtcars_x[, -8], factor(mtcars$am))
  expect_identical(digits$lambda, coded$lambda)
  expect_identical(lars_path(mtcars_x[, -8], mtcars$am)$study$type, "numeric")
})

test_that("active sets replay the actions and sizes take the first meeting", {
  dropping <- Filter(
    function(path) any(unlist(path$actions) < 0),
    lapply(c(3, 4, 16, 23), function(id) run_design(path_design(id), "lasso"))
  )
  expect_gt(length(dropping), 0)
  for (path in dropping) {
    sets <- selected(path)
    expect_length(sets, length(path$lambda))
    expect_identical(unname(lengths(sets)), as.integer(path$df - 1))
    expect_identical(
      lapply(sets, function(set) sort(unname(set)))[-1],
      lapply(sets_from_actions(lapply(path$actions, unname)), sort),
      ignore_attr = TRUE
    )
    by_size <- selected(path, size = seq_len(max(lengths(sets))))
    for (k in names(by_size)) {
      first <- which(lengths(sets) == as.integer(k))[1]
      expect_identical(by_size[[k]], if (is.na(first)) NULL else sets[[first]])
    }
  }
})

test_that("a size that a tie jumps over has no set", {
  # Two orthogonal columns with the same correlation enter together.
  x <- cbind(a = c(1, 1, -1, -1), b = c(1, -1, 1, -1))
  path <- lars_path(x, c(2, 0, 0, -2))
  expect_identical(unname(path$actions), list(c(a = 1L, b = 2L)))
  sets <- selected(path, size = 1:3)
  expect_identical(sets, list(`1` = NULL, `2` = c(a = 1L, b = 2L), `3` = NULL))
})

test_that("y without correlation gives an empty path that all methods survive", {
  x <- cbind(a = c(1, 1, -1, -1), b = c(1, -1, 1, -1))
  path <- lars_path(x, c(1, -1, -1, 1))
  expect_length(path$actions, 0)
  expect_identical(path$status, "no_signal")
  expect_identical(unname(coef(path, at = 0)), c(0, 0))
  expect_identical(unname(coef(path, at = 3, mode = "lambda")), c(0, 0))
  expect_identical(selected(path), list(`0` = stats::setNames(integer(0), character(0))))
  expect_identical(nrow(as.data.frame(path)), 0L)
  expect_identical(nrow(summary(path)), 1L)
  expect_output(print(path), "no feature is correlated")
})

test_that("summary() and Cp", {
  path <- lars_path(mtcars_x, mtcars$mpg)
  steps <- summary(path)
  expect_identical(steps$step, 0:10)
  expect_identical(steps$lambda, path$lambda)
  # At the last step Cp is the number of parameters, by its definition.
  expect_equal(steps$cp[11], 11)
  given <- summary(path, sigma2 = 4)
  expect_equal(given$cp, path$rss / 4 - 32 + 2 * path$df)
  exact <- lars_path(mtcars_x[1:8, ], mtcars$mpg[1:8])
  expect_identical(exact$cp, rep(NA_real_, length(exact$lambda)))
  expect_match(exact$cp_note, "fits exactly")
})

test_that("as.data.frame() holds the non-zero coefficients", {
  path <- lars_path(mtcars_x, mtcars$mpg)
  table <- as.data.frame(path)
  dense <- as.matrix(path$coefficients)
  expect_identical(nrow(table), sum(dense != 0))
  expect_identical(table$coefficient, dense[cbind(table$index, table$step + 1)])
  scale <- unname(path$scale[table$index])
  expect_identical(table$coefficient_scaled, scale * table$coefficient)
})

test_that("plots draw the active features and name the largest without overlap", {
  skip_if_not_installed("ggplot2")
  path <- run_design(path_design(2), "lasso")
  for (xvar in c("norm", "lambda", "step")) {
    picture <- ggplot2::autoplot(path, xvar = xvar, n_labels = 5)
    built <- ggplot2::ggplot_build(picture)
    expect_setequal(unique(picture$data$index), unique(path$coefficients@i) + 1L)
    text <- built$data[[5]]
    final <- as.matrix(path$coefficients)[, length(path$lambda)] * path$scale
    expect_setequal(text$label, names(sort(-abs(final)))[1:5])
    gap <- 0.045 * diff(range(0, picture$data$coefficient, na.rm = TRUE))
    expect_true(all(diff(sort(text$y)) >= gap * (1 - 1e-9)))
  }
  expect_s3_class(ggplot2::autoplot(path, n_labels = 0), "ggplot")
  # Nothing to draw is a picture too.
  x <- cbind(a = c(1, 1, -1, -1), b = c(1, -1, 1, -1))
  empty <- ggplot2::autoplot(lars_path(x, c(1, -1, -1, 1)))
  expect_identical(nrow(ggplot2::ggplot_build(empty)$data[[5]]), 0L)
})

test_that("bad input is refused with a message that helps", {
  x <- mtcars_x
  y <- mtcars$mpg
  w <- rep(1, 32)
  expect_refusals({
    lars_path(x, y, weights = replace(w, 3, -1))
    lars_path(x, y, weights = replace(w, 3, NA))
    lars_path(x, y, weights = replace(w, 3, Inf))
    lars_path(x, y, weights = 0 * w)
    lars_path(x, y, weights = replace(0 * w, 1:2, 1))
    lars_path(x, y, weights = w[-1])
    lars_path(x, y, weights = "a")
    lars_path(x, mtcars$am, weights = mtcars$am)
    lars_path(matrix(1:4, 3, 4, byrow = TRUE), c(1, 2, 4))
    lars_path(matrix(0, 3, 2), c(1, 2, 4), intercept = FALSE)
    lars_path(x, y, type = "stagewise")
    lars_path(x, y, max_steps = 0)
    lars_path(x, y, intercept = NA)
  })
})

test_that("bad points and new rows are refused with a message that helps", {
  path <- lars_path(mtcars_x, mtcars$mpg)
  short <- lars_path(mtcars_x, mtcars$mpg, max_steps = 2)
  expect_refusals({
    coef(path, at = 11)
    coef(path, at = -1, mode = "lambda")
    coef(short, at = 1, mode = "lambda")
    coef(path, at = c(0.5, 1.2), mode = "fraction")
    coef(path, at = NA_real_)
    coef(path, at = "a")
    coef(path, at = 1, mode = "steps")
    predict(path)
    predict(path, mtcars_x[1, ])
    predict(path, mtcars_x[, 1:3])
    predict(path, replace(mtcars_x, 5, Inf))
    predict(path, mtcars_x, type = "class")
    selected(path, size = 0)
    selected(path, size = "a")
    summary(path, sigma2 = 0)
    summary(path, sigma2 = NA)
  })
})

test_that("print and summary read well", {
  d <- small()
  x <- cbind(d$x[, 1:3], d$x[, 1], 1)
  colnames(x) <- c("a", "b", "c", "copy", "one")
  expect_snapshot({
    print(lars_path(mtcars_x, mtcars$mpg))
    print(lars_path(x, d$y, weights = rep(1:2, 15), type = "lar", max_steps = 2))
    print(lars_path(x[, -4], d$y))
  })
})
