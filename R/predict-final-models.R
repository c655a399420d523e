# A final model is a record: its fit, the meaning of its link, and its names. fit_model() and
# results keep the name, by which models are looked up.

# @param name (string) as in `model$asked$model`; needs (string): kind of y, in messages; place
#   (number): the order of messages.
# @param title,plain (strings) with a penalty and without.
# @param fit function(u, basis, y, event, lambda, n_classes): list(beta (or with a column for each
#   class), lambda, converged, separated, told, cuts (of ordered classes: additions to the intercept
#   of `beta`)); the columns of `u` are penalised, those of `basis` are not.
# @param lambda (number, or NULL) default penalty, must be > 0; NULL: the data choose, and 0 is
#   allowed.
# @param has_level (flag) does `basis` begin with a constant, the intercept?
# @param core function(x, y, event, lambda), core_left_out function(x, response, sets, left_out,
#   predicted, lambda, n_threads): the same without covariates, faster; NULL if there is none.
#   `core` is NULL
#   where only `fit` is precise.
# @param n_links function(n_classes): number of links of a sample; by_class (flag): does each have
#   its own coefficients?
# @param lone function(y): the link if all samples have one y, or NULL if `fit` gives it.
# @param types (character) types of predict() besides the class; probability function(link) of
#   classes, respond function(link): the fitted value.
# @param one list(words, value function(link)): a single number as prediction, or NULL.
# @param size function(n): the largest number of features for n samples.
# @param more function(model, fit, x, response, alone): the model with further parts for
#   predictions; alone: coefficients of the covariates alone, or NULL.
# @param family (string, or NULL) family for reading y.
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

# @param model (string, or stabilect_model). @return its record; NULL for other objects.
final_model_record <- function(model) {
  final_model_registry$all()[[if (is.character(model)) model else model$asked$model]]
}

final_models <- function() names(final_model_registry$all())
