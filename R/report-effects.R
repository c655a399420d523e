# Effects of features in a report: one number each, in the samples of the analysis.

# @param study as the report got it; features (character) names of its columns.
# @return list(name (string) of the column, meaning (string), value (numeric)).
effects_of <- function(study, features) {
  values <- values_of(study, features)
  response <- study$response
  scaled <- scale(values)
  scaled[is.nan(scaled)] <- 0
  if (!is.null(response$event)) {
    return(hazard_effects(scaled, response))
  }
  if (is.null(response$codes)) {
    return(list(
      name = "correlation", meaning = "correlation with the outcome, from -1 to 1",
      value = rank_or_plain(values, response)
    ))
  }
  list(
    name = "difference", meaning = paste(
      "mean of the class where the feature is highest minus the mean of the other samples, in",
      "standard deviations within classes"
    ),
    value = class_differences(values, response$codes)
  )
}

# Counts are skewed: ranks.
rank_or_plain <- function(values, response) {
  method <- if (response$type == "count") "spearman" else "pearson"
  suppressWarnings(as.vector(stats::cor(values, response$y, method = method)))
}

class_differences <- function(values, codes) {
  means <- rowsum(values, codes) / tabulate(codes)
  within <- values - means[codes, , drop = FALSE]
  spread <- sqrt(colSums(within^2) / (nrow(values) - nrow(means)))
  vapply(seq_len(ncol(values)), function(j) {
    top <- codes == which.max(means[, j])
    (mean(values[top, j]) - mean(values[!top, j])) / spread[j]
  }, 0)
}

# One Cox model for each feature.
hazard_effects <- function(scaled, response) {
  times <- cox_times(response$y, response$event)
  ratio <- vapply(seq_len(ncol(scaled)), function(j) {
    z <- scaled[times$order, j, drop = FALSE]
    fit <- maximise_cox(z, times, 0, 0)
    if (fit$converged) exp(fit$beta[1]) else NA_real_
  }, 0)
  list(
    name = "hazard_ratio", value = ratio, meaning = paste(
      "hazard of a sample one standard deviation higher, relative to the hazard of the other (Cox",
      "model of this feature alone)"
    )
  )
}
