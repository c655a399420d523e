#' Lasso and elastic net paths of linear, logistic, multinomial, Poisson and Cox regression
#'
#' Follows the lasso, or the elastic net, from the model without features to larger models. The
#' outcome may be numbers, two or more classes, counts or survival times. Covariates, for example
#' age or batch, can stay in every model. Every model on the path is verified: all features, in the
#' model or not, satisfy the optimality conditions at its penalty.
#'
#' @inheritParams arguments
#' @param family (string, or `NULL`) likelihood:
#'   * `"gaussian"`, least squares (numbers; two classes as -1 and 1);
#'   * `"binomial"`, logistic regression of two classes;
#'   * `"poisson"`, regression of counts with a logarithmic link;
#'   * `"cox"`, the partial likelihood of survival times;
#'   * `"multinomial"`, logistic regression of several classes; a feature is in the model for all
#'     classes or for none.
#'
#'   `NULL`: `"cox"` for survival times, `"multinomial"` for three or more classes, otherwise
#'   `"gaussian"`.
#' @param alpha (number in (0, 1\]) share of the lasso in the penalty; 1 is the lasso, smaller
#'   values are the elastic net.
#' @param penalty (p numbers >= 0, or some with names of features, or `NULL` for 1) weight of the
#'   penalty on each feature: 0 keeps a feature in the model, `Inf` leaves it out; other values
#'   delay or advance its entry.
#' @param covariates (numeric vector, matrix or data frame with n rows, a formula like `~ age +
#'   sex`, or `NULL`) covariates to adjust for: they stay in every model without a penalty.
#'   Categories become indicators of all levels but the first.
#' @param strata (n values, or the name of a column of the data, or `NULL`) strata of survival
#'   times; each has its own baseline hazard.
#' @param weights (numeric, length n, >= 0, or the name of a column of the data, or `NULL` for 1)
#'   observation weights; a whole number k equals repeating the row k times. The largest must be
#'   between 1e-12 and 1e12.
#' @param offset (numeric, length n, or `NULL` for 0; for `"multinomial"` a matrix, n x K) known
#'   part of the linear predictor, added to it with coefficient 1, for example the logarithm of the
#'   exposure for counts.
#' @param lambda (numbers >= 0, or `NULL`) penalties of the path's points. `NULL` takes `n_lambda`
#'   values, evenly spaced in their logarithm. They start where the first feature enters and end at
#'   a hundredth (a ten-thousandth if n > p) of this. 0 needs fewer features than samples.
#' @param n_lambda (whole number >= 1) number of penalties if `lambda` is `NULL`.
#' @param tolerance (number in (0, 1e-4\]) largest violation of a model's optimality conditions,
#'   relative to \eqn{\lambda}. A smaller one takes more time; below 1e-10 it counts as 1e-10.
#' @param max_features (whole number >= 1, or `NULL`) stop before the model has more than this many
#'   features. The path then has further points between the values of `lambda`: features enter or
#'   leave one at a time.
#' @param ties (string) likelihood where survival times are equal: `"efron"` or `"breslow"`, see
#'   Details.
#'
#' @details
#' **What a path is.** Each point is the best model at its penalty `lambda`: minus the log
#' likelihood, divided by the sum W of the weights, plus
#' \eqn{\lambda \sum_j v_j (\alpha |b_j| + (1 - \alpha) b_j^2 / 2)}, for columns with weighted mean
#' 0 and standard deviation 1 (divisor W; Friedman et al. 2010, Eq. 1; Simon et al. 2011 for
#' survival times). `penalty` has the weights v, `lambda` is that of glmnet; but glmnet rescales
#' `penalty.factor` to the sum p. `kkt` says how exact a point is: the largest violation of the
#' conditions of optimality, relative to `lambda`. The path ends when 99.9 % of the deviance is
#' explained: beyond, classes are separated and coefficients grow without limit.
#'
#' For numbers \eqn{b_j^2} is divided by their standard deviation, as in glmnet; the path then does
#' not depend on their unit. An `offset` joins the linear predictor; for numbers this is the path of
#' y - offset.
#'
#' **Several classes** (`"multinomial"`): a feature has a coefficient for each class, all zero or
#' none (grouped lasso; Simon et al. 2013; `type.multinomial = "grouped"` in glmnet). They sum to
#' zero: only differences between classes are determined.
#'
#' **Survival times.** Cox's (1972) partial likelihood with the ties of Efron (1977), as in
#' `survival::coxph()`. Whatever rests on a Cox model here has Efron's ties; paths can have those of
#' Breslow (1974) instead (`ties = "breslow"`), also in [fealect()], [stability_selection()] and
#' [bolasso()]. Breslow's coefficients are nearer to 0 where ties are many. With 65 events at ten
#' times, scores of 200 features by both had a rank correlation above 0.99. A sample that a run
#' draws twice is one sample of weight two, and no tie with itself; samples that are twice in the
#' data are ties. `Surv(start, stop, event)` is not supported: no verb takes late entry.
#'
#' `vignette("how-computed")` has the formulas.
#' @return An object of class `stabilect_lasso_path`, a list with, for a path of m points,
#' \describe{
#'   \item{coefficients}{sparse p x m `dgCMatrix` on the scale of `x`; for `"multinomial"` a list of
#'   one for each class, named by class.}
#'   \item{intercepts}{numeric, m; `NA` for survival times, which have none; for `"multinomial"` a
#'   list with a vector for each class.}
#'   \item{covariates}{numeric k x m: coefficients of the covariates; for `"multinomial"` a list.}
#'   \item{lambda}{numeric, m, falling.}
#'   \item{size}{integer, m: number of features with a coefficient, without those that `penalty`
#'   keeps in the model.}
#'   \item{deviance, explained}{numeric, m: twice the difference to the log likelihood of a perfect
#'   fit, and the explained share of the null deviance.}
#'   \item{null_deviance}{number: deviance of the model with covariates only.}
#'   \item{separated}{(flag) do covariates determine `y` for some samples? Their coefficients have
#'   no limit then, and large numbers stand for them.}
#'   \item{kkt}{numeric, m: see Details.}
#'   \item{status}{why the path ended: `"complete"`, `"max_features"`, `"explained"` (99.9 % of the
#'   deviance), `"no_signal"` (no feature is related to `y`), or `"no_convergence"` (the next point
#'   was not found).}
#'   \item{asked}{(list) `family`, `alpha`, `penalty`, `strata`, `weights`, `offset`, `lambda`,
#'   `n_lambda`, `max_features`, `tolerance`, `ties` (for survival times), and `covariates`: the
#'   levels of categorical covariates.}
#'   \item{study}{(list) about the data, see [results].}
#' }
#' @section Errors:
#' Class `stabilect_error_input` beyond the checks of `x` and `y` that all verbs share:
#' * a family that does not take this outcome; strata, or `ties = "breslow"`, for other outcomes
#'   than survival times;
#' * weights, penalties or a tolerance out of range; an offset of another size, or too large for
#'   `exp()`;
#' * covariates that are missing for a sample, collinear, named like a feature, or separate the
#'   classes completely.
#' @references Breslow NE (1974). Covariance analysis of censored survival data. *Biometrics* 30(1),
#'   89-99.
#'
#'   Cox DR (1972). Regression models and life-tables. *Journal of the Royal Statistical Society B*
#'   34, 187-220.
#'
#'   Efron B (1977). The efficiency of Cox's likelihood function for censored data. *Journal of the
#'   American Statistical Association* 72, 557-565.
#'
#'   Friedman J, Hastie T, Tibshirani R (2010). Regularization paths for generalized linear models
#'   via coordinate descent. *Journal of Statistical Software* 33(1).
#'   \doi{10.18637/jss.v033.i01}
#'
#'   Simon N, Friedman J, Hastie T, Tibshirani R (2011). Regularization paths for Cox's proportional
#'   hazards model via coordinate descent. *Journal of Statistical Software* 39(5).
#'   \doi{10.18637/jss.v039.i05}
#'
#'   Simon N, Friedman J, Hastie T (2013). A blockwise descent algorithm for group-penalized
#'   multiresponse and multinomial regression. arXiv:1311.6529.
#' @family lasso paths
#' @seealso [coef.stabilect_lasso_path()]; [lars_path()] for the exact path of least squares.
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' path <- lasso_path(x, mcl_sll$MCL, family = "binomial", max_features = 8)
#' path
#' coef(path, at = 3, mode = "size")
#' @export
lasso_path <- function(x, y, family = NULL, alpha = 1, penalty = NULL, covariates = NULL,
                       strata = NULL, weights = NULL, offset = NULL, lambda = NULL,
                       n_lambda = 100, max_features = NULL, tolerance = 1e-6,
                       ties = c("efron", "breslow"), data = NULL) {
  check_given(except = "y")
  family <- check_family(family)
  study <- open_study(
    x, y, family_takes(family), "this lasso path", family = family, covariates = covariates,
    roles = list(within = NULL, strata = strata, weights = weights, offset = offset), merge = FALSE
  )
  family <- family_of(family, study$response)
  if (!is.null(study$response$within)) family <- family_within(family)
  coded <- family_record(family)$coded(study$response)
  study$response <- with_samples(coded, study$response)
  check_varying(study$x)
  asked <- list(
    family = family, alpha = check_fraction(alpha),
    penalty = if (!is.null(penalty)) check_penalty(penalty, study$feature_names),
    lambda = check_lambdas(lambda), n_lambda = check_count(n_lambda),
    max_features = check_count(max_features, null_ok = TRUE),
    tolerance = check_tolerance(tolerance)
  )
  asked["ties"] <- list(check_ties(check_choice(ties, c("efron", "breslow")), family))
  check_no_limit(asked, study)
  path <- do.call(follow_likelihood, c(list(study$x, study$response), asked))
  check_followed(path$status)
  if (path$separated) warn_separated()
  own <- c("strata", "weights", "offset")
  asked[own] <- study$response[own]
  asked["covariates"] <- list(attr(study$response$covariates, "levels"))
  used <- unname(features_used(path))
  path[c("asked", "study")] <- list(asked, study_record(study, NULL, used))
  path$study <- know_means(path$study, study$x[, used, drop = FALSE])
  path
}
register_verb("lasso_path", place = 7)

# The path of checked data, without the call's own checks and record.
# @param response (list) y, for cox event, and the roles of samples.
# @param most_explained (number) share of the deviance at which the path ends.
follow_likelihood <- function(x, response, family, alpha = 1, penalty = NULL, lambda = NULL,
                              n_lambda = 100, max_features = NULL, tolerance = 1e-10,
                              ties = NULL, most_explained = 0.999) {
  weights <- if (is.null(response$weights)) rep(1, nrow(x)) else response$weights
  z <- held_columns(response)
  kept <- which(penalty == 0)
  raw <- cpp_likelihood_path(
    x, likelihood_response(response, family, ties),
    cbind(z, x[, kept, drop = FALSE]), weights,
    c(
      list(
        alpha = alpha, n_lambda = n_lambda, max_features = no_limit(max_features),
        each_size = !is.null(max_features), most_explained = most_explained,
        tolerance = tolerance
      ),
      lambda_options(lambda, x), penalty_factors(penalty)
    )
  )
  new_lasso_path(raw, x, z, kept, family, response$levels)
}

# @param levels (character) the classes, if there are several.
new_lasso_path <- function(raw, x, z, kept, family, levels = NULL) {
  one <- family_record(family)
  if (one$by_class) {
    parts <- lapply(stats::setNames(seq_along(levels), levels), function(class) {
      lasso_path_part(part_of_class(raw, class, length(levels)), colnames(x), colnames(z), kept)
    })
    fields <- stats::setNames(nm = c("coefficients", "intercepts", "covariates"))
    part <- lapply(fields, function(field) lapply(parts, `[[`, field))
  } else {
    part <- lasso_path_part(raw, colnames(x), colnames(z), kept)
    if (!one$has_level) part$intercepts[] <- NA_real_
  }
  structure(
    c(part, list(
      lambda = raw$lambda, size = diff(raw$beta_p), deviance = raw$deviance,
      explained = 1 - raw$deviance / raw$null_deviance, null_deviance = raw$null_deviance,
      separated = raw$separated, kkt = raw$kkt, status = raw$status
    )),
    class = c("stabilect_lasso_path", "stabilect")
  )
}

# The core's values for one class; they are stored class by class for each feature.
part_of_class <- function(raw, class, n_classes) {
  own <- function(n) seq(class, by = n_classes, length.out = n %/% n_classes)
  raw$beta_x <- raw$beta_x[own(length(raw$beta_x))]
  raw$free <- raw$free[own(nrow(raw$free)), , drop = FALSE]
  raw
}

# @param kept (integer) features that the core treated as covariates.
lasso_path_part <- function(raw, features, covariates, kept) {
  coefficients <- new_sparse(raw$beta_i, raw$beta_p, features, raw$beta_x)
  held <- raw$free[-1, , drop = FALSE]
  if (length(kept) > 0L) {
    of_x <- length(covariates) + seq_along(kept)
    coefficients[kept, ] <- held[of_x, , drop = FALSE]
    held <- held[-of_x, , drop = FALSE]
  }
  rownames(held) <- covariates
  list(coefficients = coefficients, intercepts = raw$free[1, ], covariates = held)
}

# The models of a path; for several classes, of each class.
# @return list of list(coefficients, intercepts, covariates).
path_parts <- function(path) {
  fields <- stats::setNames(nm = c("coefficients", "intercepts", "covariates"))
  if (!is.list(path$coefficients)) {
    return(list(unclass(path)[fields]))
  }
  lapply(stats::setNames(nm = names(path$coefficients)), function(class) {
    lapply(fields, function(field) path[[field]][[class]])
  })
}

# Named positions of features that ever have a coefficient.
features_used <- function(path) {
  coefficients <- path_parts(path)[[1]]$coefficients
  used <- which(tabulate(coefficients@i[coefficients@x != 0] + 1L, nrow(coefficients)) > 0L)
  stats::setNames(used, rownames(coefficients)[used])
}
