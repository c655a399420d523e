# The statistics of D'Agostino (1970) for skewness and of Anscombe and Glynn (1983) for kurtosis by
# the package moments, for tests of our own.

set.seed(1)
samples <- list(rnorm(20), rexp(46), rt(100, 3), runif(300))
saveRDS(
  list(
    samples = samples,
    skewness = vapply(samples, function(y) moments::agostino.test(y)$statistic[["z"]], 0),
    kurtosis = vapply(samples, function(y) moments::anscombe.test(y)$statistic[["z"]], 0),
    peer = paste("moments", packageVersion("moments"))
  ),
  "tests/testthat/fixtures/normality.rds", version = 3
)
