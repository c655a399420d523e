# Makes tests/testthat/fixtures/shrinkage.rds: how much corpcor (CRAN, 1.6.10) shrinks
# correlations. Run from the root of the package.

library(corpcor)

answers <- lapply(1:3, function(seed) {
  set.seed(seed)
  x <- matrix(rnorm(20 * 30), 20)
  x[, 2:9] <- x[, 2:9] + c(0.3, 1, 3)[seed] * x[, 1]
  list(x = x, shrinkage = as.numeric(estimate.lambda(x, verbose = FALSE)))
})
saveRDS(answers, "tests/testthat/fixtures/shrinkage.rds", version = 2)
