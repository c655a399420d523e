# Univariate-guided sparse regression as a selector.

#' Univariate-guided lasso selector (uniLasso)
#'
#' The lasso often gives a feature a coefficient with the opposite sign of its correlation with the
#' outcome. Univariate-guided sparse regression (uniLasso) cannot: it first fits every feature
#' alone, then combines these fits with non-negative coefficients. Lists are shorter, and every
#' direction agrees with a plot of the feature.
#'
#' @param n_features (whole number >= 1, or `NULL`) number of features in the model; `NULL` takes it
#'   from the calling [select_ensemble()] or [score_features()].
#' @details
#' For feature j, \eqn{\hat\beta_{0j} + \hat\beta_j x_j} is the least squares fit of the outcome.
#' \eqn{f_{ij}} is the prediction for sample i by the fit without this sample:
#' \deqn{f_{ij} = \frac{\hat\eta_{ij} - h_{ij} y_i}{1 - h_{ij}},}
#' with the prediction \eqn{\hat\eta_{ij}} of the fit to all samples and the leverage \eqn{h_{ij}}.
#' The model is the lasso of y on the columns \eqn{f_j}, not standardised, with coefficients
#' \eqn{\theta_j \ge 0}. The coefficient of feature j is \eqn{\hat\theta_j \hat\beta_j}. If a
#' feature does not predict left-out samples, its \eqn{f_j} is not positively correlated with the
#' outcome, and it stays out (Chatterjee, Hastie and Tibshirani 2025).
#'
#' Two classes are fitted by logistic regression: the univariate fits by two steps of iteratively
#' weighted least squares, \eqn{f_{ij}} from the working response of the last one, as in the
#' authors' package uniLasso.
#'
#' Survival times are fitted in the same way by Cox regression: two steps from zero with the
#' diagonal of the second derivative of the partial likelihood, without an intercept; \eqn{f_{ij}}
#' uses the leverages of the last step. This is an approximation: more steps would change
#' \eqn{\hat\beta_j}. Ties are Breslow's in both parts, as in uniLasso (elsewhere in this package
#' Efron's, see [lasso_path()]). Risk sets count a repeated sample of a bootstrap run once, as in
#' uniLasso; its working response has its weight. Features are centred first: results of uniLasso
#' depend on the zero of a feature, and these are the results for centred columns.
#'
#' glmnet does the second step, on 200 penalties. As with `selector_lasso_path("coefficient")`, a
#' run takes the last model with at most `n_features` features. If the first model with any features
#' is larger, it is cut to its largest coefficients. The score is the size of the coefficient on the
#' scale of standardised features, and 0 outside of the model. A repeated sample of a bootstrap run
#' is left out with all its copies.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_input` for an `n_features` out of range, and without any number of
#' features; `stabilect_error_package` if glmnet is not installed. A run in which no feature
#' predicts left-out samples fails: "no feature entered".
#' @references Chatterjee S, Hastie T, Tibshirani R (2025). Univariate-guided sparse regression.
#'   *Harvard Data Science Review*. \doi{10.1162/99608f92.c79ff6db}
#' @family selectors
#' @examplesIf requireNamespace("glmnet", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- select_ensemble(
#'   x, mcl_sll$MCL, selector_unilasso(), resample_subsample(20), n_features = 5, seed = 1
#' )
#' fit
#' @export
selector_unilasso <- function(n_features = NULL) {
  check_package("glmnet", "selector")
  n_features <- check_count(n_features, null_ok = TRUE)
  run <- function(x, y, weights, control) {
    size <- wanted_features(n_features, control, ncol(x), "selector_unilasso")
    labels <- response_labels(y)
    family <- c(binary = "binomial", numeric = "gaussian", survival = "cox")[[y$type]]
    target <- if (is.factor(labels)) as.integer(labels) - 1 else tame_response(labels)
    x <- tame_columns(x)
    out <- score_each_run(x, y, weights, control, function(rows, seed) {
      counts <- tabulate(rows, nrow(x))
      kept <- which(counts > 0L)
      unilasso_scores(
        x[kept, , drop = FALSE], label_rows(target, kept), as.double(counts[kept]), family, size,
        seed
      )
    })
    out$selected <- positive_pattern(out$score, colnames(x))
    out
  }
  new_selector(
    "unilasso", "univariate-guided lasso", list(n_features = n_features),
    c("binary", "numeric", "survival"), run
  )
}

# @param y (numeric, 0 and 1 for "binomial"; Surv for "cox").
unilasso_scores <- function(x, y, weights, family, size, seed) {
  weights <- weights / sum(weights)
  centre <- colSums(x * weights)
  spread <- sqrt(colSums((x - rep(centre, each = nrow(x)))^2 * weights))
  varying <- spread > 1e-10 * sqrt(colSums(x^2 * weights))
  if (sum(varying) == 0L) stop("no feature varies")
  names <- colnames(x)
  x <- x[, varying, drop = FALSE]
  own <- if (family == "cox") {
    univariate_cox(x - rep(centre[varying], each = nrow(x)), y, weights)
  } else {
    univariate_fits(x, y, weights, family == "binomial")
  }
  limit <- min(length(varying), 2L * size + 20L)
  # Versions of glmnet with both ties differ in their default.
  both <- family == "cox" && "cox.ties" %in% names(formals(glmnet::glmnet))
  # glmnet does not take a matrix of one column, and warns when a path ends early, which is intended
  # here.
  fit <- suppressWarnings(do.call(glmnet::glmnet, c(
    list(
      cbind(own$left_out, 0), y, family = family, weights = weights, lower.limits = 0,
      # At the default of glmnet (1e-7), coefficients of separated classes follow the order of
      # columns, and versions differ in Cox paths by 1e-3.
      standardize = FALSE, nlambda = 200, dfmax = limit, thresh = 1e-12
    ),
    if (both) list(cox.ties = "breslow")
  )))
  model <- choose_model(fit$df, size)
  score <- numeric(length(varying))
  theta <- fit$beta[seq_len(sum(varying)), model]
  score[varying] <- abs(theta * own$beta) * spread[varying]
  keep_best(score, names, size, seed)
}

# The fits of each feature alone, and their predictions for left-out samples. Least squares is exact
# (leverages); the predictions for classes are one step from exact.
# @param weights (numeric) with sum 1.
# @return list(beta (p), left_out (n x p)).
univariate_fits <- function(x, y, weights, logistic) {
  n_steps <- if (logistic) 2L else 1L
  for (step in seq_len(n_steps)) {
    working <- if (logistic) working_response(if (step > 1L) eta, y, dim(x))
    w <- if (logistic) weights * working$weight else matrix(weights, nrow(x), ncol(x))
    z <- if (logistic) working$response else matrix(y, nrow(x), ncol(x))
    total <- colSums(w)
    centred <- x - rep(colSums(w * x) / total, each = nrow(x))
    squares <- colSums(w * centred^2)
    beta <- colSums(centred * w * z) / squares
    eta <- rep(colSums(w * z) / total, each = nrow(x)) + centred * rep(beta, each = nrow(x))
  }
  leverage <- w / rep(total, each = nrow(x)) + w * centred^2 / rep(squares, each = nrow(x))
  usable_fits(beta, eta, (eta - leverage * z) / (1 - leverage))
}

# univariate_fits() for survival times and centred columns.
univariate_cox <- function(x, y, weights) {
  times <- cox_times(surv_matrix(y)[, 1L], surv_matrix(y)[, 2L], "breslow")
  x <- x[times$order, , drop = FALSE]
  weights <- weights[times$order]
  eta <- matrix(0, nrow(x), ncol(x))
  for (step in 1:2) {
    working <- cox_working_response(eta, times)
    w <- weights * working$weight
    squares <- colSums(w * x^2)
    beta <- colSums(w * x * working$response) / squares
    eta <- x * rep(beta, each = nrow(x))
  }
  leverage <- w * x^2 / rep(squares, each = nrow(x))
  left_out <- (eta - leverage * working$response) / (1 - leverage)
  left_out[times$order, ] <- left_out
  eta[times$order, ] <- eta
  usable_fits(beta, eta, left_out)
}

usable_fits <- function(beta, eta, left_out) {
  # A sample that alone determines a fit: without it there is none.
  lost <- !is.finite(left_out)
  left_out[lost] <- eta[lost]
  left_out[, !is.finite(beta) | colSums(!is.finite(left_out)) > 0] <- 0
  list(beta = replace(beta, !is.finite(beta), 0), left_out = left_out)
}

# The working response of a step of logistic regression; the first step starts between y and a half.
working_response <- function(eta, y, size) {
  y <- matrix(y, size[1], size[2])
  mean <- if (is.null(eta)) (y + 0.5) / 2 else stats::plogis(eta)
  if (is.null(eta)) eta <- stats::qlogis(mean)
  weight <- mean * (1 - mean)
  list(weight = weight, response = eta + (y - mean) / weight)
}

# The same for a step of Cox regression, with derivatives of the partial likelihood by sample. A
# weight below 1e-6 of the sample's is replaced by that limit, as in uniLasso.
# @param eta (numeric matrix) a model in each column, rows in the order of `times`.
cox_working_response <- function(eta, times) {
  n <- nrow(eta)
  sums <- risk_sums(times, eta)
  hazard <- sums$risk * risk_hazard(times, sums)
  twice <- sums$risk^2 * lived_through(times, times$deaths / sums$at_risk^2)
  weight <- (hazard - twice) / n
  list(weight = weight, response = eta + (times$event - hazard) / n / pmax(weight, 1e-6))
}
