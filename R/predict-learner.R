# The interface of learners for elimination, ensembles and evaluation.

#' Learners: logistic regression, SVM, LDA, nearest neighbours, lasso, ridge, forest, boosting
#'
#' Learners predict classes. `learner_ridge()` predicts numbers and survival times;
#' `learner_forest()` and `learner_lasso()` predict all three, `learner_knn()` classes and numbers.
#' [eliminate_features()] eliminates features by their importance in a learner.
#' [evaluate_selectors()] and [select_ensemble()] train a learner on the selected features.
#'
#' @param lambda (number > 0) ridge penalty. For `learner_ridge()`: (number >= 0, or `NULL`) `NULL`
#'   chooses it from the training samples. For `learner_lasso()`: (number > 0, or `NULL`) `NULL` is
#'   3 for classes and is chosen from the training samples otherwise.
#' @param cost (number > 0) C: cost of a sample inside the margin, relative to \eqn{|w|^2 / 2}.
#' @param loss (string) `"l2"`, squared hinge loss, or `"l1"`, hinge loss.
#' @param scaling (string) scaling of the features by the training samples: `"sd"` to mean 0 and
#'   standard deviation 1 (divisor N); `"range"` to the range from 0 to 1; `"none"`.
#' @param intercept (string) `"free"` for an unpenalised intercept. With `"penalised"` the intercept
#'   is the weight of a constant feature of value 1, as in LIBLINEAR.
#' @param feature_weights (named numbers > 0, or `NULL`) factors of the scaled features of these
#'   names before the fit; others have 1.
#' @param penalty (named numbers > 0, or `NULL`) penalty factors of the features of these
#'   names, as `penalty.factor` in glmnet; others have 1.
#' @param multiclass (string) for several classes, `"one_against_rest"`: a machine for each class
#'   against the others; `"one_against_one"`: a machine for each pair of classes, as in LIBSVM.
#' @param family (string) for several classes, `"binomial"`: each against the rest; `"multinomial"`:
#'   one model of all classes, with the defaults of all arguments but `lambda`.
#' @param shrinkage (number in \[0, 1\]) share of the diagonal in the within-class correlation
#'   matrix: 0 is plain linear discriminant analysis, 1 ignores correlations (diagonal discriminant
#'   analysis).
#' @param n_neighbours (whole number >= 1) number of nearest training samples that predict; all if
#'   there are fewer.
#' @param n_trees (whole number >= 1) number of trees.
#' @param mtry (whole number >= 1, number in (0, 1), or `NULL`) features tried at a split: a number
#'   (at most all), a share (rounded up), or for `NULL` the root of their number, rounded down.
#' @param importance (string) `"impurity"` (mean decrease of the Gini index) or `"permutation"`. For
#'   `learner_custom()`: (function, or `NULL`) of (`model`), see below.
#' @param n_rounds,max_depth (whole numbers >= 1) number of rounds of gradient boosting, and depth
#'   of its trees.
#' @param learning_rate (number in (0, 1]) shrinkage of each round.
#' @param fit (function) of (`x`, `y`): a numeric matrix with column names, and a factor, numbers or
#'   `Surv`; returns a model.
#' @param predict (function) of (`model`, `newdata`): returns one value for each row of `newdata`,
#'   classes (factor or text) or numbers; for survival times larger values for a higher risk.
#' @param probability (function, or `NULL`) of (`model`, `newdata`): matrix of probabilities with a
#'   row per sample and a named column per class.
#' @param survival (function, or `NULL`) of (`model`, `newdata`, `times`): matrix of the
#'   probabilities to live without the event up to each of the rising times; a row per sample and a
#'   column per time. For the metric `"integrated_brier"`, see [measure_predictions()].
#' @param name (string) name in prints and plots.
#' @param responses (character) outcomes that the learner can predict: any of `"binary"`,
#'   `"multiclass"` (also allows ordered classes), `"ordered"`, `"numeric"`, `"survival"`.
#'
#' @details
#' Scaled features are z, weights w, and the `penalty` of a feature \eqn{s_j}. The *importance* of a
#' feature is its squared weight, of several classes the sum over machines, unless said otherwise.
#'
#' * `learner_logistic()`: logistic loss plus \eqn{(\lambda / 2) \sum_j s_j w_j^2}. With a free
#'   intercept this is `glmnet::glmnet(alpha = 0, lambda = lambda / n)`; with a penalised one
#'   LIBLINEAR's type 0.
#' * `learner_svm()`: a linear support vector machine, squared hinge loss or the hinge loss of
#'   `e1071::svm(kernel = "linear")`. A penalised intercept stays near 0 with many features: of two
#'   classes of unequal size the larger then loses samples.
#' * `learner_lda()`: as `MASS::lda()`; with as many features as samples or more, in the range of
#'   the covariance matrix. It is poor near n features, where `shrinkage` > 0 works.
#' * `learner_knn()`: as `class::knn()` on scaled features; ties go to the nearest. It has no
#'   importance, so [eliminate_features()] does not take it.
#' * `learner_forest()` (ranger) and `learner_boosting()` (gbm) need their packages; the forest also
#'   predicts numbers and survival times (Ishwaran et al. 2008).
#' * `learner_lasso()` (glmnet; for survival times [lasso_path()]): lasso with `lambda` for the sum
#'   of the losses. Many weights are 0: these features are eliminated from the last column on.
#' * `learner_ridge()`: numbers by the ridge regression of [fit_model()], survival times by Cox's
#'   likelihood (ties as in Efron 1977) with a ridge penalty. Without `lambda` generalised
#'   cross-validation or the corrected AIC (Hurvich and Tsai 1989) chooses it.
#' * `learner_custom()`: your own; `importance` returns numbers >= 0, one for each column of `x`,
#'   which [eliminate_features()] needs.
#'
#' **Several classes** have one machine for each class against the rest; the largest decision value
#' wins. With `multiclass = "one_against_one"` pairs of classes vote. `learner_logistic(family =
#' "multinomial")` is the model of [fit_model()]; it takes longer.
#'
#' **Covariates** can be adjusted for by `learner_ridge()` and `learner_logistic()` (default
#' `scaling` and `intercept`, no weights of features), as in [fit_model()]; the other learners
#' cannot.
#'
#' **Counts** are numbers to learners. Their root, or the logarithm of 1 plus them, has a more even
#' variance.
#'
#' `vignette("how-computed")` has the objectives, ties, and how they are solved;
#' `vignette("paper-selectors")` a support vector machine with a kernel.
#' @return An object of class `stabilect_learner`: a list with `name`, `label` (strings), `params`
#'   (list), `responses` (as above), `squared_importance` (flag: is the importance a sum of squared
#'   weights?) and functions: `fit`, `predict`, `importance`, `probability`, `survival` (as above)
#'   and `decision` (of `model`, `newdata`: matrix with a column per class, larger for the more
#'   probable class). A function that a learner does not have is `NULL`.
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range, `stabilect_error_package` if a package
#' is not installed. A warning of class `stabilect_warning_convergence` if hinge loss needs more
#' than 20,000 sweeps.
#' @references Efron B (1977). The efficiency of Cox's likelihood function for censored data.
#'   *Journal of the American Statistical Association* 72, 557-565.
#'
#'   Hurvich CM, Tsai C-L (1989). Regression and time series model selection in small samples.
#'   *Biometrika* 76(2), 297-307.
#'
#'   Ishwaran H, Kogalur UB, Blackstone EH, Lauer MS (2008). Random survival forests. *Annals of
#'   Applied Statistics* 2(3), 841-860.
#'
#'   Brzezinski D (2020). Fibonacci and k-subsecting recursive feature elimination.
#'   *arXiv* 2007.14920 (its code has the sum of squared weights over classes).
#' @concept LightGBM
#' @concept kernel SVM
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
# @param fit function(x, y), y from response_labels(), of the kinds in `responses`. The other
#   functions take its value.
# @param predict,importance,probability,decision,survival as on the page of learners; NULL for
#   missing ones.
# @param read (function, or NULL) of (decision, levels): the meaning of decision values of the path,
#   see read_machines(); with `path`, the arguments of the core, it replaces fit and predict.
# @param squared_importance (flag) is the importance a sum of squared weights?
# @param key (list) identity of the learner for checkpoints and merging, see new_key().
# @param held (function, or NULL if it cannot adjust) of k: the same learner, for which the first k
#   columns of x are unpenalised covariates and not features of its importance.
# @param failure (character) classes of the errors of its functions: "library" beside "learner" for
#   errors of another package, which may fail single runs.
new_learner <- function(name, label, params, fit, predict, importance = NULL, probability = NULL,
                        decision = NULL, survival = NULL, path = NULL, read = NULL,
                        squared_importance = FALSE, key = new_key(name, params),
                        responses = c("binary", "multiclass"), held = NULL, drawn = NULL,
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
    squared_importance = squared_importance, responses = responses, held = held,
    drawn = own(drawn, "be fitted")
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
  known <- c("binary", "multiclass", "ordered", "numeric", "survival")
  refuse(!is.character(responses) || !checkmate::test_subset(responses, known, empty.ok = FALSE),
    "{.arg responses} must be some of {.val {known}}, not {describe_value(responses)}."
  )
  functions <- all_without_rest(list(
    fit = fit, predict = predict, importance = importance, probability = probability,
    survival = survival
  ))
  # Learners without survival keep their key.
  if (is.null(survival)) functions$survival <- NULL
  with(functions, new_learner(
    name, name, list(), fit, predict, importance, probability, decision = probability,
    survival = functions$survival, key = new_key(name, functions), responses = responses,
    failure = "learner"
  ))
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
