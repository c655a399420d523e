# Offsets of lasso_path() against glmnet, by shifting y, and by a coefficient of one.

stored <- readRDS(test_path("fixtures", "offset.rds"))

path_with_offset <- function(d, lambda, ...) {
  lasso_path(d$x, d$y, d$family, weights = d$weights, offset = d$offset, lambda = lambda, ...)
}

side_by_side <- function(coefficients) {
  if (is.list(coefficients)) do.call(cbind, lapply(coefficients, as.matrix)) else coefficients
}

# Without the coefficient of the first lambda, which is zero up to rounding.
expect_glmnet <- function(family, theirs) {
  d <- offset_design(family)
  ours <- path_with_offset(d, theirs$lambda)
  expect_equal(
    unname(as.matrix(side_by_side(ours$coefficients))), unname(as.matrix(theirs$coefficients)),
    tolerance = 1e-5
  )
  expect_equal(ours$null_deviance, theirs$null_deviance, tolerance = 1e-7)
  expect_equal(ours$explained, theirs$explained, tolerance = 1e-6, ignore_attr = TRUE)
  type <- if (family == "gaussian") "response" else "link"
  link <- predict(ours, d$new, type = type, offset = d$offset_new)
  # Links of classes are determined up to a constant.
  centred <- function(a) {
    if (family == "multinomial") sweep(a, c(1, 3), apply(a, c(1, 3), mean)) else a
  }
  expect_equal(centred(link), centred(theirs$link), tolerance = 1e-5, ignore_attr = TRUE)
}

for (family in names(stored)) {
  test_that(paste("offsets and weights give glmnet's coefficients:", family), {
    if (family == "cox") skip_if_not_installed("survival")
    theirs <- stored[[family]]
    expect_gt(length(theirs$lambda), 4)
    expect_gt(max(Matrix::colSums(theirs$coefficients != 0)), 5)
    expect_glmnet(family, theirs)
    plain <- offset_design(family)
    plain["offset"] <- list(NULL)
    without <- side_by_side(path_with_offset(plain, theirs$lambda)$coefficients)
    expect_gt(max(abs(without - theirs$coefficients)), 0.01)
  })
}

test_that("glmnet as installed gives what is stored", {
  skip_if_not_installed("glmnet")
  skip_if_not_installed("survival")
  local_whole_glmnet()
  for (family in names(stored)) expect_glmnet(family, glmnet_with_offset(family))
})

test_that("an offset of least squares is a shift of y, and none is one of zeros", {
  d <- offset_design("gaussian")
  fields <- c("coefficients", "intercepts", "lambda", "deviance", "size")
  shifted <- lasso_path(d$x, d$y - d$offset, weights = d$weights)
  ours <- lasso_path(d$x, d$y, weights = d$weights, offset = d$offset)
  expect_identical(ours[fields], shifted[fields])
  for (family in c("binomial", "poisson", "cox", "multinomial")) {
    d <- offset_design(family)
    d$offset[] <- 0
    zero <- path_with_offset(d, NULL)
    d["offset"] <- list(NULL)
    expect_equal(zero[fields], path_with_offset(d, NULL)[fields], tolerance = 1e-9)
  }
})

test_that("a constant offset moves the intercept only", {
  for (family in c("binomial", "poisson", "multinomial")) {
    d <- offset_design(family)
    lambda <- stored[[family]]$lambda[4]
    one <- path_with_offset(d, lambda)
    move <- switch(family, multinomial = c(1, -2, 1), binomial = 3, poisson = 200)
    d$offset <- if (family == "multinomial") sweep(d$offset, 2, move, `+`) else d$offset + move
    other <- path_with_offset(d, lambda)
    expect_equal(other$coefficients, one$coefficients, tolerance = 1e-8)
    expect_equal(unlist(one$intercepts) - unlist(other$intercepts), move,
      tolerance = 1e-7, ignore_attr = TRUE
    )
  }
})

test_that("counts as weights are repeated rows, also with an offset", {
  for (family in names(stored)) {
    d <- offset_design(family)
    d$weights <- withr::with_seed(4, sample(0:3, nrow(d$x), TRUE))
    lambda <- stored[[family]]$lambda[c(2, 5)]
    # With Efron's ties, a sample twice in the data is a tie.
    ties <- if (family == "cox") "breslow" else "efron"
    one <- path_with_offset(d, lambda, ties = ties)
    rows <- rep(seq_len(nrow(d$x)), d$weights)
    d$x <- d$x[rows, ]
    d$y <- d$y[rows]
    d$offset <- if (is.matrix(d$offset)) d$offset[rows, ] else d$offset[rows]
    d["weights"] <- list(NULL)
    other <- path_with_offset(d, lambda, ties = ties)
    expect_equal(one$coefficients, other$coefficients, tolerance = 1e-8)
    expect_equal(one$deviance, other$deviance, tolerance = 1e-9)
  }
})

test_that("without a penalty, an offset is that of glm() and coxph()", {
  skip_if_not_installed("survival")
  for (family in c("binomial", "poisson", "cox")) {
    d <- offset_design(family)
    x <- d$x[, 1:3]
    ours <- lasso_path(x, d$y, family, weights = d$weights, offset = d$offset, lambda = c(0.1, 0))
    theirs <- if (family == "cox") {
      survival::coxph(d$y ~ x + offset(d$offset),
        weights = d$weights,
        control = survival::coxph.control(1e-11, 1e-12, iter.max = 50)
      )
    } else {
      suppressWarnings(stats::glm(d$y ~ x, family,
        weights = d$weights, offset = d$offset, control = list(epsilon = 1e-14, maxit = 100)
      ))
    }
    expect_equal(
      coef(ours, at = 0, intercept = TRUE), stats::coef(theirs),
      tolerance = 1e-7, ignore_attr = TRUE
    )
  }
})

test_that("predict() asks for the offset of a path that has one, and refuses one too many", {
  d <- offset_design("poisson")
  path <- path_with_offset(d, stored$poisson$lambda)
  expect_output(print(path), "with an offset", fixed = TRUE)
  refused <- function(path, offset, says) {
    expect_error(predict(path, d$new, offset = offset), says, class = "stabilect_error_input")
  }
  refused(path, NULL, "path was made with one")
  refused(path, 1:2, "5 rows of `newdata`")
  d["offset"] <- list(NULL)
  refused(path_with_offset(d, 0.2), 1:5, "leave it out")
})

test_that("offsets of the wrong form are refused by name", {
  d <- offset_design("poisson")
  refused <- function(offset, says) {
    expect_error(lasso_path(d$x, d$y, "poisson", offset = offset), says,
      class = "stabilect_error_input"
    )
  }
  refused(1:3, "60 rows of `x`")
  refused("a", "must be numbers")
  refused(replace(d$offset, 7, NA), "position 7")
  refused(seq(0, 1e4, length.out = 60), "log\\(exposure\\)")
  classes <- offset_design("multinomial")
  expect_error(
    lasso_path(classes$x, classes$y, offset = classes$offset[, 1]), "each class",
    class = "stabilect_error_input"
  )
})
