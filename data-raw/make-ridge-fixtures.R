# Ridge-logistic coefficients by glmnet, for tests/testthat/test-predict-model.R.
#
# Objectives agree for lambda_glmnet = lambda / sum(weights): glmnet averages the log likelihood
# where fit_model() sums it; both standardise features with divisor n. Run from the package root.

library(glmnet)

ridge_case <- function(seed, n, p, lambda) {
  set.seed(seed)
  x <- round(matrix(rnorm(n * p), n) * rep(runif(p, 0.2, 4), each = n) + 2, 3)
  colnames(x) <- paste0("f", seq_len(p))
  y <- rbinom(n, 1, plogis(x[, 1] - x[, 2] / 2))
  weights <- round(runif(n, 0.5, 2), 2)
  solve <- function(weights) {
    fit <- glmnet(x, y, "binomial",
      weights = weights, alpha = 0, lambda = lambda / sum(weights), thresh = 1e-14, maxit = 1e7
    )
    stats::setNames(as.numeric(coef(fit)), c("(Intercept)", colnames(x)))
  }
  list(
    x = x, y = y, weights = weights, lambda = lambda,
    plain = solve(rep(1, n)), weighted = solve(weights)
  )
}

cases <- list(
  ridge_case(1, n = 60, p = 5, lambda = 0.5),
  ridge_case(2, n = 40, p = 12, lambda = 3),
  ridge_case(3, n = 25, p = 40, lambda = 20)
)
attr(cases, "made_with") <- paste("glmnet", utils::packageVersion("glmnet"), R.version.string)
saveRDS(cases, "tests/testthat/fixtures/ridge-glmnet.rds", version = 2)
