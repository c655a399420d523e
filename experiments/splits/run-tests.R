# The level of single tests in a half: least squares of scores, as in split_test(), and likelihood
# ratios of three to twelve features. Rscript run-tests.R [repetitions] makes results/tests.csv.

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
source(file.path(root, "designs.R"))
given <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(given[1], 100)[1 + is.na(given[1])]
space <- asNamespace("stabilect")

# Logarithms of the largest likelihoods of all features and without each of them.
largest <- function(fit, x) {
  c(fit(x), vapply(seq_len(ncol(x)), function(j) fit(x[, -j, drop = FALSE]), 0))
}
likelihoods <- list(
  times = function(y, x) {
    list(largest(function(x) suppressWarnings(survival::coxph(y ~ x))$loglik[2], x), df = 1)
  },
  classes = function(y, x) {
    y <- droplevels(y)
    fit <- function(x) -nnet::multinom(y ~ x, trace = FALSE, maxit = 200, decay = 1e-6)$value
    list(largest(fit, x), df = nlevels(y) - 1)
  },
  # The dispersion is that of all features.
  counts = function(y, x) {
    dispersion <- 0
    fit <- function(x) {
      z <- cbind(1, x)
      point <- function(beta) space$count_point(z, y, dispersion, beta)
      start <- c(log(mean(y)), numeric(ncol(x)))
      found <- space$maximise_likelihood(point, c(0, rep(1e-6, ncol(x))), start, 1e-9 * sum(y))
      mean <- space$mean_count(drop(z %*% found$beta))
      list(value = found$likelihood, dispersion = space$dispersion_of(y, mean, length(y) - ncol(z)))
    }
    for (turn in 1:20) dispersion <- fit(x)$dispersion
    list(largest(function(x) fit(x)$value, x), df = 1)
  }
)

answer <- function(cell) {
  x <- features[[cell$design]](cell$n, if (cell$n == 30) 5 else 12)
  drawn <- draw_outcome(cell$outcome, x, cell$signal, 1.5, least = 2)
  family <- if (startsWith(cell$outcome, "counts")) "poisson"
  response <- space$read_response(drawn$y, cell$n, family)
  scores <- space$split_scores(response, seq_len(cell$n))
  found <- likelihoods[[sub("_.*", "", cell$outcome)]](drawn$y, x)
  ratio <- 2 * (found[[1]][1] - found[[1]][-1])
  p <- data.frame(
    scores = space$test_set(x, scores, seq_len(ncol(x)))$p,
    ratio = stats::pchisq(pmax(0, ratio), found$df, lower.tail = FALSE)
  )
  p[setdiff(seq_len(ncol(x)), drawn$at), ]
}

cells <- expand.grid(
  outcome = names(outcomes), design = names(features), n = c(30, 75), signal = c(FALSE, TRUE),
  stringsAsFactors = FALSE
)
rows <- lapply(seq_len(nrow(cells)), function(i) {
  set.seed(i)
  p <- do.call(rbind, lapply(seq_len(repetitions), function(k) answer(cells[i, ])))
  share <- function(p, at) mean(p <= at)
  data.frame(
    cells[i, ], tests = nrow(p), scores_05 = share(p$scores, 0.05),
    ratio_05 = share(p$ratio, 0.05), scores_005 = share(p$scores, 0.005),
    ratio_005 = share(p$ratio, 0.005)
  )
})
utils::write.csv(do.call(rbind, rows), file.path(root, "results", "tests.csv"), row.names = FALSE)
