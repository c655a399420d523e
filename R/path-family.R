# Likelihood families: the outcomes that they take, and the response as the core reads it.

family_words <- c(
  gaussian = "least squares", binomial = "logistic regression", poisson = "Poisson regression",
  cox = "Cox regression", multinomial = "multinomial regression"
)

# The outcomes that a family takes.
family_takes <- function(family) {
  if (is.null(family)) {
    return(c("binary", "multiclass", "numeric", "survival"))
  }
  switch(family,
    gaussian = c("binary", "numeric"), binomial = "binary", poisson = "count", cox = "survival",
    multinomial = c("binary", "multiclass")
  )
}

# Two classes use least squares by default, as in Zare et al. (2013).
family_of <- function(family, response) {
  if (!is.null(family)) {
    return(family)
  }
  outcome_of(response)$family
}

# The response for the core.
# @param strata (integer, n: codes, or NULL) only for cox.
likelihood_response <- function(response, family, strata = NULL) {
  switch(family,
    cox = list(
      family = family, time = as.double(response$y), event = as.double(response$event),
      strata = if (is.null(strata)) integer() else strata
    ),
    binomial = list(family = family, y = (response$y + 1) / 2),
    multinomial = list(
      family = family, y = response$codes - 1, n_classes = length(response$levels)
    ),
    list(family = family, y = as.double(response$y))
  )
}
