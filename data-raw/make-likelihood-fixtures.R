# Coefficients of glmnet 4.1 for 100 designs of every family, at three penalties each:
# tests/testthat/fixtures/likelihood.rds. Needs glmnet and survival. Strata are left out: on such
# designs the coordinate descent of glmnet 4.1-6 ends with gradients far from lambda; coxph() is the
# judge there.

library(stabilect)
source(file.path("tests", "testthat", "helper-likelihood.R"))
glmnet::glmnet.control(fdev = 0)

# As small as converges in reasonable time.
precision <- c(gaussian = 1e-20, binomial = 1e-20, poisson = 1e-14, cox = 1e-16)

glmnet_design <- function(design) {
  k <- ncol(design$z)
  used <- if (is.null(design$weights)) seq_len(nrow(design$x)) else which(design$weights > 0)
  x <- cbind(design$z, design$x)[used, ]
  y <- design$response$y[used]
  if (design$family == "cox") {
    y <- survival::Surv(y, design$response$event[used])
  }
  if (design$family == "binomial") y <- (y + 1) / 2
  v <- if (is.null(design$penalty)) rep(1, ncol(design$x)) else design$penalty
  factors <- c(rep(0, k), v)
  kept <- is.finite(factors)
  fit <- function(lambda) {
    glmnet::glmnet(x[, kept], y,
      family = design$family, weights = if (!is.null(design$weights)) design$weights[used],
      alpha = design$alpha, penalty.factor = factors[kept], lambda = lambda,
      thresh = precision[[design$family]],
      # Where it does not converge, the path is shorter.
      maxit = if (design$family == "cox") 1e5 else 1e7
    )
  }
  first <- fit(NULL)$lambda[1]
  grid <- first * exp(seq(0, log(0.15), length.out = 6))
  path <- fit(grid)
  at <- intersect(c(2, 4, 6), seq_along(path$lambda))
  b <- matrix(0, length(factors), length(at))
  b[kept, ] <- as.matrix(path$beta[, at])
  list(
    # glmnet rescales the factors to the sum of the number of columns.
    lambda = path$lambda[at] * sum(kept) / sum(factors[kept]),
    intercept = if (design$family != "cox") unname(path$a0[at]),
    coefficients = Matrix::Matrix(b, sparse = TRUE)
  )
}

families <- c("gaussian", "binomial", "poisson", "cox")
answers <- lapply(stats::setNames(nm = families), function(family) {
  lapply(1:100, function(id) suppressWarnings(glmnet_design(likelihood_design(family, id))))
})
attr(answers, "glmnet") <- as.character(utils::packageVersion("glmnet"))
saveRDS(answers, file.path("tests", "testthat", "fixtures", "likelihood.rds"), version = 2)
