# Counts: numbers with family = "poisson".

register_outcome("count", function() {
  new_outcome(
    "count", "counts", place = 5,
    reading(
      claims = function(y, family) identical(family, "poisson") && !is_survival(y),
      code = code_counts,
      # Learners get them as numbers.
      holds = function(y) FALSE, labels = function(response) response$y, got = "counts",
      describe = function(record) "counts"
    ),
    number_drawing(
      score = count_scores,
      working = function(response, rows) {
        # If all counts are 0, the intercept has no limit.
        mean <- max(mean(response$y[rows]), 1e-10)
        cbind(log(mean) + (response$y[rows] - mean) / mean)
      }
    ),
    number_judging(
      error = NULL, metric = "poisson_deviance",
      errors = function(response, links) {
        colMeans(poisson_deviances(rep(response$y, ncol(links[[1]])), mean_count(links[[1]])))
      },
      judge = function(seen, decision, blocks, conf_level, order) {
        losses <- poisson_deviances(seen$observed, seen$predicted)
        judge_losses(losses, "mean Poisson deviance", blocks, conf_level)
      },
      measured = "mean Poisson deviance",
      baseline = function(predictions) deviance_of_mean(predictions$observed),
      reference = function(observed) "when always predicting the mean", expected = "numbers",
      read = function(y, study) {
        observed <- numbers_observed(y, study)
        check_whole_counts(y, "The model is one of counts.")
        observed
      },
      measure = function(model, observed, link, conf_level, tau) {
        measure_counts(observed$observed, link, conf_level)
      }
    ),
    number_showing("Count", ranked = TRUE),
    defaults(
      models = "ridge_poisson", learner = function(held) learner_ridge(),
      said = function(link, levels) mean_count(link),
      types = function(known) c("response", intersect("link", known)),
      towards = function(levels) "larger counts", learners = learners_of_numbers,
      holders = "{.fn learner_ridge} has."
    )
  )
})

# Deviance residuals of a negative binomial model without features. Their spread hardly follows the
# mean, so that they can be exchanged with covariates also; the counts and their logarithms cannot
# (experiments/counts).
count_scores <- function(response, z) {
  y <- response$y
  columns <- held_basis(z)$columns
  # The penalty matters only where a level has no counts, and no finite coefficient.
  penalty <- c(0, rep(1e-6, ncol(columns) - 1L))
  beta <- c(log(mean(y)), numeric(length(penalty) - 1L))
  dispersion <- 0
  for (turn in 1:50) {
    point <- function(beta) count_point(columns, y, dispersion, beta)
    beta <- maximise_likelihood(point, penalty, beta, 1e-9 * sum(y))$beta
    mean <- mean_count(drop(columns %*% beta))
    scores <- deviance_residuals(y, mean, count_deviances(y, mean, dispersion))
    last <- dispersion
    dispersion <- dispersion_of(y, mean, length(y) - ncol(columns))
    if (abs(dispersion - last) <= 1e-6 * dispersion) break
  }
  scores
}

# The log likelihood without its constant, its gradient and its information.
count_point <- function(z, y, dispersion, beta) {
  mean <- mean_count(drop(z %*% beta))
  spread <- 1 + dispersion * mean
  list(
    beta = beta, likelihood = -sum(count_deviances(y, mean, dispersion)) / 2,
    gradient = drop(crossprod(z, (y - mean) / spread)),
    information = crossprod(z, z * (mean * (1 + dispersion * y) / spread^2))
  )
}

# With the variance m + dispersion * m^2 of a count with the mean m.
count_deviances <- function(y, mean, dispersion) {
  mean <- pmax(mean, 1e-10)
  if (dispersion <= 1e-8) {
    return(poisson_deviances(y, mean))
  }
  own <- ifelse(y > 0, y * log(y / mean), 0)
  2 * (own - (y + 1 / dispersion) * log((1 + dispersion * y) / (1 + dispersion * mean)))
}

# Pearson's chi-square is then its degrees of freedom (Breslow 1984).
dispersion_of <- function(y, mean, df) {
  mean <- pmax(mean, 1e-10)
  excess <- function(dispersion) sum((y - mean)^2 / (mean + dispersion * mean^2)) - df
  if (df <= 0 || excess(0) <= 0) {
    return(0)
  }
  most <- 1
  while (excess(most) > 0 && most < 1e6) most <- 10 * most
  if (excess(most) > 0) most else stats::uniroot(excess, c(0, most), tol = 1e-9 * most)$root
}
