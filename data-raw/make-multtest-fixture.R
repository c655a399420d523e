# Step-down p values of multtest (Bioconductor, 2.54.0) for test-select-null.R, of Welch
# statistics, two-sided, by complete enumeration. Writes tests/testthat/fixtures/multtest.rds.

library(multtest)

answers <- lapply(c(1, 2), function(seed) {
  set.seed(seed)
  x <- matrix(rnorm(9 * 25), 9, 25, dimnames = list(NULL, paste0("g", 1:25)))
  y <- rep(0:1, c(4, 5))
  x[, 1:3] <- x[, 1:3] + c(3, 2, 1.2)[col(x[, 1:3])] * y
  found <- mt.maxT(t(x), y, test = "t", side = "abs", B = 0)
  found <- found[order(found$index), ]
  list(x = x, y = y, t = found$teststat, adjusted = found$adjp)
})
saveRDS(answers, "tests/testthat/fixtures/multtest.rds", version = 2)
