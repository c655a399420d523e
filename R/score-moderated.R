# Moderated t and F: the variances of all features within a run are drawn towards a common value, so
# that a feature is not among the best for its small variance alone (Smyth 2004).

moderated_selector <- function() {
  score <- function(x, y, weights, control) {
    status <- status_of_runs(y, weights, 3L)
    by_class <- !is.null(y$codes)
    statistic <- function(filter) {
      cpp_score_filter(
        x, as.integer(y$codes), length(y$levels), as.double(y$y), weights, filter,
        control$n_threads, control$report
      )
    }
    total <- statistic("variance")
    value <- statistic(if (by_class) "anova" else "pearson")
    law <- NULL
    for (run in which(status == "ok")) {
      n <- sum(weights[, run])
      between <- if (by_class) length(unique(y$codes[weights[, run] > 0])) - 1 else 1
      df <- n - 1 - between
      ratio <- value[, run]
      # The parts of the sum of squares, also where F is 0 or infinite.
      explained <- if (by_class) 1 / (1 + df / (between * ratio)) else ratio^2
      rest <- if (by_class) 1 / (1 + between * ratio / df) else 1 - ratio^2
      square <- total[, run] * (n - 1)
      shrunk <- shrink_variances(square * rest / df, df)
      f <- square * explained / between / shrunk$variance
      value[, run] <- if (length(y$levels) > 2L) f else sqrt(f)
      power <- if (length(y$levels) > 2L) 1 else 2
      law <- list(power = power, between = between, within = shrunk$df)
    }
    runs <- new_runs(value, status, colnames(x))
    runs$law <- law
    runs
  }
  new_selector(
    "moderated_t", "moderated t", list(), c("binary", "multiclass", "numeric"), score
  )
}

# Smyth (2004), Sections 6.2 and 3: the prior by the moments of log s^2, and posterior variances. As
# in limma, variances of (nearly) zero count as 1e-5 of the median for the prior.
# @return list(variance, df (number): of each, with those of the prior).
shrink_variances <- function(variance, df) {
  if (length(variance) == 1L) {
    return(list(variance = variance, df = df))
  }
  middle <- stats::median(variance)
  known <- pmax(variance, 1e-5 * (if (middle == 0) 1 else middle))
  e <- log(known) - digamma(df / 2) + log(df / 2)
  excess <- stats::var(e) - trigamma(df / 2)
  # No more than all features have together.
  most <- df * length(variance)
  if (excess <= 0) {
    return(list(variance = rep(mean(known), length(variance)), df = most))
  }
  prior_df <- 2 * inverse_trigamma(excess)
  prior <- exp(mean(e) + digamma(prior_df / 2) - log(prior_df / 2))
  list(
    variance = (df * variance + prior_df * prior) / (df + prior_df), df = min(df + prior_df, most)
  )
}

# p of the last run's scores, by the law of F.
p_of_moderated <- function(score, law) {
  stats::pf(score^law$power, law$between, law$within, lower.tail = FALSE)
}

# Newton's method for 1 / trigamma, which is nearly linear (Smyth 2004, appendix).
inverse_trigamma <- function(x) {
  y <- 0.5 + 1 / x
  repeat {
    value <- trigamma(y)
    step <- value * (1 - value / x) / psigamma(y, deriv = 2)
    y <- y + step
    if (-step / y < 1e-8) {
      return(y)
    }
  }
}
