# A final model is a record: how it is fitted, what its link means, what it is called. Models are
# looked up by name; the models of fit_model() and results keep the name.

# @param name (string) as in `model$asked$model`; needs (string): which y, in messages; place
#   (number): the order of messages.
# @param title,plain (strings) with a penalty and without.
# @param fit function(u, basis, y, event, lambda, n_classes): list(beta (or with a column for each
#   class), lambda, converged, separated, told, cuts (of ordered classes: what their intercepts
#   have beside that of `beta`)); the columns of `basis` have no penalty, those of `u` have.
# @param lambda (number, or NULL) penalty unless one is given, which must then be > 0; NULL: the
#   data choose, and 0 is allowed.
# @param has_level (flag) does `basis` begin with a constant, the intercept?
# @param core function(x, y, lambda), core_left_out function(x, response, sets, left_out, lambda,
#   n_threads): the same without covariates, faster; NULL where there is none.
# @param n_links function(n_classes): numbers that a sample gets; by_class (flag): does each have
#   coefficients of its own?
# @param lone function(y): the link of samples that know one y, or NULL where `fit` tells.
# @param types (character) that predict() has besides the class; probability function(link) of
#   classes, respond function(link): the fitted value.
# @param one list(words, value function(link)): one number that says what is predicted, or
#   NULL.
# @param size function(n): the most features of n samples.
# @param more function(model, fit, x, response, alone): the model with what else predictions need;
#   alone: coefficients of the covariates by themselves, or NULL.
# @param family (string, or NULL) by which y is read.
new_final_model <- function(name, needs, place, title, fit, plain = title, lambda = NULL,
                            has_level = TRUE, core = NULL, core_left_out = NULL,
                            n_links = function(n_classes) 1L, by_class = FALSE,
                            lone = function(y) NULL, types = c("probability", "link"),
                            probability = NULL, respond = identity,
                            one = list(words = "fitted value", value = identity),
                            size = function(n) max(1L, n %/% 5L),
                            more = function(model, fit, x, response, alone) model, family = NULL) {
  as.list(environment())
}

final_model_registry <- new_registry()
# The files of models call this.
register_final_model <- final_model_registry$add

# @param model (string, or stabilect_model). @return its record; NULL for what is no model.
final_model_record <- function(model) {
  final_model_registry$all()[[if (is.character(model)) model else model$asked$model]]
}

final_models <- function() names(final_model_registry$all())
