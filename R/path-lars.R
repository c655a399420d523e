#' Exact lasso and least angle regression paths
#'
#' Follows the whole solution path of the lasso, or of least angle regression, from the empty model
#' to the least squares fit (or to `max_steps` or `max_features`). There is no tuning and no grid.
#' The solution is linear between the returned knots, and [coef()] is exact at any point.
#'
#' @details
#' Let \eqn{w_i} be the weights and \eqn{\tilde x_j = (x_j - c_j) / s_j} the columns, centred at
#' their weighted mean and scaled to unit weighted norm. For every \eqn{\lambda} between `lambda[1]`
#' and the end of the path, the lasso path minimises
#' \deqn{\frac12 \sum_i w_i (y_i - b_0 - \tilde x_i' b)^2 + \lambda \sum_j |b_j|.}
#' \eqn{\lambda} is then the absolute correlation \eqn{|\tilde x_j' W r|} of all active features.
#' The algorithm follows Efron et al. (2004), section 3.1: the equiangular direction (eq. 2.6), the
#' step to the next feature (eq. 2.13), and for the lasso the step to the first coefficient that
#' reaches zero (eq. 3.4-3.5). The knots, their order and their numbers equal the knots of
#' `lars::lars()` 1.3.
#'
#' **Cases left open by the definition of the path**
#'
#' * *Ties*: features that reach the common correlation together enter at the same knot, in column
#'   order, as long as the optimality conditions remain satisfied.
#' * *Collinear features*: an exact linear combination of the active features does not enter. Of two
#'   equal (or sign-flipped) columns the first one enters. The other is listed in `excluded` and may
#'   enter later, when a drop has removed the dependence; `lars::lars()` discards it for good.
#' * *Constant columns* (among the rows with positive weight; without an intercept, columns of
#'   zeros) never enter. They are listed in `constant`.
#' * *A drop* found at the end of a step is the action that opens the next step.
#'
#' **Degrees of freedom and Cp** follow `lars::lars()`. `df` counts the features active during the
#' step plus one for the intercept. \eqn{C_p = RSS / \hat\sigma^2 - n + 2 df}, with
#' \eqn{\hat\sigma^2} from the last model of the path. `n` is the sum of the weights: a weight of 2
#' equals the same row twice. \eqn{\hat\sigma^2} cannot be estimated if the last model fits exactly
#' or leaves no degree of freedom. Then `cp` is `NA`, and `cp_note` says why; `summary(path, sigma2
#' = )` takes another estimate.
#'
#' @inheritParams arguments
#' @param y (n values) outcome. Numbers are used unchanged, also 0 and 1; a factor, character or
#'   logical vector with two values is coded -1 (first level) and +1 (second level).
#' @param type (string) `"lasso"` (a coefficient that reaches zero leaves the model) or `"lar"`
#'   (features never leave).
#' @param weights (numeric, length n, >= 0, or `NULL` for 1) observation weights; at least three
#'   must be positive. A whole number k equals repeating the row k times, 0 equals removing it.
#' @param intercept (logical) fit an intercept, which is not penalised?
#' @param scaling (string) `"sd"`: columns are divided by their weighted norm, and the penalty sees
#'   equal standard deviations (without an intercept: equal root mean squares). `"none"`: columns
#'   stay unchanged, and the penalty depends on their units.
#' @param max_steps (whole number >= 1, or `NULL` for no limit) stop after this many steps.
#' @param max_features (whole number >= 1, or `NULL` for no limit) stop at the knot at which the
#'   model would grow beyond this many features.
#'
#' @return An object of class `stabilect_path`: a list with, for a path of K steps,
#' \describe{
#'   \item{coefficients}{sparse p x (K + 1) `dgCMatrix` on the scale of `x`; column s + 1 is the end
#'   of step s, column 1 the empty model. Multiplied by `scale` they are the coefficients of the
#'   scaled columns.}
#'   \item{intercepts}{numeric, K + 1.}
#'   \item{lambda}{numeric, K + 1: `lambda[s]` at the start of step s, `lambda[s + 1]` at its end; 0
#'   at the end of a complete path.}
#'   \item{actions}{list of K named integer vectors: what opens step s, `j` if feature j enters,
#'   `-j` if it leaves.}
#'   \item{df, rss, r_squared, cp}{numeric, K + 1 each, at the same points as `coefficients`; `cp`
#'   is `NA` without a variance estimate; `r_squared` is relative to the empty model.}
#'   \item{sigma2, cp_note}{variance estimate used for `cp`; if it is `NA`, the reason (else `NA`).}
#'   \item{center, scale}{numeric, p: weighted means (0 without intercept) and weighted norms (1 for
#'   `scaling = "none"`; 0 for a constant column).}
#'   \item{excluded, constant}{named integer vectors of features, see Details.}
#'   \item{status}{why the path ended: `"complete"`, `"max_steps"`, `"max_features"`, or
#'   `"no_signal"` (K = 0) if no feature is correlated with `y`.}
#'   \item{weight_sum}{sum of the weights; `n` without weights.}
#'   \item{asked}{(list) the arguments `weights`, `type`, `intercept`, `scaling`, `max_steps`,
#'   `max_features`.}
#'   \item{study}{(list) about the data, see [results]; its type is `"numeric"`, also for 0 and 1.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` beyond the checks of `x` and `y` that all verbs share:
#' * weights that are negative, not finite, of the wrong length, or positive for fewer than three
#'   rows;
#' * a largest weight below 1e-12 or above 1e12;
#' * a `y` that is constant on the rows with positive weight, or only constant columns.
#' @references Efron B, Hastie T, Johnstone I, Tibshirani R (2004). Least angle regression.
#'   *Annals of Statistics* 32(2), 407-499. \doi{10.1214/009053604000000067}
#' @family lasso paths
#' @seealso [selected.stabilect_path()], [coef.stabilect_path()],
#'   [autoplot.stabilect_path()].
#' @examples
#' x <- as.matrix(mtcars[, -1])
#' path <- lars_path(x, mtcars$mpg)
#' path
#' summary(path)
#' coef(path, at = 0.5, mode = "fraction")
#' selected(path, size = 3)
#' @export
lars_path <- function(x, y, type = c("lasso", "lar"), weights = NULL, intercept = TRUE,
                      scaling = c("sd", "none"), max_steps = NULL, max_features = NULL,
                      data = NULL) {
  check_given(except = "y")
  # A path has a coefficient of every column; of copies the first enters, `excluded` has the others.
  study <- open_study(
    x, y, c("binary", "numeric"), "a lasso path", roles = list(within = NULL), merge = FALSE
  )
  study$response <- with_samples(regression_response(study$response), study$response)
  y <- study$response$y
  check_samples(weights, samples_of_study(study), "weights")
  asked <- list(
    weights = check_weights(weights, y), type = check_choice(type, c("lasso", "lar")),
    intercept = check_flag(intercept),
    scaling = check_choice(scaling, c("sd", "none")),
    max_steps = check_count(max_steps, null_ok = TRUE),
    max_features = check_count(max_features, null_ok = TRUE)
  )
  path <- do.call(follow_path, c(list(study$x, y), asked))
  refuse(length(path$constant) == study$p,
    c("All columns of {.arg x} are constant, so there is no path.",
      i = "Only rows with positive weight count; without an intercept, columns of zeros."
    )
  )
  used <- unname(features_entered(path))
  path[c("asked", "study")] <- list(asked, study_record(study, NULL, used))
  path$study <- know_means(path$study, study$x[, used, drop = FALSE])
  path
}
register_verb("lars_path", place = 6, only = c("binary", "numeric"))

# The path of checked data, without the call's own checks and record.
# @param x (double matrix with column names), y (double); penalty (numeric, p, or NULL).
follow_path <- function(x, y, weights = NULL, type = "lasso", intercept = TRUE, scaling = "sd",
                        max_steps = NULL, max_features = NULL, penalty = NULL) {
  weights <- if (is.null(weights)) rep(1, length(y)) else weights
  unit <- if (scaling == "none") unit_of_columns(x) else 1
  raw <- cpp_lars_path(
    if (unit == 1) x else x / unit, y, weights, type, intercept, scaling == "sd",
    no_limit(max_steps), no_limit(max_features), as.double(penalty_factors(penalty)$multiply)
  )
  names <- colnames(x)
  inverse_scale <- ifelse(raw$scale > 0, 1 / raw$scale, 0) / unit
  center <- raw$center * unit
  n_knots <- length(raw$lambda)
  coefficients <- Matrix::sparseMatrix(
    i = raw$beta_i, p = raw$beta_p, x = raw$beta_x * inverse_scale[raw$beta_i + 1L],
    index1 = FALSE, dims = c(length(names), n_knots),
    dimnames = list(names, as.character(seq_len(n_knots) - 1L))
  )
  grown <- vapply(raw$actions, function(action) sum(sign(action)), numeric(1))
  df <- intercept + c(0, cumsum(grown))
  fit <- path_cp(raw$rss, df, sum(weights))
  new_object("stabilect_path",
    coefficients = coefficients,
    intercepts = raw$y_center - as.vector(Matrix::crossprod(coefficients, center)),
    lambda = raw$lambda * unit,
    actions = lapply(raw$actions, function(a) stats::setNames(a, names[abs(a)])),
    df = df, rss = raw$rss, r_squared = 1 - raw$rss / raw$rss[1],
    cp = fit$cp, sigma2 = fit$sigma2, cp_note = fit$note, weight_sum = sum(weights),
    center = stats::setNames(center, names), scale = stats::setNames(raw$scale, names),
    excluded = stats::setNames(raw$excluded, names[raw$excluded]),
    constant = stats::setNames(raw$constant, names[raw$constant]), status = raw$status
  )
}

# The core screens in float. Unscaled columns must be within its range: a power of two, which rounds
# nothing, divides columns of extreme size.
unit_of_columns <- function(x) {
  largest <- max(abs(x))
  if (largest > 0 && abs(log2(largest)) > 60) 2^max(floor(log2(largest)), -1000) else 1
}

# The core's value for "no limit".
no_limit <- function(limit) if (is.null(limit)) -1L else limit

#' Mallows' Cp along a path
#'
#' Efron et al. (2004), eq. 4.5, with the variance estimated from the last model unless given.
#' @param rss,df (numeric, K + 1) residual sum of squares and degrees of freedom.
#' @param n (number) sum of the weights.
#' @param sigma2 (number > 0 or `NULL`) error variance.
#' @return list(cp, sigma2, note): without an estimate, `cp` and `sigma2` are `NA` and `note` says
#'   why.
#' @noRd
path_cp <- function(rss, df, n, sigma2 = NULL) {
  last <- length(rss)
  note <- NA_character_
  if (is.null(sigma2)) {
    # lars compares with 1e-12 in the units of y; relative to the empty model the rule has no units.
    if (rss[last] <= 1e-12 * rss[1]) {
      note <- "the last model fits exactly, so the error variance cannot be estimated from it"
    } else if (n - df[last] <= 1e-12) {
      note <- "the last model leaves no degrees of freedom to estimate the error variance"
    }
    sigma2 <- if (is.na(note)) rss[last] / (n - df[last]) else NA_real_
  }
  list(cp = rss / sigma2 - n + 2 * df, sigma2 = sigma2, note = note)
}
