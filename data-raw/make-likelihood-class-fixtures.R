# Coefficients of glmnet 4.1, multinomial with grouped coefficients, for 120 designs at two
# penalties each: tests/testthat/fixtures/likelihood-classes.rds. Needs glmnet. With thresh = 1e-14
# its gradients are 2e-6 lambda away from zero and its coefficients 3e-6 from the solution, with
# 1e-18 two hundred times less.

library(stabilect)
source(file.path("tests", "testthat", "helper-likelihood.R"))
glmnet::glmnet.control(fdev = 0)

glmnet_classes <- function(design) {
  k <- ncol(design$z)
  n <- nrow(design$x)
  x <- cbind(design$z, design$x)
  v <- if (is.null(design$penalty)) rep(1, ncol(design$x)) else design$penalty
  factors <- c(rep(0, k), v)
  kept <- is.finite(factors)
  y <- factor(design$response$levels[design$response$codes])
  fit <- function(lambda, thresh) {
    glmnet::glmnet(x[, kept], y,
      family = "multinomial", type.multinomial = "grouped", alpha = design$alpha,
      weights = if (is.null(design$weights)) rep(1, n) else design$weights,
      penalty.factor = factors[kept], lambda = lambda, thresh = thresh, maxit = 1e6
    )
  }
  first <- fit(NULL, 1e-7)$lambda[1]
  grid <- first * exp(seq(0, log(0.2), length.out = 5))
  # Where glmnet does not converge, the path is shorter, or it ends with an error.
  path <- tryCatch(fit(grid, 1e-18), error = function(e) NULL)
  at <- intersect(c(3, 5), seq_along(path$lambda))
  if (length(at) == 0L) {
    return(NULL)
  }
  list(
    # glmnet rescales the factors to the sum of the number of columns.
    lambda = path$lambda[at] * sum(kept) / sum(factors[kept]),
    intercepts = unname(path$a0[, at, drop = FALSE]),
    coefficients = lapply(path$beta, function(beta) {
      b <- matrix(0, length(factors), length(at))
      b[kept, ] <- as.matrix(beta[, at])
      Matrix::Matrix(b, sparse = TRUE)
    })
  )
}

answers <- lapply(1:120, function(id) suppressWarnings(glmnet_classes(class_design(id))))
attr(answers, "glmnet") <- as.character(utils::packageVersion("glmnet"))
saveRDS(answers, file.path("tests", "testthat", "fixtures", "likelihood-classes.rds"), version = 2)
