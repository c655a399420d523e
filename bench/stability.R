# Set indices side by side with CRAN stabm 1.2.2, with the correction for chance of each, on M = 200
# runs that select k = 50 of p = 2000 features. From the package's root: Rscript bench/stability.R
#
# stabm corrects by Monte Carlo with N = 10,000 draws per pair of runs; that would take hours, so it
# is run with few draws on few runs and scaled: its time is linear in N and in the number of pairs.
# Every row says what was scaled. Times are medians of five for stabilect, single runs for stabm.

source(file.path("bench", "bench-helpers.R"))
suppressPackageStartupMessages({
  library(stabilect)
  library(stabm)
})

n_runs <- 200L
p <- 2000L
k <- 50L
default_draws <- 10000L
few_draws <- 100L
few_runs <- 11L

# Half of each run from 40 favoured features.
sets <- withr::with_seed(1, lapply(seq_len(n_runs), function(i) {
  sort(c(sample.int(40L, k %/% 2L), 40L + sample.int(p - 40L, k - k %/% 2L)))
}))
runs <- as_selection(sets, n_total = p)

uncorrectable <- list(
  lustgarten = stabilityLustgarten, wald = stabilityWald, kappa = stabilityKappa,
  phi = stabilityPhi, unadjusted = stabilityUnadjusted, nogueira = stabilityNogueira
)
correctable <- list(
  jaccard = stabilityJaccard, dice = stabilityDice, ochiai = stabilityOchiai,
  hamming = stabilityHamming, davis = stabilityDavis, novovicova = stabilityNovovicova
)

ours <- function(index) {
  run <- function() {
    stability(runs, index, corrected = index %in% names(correctable))
  }
  run()
  stats::median(vapply(1:5, function(i) seconds(run()), 0))
}

pairs <- function(m) m * (m - 1) / 2

# The uncorrected score in full, and one draw of the simulation for the pairs of few runs, scaled.
theirs_corrected <- function(fun) {
  score <- seconds(fun(sets, p = p))
  some <- sets[seq_len(few_runs)]
  simulated <- seconds(fun(some, p = p, correction.for.chance = "estimate", N = few_draws)) -
    seconds(fun(some, p = p))
  score + simulated * default_draws / few_draws * pairs(n_runs) / pairs(few_runs)
}

compare <- function(index, fun, theirs, scaled) {
  value <- ours(index)
  data.frame(
    case = sprintf("stability %s m=%d p=%d k=%d", index, n_runs, p, k), stabilect = value,
    stabm = theirs, ratio = theirs / value, scaled = scaled
  )
}

rows <- c(
  Map(function(index, fun) compare(index, fun, seconds(fun(sets, p = p)), ""),
    names(uncorrectable), uncorrectable),
  Map(function(index, fun) {
    compare(index, fun, theirs_corrected(fun), sprintf(
      "stabm N %d -> %d, %d -> %d runs", few_draws, default_draws, few_runs, n_runs
    ))
  }, names(correctable), correctable),
  list(compare("cw_rel", stabilitySomol, seconds(stabilitySomol(sets, p = p)), ""))
)
# In a file of its own: other columns than results.csv.
record("stability", do.call(rbind, unname(rows)), file = file.path("bench", "stability.csv"))
