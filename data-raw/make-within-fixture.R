# Answers of survival, glmnet and nlme on samples compared within groups:
# tests/testthat/fixtures/within.rds. Needs the three packages.

source(file.path("tests", "testthat", "helper-within.R"))

answers <- answers_within()
packages <- c("survival", "glmnet", "nlme")
attr(answers, "versions") <- vapply(packages, utils::packageDescription, "", fields = "Version")
saveRDS(answers, file.path("tests", "testthat", "fixtures", "within.rds"), version = 2)
