# One lasso_path() on the 100 penalties of glmnet (thresh = 1e-7, its default; several classes with
# type.multinomial = "grouped"), one thread, in processor seconds: independent features, and five
# factors with 70 % of the variance; ours with its default tolerance, before commit 9b0567fe 1e-10.
# `kkt` is the largest violation of optimality along the path,
# relative to lambda.
#
#   Rscript bench/likelihood-paths.R

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

# Calls of less than half a second are repeated until they take that.
again <- function(call, once) {
  n <- min(100, ceiling(0.5 / max(once, 0.001)))
  if (n == 1) once else cpu_seconds(for (k in seq_len(n)) call()) / n
}

measure <- function(n, p, design, seed) {
  study <- likelihood_study(n, p, design, seed)
  for (family in c("binomial", "poisson", "cox", "multinomial")) {
    y <- study[[family]]
    theirs <- function() {
      more <- if (family == "multinomial") list(type.multinomial = "grouped")
      do.call(
        glmnet::glmnet,
        c(list(study$x, y, family = family, lambda.min.ratio = 0.01), more)
      )
    }
    peer <- cpu_seconds(fit <- theirs())
    peer <- again(theirs, peer)
    ours <- function() lasso_path(study$x, y, family = family, lambda = fit$lambda)
    one <- cpu_seconds(path <- ours())
    one <- again(ours, one)
    record("likelihood paths", data.frame(
      family = family, n = n, p = p, design = design, ms_a_path = 1000 * one,
      ms_glmnet = 1000 * peer, glmnet = format(utils::packageVersion("glmnet")),
      times_faster_1_thread = peer / one, largest = max(path$size), kkt = max(path$kkt)
    ), file = file.path("bench", "likelihood-paths.csv"))
  }
}

measure(60, 500, "independent", 1)
measure(100, 2000, "factors", 2)
measure(200, 2000, "independent", 3)
measure(200, 20000, "factors", 4)
measure(500, 2000, "factors", 5)
