# Logistic regression and the linear support vector machine, in the core.

#' @rdname learners
#' @export
learner_logistic <- function(lambda = 3, scaling = c("sd", "range", "none"),
                             intercept = c("free", "penalised"), feature_weights = NULL,
                             penalty = NULL, family = "binomial") {
  lambda <- check_positive(lambda)
  scaling <- check_choice(scaling, c("sd", "range", "none"))
  intercept <- check_choice(intercept, c("free", "penalised"))
  family <- check_choice(family, c("binomial", "multinomial"))
  if (family == "multinomial") {
    own <- scaling != "sd" || intercept != "free" || !is.null(feature_weights) ||
      !is.null(penalty)
    refuse(own, "{.code family = \"multinomial\"} takes no other {.arg scaling}, {.arg intercept},
      {.arg feature_weights} or {.arg penalty} than the default.")
    return(multinomial_learner(lambda))
  }
  path <- list(
    loss = "logistic", penalty = lambda, free_intercept = intercept == "free", scaling = scaling,
    pairs = FALSE
  )
  linear_learner(
    "logistic", "logistic regression", list(lambda = lambda, scaling = scaling),
    path, feature_weights, penalty
  )
}

#' @rdname learners
#' @export
learner_svm <- function(cost = 1, loss = c("l2", "l1"), scaling = c("sd", "range", "none"),
                        intercept = c("free", "penalised"), feature_weights = NULL,
                        penalty = NULL,
                        multiclass = c("one_against_rest", "one_against_one")) {
  cost <- check_positive(cost)
  loss <- check_choice(loss, c("l2", "l1"))
  scaling <- check_choice(scaling, c("sd", "range", "none"))
  intercept <- check_choice(intercept, c("free", "penalised"))
  multiclass <- check_choice(multiclass, c("one_against_rest", "one_against_one"))
  path <- list(
    loss = loss, penalty = cost, free_intercept = intercept == "free", scaling = scaling,
    pairs = multiclass == "one_against_one"
  )
  linear_learner(
    "svm", "linear SVM",
    list(cost = cost, loss = loss, scaling = scaling, multiclass = multiclass), path,
    feature_weights, penalty
  )
}

linear_learner <- function(name, label, params, path, feature_weights, penalty) {
  path$feature_weights <- check_factors(feature_weights)
  path$penalty_factors <- check_factors(penalty)
  has_odds <- path$loss == "logistic"
  plain <- path$free_intercept && path$scaling == "sd" &&
    is.null(path$feature_weights) && is.null(path$penalty_factors)
  new_learner(
    name, label, params, function(x, y) fit_linear_learner(x, y, path), predict_linear,
    importance = function(model) model$importance,
    probability = if (has_odds) {
      function(model, newdata) machine_odds(linear_scores(model, newdata))
    },
    decision = linear_scores, path = path,
    read = function(decision, n_classes) read_machines(decision, n_classes, has_odds, path$pairs),
    squared_importance = TRUE, key = new_key(name, path),
    held = if (has_odds && plain) function(k) logistic_beside(path$penalty, k)
  )
}

# Logistic regression whose first k columns of x are covariates, by a Newton method that allows
# columns without a penalty.
logistic_beside <- function(lambda, k) {
  new_learner(
    "logistic", "logistic regression", list(lambda = lambda, covariates = k),
    function(x, y) fit_logistic_beside(x, y, lambda, seq_len(k)), predict_linear,
    importance = function(model) model$importance,
    probability = function(model, newdata) machine_odds(linear_scores(model, newdata)),
    decision = linear_scores, squared_importance = TRUE
  )
}

# As in fit_linear_learner(), two classes share a machine.
fit_logistic_beside <- function(x, y, lambda, covariates) {
  y <- droplevels(y)
  n_levels <- nlevels(y)
  second <- if (n_levels == 2L) 2L else if (n_levels > 2L) seq_len(n_levels)
  out <- list(
    weights = matrix(0, ncol(x), n_levels), constants = numeric(n_levels), levels = levels(y),
    importance = numeric(ncol(x) - length(covariates))
  )
  z <- x[, covariates, drop = FALSE]
  features <- x[, setdiff(seq_len(ncol(x)), covariates), drop = FALSE]
  for (g in second) {
    fit <- fit_ridge(
      features, z, "ridge_logistic", 2 * (as.integer(y) == g) - 1, NULL, lambda
    )
    out$weights[, g] <- c(fit$covariates, fit$coefficients)
    out$constants[g] <- fit$intercept
    out$importance <- out$importance + (fit$coefficients * fit$scale)^2
  }
  out
}

# One model of all classes, with weights for each.
# @param k (integer) number of first columns of x that are covariates.
multinomial_learner <- function(lambda, k = 0L) {
  new_learner(
    "multinomial", "multinomial regression",
    c(list(lambda = lambda), if (k > 0L) list(covariates = k)),
    function(x, y) fit_multinomial(x, droplevels(y), lambda, seq_len(k)), predict_linear,
    importance = function(model) model$importance,
    probability = function(model, newdata) class_probabilities(linear_scores(model, newdata)),
    decision = linear_scores, squared_importance = TRUE,
    held = function(k) multinomial_learner(lambda, k)
  )
}

fit_multinomial <- function(x, y, lambda, covariates) {
  features <- x[, setdiff(seq_len(ncol(x)), covariates), drop = FALSE]
  fit <- fit_ridge(
    features, x[, covariates, drop = FALSE], "ridge_multinomial", as.integer(y), NULL, lambda
  )
  list(
    weights = rbind(fit$covariates, fit$coefficients), constants = fit$intercept,
    levels = levels(y), importance = rowSums((fit$coefficients * fit$scale)^2)
  )
}

check_factors <- function(factors, name = rlang::caller_arg(factors)) {
  if (is.null(factors)) {
    return(NULL)
  }
  ok <- is.numeric(factors) && length(factors) > 0L && !is.null(names(factors)) &&
    all(is.finite(factors)) && all(factors > 0)
  refuse(!ok || anyDuplicated(names(factors)) || any(names(factors) == ""),
    "{.arg {name}} must be finite numbers > 0, each with the name of a feature, or NULL, not
      {describe_value(factors)}."
  )
  factors
}

# 1 for features without a given factor.
factors_of <- function(factors, feature_names) {
  at <- match(feature_names, names(factors))
  ifelse(is.na(at), 1, factors[at])
}

# Decision values newdata %*% weights + constants, one column per class. Two classes share a
# machine: the value of the first class is 0.
fit_linear_learner <- function(x, y, path) {
  y <- droplevels(y)
  if (nlevels(y) < 2L) {
    return(list(
      weights = matrix(0, ncol(x), 1L), constants = 0, levels = levels(y),
      importance = numeric(ncol(x))
    ))
  }
  fit <- cpp_fit_linear(
    x, as.integer(y), nlevels(y), factors_of(path$feature_weights, colnames(x)),
    factors_of(path$penalty_factors, colnames(x)), path
  )
  if (!fit$converged) warn_not_converged(path$penalty)
  if (nlevels(y) == 2L) {
    fit$weights <- cbind(0, fit$weights)
    fit$constants <- c(0, fit$constants)
  }
  list(
    weights = fit$weights, constants = fit$constants, levels = levels(y),
    importance = fit$importance, pairs = path$pairs && nlevels(y) > 2L
  )
}

warn_not_converged <- function(cost) {
  cli::cli_warn(
    c("The support vector machine stopped before it had converged; its predictions are rough.",
      i = "Use {.code loss = \"l2\"}, or a smaller {.arg cost} (now {cost})."
    ),
    class = "stabilect_warning_convergence"
  )
}

# Probabilities from the log odds of one machine (two classes: the difference of the columns), or of
# each class against the rest.
machine_odds <- function(score) {
  if (ncol(score) == 2L) {
    second <- stats::plogis(score[, 2L] - score[, 1L])
    score[] <- c(1 - second, second)
    return(score)
  }
  # Without samples, plogis() would drop the dimensions.
  score[] <- stats::plogis(score)
  score / rowSums(score)
}

# Predictions from the decision values of a path (samples x machines): list(class (codes from 1),
# decision, probability (samples x classes)).
read_machines <- function(decision, n_classes, has_odds, pairs = FALSE) {
  if (n_classes == 2L) decision <- cbind(numeric(nrow(decision)), decision)
  if (pairs && n_classes > 2L) decision <- votes_of_pairs(decision, n_classes)
  list(
    class = top_class(decision), decision = decision,
    probability = if (has_odds) machine_odds(decision)
  )
}
