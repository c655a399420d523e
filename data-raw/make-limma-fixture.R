# Moderated t and F of eBayes() of limma on the lymphoma data. Rscript data-raw/make-limma-fixture.R
# makes tests/testthat/fixtures/limma.rds.

load(file.path("data", "mcl_sll.rda"))
# Copies of a column are one feature; to limma they are several.
source(file.path("tests", "testthat", "helper-copies.R"))
x <- without_copies(as.matrix(mcl_sll[, -1]))
set.seed(2, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
several <- factor(rep(c("a", "b", "c"), length.out = 22))
numbers <- stats::rnorm(22)
rows <- rep(1:22, sample(0:3, 22, TRUE))
fit <- function(x, design) limma::eBayes(limma::lmFit(t(x), design))
t_of <- function(x, value) unname(abs(fit(x, stats::model.matrix(~value))$t[, 2]))
p_of <- function(value) unname(fit(x, stats::model.matrix(~value))$p.value[, 2])
means <- limma::lmFit(t(x), stats::model.matrix(~several))
saveRDS(
  list(
    version = paste("limma", utils::packageVersion("limma")), two = t_of(x, mcl_sll$MCL),
    several = limma::eBayes(means[, 2:3])$F, numbers = t_of(x, numbers),
    repeated = t_of(x[rows, ], mcl_sll$MCL[rows]),
    p_two = p_of(mcl_sll$MCL), p_several = unname(limma::eBayes(means[, 2:3])$F.p.value),
    p_numbers = p_of(numbers)
  ),
  file.path("tests", "testthat", "fixtures", "limma.rds"), version = 2
)
