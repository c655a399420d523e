# Values that impute.knn() of impute (Bioconductor, 1.72) fills in, on the tables of
# tests/testthat/test-data-impute.R: tests/testthat/fixtures/imputation.rds, a list by kind of a
# numeric vector, the missing cells of the features that are mostly there, column by column.
#
# Rscript data-raw/make-imputation-fixture.R

source(file.path("tests", "testthat", "helper-holes.R"))

filled <- lapply(c(random = 0, intensity = 1.5), function(slope) {
  d <- holes(slope = slope)
  x <- d$x[, colMeans(is.na(d$x)) <= 0.5]
  out <- impute::impute.knn(t(x), k = 10, rng.seed = 1)$data
  signif(t(out)[is.na(x)], 6)
})
saveRDS(filled, file.path("tests", "testthat", "fixtures", "imputation.rds"), version = 3)
