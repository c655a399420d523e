# Coefficients of features by glmnet 4.1 beside a covariate whose own coefficient has no limit, at
# five penalties for three families: tests/testthat/fixtures/separated.rds. Needs glmnet, survival.

library(stabilect)
source(file.path("tests", "testthat", "helper-likelihood.R"))
glmnet::glmnet.control(fdev = 0)

answers <- lapply(stats::setNames(nm = c("binomial", "poisson", "cox")), glmnet_separated)
attr(answers, "glmnet") <- as.character(utils::packageVersion("glmnet"))
saveRDS(answers, file.path("tests", "testthat", "fixtures", "separated.rds"), version = 2)
