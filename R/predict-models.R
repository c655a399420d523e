# The final models of two classes, several classes, counts, survival times and numbers.

register_final_model("ridge_logistic", function() {
  new_final_model(
    "ridge_logistic", "two classes", 1, "ridge-logistic regression",
    function(u, basis, y, event, lambda, n_classes) held_logistic(u, basis, y > 0, lambda),
    lambda = 3,
    core = function(x, y, event, lambda) {
      c(cpp_fit_ridge_logistic(x, as.double(y > 0), rep(1, nrow(x)), lambda), lambda = lambda)
    },
    core_left_out = function(x, response, sets, left_out, predicted, lambda, n_threads) {
      cpp_loo_ridge_logistic(
        x, response$codes - 1, sets, left_out, predicted, lambda, n_threads
      )
    },
    # The log odds of a single class have no limit.
    lone = function(y) if (all(y == y[1])) y[1] * Inf, probability = stats::plogis,
    one = list(words = "probability", value = stats::plogis),
    size = function(n) .Machine$integer.max
  )
})

register_final_model("ridge_multinomial", function() {
  new_final_model(
    "ridge_multinomial", "several classes", 2, "ridge-multinomial regression",
    function(u, basis, y, event, lambda, n_classes) {
      held_multinomial(u, basis, y, n_classes, lambda)
    },
    lambda = 3, n_links = identity, by_class = TRUE, probability = class_probabilities, one = NULL
  )
})

register_final_model("ridge_poisson", function() {
  new_final_model(
    "ridge_poisson", "counts", 3, "ridge-Poisson regression",
    function(u, basis, y, event, lambda, n_classes) held_poisson(u, basis, y, lambda),
    plain = "Poisson regression", respond = mean_count,
    one = list(words = "mean count", value = mean_count), family = "poisson"
  )
})

register_final_model("ridge_cox", function() {
  new_final_model(
    "ridge_cox", "survival times", 4, "ridge Cox regression",
    function(u, basis, y, event, lambda, n_classes) held_cox(u, basis, y, event, lambda),
    plain = "Cox regression", has_level = FALSE, types = c("survival", "link"),
    core = core_cox,
    one = list(words = "risk", value = identity),
    more = function(model, fit, x, response, alone) {
      model$offset <- fit$offset
      model$baseline <- baseline_of_fit(x, response, fit)
      if (!is.null(alone)) {
        link <- drop(response$covariates %*% alone)
        model$baseline$hazard_alone <- baseline_hazard(response$y, response$event, link)$hazard
      }
      model
    }
  )
})

register_final_model("least_squares", function() {
  new_final_model(
    "least_squares", "numbers or two classes", 5, "ridge regression",
    function(u, basis, y, event, lambda, n_classes) held_least_squares(u, basis, y, lambda),
    plain = "least squares", types = "link",
    core = function(x, y, event, lambda) c(cpp_fit_ridge(x, y, lambda), converged = TRUE),
    core_left_out = function(x, response, sets, left_out, predicted, lambda, n_threads) {
      cpp_loo_ridge(x, response$y, sets, left_out, predicted, lambda, n_threads)
    }
  )
})
