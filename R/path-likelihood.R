#' Lasso path by likelihood, for every kind of response
#'
#' Follows the lasso, or the elastic net, from the model without features to larger ones, for
#' numbers, two or more classes, counts and survival times. Covariates such as age or batch can stay
#' in the model throughout. Every model on the path is proved: all features, not only those in the
#' model, satisfy the conditions that make it the best one at its penalty.
#'
#' @param x (numeric matrix, n samples x p features) or what [prepare_study()] takes.
#' @param y (n values) response: numbers, classes, counts, or times to an event with
#'   `survival::Surv(time, event)`.
#' @param data (data frame, or `NULL`) where the variables of a formula `x` are, such as that of
#'   `status ~ .`; `y` is then left out.
#' @param family (string, or `NULL`) what is maximised: `"gaussian"`, least squares (numbers; two
#'   classes as -1 and 1); `"binomial"`, logistic regression of two classes; `"poisson"`, regression
#'   of counts with a logarithmic link; `"cox"`, the partial likelihood of survival times;
#'   `"multinomial"`, logistic regression of several classes, in which a feature is in the model for
#'   all classes or for none. `NULL` follows from `y`: `"cox"` for survival times, `"multinomial"`
#'   for three or more classes, and `"gaussian"` otherwise.
#' @param alpha (number in (0, 1\]) share of the lasso in the penalty; 1 is the lasso, less the
#'   elastic net.
#' @param penalty (p numbers >= 0, or some with names of features, or `NULL` for 1) weight of the
#'   penalty on each feature: 0 keeps a feature in the model, `Inf` leaves it out, other values make
#'   it enter later or earlier.
#' @param covariates (numeric vector, matrix or data frame with n rows, a formula such as `~ age +
#'   sex`, or `NULL`) what stays in the model without a penalty. Categories become indicators of all
#'   levels but the first.
#' @param strata (n values, or `NULL`) for survival times: samples of different strata have
#'   baseline hazards of their own.
#' @param weights (numeric, length n, >= 0, or `NULL` for 1) observation weights; a whole number k
#'   is the same as repeating the row k times. The largest must be between 1e-12 and 1e12.
#' @param lambda (numbers >= 0, or `NULL`) penalties at which the path is stated; `NULL` takes
#'   `n_lambda` values, evenly spaced in their logarithm, from the largest at which a feature would
#'   enter down to a hundredth (a ten-thousandth when n > p) of it. 0 needs fewer features than
#'   samples.
#' @param n_lambda (whole number >= 1) how many penalties when `lambda` is `NULL`.
#' @param max_features (whole number >= 1, or `NULL`) stop before the model has more than this many
#'   features. The path then also holds the models between those of `lambda`, such that one feature
#'   enters or leaves at a time.
#'
#' @details
#' With weights \eqn{w_i}, W their sum, columns \eqn{\tilde x_j} centred at their weighted mean and
#' divided by their weighted standard deviation (divisor W) and covariates z, a point of the path
#' minimises
#' \deqn{-\frac{1}{W} \ell(b_0 + z'c + \tilde x'b) +
#'       \lambda \sum_j v_j \left(\alpha |b_j| + \frac{1 - \alpha}{2} b_j^2\right),}
#' \eqn{\ell} the log likelihood and v the weights of `penalty` (Friedman et al. 2010, Eq. 1; for
#' survival times Simon et al. 2011). For numbers \eqn{b_j^2} is divided by their standard
#' deviation, as in glmnet, so that the path does not depend on their unit. This is the
#' \eqn{\lambda} of glmnet, which however rescales `penalty.factor` to the sum p: with other weights
#' than ones, the \eqn{\lambda} of glmnet is that of this function times the mean of its factors.
#'
#' For survival times \eqn{\ell} is Cox's (1972) partial likelihood with the ties of Breslow:
#' \eqn{\sum_k [\sum_{i \in D_k} w_i \eta_i - d_k \log \sum_{l \in R_k} w_l e^{\eta_l}]}, with
#' \eqn{D_k} those who had their event at the k-th time, \eqn{d_k} their weight and \eqn{R_k} those
#' still at risk.
#'
#' For K classes (`"multinomial"`) a feature has a coefficient for each, \eqn{b_j = (b_{j1}, \ldots,
#' b_{jK})}, \eqn{P(y = k) = e^{\eta_k} / \sum_l e^{\eta_l}}, and \eqn{|b_j|} is the Euclidean norm
#' of the K numbers (grouped lasso; Simon et al. 2013; `type.multinomial = "grouped"` in glmnet), so
#' that they are all zero or none is. They sum to zero, as do those of covariates and the
#' intercepts: only differences between classes are determined.
#'
#' A model is the best at its \eqn{\lambda} when the product of every feature with the score
#' residuals r, \eqn{|\tilde x_j' r| / W} (for several classes the norm of the products with the
#' residuals of each), is at most \eqn{\lambda v_j \alpha}, and the derivatives
#' along all coefficients in the model are zero. `kkt` says how far they were from zero, relative to
#' \eqn{\lambda}; 1e-10 is the tolerance.
#'
#' The path ends when 99.9 % of the deviance is explained, as in glmnet: beyond, classes are
#' separated and coefficients grow without limit.
#'
#' @return An object of class `stabilect_lasso_path`, a list with, for a path of m points,
#' \describe{
#'   \item{coefficients}{sparse p x m `dgCMatrix` on the scale of `x`; for `"multinomial"` a list of
#'     one for each class, with the names of the classes.}
#'   \item{intercepts}{numeric, m; `NA` for survival times, which have none; for `"multinomial"` a
#'     list of one such vector for each class.}
#'   \item{covariates}{numeric k x m: coefficients of the covariates; for `"multinomial"` a list.}
#'   \item{lambda}{numeric, m, falling.}
#'   \item{size}{integer, m: features with a coefficient, those kept in by `penalty` left out.}
#'   \item{deviance, explained}{numeric, m: twice the log likelihood that a perfect fit would have
#'     more, and the share of the deviance of the model without features that is explained.}
#'   \item{null_deviance}{number: of the model with covariates only.}
#'   \item{kkt}{numeric, m: see Details.}
#'   \item{status}{why the path ended: `"complete"`, `"max_features"`, `"explained"` (99.9 % of the
#'     deviance), `"no_signal"` (no feature is related to `y`), or `"no_convergence"` (the next
#'     point could not be found).}
#'   \item{asked}{(list) `family`, `alpha`, `penalty`, `strata`, `weights`, `lambda`, `n_lambda`,
#'     `max_features`, and `covariates`: the levels of those with categories.}
#'   \item{study}{(list) about the data, see [results].}
#' }
#' @section Errors:
#' Beyond the checks of `x` and `y` that all verbs share: a family that is not for this response,
#' weights or penalties out of range, strata for other responses than times, covariates that are
#' missing for a sample, collinear, named as a feature is, or that separate the responses
#' completely.
#' @references Cox DR (1972). Regression models and life-tables. *Journal of the Royal Statistical
#'   Society B* 34, 187-220.
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
                       strata = NULL, weights = NULL, lambda = NULL, n_lambda = 100,
                       max_features = NULL, data = NULL) {
  check_given(except = "y")
  family <- check_family(family)
  study <- open_study(
    x, y, family_takes(family), "this lasso path", family = family, covariates = covariates
  )
  family <- family_of(family, study$response)
  study$response <- family_record(family)$coded(study$response)
  check_varying(study$x)
  asked <- list(
    family = family, alpha = check_fraction(alpha),
    penalty = check_penalty(penalty, study$feature_names),
    strata = check_strata(strata, family, study$n),
    weights = check_weights(weights, study$response$y),
    lambda = check_lambdas(lambda), n_lambda = check_count(n_lambda),
    max_features = check_count(max_features, null_ok = TRUE)
  )
  z <- study_covariates(study$covariates, study)
  check_no_limit(asked, study, z)
  path <- do.call(follow_likelihood, c(list(study$x, study$response, z), asked))
  check_followed(path$status)
  asked["covariates"] <- list(attr(z, "levels"))
  path[c("asked", "study")] <- list(asked, study_record(study, NULL))
  path
}

# The path of checked data, as lasso_path() describes it, without what was asked and of whom.
# @param response (list) y, and for cox event; z (double matrix, n x k) covariates.
# @param most_explained (number) share of the deviance at which the path ends.
follow_likelihood <- function(x, response, z, family, alpha = 1, penalty = NULL, strata = NULL,
                              weights = NULL, lambda = NULL, n_lambda = 100, max_features = NULL,
                              most_explained = 0.999) {
  weights <- if (is.null(weights)) rep(1, nrow(x)) else weights
  kept <- which(penalty == 0)
  raw <- cpp_likelihood_path(
    x, likelihood_response(response, family, strata), cbind(z, x[, kept, drop = FALSE]), weights,
    c(
      list(
        alpha = alpha, n_lambda = n_lambda, max_features = no_limit(max_features),
        each_size = !is.null(max_features), most_explained = most_explained
      ),
      lambda_options(lambda, x), penalty_factors(penalty)
    )
  )
  new_lasso_path(raw, x, z, kept, family, response$levels)
}

# The given penalties, or how far down the path goes without.
lambda_options <- function(lambda, x) {
  list(
    lambda = as.double(lambda), lambda_ratio = if (nrow(x) > ncol(x)) 1e-4 else 0.01
  )
}

# One over the penalty weight; features that stay in are covariates for the core.
penalty_factors <- function(penalty) {
  if (is.null(penalty)) {
    return(NULL)
  }
  list(multiply = ifelse(penalty > 0 & is.finite(penalty), 1 / penalty, 0))
}

# @param levels (character) the classes, for several.
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
      kkt = raw$kkt, status = raw$status
    )),
    class = "stabilect_lasso_path"
  )
}

# What the core says of one class: values are stored class by class for each feature.
part_of_class <- function(raw, class, n_classes) {
  own <- function(n) seq(class, by = n_classes, length.out = n %/% n_classes)
  raw$beta_x <- raw$beta_x[own(length(raw$beta_x))]
  raw$free <- raw$free[own(nrow(raw$free)), , drop = FALSE]
  raw
}

# @param kept (integer) features that the core took for covariates.
lasso_path_part <- function(raw, features, covariates, kept) {
  coefficients <- Matrix::sparseMatrix(
    i = raw$beta_i, p = raw$beta_p, x = raw$beta_x, index1 = FALSE,
    dims = c(length(features), length(raw$lambda)), dimnames = list(features, NULL)
  )
  held <- raw$free[-1, , drop = FALSE]
  if (length(kept) > 0L) {
    of_x <- length(covariates) + seq_along(kept)
    coefficients[kept, ] <- held[of_x, , drop = FALSE]
    held <- held[-of_x, , drop = FALSE]
  }
  rownames(held) <- covariates
  list(coefficients = coefficients, intercepts = raw$free[1, ], covariates = held)
}

# The models of a path: of each class, for several.
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
