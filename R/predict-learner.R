# The interface of learners, on which elimination, ensembles and evaluation rely.

#' Learners that judge, and eliminate, features
#'
#' Learners predict classes; `learner_ridge()` predicts numbers and survival times, and
#' `learner_forest()` and `learner_lasso()` predict all of these.
#' [eliminate_features()] eliminates features by their importance in a learner;
#' [evaluate_selectors()] and [select_ensemble()] train a learner on the selected features.
#'
#' @param lambda (number > 0) strength of the ridge penalty. For `learner_ridge()`: (number >= 0, or
#'   `NULL`) `NULL` chooses it from the training samples. For `learner_lasso()`: (number > 0, or
#'   `NULL`) `NULL` is 3 for classes and chosen from the training samples for others.
#' @param cost (number > 0) C: cost of a sample inside the margin, against \eqn{|w|^2 / 2}.
#' @param loss (string) `"l2"`, squared hinge loss, or `"l1"`, hinge loss.
#' @param scaling (string) how features are scaled, by the training samples: `"sd"` to mean 0 and
#'   standard deviation 1 (divisor N); `"range"` to the range from 0 to 1; `"none"`.
#' @param intercept (string) `"free"` for an intercept without penalty, or `"penalised"`, where it
#'   is the weight of a constant feature of value 1, as in LIBLINEAR.
#' @param feature_weights (named numbers > 0, or `NULL`) multiply the scaled features of these names
#'   before the fit; others have 1.
#' @param shrinkage_factors (named numbers > 0, or `NULL`) factors of the penalty of the features of
#'   these names, as `penalty.factor` in glmnet; others have 1.
#' @param family (string) `"binomial"`: of several classes each against the rest; `"multinomial"`:
#'   one model of all classes, with the default of the other arguments but `lambda`.
#' @param shrinkage (number in \[0, 1\]) share of the diagonal in the within-class correlation
#'   matrix: 0 is plain linear discriminant analysis, 1 ignores correlations (diagonal discriminant
#'   analysis).
#' @param n_trees (whole number >= 1) trees of the forest.
#' @param mtry (whole number >= 1, number in (0, 1), or `NULL`) features tried at a split: a count
#'   (at most all), a share of them (rounded up), or the root of their number rounded down.
#' @param importance (string) `"impurity"` (mean decrease of the Gini index) or `"permutation"`.
#'   For `learner_custom()`: (function, or `NULL`) of (`model`), see below.
#' @param n_rounds,max_depth,learning_rate of gradient boosting, as in [selector_boosting()].
#' @param fit (function) of (`x`, `y`): numeric matrix with column names, and factor, numbers or
#'   `Surv`; returns a model.
#' @param predict (function) of (`model`, `newdata`): returns the classes of the rows of `newdata`,
#'   as factor or text, or numbers; for survival times larger ones for a higher risk.
#' @param probability (function, or `NULL`) of (`model`, `newdata`): matrix of probabilities with a
#'   row per sample and a column, with its name, per class.
#' @param survival (function, or `NULL`) of (`model`, `newdata`, `times`): matrix of the
#'   probabilities to live without the event up to each of the times, which rise; a row per sample
#'   and a column per time. For the metric `"integrated_brier"`, see [measure_predictions()].
#' @param name (string) for print and plots.
#' @param responses (character) what the learner can predict: any of `"binary"`, `"multiclass"`,
#'   `"numeric"`, `"survival"`.
#'
#' @details
#' **`learner_logistic()`** minimises, with \eqn{y_i = \pm 1} and scaled features z,
#' \deqn{\sum_i \log(1 + \exp(-y_i (w'z_i + w_0))) + \frac{\lambda}{2} \sum_j s_j w_j^2,}
#' \eqn{s_j} the `shrinkage_factors`. With a free intercept this is
#' `glmnet::glmnet(alpha = 0, lambda = lambda / n)` and, for two classes, [fit_model()]; with a
#' penalised one, whose \eqn{w_0^2} joins the sum, LIBLINEAR's type 0 with `cost = 1 / lambda` and
#' `bias = 1`.
#'
#' **`learner_svm()`** minimises \eqn{\sum_j s_j w_j^2 / 2 + C \sum_i \max(0, 1 - y_i (w'z_i +
#' w_0))^q} with q = 2 (`"l2"`) or 1 (`"l1"`, the machine of `e1071::svm(kernel = "linear")`). With
#' a penalised intercept, \eqn{w_0^2 / 2} joins the sum: types 1 and 3 of LIBLINEAR with `bias = 1`.
#' Where there are many features, that penalty keeps the intercept near 0, so that of two classes of
#' unequal size the larger one loses samples that a free intercept would keep.
#'
#' Both are solved with the n x n matrix of inner products where features are many, and in the
#' coordinates of the features where they are at most n / 2 (not for hinge loss). Newton's method
#' runs to the limit of rounding. Hinge loss is solved in the dual, with a free intercept by pairs
#' of samples as in LIBSVM (Fan et al. 2005), else one by one, until no sample violates the
#' optimality conditions by more than 1e-9. A feature that is constant in training plays no part.
#'
#' **Covariates.** Where a verb has an argument `covariates`, `learner_ridge()` and
#' `learner_logistic()` (with its default `scaling` and `intercept`, without weights of features)
#' have these in the model without a penalty, as [fit_model()] has; the other learners have no such
#' part and refuse.
#'
#' **Several classes.** One machine for each class against the rest; the largest decision value
#' wins, the first class of equals. Importance is \eqn{\sum_g w_{gj}^2}, the weights those of the
#' scaled (and weighted) features. The probabilities of logistic regression are those of the
#' machines divided by their sum; support vector machines have none. `learner_logistic(family =
#' "multinomial")` is the model of [fit_model()] for several classes, whose probabilities belong
#' together; it takes longer.
#'
#' **`learner_lda()`**: features are divided by their within-class standard deviation, and a sample
#' is given to the class with the nearest mean in the metric of the pooled within-class covariance,
#' with the class shares as prior probabilities. With `shrinkage = 0`, directions in which the
#' standardised within-class data have a singular value up to 1e-4 are left out, as in
#' `MASS::lda()`, whose predictions these are: with as many features as samples or more, the
#' covariance matrix is singular, and the classes are compared in its range only. That is a poor
#' classifier near n features; `shrinkage` > 0 is defined for any number. Features that are constant
#' within classes are left out (`MASS::lda()` refuses them). Importance: the squared coefficients of
#' the standardised features, each class against the mean of all, summed.
#'
#' **`learner_forest()`** (ranger) and **`learner_boosting()`** (gbm, for several classes one model
#' for each against the rest; importance is the share of the loss reduction, summed) need their
#' packages. The forest draws from R's generator; it also predicts numbers and, by the sum of the
#' cumulative hazard over the times with events, survival times (Ishwaran et al. 2008).
#'
#' **`learner_lasso()`** (glmnet): logistic regression with \eqn{\lambda |w|_1}, `lambda` on the sum
#' of the losses, for several classes one against the rest; standardised features, free intercept.
#' Numbers: half the residual sum of squares plus \eqn{\lambda |w|_1}; survival times: Cox's log
#' partial likelihood (ties as in Breslow 1974), minus it. Without `lambda` these take the point of
#' glmnet's path with the smallest corrected AIC, as `learner_ridge()` (for numbers
#' \eqn{n \log(\mathrm{RSS} / n)} stands for \eqn{-2 \ell}, and n for D), where df is the number of
#' features with a weight (Zou, Hastie and Tibshirani 2007; for numbers plus one for the intercept).
#' Many weights are exactly 0: such features are eliminated from the last column on.
#'
#' **Counts** are numbers to learners: the root of the counts, or the logarithm of 1 plus them, has
#' a more even variance. Paths by the Poisson likelihood are in [lasso_path()] and
#' [stability_selection()].
#'
#' **`learner_ridge()`** predicts numbers and survival times. For numbers it is the ridge regression
#' of [fit_model()], `lambda` by generalised cross-validation. For survival times it maximises Cox's
#' log partial likelihood (ties as in Breslow 1974) minus \eqn{\lambda / 2 \sum_j w_j^2}, w the
#' weights of the features at mean 0 and standard deviation 1 (divisor n), by Newton's method until
#' no gradient exceeds 1e-9 times the events; this is `survival::coxph()` with
#' `ridge(theta = lambda, scale = FALSE)`. Without `lambda` it takes the one, of 19 values, with the
#' smallest AIC (Verweij and van Houwelingen 1994), corrected for few events (Hurvich and Tsai
#' 1989),
#' \deqn{-2 \ell + 2 \, \mathrm{df} \, D / (D - \mathrm{df} - 1), \quad
#'   \mathrm{df} = \mathrm{tr}\, (I + \lambda)^{-1} I,}
#' with D events and I the information, among those with \eqn{1 + \mathrm{df} \le D / 2}. The
#' prediction is the log hazard relative to a sample with mean features. Importance: squared
#' weights.
#'
#' **`learner_custom()`**: `importance` returns numbers >= 0 (or any that rank), one for each column
#' of the `x` that the model was fitted to; [eliminate_features()] needs it.
#' @return An object of class `stabilect_learner`: a list with `name`, `label` (strings), `params`
#'   (list), `responses` (as above), `squared_importance` (flag: is the importance a sum of squared
#'   weights?) and functions: `fit`, `predict`, `importance`, `probability` (as above) and
#'   `decision` (of `model`, `newdata`: matrix with a column per class, the larger the more likely)
#'   and `survival` (as above). A function that a learner does not have is `NULL`.
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range, `stabilect_error_package` when a
#' package is not installed. A warning of class `stabilect_warning_convergence` when hinge loss
#' needs more than 20,000 sweeps.
#' @references Breslow NE (1974). Covariance analysis of censored survival data. *Biometrics* 30(1),
#'   89-99.
#'
#'   Hurvich CM, Tsai C-L (1989). Regression and time series model selection in small samples.
#'   *Biometrika* 76(2), 297-307.
#'
#'   Ishwaran H, Kogalur UB, Blackstone EH, Lauer MS (2008). Random survival forests. *Annals of
#'   Applied Statistics* 2(3), 841-860.
#'
#'   Verweij PJM, van Houwelingen HC (1994). Penalized likelihood in Cox regression. *Statistics in
#'   Medicine* 13, 2427-2436.
#'
#'   Zou H, Hastie T, Tibshirani R (2007). On the "degrees of freedom" of the lasso. *Annals of
#'   Statistics* 35(5), 2173-2192.
#'
#'   Fan R-E, Chen P-H, Lin C-J (2005). Working set selection using second order
#'   information for training support vector machines. *Journal of Machine Learning Research* 6,
#'   1889-1918.
#'
#'   Brzezinski D (2020). Fibonacci and k-subsecting recursive feature elimination.
#'   *arXiv* 2007.14920 (the sum of squared weights over classes is that of its code).
#' @family elimination
#' @examples
#' x <- as.matrix(mcl_sll[, 2:6])
#' y <- factor(mcl_sll$MCL)
#' logistic <- learner_logistic()
#' model <- logistic$fit(x, y)
#' table(y, logistic$predict(model, x))
#' logistic$importance(model)
#' @name learners
NULL

# @param params (list) the arguments, for print.
# @param fit function(x, y), y as response_labels() gives it, of the kinds in `responses`. The other
#   functions take its value.
# @param predict,importance,probability,decision,survival as on the page of learners; NULL for what
#   there is not.
# @param read (function, or NULL) of (decision, levels): what decision values of the path say, see
#   read_machines(); with `path`, the arguments of the core, it stands in for fit and predict.
# @param squared_importance (flag) is the importance a sum of squared weights?
# @param key (list) what the learner is for checkpoints and merging, see new_key().
# @param held (function, or NULL where that cannot be) of k: the same learner, for which the first k
#   columns of x are covariates without a penalty, and no features of its importance.
# @param failure (character) classes of the errors of its functions: "library" beside "learner" for
#   those of another package, which may fail in single runs.
new_learner <- function(name, label, params, fit, predict, importance = NULL, probability = NULL,
                        decision = NULL, survival = NULL, path = NULL, read = NULL,
                        squared_importance = FALSE, key = new_key(name, params),
                        responses = c("binary", "multiclass"), held = NULL,
                        failure = c("library", "learner")) {
  own <- function(fn, verb) {
    what <- paste0("The learner \"", name, "\" cannot ", verb)
    if (!is.null(fn)) with_own_errors(fn, what, failure)
  }
  odds <- own(probability, "predict")
  one_object(of_class("stabilect_learner",
    name = name, label = label, params = params, key = key, fit = own(fit, "be fitted"),
    predict = own(predict, "predict"), importance = own(importance, "say what is important"),
    probability = odds,
    # Equal functions are called once.
    decision = if (identical(decision, probability)) odds else own(decision, "predict"),
    survival = own(survival, "predict survival"), path = path, read = read,
    squared_importance = squared_importance, responses = responses, held = held
  ))
}

#' @rdname learners
#' @export
learner_custom <- function(fit, predict, importance = NULL, probability = NULL, name = "custom",
                           responses = c("binary", "multiclass"), survival = NULL) {
  check_given()
  refuse(!is.function(fit) || !is.function(predict),
    "{.arg fit} and {.arg predict} must be functions, not {describe_value(fit)} and
      {describe_value(predict)}."
  )
  check_function_or_null(importance, "importance")
  check_function_or_null(probability, "probability")
  check_function_or_null(survival, "survival")
  refuse(!checkmate::test_string(name, min.chars = 1L),
    "{.arg name} must be a string, not {describe_value(name)}."
  )
  known <- c("binary", "multiclass", "numeric", "survival")
  refuse(!is.character(responses) || !checkmate::test_subset(responses, known, empty.ok = FALSE),
    "{.arg responses} must be some of {.val {known}}, not {describe_value(responses)}."
  )
  functions <- list(
    fit = fit, predict = predict, importance = importance, probability = probability
  )
  # Learners without it keep the key that they had.
  functions$survival <- survival
  new_learner(
    name, name, list(), fit, predict, importance, probability, decision = probability,
    survival = survival, key = new_key(name, functions), responses = responses, failure = "learner"
  )
}

check_function_or_null <- function(x, name) {
  refuse(!is.null(x) && !is.function(x),
    "{.arg {name}} must be a function or NULL, not {describe_value(x)}."
  )
}

#' @rdname learners
#' @param x (object of class `stabilect_learner`)
#' @param ... Not used.
#' @export
print.stabilect_learner <- function(x, ...) {
  cat(sprintf("<stabilect_learner> %s: %s\n", x$name, x$label))
  invisible(x)
}
