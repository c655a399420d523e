#' Final linear model of selected features
#'
#' Fits the final model on selected features, with a ridge penalty: logistic regression for two
#' classes, multinomial regression for several, proportional odds for ordered ones, Poisson
#' regression for counts, Cox regression for survival times, and least squares for numbers.
#'
#' @inheritParams arguments
#' @param y (n values) outcome: classes (factor, character, logical, 0/1 or -1/1), ordered classes
#'   (an ordered factor of three or more levels), numbers, counts (with `model = "ridge_poisson"`),
#'   or right-censored survival times (`survival::Surv(time, event)`).
#' @param features (character or whole numbers, or `NULL`) names or positions of the columns to use;
#'   `NULL` takes all. An empty vector, for example from [selected()], gives a model without
#'   features and a warning. That model predicts the same for every sample (with the same
#'   covariates).
#' @param model (string, or `NULL`) `"ridge_logistic"` (two classes), `"ridge_multinomial"` (several
#'   classes), `"ridge_ordered"` (ordered classes), `"least_squares"` (numbers, or two classes coded
#'   -1 and 1), `"ridge_poisson"` (counts) or `"ridge_cox"` (survival times). `NULL` depends on the
#'   outcome; possible counts are taken as numbers.
#' @param lambda (number >= 0, or `NULL`) strength of the ridge penalty. `NULL` takes 3 for classes,
#'   where it must be positive. Otherwise it chooses a penalty, by generalised cross-validation for
#'   least squares and Poisson regression and by AIC for Cox regression; 0 is no penalty.
#' @param covariates (numeric vector, matrix or data frame with n rows, a formula, for example `~
#'   age + batch`, or `NULL`) variables to adjust for: they are in the model without a penalty.
#'   Factors, strings and flags get a column for each level but the first.
#' @details
#' The features were usually selected on the same samples. The fit to *these* samples therefore does
#' not show how well the model predicts new ones.
#'
#' Features have mean 0 and standard deviation 1 (divisor n) in the model, with coefficients
#' \eqn{\beta_j}. The ridge penalty \eqn{\lambda / 2 \sum_j \beta_j^2} is added to minus the log
#' likelihood, or to half the residual sum of squares. The intercept is not penalised, and
#' coefficients are returned on the original scale. By outcome:
#'
#' * *Two classes*: ridge-logistic regression, the objective of `glmnet::glmnet(alpha = 0, lambda =
#'   lambda / n)`. A positive coefficient favours the second class. `lambda = 3` was chosen on
#'   splits of four expression data sets; from 1 to 10 little changes.
#' * *Several classes* have coefficients each, which sum to 0 over the classes: a positive one
#'   favours its class. On four data sets the log loss out of bag with `lambda = 3` was at most 0.06
#'   above the best of 1, 3, 10, 30 and 100, and with 30 0.17 to 0.48 above it.
#' * *Ordered classes* have one coefficient for each feature, the log odds of a higher class
#'   (proportional odds, McCullagh 1980; `MASS::polr()`). `factor(y, ordered = FALSE)` gives each
#'   class its own.
#' * *Numbers*: ridge regression. Without a `lambda`, generalised cross-validation chooses it
#'   (Golub, Heath and Wahba 1979). With `lambda = 0` and many solutions the one with the smallest
#'   coefficients is taken.
#' * *Counts*: Poisson regression, with a `lambda` by generalised cross-validation, which allows for
#'   counts that vary more.
#' * *Survival times*: Cox regression with the `lambda` of [learner_ridge()]. The predicted risk is
#'   the log hazard relative to a sample with mean features.
#'
#' **Covariates** enter as they are, without a penalty. With `lambda = 0` or no features these are
#' the models of [stats::lm()], [stats::glm()] and `survival::coxph()`, which also take weights,
#' strata and offsets: here all samples count alike, whatever the selection knew of them.
#'
#' **Within groups** (data of [prepare_study()] with `within`) the model is the same, of features
#' minus their mean in the group. For pairs of a sample of either class it has the probabilities of
#' conditional logistic regression, and its coefficients are twice those of `survival::clogit()`.
#' With more than two samples in a group they are no log odds ratios: `survival::clogit()` on the
#' features of the list has them.
#'
#' `vignette("how-computed")` has the objectives and how `lambda = 3` was chosen.
#' @return An object of class `stabilect_model`, a list with
#' \describe{
#'   \item{coefficients}{(named numeric) `(Intercept)` first, then the covariates, if any, and the k
#'   features; without intercept for Cox regression, and with one for each ordered class except
#'   the lowest, named `>= class`. For several classes a matrix with a column for
#'   each.}
#'   \item{standardised}{(named numeric, k, or matrix) coefficients times the standard deviations of
#'   their features, for comparison between features.}
#'   \item{features}{(character, k) names of the features.}
#'   \item{means}{(named numeric) means of the covariates and features, for contributions.}
#'   \item{offset}{(number) for Cox regression: the sum of coefficients times features of a sample
#'   with mean features, which is subtracted in predictions.}
#'   \item{baseline}{(data frame) for Cox regression, a row for each distinct time in `y`: `time`,
#'   `hazard` (cumulative, of a sample with mean features, see
#'   [predict.stabilect_model()]), `survival` (the
#'   Kaplan-Meier curve of all samples), and with covariates `hazard_alone` (of the model with
#'   covariates alone, at covariates 0).}
#'   \item{covariates, without_features}{(character; named numeric) only with covariates: their
#'   columns, and the coefficients of the model with covariates alone.}
#'   \item{rows}{(list) hashes of the values of each sample, not the values; [validate_model()]
#'   recognises the samples of the fit by them.}
#'   \item{asked}{(list) `model` and `lambda`, as used; `blocks` of prepared data (factor, n, or
#'   `NULL`); with covariates, `covariates`: the levels of categorical ones.}
#'   \item{study}{(list) about the data, see [results]: for two classes, positive coefficients
#'   favour the second of its `levels`.}
#'   \item{made}{(list) `version` of the package and the `call`, see [results].}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range, and for covariates with missing values,
#' of other samples than `x`, with the name of a feature, or that are constant, linear combinations
#' of each other or determine `y`. `stabilect_error_convergence` if Newton's method stops early,
#' which happens only with a penalty that is tiny for the data.
#' @references Golub GH, Heath M, Wahba G (1979). Generalized cross-validation as a method for
#'   choosing a good ridge parameter. *Technometrics* 21, 215-223.
#'
#'   McCullagh P (1980). Regression models for ordinal data. *Journal of the Royal Statistical
#'   Society B* 42(2), 109-142.
#' @seealso [predict.stabilect_model()]
#' @concept gene signature
#' @concept risk score
#' @concept classifier
#' @concept diagnostic test
#' @concept prognostic model
#' @family fealect
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(200), 20, dimnames = list(NULL, paste0("gene", 1:10)))
#' y <- factor(ifelse(x[, 1] + x[, 2] + rnorm(20) > 0, "ill", "well"))
#' model <- fit_model(x, y, features = c("gene1", "gene2"))
#' model
#' predict(model, x[1:3, ])
#' batch <- rep(c("first", "second"), 10)
#' beside <- fit_model(x, y, features = c("gene1", "gene2"), covariates = data.frame(batch))
#' predict(beside, x[1:3, ], covariates = data.frame(batch = "first")[c(1, 1, 1), , drop = FALSE])
#' if (requireNamespace("survival", quietly = TRUE)) {
#'   time <- rexp(20, exp(x[, 1]))
#'   fit_model(x, survival::Surv(time, time < 2), features = c("gene1", "gene2"))
#' }
#' @export
fit_model <- function(x, y, features = NULL, model = NULL, lambda = NULL, covariates = NULL,
                      data = NULL) {
  check_given(except = "y")
  study <- open_study(
    x, y, takes_of("fit_model"), "a final model", covariates = covariates,
    family = if (rlang::is_string(model)) final_model_record(model)$family,
    roles = list(within = NULL),
    # The model has the columns that were asked for, also copies.
    merge = if (is.character(features)) features else is.null(features)
  )
  model <- check_model(model, study$response$type)
  features <- check_features(features, study$feature_names)
  if (length(features) == 0L) warn_no_features(study)
  asked <- list(model = model, lambda = check_lambda(lambda, model))
  fit <- fit_final_model(study, features, asked)
  fit$rows <- row_record(study, features)
  fit$asked$blocks <- study$response$blocks
  fit$made <- origin_of_result("stabilect_model")
  fit
}
register_verb("fit_model", place = 22)

# Mostly the list of a procedure that selected nothing.
warn_no_features <- function(study) {
  same <- if (is.null(study$response$covariates)) {
    "the same for every sample"
  } else {
    "by the covariates alone"
  }
  warn(
    c("{.arg features} is empty: the model has no feature and predicts {same}.",
      i = "{.fn selected} is empty where nothing was selected. The best of a result are still in
        its table: {.code features = head(object$table$feature, 10)}."
    ),
    class = "no_features"
  )
}

# @param features (character) of the study.
# @param asked list(model, lambda).
# @param record (list) of study_record(), which the model keeps without the hash.
fit_final_model <- function(study, features, asked, record = study_record(study, NULL)) {
  record["hash"] <- list(NULL)
  response <- study$response
  part <- study$x[, features, drop = FALSE]
  z <- response$covariates
  fit <- fit_model_part(part, response, asked$model, asked$lambda)
  model <- list(
    coefficients = model_coefficients(fit, features, colnames(z), response$levels),
    standardised = named_rows(fit$coefficients * fit$scale, features, response$levels),
    features = features, asked = list(model = asked$model, lambda = fit$lambda),
    means = colMeans(beside(z, part)),
    study = know_means(record[names(record) != "scaling"], part)
  )
  alone <- if (!is.null(z)) covariates_alone(response, asked$model)
  model <- final_model_record(model)$more(model, fit, part, response, alone)
  if (!is.null(z)) {
    model$asked$covariates <- attr(z, "levels")
    model$covariates <- colnames(z)
    model$without_features <- alone
  }
  structure(model, class = c("stabilect_model", "stabilect"))
}

# NULL: the model of the outcome.
check_model <- function(model, type) {
  one <- outcome_records()[[type]]
  own <- one$models
  if (is.null(model)) {
    return(own[1])
  }
  model <- check_choice(model, final_models())
  refuse(!model %in% own,
    c("{.arg model} {.val {model}} needs {.arg y} to have {final_model_record(model)$needs}, not
      {one$words}.",
      i = paste0(
        "Use {.code model = \"{own[1]}\"}", if (one$is_scale) ", or cut {.arg y} in two", "."
      )
    )
  )
  model
}

check_lambda <- function(lambda, model) {
  usual <- final_model_record(model)$lambda
  if (is.null(lambda)) {
    return(usual)
  }
  lambda <- check_number(lambda, min = 0)
  refuse(lambda == 0 && !is.null(usual),
    c("{.arg lambda} must be > 0 for classes.",
      i = "Separable classes have no finite solution without a penalty; a small one such as 1e-6
        comes close to none."
    )
  )
  lambda
}

# Names of the features, from names or positions.
# @param holder,noun (strings) the argument that contains them, and their name.
check_features <- function(features, available, holder = "x", noun = "column") {
  if (is.null(features)) {
    return(available)
  }
  if (is.character(features)) {
    unknown <- features[!features %in% available]
  } else if (is.numeric(features) && !is.object(features)) {
    unknown <- features[!features %in% seq_along(available)]
  } else {
    abort(c("{.arg features} must be names or positions of {noun}s of {.arg {holder}}, not
        {describe_value(features)}.",
      i = if (inherits(features, "stabilect_result")) {
        "The features of a result {.code fit}: {.code selected(fit)}."
      }
    ))
  }
  refuse(length(unknown) > 0L,
    c("{.arg features} has {length(unknown)} value{?s} that {.arg {holder}} has no {noun} for:
        {.val {utils::head(unknown, 5)}}.",
      i = "{.arg {holder}} has {length(available)} {noun}{cli::qty(length(available))}{?s}."
    )
  )
  again <- anyDuplicated(features)
  refuse(again > 0L,
    "{.arg features} names {.val {features[again]}} twice, the second time at position
      {again}."
  )
  if (is.character(features)) features else available[features]
}

# Predicts samples by models that have not seen them: the out-of-bag error of a whole procedure is
# then not too optimistic. Model k has the features `sets[[k]]` (columns of x), is fitted without
# the samples `left_out[[k]]`, and predicts `predicted[[k]]`, which are among them. Returns log
# odds, fitted numbers, logarithms of mean counts or risks, of one model after the other; for
# several classes a matrix of links with a column for each. `progress` is shown where R fits the
# models.
predict_left_out <- function(x, response, sets, left_out, model, lambda, n_threads = 1L,
                             predicted = as.list(seq_len(nrow(x))), progress = FALSE) {
  if (!core_fits_left_out(response, model)) {
    return(predict_each_left_out(x, response, sets, left_out, model, lambda, predicted, progress))
  }
  core <- final_model_record(model)$core_left_out
  core(x, response, sets, left_out, predicted, lambda, n_threads)
}

core_fits_left_out <- function(response, model) {
  !is.null(final_model_record(model)$core_left_out) && is.null(response$covariates)
}
