#' Exact lasso or least angle regression path
#'
#' Follows the whole solution path of the lasso, or of least angle regression, from the empty model
#' to the least squares fit (or until `max_steps` or `max_features`). Nothing is tuned and no grid
#' is used: the solution changes linearly between the returned knots, so [coef()] gives the exact
#' answer at any point.
#'
#' @details
#' With weights \eqn{w_i} and the columns \eqn{\tilde x_j = (x_j - c_j) / s_j} centred at their
#' weighted mean and scaled to unit weighted norm, the lasso path minimises, for every
#' \eqn{\lambda} between `lambda[1]` and the end of the path,
#' \deqn{\frac12 \sum_i w_i (y_i - b_0 - \tilde x_i' b)^2 + \lambda \sum_j |b_j|.}
#' \eqn{\lambda} is then the absolute correlation \eqn{|\tilde x_j' W r|} that all active features
#' share. The homotopy is that of Efron et al. (2004), section 3.1: the equiangular direction
#' (eq. 2.6), the step to the next feature (eq. 2.13), and for the lasso the step to the first
#' coefficient that reaches zero (eq. 3.4-3.5). The knots, their order and their numbers are those
#' of `lars::lars()` 1.3.
#'
#' **Rules where the path alone does not decide**
#'
#' * *Ties*: features that reach the common correlation together enter at the same knot, in
#'   column order, as long as the optimality conditions then still hold.
#' * *Collinear features*: a feature that is an exact linear combination of the active ones does not
#'   enter, so of two equal (or sign-flipped) columns the first one enters. It is listed in
#'   `excluded` and may enter later, once a drop has removed the dependence; `lars::lars()` discards
#'   it for good.
#' * *Constant columns* (among the rows with positive weight; without an intercept, columns of
#'   zeros) never enter; they are listed in `constant`.
#' * *A drop* found at the end of a step is the action that opens the next step.
#'
#' **Degrees of freedom and Cp** follow `lars::lars()`: `df` counts the features that are active
#' during the step plus one for the intercept, and
#' \eqn{C_p = RSS / \hat\sigma^2 - n + 2 df} with \eqn{\hat\sigma^2} from the last model of the
#' path. `n` is the sum of the weights: a weight of 2 counts as the same row twice. Where
#' \eqn{\hat\sigma^2} cannot be had (the last model fits exactly or leaves no degree of freedom)
#' `cp` is `NA` and `cp_note` says why; `summary(path, sigma2 = )` takes another estimate.
#'
#' @param x (numeric matrix, n observations x p features) predictors; a data frame of numeric
#'   columns or a sparse `dgCMatrix` is accepted too, as are the forms in [prepare_data()].
#' @param y (length n) response. Numbers are used as they are; a factor, character or logical vector
#'   with two values is coded -1 (first level) and +1 (second level).
#' @param type `"lasso"` (a coefficient that reaches zero leaves the model) or `"lar"` (features
#'   never leave).
#' @param weights (numeric, length n, >= 0, or `NULL` for 1) observation weights; at least three
#'   must be positive. A whole number k is the same as repeating the row k times, 0 the same as
#'   removing it.
#' @param intercept (logical) fit an intercept, which is not penalised.
#' @param normalize (logical) scale the columns to unit weighted norm; when `FALSE` the penalty
#'   depends on the units of the columns.
#' @param max_steps (whole number >= 1, or `NULL` for no limit) stop after this many steps.
#' @param max_features (whole number >= 1, or `NULL` for no limit) stop at the knot at which the
#'   model would grow beyond this many features.
#'
#' @return An object of class `stabilect_path`: a list with, for a path of K steps,
#' \describe{
#'   \item{type}{`"lasso"` or `"lar"`.}
#'   \item{coefficients}{sparse p x (K + 1) `dgCMatrix` on the scale of `x`; column s + 1 is the end
#'     of step s, column 1 the empty model. Times `scale` they are the coefficients of the
#'     normalised columns.}
#'   \item{intercepts}{numeric, K + 1.}
#'   \item{lambda}{numeric, K + 1: `lambda[s]` at the start of step s, `lambda[s + 1]` at its end;
#'     0 at the end of a complete path.}
#'   \item{actions}{list of K named integer vectors: what opens step s, `j` when feature j enters,
#'     `-j` when it leaves.}
#'   \item{df, rss, r_squared, cp}{numeric, K + 1 each, at the same points as `coefficients`; `cp`
#'     is `NA` when there is no variance estimate; `r_squared` is relative to the empty model.}
#'   \item{sigma2, cp_note}{variance estimate behind `cp` and, when that is `NA`, the reason (else
#'     `NA`).}
#'   \item{center, scale}{numeric, p: weighted means (0 without intercept) and weighted norms (1
#'     without normalisation; 0 for a constant column).}
#'   \item{excluded, constant}{named integer vectors of features, see Details.}
#'   \item{status}{why the path ended: `"complete"`, `"max_steps"`, `"max_features"`, or
#'     `"no_signal"` (K = 0) when no feature is correlated with `y`.}
#'   \item{n, weight_sum, weighted, intercept, normalize, max_steps, max_features}{what was run on
#'     what.}
#'   \item{feature_names, levels}{names of the columns; the two classes when `y` was coded, else
#'     `NULL`.}
#' }
#' @section Errors:
#' Beyond the checks of `x` and `y` that all verbs share: weights that are negative, not finite, of
#' the wrong length or positive for fewer than three rows; `y` constant on the rows with positive
#' weight; all columns constant.
#' @references Efron B, Hastie T, Johnstone I, Tibshirani R (2004). Least angle regression.
#'   *Annals of Statistics* 32(2), 407-499. \doi{10.1214/009053604000000067}
#' @family lasso paths
#' @seealso [active_sets()], [sets_of_size()], [coef.stabilect_path()],
#'   [autoplot.stabilect_path()].
#' @examples
#' x <- as.matrix(mtcars[, -1])
#' path <- lars_path(x, mtcars$mpg)
#' path
#' summary(path)
#' coef(path, at = 0.5, mode = "fraction")
#' sets_of_size(path, 3)
#' @export
lars_path <- function(x, y, type = c("lasso", "lar"), weights = NULL, intercept = TRUE,
                      normalize = TRUE, max_steps = NULL, max_features = NULL) {
  call <- rlang::current_env()
  type <- if (missing(type)) "lasso" else check_choice(type, "type", c("lasso", "lar"), call)
  intercept <- check_flag(intercept, "intercept", call)
  normalize <- check_flag(normalize, "normalize", call)
  max_steps <- check_count(max_steps, "max_steps", null_ok = TRUE, call = call)
  max_features <- check_count(max_features, "max_features", null_ok = TRUE, call = call)
  input <- read_input(x, y, call)
  data <- check_xy(input$x, input$y, call)
  # A path is a regression: numbers stay numbers, only labels need a code.
  if (is.numeric(input$y)) data[c("y", "levels")] <- list(as.double(input$y), NULL)
  row_weights <- check_weights(weights, data$y, call)
  raw <- cpp_lars_path(
    data$x, data$y, row_weights, type, intercept, normalize,
    no_limit(max_steps), no_limit(max_features)
  )
  if (length(raw$constant) == ncol(data$x)) {
    abort(c(
      "All columns of `x` are constant, so there is no path.",
      i = "Only rows with positive weight count; without an intercept, columns of zeros."
    ), call = call)
  }
  settings <- list(
    type = type, n = nrow(data$x), weight_sum = sum(row_weights), weighted = !is.null(weights),
    intercept = intercept, normalize = normalize, max_steps = max_steps,
    max_features = max_features, feature_names = colnames(data$x), levels = data$levels
  )
  with_input_notes(new_path(raw, settings), input$notes)
}

# The core's way to write "no limit".
no_limit <- function(limit) if (is.null(limit)) -1L else limit

#' Build a path from what the core returns
#'
#' @param raw (list) answer of `cpp_lars_path()`, coefficients on the normalised scale.
#' @param settings (list) what was run: see the last fields of [lars_path()]'s value.
#' @return An object of class `stabilect_path`.
#' @noRd
new_path <- function(raw, settings) {
  names <- settings$feature_names
  inverse_scale <- ifelse(raw$scale > 0, 1 / raw$scale, 0)
  n_knots <- length(raw$lambda)
  coefficients <- Matrix::sparseMatrix(
    i = raw$beta_i, p = raw$beta_p, x = raw$beta_x * inverse_scale[raw$beta_i + 1L],
    index1 = FALSE, dims = c(length(names), n_knots),
    dimnames = list(names, as.character(seq_len(n_knots) - 1L))
  )
  intercepts <- raw$y_center - as.vector(Matrix::crossprod(coefficients, raw$center))
  grown <- vapply(raw$actions, function(action) sum(sign(action)), numeric(1))
  df <- settings$intercept + c(0, cumsum(grown))
  fit <- path_cp(raw$rss, df, settings$weight_sum)
  structure(
    list(
      type = settings$type, coefficients = coefficients, intercepts = intercepts,
      lambda = raw$lambda,
      actions = lapply(raw$actions, function(a) stats::setNames(a, names[abs(a)])),
      df = df, rss = raw$rss, r_squared = 1 - raw$rss / raw$rss[1],
      cp = fit$cp, sigma2 = fit$sigma2, cp_note = fit$note,
      center = stats::setNames(raw$center, names), scale = stats::setNames(raw$scale, names),
      excluded = stats::setNames(raw$excluded, names[raw$excluded]),
      constant = stats::setNames(raw$constant, names[raw$constant]),
      status = raw$status, n = settings$n, weight_sum = settings$weight_sum,
      weighted = settings$weighted, intercept = settings$intercept,
      normalize = settings$normalize, max_steps = settings$max_steps,
      max_features = settings$max_features, feature_names = names, levels = settings$levels
    ),
    class = "stabilect_path"
  )
}

#' Mallows' Cp along a path
#'
#' Efron et al. (2004), eq. 4.5, with the variance estimated from the last model unless given.
#' @param rss,df (numeric, K + 1) residual sum of squares and degrees of freedom.
#' @param n (number) sum of the weights.
#' @param sigma2 (number > 0 or `NULL`) error variance.
#' @return list(cp, sigma2, note): `cp` and `sigma2` are `NA` and `note` is text when no estimate
#'   exists.
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

#' Check observation weights
#'
#' @param weights (numeric, length of `y`, or `NULL`).
#' @param y (double, length n) checked response.
#' @param call environment named in the error.
#' @return (double, length n) the weights, 1 for `NULL`.
#' @noRd
check_weights <- function(weights, y, call = rlang::caller_env()) {
  n <- length(y)
  if (is.null(weights)) {
    return(rep(1, n))
  }
  if (!is.numeric(weights) || length(weights) != n) {
    abort(c(
      "`weights` must be a numeric vector with one value per row of `x`.",
      x = "`weights` is {.cls {class(weights)}} of length {length(weights)}; `x` has {n} row{?s}."
    ), call = call)
  }
  bad <- which(!is.finite(weights) | weights < 0)
  if (length(bad) > 0) {
    abort(c(
      "`weights` must be finite and not negative.",
      x = "`weights[{bad[1]}]` is {weights[bad[1]]}."
    ), call = call)
  }
  used <- weights > 0
  if (sum(used) < 3) {
    abort(c(
      "`weights` must be positive for at least 3 rows, not {sum(used)}.",
      i = "A weight of 0 removes the row."
    ), call = call)
  }
  if (length(unique(y[used])) < 2) {
    abort(c(
      "`y` must not be constant among the rows with positive `weights`.",
      x = "It is {y[used][1]} in all {sum(used)} of them."
    ), call = call)
  }
  as.double(weights)
}
