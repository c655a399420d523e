# coef(), predict(), print(), plot() and as.data.frame() of paths by likelihood.

x <- as.matrix(mcl_sll[, -1])
y <- factor(mcl_sll$MCL, levels = c(0, 1), labels = c("SLL", "MCL"))
age <- withr::with_seed(1, stats::rnorm(nrow(x), 60, 9))
batch <- rep(c("a", "b"), length.out = nrow(x))

test_that("coef() is exact at points, linear between, and takes sizes", {
  path <- lasso_path(x, y, family = "binomial", max_features = 6)
  expect_equal(coef(path, at = path$lambda[7]), path$coefficients[, 7])
  middle <- mean(path$lambda[7:8])
  expect_equal(coef(path, at = middle), rowMeans(as.matrix(path$coefficients[, 7:8])))
  expect_identical(dim(coef(path)), dim(path$coefficients))
  for (size in 1:6) expect_identical(sum(coef(path, at = size, mode = "size") != 0), size)
  refused <- function(pattern, ...) {
    expect_error(coef(path, ...), pattern, class = "stabilect_error_input")
  }
  refused("no model of 40", at = 40, mode = "size")
  refused("last lambda", at = path$lambda[1] / 1e4)
  expect_named(coef(path, at = 2, mode = "size", intercept = TRUE)[1], "(Intercept)")
})

test_that("predict() is intercept, covariates and features, on the scale that is asked for", {
  held <- data.frame(age, batch)
  path <- lasso_path(x, y, family = "binomial", covariates = held, max_features = 4)
  b <- coef(path, at = 4, mode = "size", intercept = TRUE)
  link <- drop(cbind(1, age, batch == "b", x) %*% b)
  at <- function(...) predict(path, x, at = 4, mode = "size", covariates = held, ...)
  expect_equal(at(type = "link"), link, ignore_attr = TRUE)
  expect_equal(at(type = "probability"), stats::plogis(link), ignore_attr = TRUE)
  expect_identical(as.character(at()), unname(ifelse(link > 0, "MCL", "SLL")))
  expect_error(
    predict(path, x, at = 4, mode = "size"), "are needed",
    class = "stabilect_error_input"
  )
  odd <- data.frame(age, batch = "c")
  expect_error(
    predict(path, x, at = 4, mode = "size", covariates = odd), "not one of",
    class = "stabilect_error_input"
  )
  by_formula <- lasso_path(x, y, family = "binomial", covariates = ~ age + batch, max_features = 4)
  expect_identical(by_formula$coefficients, path$coefficients)
})

test_that("a feature with penalty 0 is in every model and is not counted", {
  kept <- colnames(x)[5]
  path <- lasso_path(x, y, penalty = stats::setNames(c(0, Inf), colnames(x)[5:6]))
  expect_true(all(path$coefficients[kept, ] != 0))
  expect_true(all(path$coefficients[6, ] == 0))
  expect_identical(path$size[1], 0L)
  expect_output(print(path), paste("Stay in:", kept), fixed = TRUE)
})

test_that("print() says what was fitted, how far, and why it ended", {
  path <- lasso_path(x, y, family = "binomial", max_features = 5)
  expect_output(print(path), "Lasso path of logistic regression", fixed = TRUE)
  expect_output(print(path), "15 SLL, 7 MCL", fixed = TRUE)
  expect_output(print(path), "Ended: `max_features` = 5 reached", fixed = TRUE)
  first <- names(which(coef(path, at = 1, mode = "size") != 0))
  expect_output(print(path), paste0("First to enter: ", first), fixed = TRUE)
  expect_output(print(lasso_path(x, y, alpha = 0.5)), "Elastic net path (alpha 0.5)", fixed = TRUE)
})

test_that("as.data.frame() has every coefficient", {
  path <- lasso_path(x, y, family = "binomial", max_features = 3)
  table <- as.data.frame(path)
  expect_identical(nrow(table), length(path$coefficients@x))
  expect_equal(table$coefficient, path$coefficients[cbind(table$index, table$point)])
})

test_that("plot() draws a line for every feature that enters", {
  skip_if_not_installed("ggplot2")
  path <- lasso_path(x, y, family = "binomial", max_features = 5)
  picture <- ggplot2::autoplot(path, n_labels = 2)
  expect_s3_class(picture, "ggplot")
  drawn <- unique(picture$data$feature)
  expect_setequal(drawn, names(which(Matrix::rowSums(path$coefficients != 0) > 0)))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_invisible(plot(path))
})

test_that("a path knows rows that agree, and the directions of its features as of all", {
  d <- withr::with_seed(1, list(x = matrix(stats::rnorm(200), 20), y = c(stats::rnorm(20), 1:3)))
  d$x <- rbind(d$x, d$x[1:3, ])
  colnames(d$x) <- letters[1:10]
  twins <- open_study(d$x, d$y, "numeric")$twins
  expect_identical(utils::tail(twins, 3), 1:3)
  paths <- list(lasso_path(d$x, d$y, max_features = 3), lars_path(d$x, d$y, max_features = 3))
  for (path in paths) {
    expect_identical(path$study$twins, twins)
    used <- which(Matrix::rowSums(path$coefficients != 0) > 0)
    expect_lt(length(used), 10L)
    signs <- unname(ifelse(stats::cor(d$x, d$y) > 0, "+", "-")[used])
    expect_identical(path$study$direction[used], signs)
    expect_true(all(is.na(path$study$direction[-used])))
  }
})
