# Counts: numbers with family = "poisson".

register_outcome("count", function() {
  number_traits(
    "count", "counts", place = 5, got = "counts", error = NULL, metric = "poisson_deviance",
    measured = "mean Poisson deviance", axis = "Count", models = "ridge_poisson"
  )
})

claims_y.outcome_count <- function(outcome, y, family) {
  identical(family, "poisson") && !is_survival(y)
}

code_response.outcome_count <- function(outcome, y) code_counts(y)

# Learners get them as numbers.
holds_labels.outcome_count <- function(outcome, y) FALSE

# If all counts are 0, the intercept has no limit.
working_targets.outcome_count <- function(response, rows) {
  mean <- max(mean(response$y[rows]), 1e-10)
  cbind(log(mean) + (response$y[rows] - mean) / mean)
}

# Counts are skewed.
single_effects.outcome_count <- function(response, values, weights = NULL) {
  correlations_with(response, values, weights, rank)
}

link_errors.outcome_count <- function(response, links, part = NULL) {
  colMeans(poisson_deviances(rep(response$y, ncol(links[[1]])), mean_count(links[[1]])))
}

judge_outcome.outcome_count <- function(outcome, seen, decision, blocks, conf_level, order) {
  losses <- poisson_deviances(seen$observed, seen$predicted)
  judge_losses(losses, outcome$measured, blocks, conf_level)
}

baseline_error.outcome_count <- function(outcome, predictions, within) {
  deviance_of_mean(predictions$observed)
}

read_new_outcome.outcome_count <- function(outcome, y, study) {
  observed <- NextMethod()
  check_whole_counts(y, "The model is one of counts.")
  observed
}

measure_outcome.outcome_count <- function(outcome, model, observed, link, conf_level, tau) {
  measure_counts(observed$observed, link, conf_level)
}

said_by_link.outcome_count <- function(outcome, link, levels) mean_count(link)

predict_types.outcome_count <- function(outcome, known) c("response", intersect("link", known))

# Deviance residuals of a negative binomial model without features. Their spread hardly follows the
# mean, so that they can be exchanged with covariates also; the counts and their logarithms cannot
# (experiments/counts).
outcome_scores.outcome_count <- function(response, z) {
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
