# Coefficients, deviances and predictions of glmnet 4.1 with an offset and weights of the samples,
# at five penalties for every family: tests/testthat/fixtures/offset.rds. Needs glmnet and survival.

library(stabilect)
source(file.path("tests", "testthat", "helper-likelihood.R"))
glmnet::glmnet.control(fdev = 0)

families <- c("gaussian", "binomial", "poisson", "cox", "multinomial")
answers <- lapply(stats::setNames(nm = families), glmnet_with_offset)
attr(answers, "glmnet") <- as.character(utils::packageVersion("glmnet"))
saveRDS(answers, file.path("tests", "testthat", "fixtures", "offset.rds"), version = 2)
