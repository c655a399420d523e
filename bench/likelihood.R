# Paths by likelihood on half samples against a loop over glmnet (thresh = 1e-7, its default), on
# the same rows and the same 100 penalties a run, in processor seconds.
#
#   Rscript bench/likelihood.R [runs]

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

n_runs <- as.integer(commandArgs(TRUE)[1])
if (is.na(n_runs)) n_runs <- 16L

# Responses of all families on the same features.
study_of <- function(x, seed) {
  withr::with_seed(seed, {
    n <- nrow(x)
    eta <- drop(scale(scale(x)[, 1:10] %*% rep(c(1, -1), 5)))
    list(
      x = x,
      binomial = list(y = 2 * stats::rbinom(n, 1, stats::plogis(2 * eta)) - 1),
      poisson = list(y = stats::rpois(n, exp(1 + 0.7 * eta))),
      cox = list(y = stats::rexp(n, exp(eta)), event = stats::rbinom(n, 1, 0.7))
    )
  })
}

# The package's function for one chunk of runs.
ours <- function(study, family, counts, n_threads) {
  response <- stabilect:::likelihood_response(study[[family]], family)
  stabilect:::cpp_likelihood_scores(
    study$x, response, matrix(0, nrow(study$x), 0), counts,
    list(n_lambda = 100L, lambda_ratio = 0.01), n_threads, NULL
  )
}

theirs <- function(study, family, counts) {
  y <- study[[family]]
  for (b in seq_len(ncol(counts))) {
    rows <- which(counts[, b] > 0)
    response <- if (family == "cox") {
      survival::Surv(y$y[rows], y$event[rows])
    } else {
      y$y[rows]
    }
    glmnet::glmnet(study$x[rows, ], response, family = family, lambda.min.ratio = 0.01)
  }
}

measure <- function(case, study, n_runs, n_peer) {
  n <- nrow(study$x)
  counts <- withr::with_seed(1, replicate(n_runs, sample(rep(0:1, length.out = n)) + 0))
  for (family in c("binomial", "poisson", "cox")) {
    one <- cpu_seconds(ours(study, family, counts, 1L)) / n_runs
    peer <- cpu_seconds(theirs(study, family, counts[, seq_len(n_peer), drop = FALSE])) / n_peer
    record("likelihood", data.frame(
      case = paste(family, case, sep = ", "), ms_a_path = 1000 * one, ms_glmnet = 1000 * peer,
      times_faster_1_thread = peer / one
    ), file = file.path("bench", "likelihood.csv"))
  }
}

measure("62 x 2000", study_of(log2(colon_genes$x), 1), 4L * n_runs, n_runs)
measure("200 x 20000", study_of(expression_like(200, 20000, 1)$x, 1), n_runs, min(2L, n_runs))
