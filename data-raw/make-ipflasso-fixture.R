# What ipflasso (Boulesteix et al. 2017) gives with weights 1 and 2 of two blocks. Makes
# the fixture ipflasso.rds of the tests.

source("tests/testthat/helper-views.R")

path <- ipflasso::cvr.ipflasso(
  do.call(cbind, two_views$x), two_views$number,
  family = "gaussian", type.measure = "mse", blocks = list(1:4, 5:24), pf = c(1, 2), nfolds = 5,
  ncv = 1
)
saveRDS(
  list(version = packageVersion("ipflasso"), lambda = path$lambda, coefficients = path$coeff),
  "tests/testthat/fixtures/ipflasso.rds", version = 2
)
