# The families of likelihoods that the core has.

register_family("gaussian", 1, "least squares", c("binary", "numeric"),
  function(response, strata) list(y = as.double(response$y)),
  deviance = function(links, response, rows) (response$y[rows] - links[[1]])^2,
  types = function(levels) if (is.null(levels)) "response" else c("class", "link"),
  coded = regression_response, squares = TRUE, within = "gaussian"
)

register_family("binomial", 2, "logistic regression", "binary",
  function(response, strata) list(y = (response$y + 1) / 2),
  deviance = function(links, response, rows) {
    product <- response$y[rows] * links[[1]]
    2 * (log1p(exp(-abs(product))) + pmax(0, -product))
  },
  types = function(levels) c("class", "probability", "link"), separable = TRUE,
  within = "conditional"
)

register_family("poisson", 3, "Poisson regression", "count",
  function(response, strata) list(y = as.double(response$y)),
  deviance = function(links, response, rows) {
    y <- response$y[rows]
    eta <- links[[1]]
    2 * (exp(eta) - y * eta + ifelse(y > 0, y * log(pmax(y, 1)) - y, 0))
  },
  types = function(levels) c("response", "link"), respond = exp, asked = TRUE
)

register_family("cox", 4, "Cox regression", "survival",
  function(response, strata) {
    list(
      time = as.double(response$y), event = as.double(response$event),
      strata = if (is.null(strata)) integer() else strata
    )
  },
  deviance = NULL, types = function(levels) "link", has_level = FALSE, together = TRUE,
  separable = TRUE, strata = TRUE
)

register_family("multinomial", 5, "multinomial regression", c("binary", "multiclass"),
  function(response, strata) list(y = response$codes - 1, n_classes = length(response$levels)),
  deviance = function(links, response, rows) class_deviance(links, response$codes[rows]),
  types = function(levels) c("class", "probability", "link"), by_class = TRUE, separable = TRUE
)

# Conditional logistic regression is Cox regression where all have one time (Breslow and Day 1980,
# section 7.2): exact with one sample of the second class in each group, with any ties.
register_family("conditional", 6, "conditional logistic regression", "binary",
  function(response, strata) {
    list(time = rep(1, length(response$y)), event = (response$y + 1) / 2, strata = strata)
  },
  deviance = NULL, types = function(levels) "link", has_level = FALSE, together = TRUE,
  separable = TRUE, matched = TRUE, engine = "cox"
)
