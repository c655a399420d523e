# A final model is a record: how it is fitted, what its link means, what it is called. Models are
# looked up by name; the models of fit_model() and results keep the name.

# @param name (string) as in `model$asked$model`; needs (string): which y, in messages.
# @param title,plain (strings) with a penalty and without.
# @param fit function(u, basis, y, event, lambda, n_classes): list(beta (or with a column for each
#   class), lambda, converged, separated, told, cuts (of ordered classes: what their intercepts
#   have beside that of `beta`)); the columns of `basis` have no penalty, those of `u` have.
# @param lambda (number, or NULL) penalty unless one is given, which must then be > 0; NULL: the data
#   choose, and 0 is allowed.
# @param has_level (flag) does `basis` begin with a constant, the intercept?
# @param core function(x, y, lambda), core_left_out function(x, response, sets, left_out, lambda,
#   n_threads): the same without covariates, faster; NULL where there is none.
# @param n_links function(n_classes): numbers that a sample gets; by_class (flag): does each have
#   coefficients of its own?
# @param lone function(y): the link of samples that know one y, or NULL where `fit` tells.
# @param types (character) that predict() has besides the class; probability function(link) of
#   classes, respond function(link): the fitted value.
# @param one list(words, value function(link)): one number that says what is predicted; NULL without.
# @param size function(n): the most features of n samples.
# @param more function(model, fit, x, response, alone): the model with what else predictions need;
#   alone: coefficients of the covariates by themselves, or NULL.
# @param family (string, or NULL) by which y is read.
new_final_model <- function(name, needs, title, fit, plain = title, lambda = NULL,
                            has_level = TRUE, core = NULL, core_left_out = NULL,
                            n_links = function(n_classes) 1L, by_class = FALSE,
                            lone = function(y) NULL, types = c("probability", "link"),
                            probability = NULL, respond = identity,
                            one = list(words = "fitted value", value = identity),
                            size = function(n) max(1L, n %/% 5L),
                            more = function(model, fit, x, response, alone) model, family = NULL) {
  as.list(environment())
}

final_model_makers <- new.env(parent = emptyenv())

# The files of models call this; records are made when one is first asked for.
register_final_model <- function(name, make) assign(name, make, final_model_makers)

# @param model (string, or stabilect_model). @return its record; NULL for what is no model.
final_model_record <- function(model) {
  make <- final_model_makers[[if (is.character(model)) model else model$asked$model]]
  if (!is.null(make)) make()
}

# In the order of the outcomes that have them.
final_models <- function() unique(unlist(lapply(outcome_records(), `[[`, "models")))

register_final_model("ridge_logistic", function() {
  new_final_model(
    "ridge_logistic", "two classes", "ridge-logistic regression",
    function(u, basis, y, event, lambda, n_classes) held_logistic(u, basis, y > 0, lambda),
    lambda = 3,
    core = function(x, y, lambda) {
      c(cpp_fit_ridge_logistic(x, as.double(y > 0), rep(1, nrow(x)), lambda), lambda = lambda)
    },
    core_left_out = function(x, response, sets, left_out, lambda, n_threads) {
      cpp_loo_ridge_logistic(x, response$codes - 1, sets, left_out, lambda, n_threads)
    },
    # The log odds of a single class have no limit.
    lone = function(y) if (all(y == y[1])) y[1] * Inf, probability = stats::plogis,
    one = list(words = "probability", value = stats::plogis),
    size = function(n) .Machine$integer.max
  )
})

register_final_model("ridge_multinomial", function() {
  new_final_model(
    "ridge_multinomial", "several classes", "ridge-multinomial regression",
    function(u, basis, y, event, lambda, n_classes) {
      held_multinomial(u, basis, y, n_classes, lambda)
    },
    lambda = 3, n_links = identity, by_class = TRUE, probability = class_probabilities, one = NULL
  )
})

register_final_model("ridge_poisson", function() {
  new_final_model(
    "ridge_poisson", "counts", "ridge-Poisson regression",
    function(u, basis, y, event, lambda, n_classes) held_poisson(u, basis, y, lambda),
    plain = "Poisson regression", respond = mean_count,
    one = list(words = "mean count", value = mean_count), family = "poisson"
  )
})

register_final_model("ridge_cox", function() {
  new_final_model(
    "ridge_cox", "survival times", "ridge Cox regression",
    function(u, basis, y, event, lambda, n_classes) held_cox(u, basis, y, event, lambda),
    plain = "Cox regression", has_level = FALSE, types = c("survival", "link"),
    one = list(words = "risk", value = identity),
    more = function(model, fit, x, response, alone) {
      model$offset <- fit$offset
      model$baseline <- baseline_of_fit(x, response, fit)
      if (!is.null(alone)) {
        link <- drop(response$covariates %*% alone)
        model$baseline$hazard_alone <- breslow_baseline(response$y, response$event, link)$hazard
      }
      model
    }
  )
})

register_final_model("least_squares", function() {
  new_final_model(
    "least_squares", "numbers or two classes", "ridge regression",
    function(u, basis, y, event, lambda, n_classes) held_least_squares(u, basis, y, lambda),
    plain = "least squares", types = "link",
    core = function(x, y, lambda) c(cpp_fit_ridge(x, y, lambda), converged = TRUE),
    core_left_out = function(x, response, sets, left_out, lambda, n_threads) {
      cpp_loo_ridge(x, response$y, sets, left_out, lambda, n_threads)
    }
  )
})
