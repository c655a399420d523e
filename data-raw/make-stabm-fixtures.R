# Answers of CRAN stabm 1.2.2 (with igraph for the maximum matching) on generated selections, for
# tests/testthat/fixtures/stabm.rds. Run from the package's root:
# Rscript data-raw/make-stabm-fixtures.R
#
# The fixture is list(stabm = version, cases = list(case, ...)); a case is a list with
#   sets        list of m integer vectors, features numbered from 1; some empty or full
#   p           number of features
#   similarity  p x p symmetric matrix in [0, 1] with unit diagonal, no ties off the diagonal
#   threshold   similarity from which two features count as similar
#   values      named numeric: every index without correction (correction.for.chance = "none"; for
#               "unadjusted" and "sechidis" there is no other way)
#   imputed     the same with impute.na = 0, only in cases with a missing value; otherwise NULL
#   corrected   named numeric with correction.for.chance = "exact", which enumerates all pairs of
#               sets; only in small cases, otherwise NULL. Davis and Novovicova are given for m = 2
#               alone: stabm corrects them as if there were two sets. Not given where stabm has no
#               exact answer.
# Names are those of list_available("indices"), and "davis_penalty_1" is davis with penalty = 1.
# NA is stabm's NA or NaN.

suppressPackageStartupMessages(library(stabm))
stopifnot(packageVersion("stabm") == "1.2.2")

set_indices <- list(
  jaccard = stabilityJaccard, dice = stabilityDice, ochiai = stabilityOchiai,
  hamming = stabilityHamming, davis = stabilityDavis,
  davis_penalty_1 = function(...) stabilityDavis(..., penalty = 1),
  novovicova = stabilityNovovicova
)
corrected_indices <- list(
  lustgarten = stabilityLustgarten, wald = stabilityWald, kappa = stabilityKappa,
  phi = stabilityPhi, unadjusted = stabilityUnadjusted, nogueira = stabilityNogueira,
  cw_rel = stabilitySomol
)
similarity_indices <- list(
  intersection_count = stabilityIntersectionCount, intersection_mean = stabilityIntersectionMean,
  intersection_greedy = stabilityIntersectionGreedy, intersection_mbm = stabilityIntersectionMBM,
  yu = stabilityYu, zucknick = stabilityZucknick
)

plain <- function(x) if (is.na(x)) NA_real_ else as.numeric(x)

uncorrected <- function(case, impute_na = NULL) {
  sets <- case$sets
  p <- case$p
  similarity <- case$similarity
  threshold <- case$threshold
  c(
    vapply(set_indices, function(f) plain(f(sets, p = p, impute.na = impute_na)), 0),
    vapply(corrected_indices, function(f) plain(f(sets, p = p, impute.na = impute_na)), 0),
    vapply(similarity_indices, function(f) {
      plain(f(sets, similarity,
        threshold = threshold, correction.for.chance = "none", impute.na = impute_na
      ))
    }, 0),
    sechidis = plain(
      stabilitySechidis(sets, similarity, threshold = threshold, impute.na = impute_na)
    )
  )
}

exactly_corrected <- function(case) {
  sets <- case$sets
  global <- c("davis", "davis_penalty_1", "novovicova")
  chosen <- if (length(sets) > 2) set_indices[setdiff(names(set_indices), global)] else set_indices
  c(
    vapply(chosen, function(f) plain(f(sets, p = case$p, correction.for.chance = "exact")), 0),
    vapply(similarity_indices, function(f) {
      plain(f(sets, case$similarity,
        threshold = case$threshold, correction.for.chance = "exact"
      ))
    }, 0)
  )
}

# Absolute correlations of few samples: many similar features, and any two values differ.
draw_similarity <- function(p) {
  groups <- matrix(rnorm(5 * ceiling(p / 3)), 5)
  x <- groups[, rep(seq_len(ncol(groups)), each = 3)[seq_len(p)]] + 0.5 * rnorm(5 * p)
  s <- round(abs(cor(x)), 4)
  diag(s) <- 1
  if (anyDuplicated(s[upper.tri(s)])) draw_similarity(p) else s
}

# Half of the features are favoured, so that stabilities are not all near zero.
draw_set <- function(p, k) sort(sample.int(p, k, prob = rep(c(4, 1), c(p - p %/% 2, p %/% 2))))

draw_sizes <- function(p, m, kind) {
  switch(kind,
    equal = rep(sample.int(p - 1, 1), m),
    unequal = sample.int(p - 1, m, replace = TRUE),
    edge = sample(c(0, 1, p - 1, p), m, replace = TRUE)
  )
}

draw_case <- function(small, kind) {
  p <- if (small) sample(4:5, 1) else sample(6:18, 1)
  m <- if (small) sample(2:3, 1) else sample(2:9, 1)
  sets <- lapply(draw_sizes(p, m, kind), function(k) draw_set(p, k))
  list(sets = sets, p = p, similarity = draw_similarity(p), threshold = sample(c(0.5, 0.7, 0.9), 1))
}

make_case <- function(small, kind) {
  case <- draw_case(small, kind)
  case$values <- uncorrected(case)
  case["imputed"] <- list(if (anyNA(case$values)) uncorrected(case, impute_na = 0))
  case["corrected"] <- list(if (small) exactly_corrected(case))
  case
}

set.seed(20)
kinds <- c(rep("equal", 90), rep("unequal", 130), rep("edge", 20))
small <- rep(c(TRUE, FALSE, FALSE, FALSE), length.out = length(kinds))
cases <- Map(make_case, small, kinds)
names(cases) <- NULL
dir.create("tests/testthat/fixtures", showWarnings = FALSE)
file <- "tests/testthat/fixtures/stabm.rds"
saveRDS(list(stabm = "1.2.2", cases = cases), file, compress = "xz", version = 3)
message("Written: ", file, ", ", file.size(file), " bytes, ", length(cases), " cases")
