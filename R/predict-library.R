# Learners that call another package.

#' @rdname learners
#' @export
learner_forest <- function(n_trees = 500, mtry = NULL, importance = c("impurity", "permutation")) {
  check_package("ranger", "learner")
  n_trees <- check_count(n_trees)
  importance <- check_choice(importance, c("impurity", "permutation"))
  share <- !is.null(mtry) && checkmate::test_number(mtry) && mtry > 0 && mtry < 1
  if (!share) mtry <- check_count(mtry, null_ok = TRUE)
  new_learner(
    "forest", "random forest", list(n_trees = n_trees, mtry = mtry, importance = importance),
    function(x, y) {
      # ranger does not accept duplicated row names.
      rownames(x) <- NULL
      n_tried <- if (share) ceiling(mtry * ncol(x)) else if (!is.null(mtry)) min(mtry, ncol(x))
      if (is.factor(y)) y <- droplevels(y)
      fit <- ranger::ranger(
        x = x, y = y, importance = importance, num.trees = n_trees, mtry = n_tried,
        probability = is.factor(y), num.threads = 1, seed = sample.int(.Machine$integer.max, 1L)
      )
      list(fit = fit, levels = levels(y))
    },
    function(model, newdata) {
      if (is.null(model$levels)) {
        return(forest_values(model, newdata))
      }
      class_of_odds(forest_odds(model, newdata))
    },
    importance = function(model) unname(model$fit$variable.importance),
    probability = forest_odds, decision = forest_odds, survival = forest_curves,
    responses = c("binary", "multiclass", "numeric", "survival")
  )
}

# Numbers, or the cumulative hazard summed over the times with events (Ishwaran et al. 2008).
forest_values <- function(model, newdata) {
  rownames(newdata) <- NULL
  found <- stats::predict(model$fit, newdata, num.threads = 1)
  if (is.null(found$chf)) found$predictions else rowSums(matrix(found$chf, nrow(newdata)))
}

# The trees' curves are steps at the event times of training samples.
forest_curves <- function(model, newdata, times) {
  rownames(newdata) <- NULL
  found <- stats::predict(model$fit, newdata, num.threads = 1)
  curves <- cbind(1, matrix(found$survival, nrow(newdata)))
  curves[, findInterval(times, found$unique.death.times) + 1L, drop = FALSE]
}

forest_odds <- function(model, newdata) {
  if (is.null(model$levels)) {
    return(NULL)
  }
  rownames(newdata) <- NULL
  odds <- stats::predict(model$fit, newdata, num.threads = 1)$predictions
  # A single sample is returned as a vector.
  matrix(odds, nrow(newdata), dimnames = list(NULL, colnames(odds)))[, model$levels, drop = FALSE]
}

class_of_odds <- function(odds) {
  factor(colnames(odds)[top_class(odds)], colnames(odds))
}

#' @rdname learners
#' @export
learner_boosting <- function(n_rounds = 100, max_depth = 3, learning_rate = 0.1) {
  check_package("gbm", "learner")
  n_rounds <- check_count(n_rounds)
  max_depth <- check_count(max_depth, max = 49)
  learning_rate <- check_fraction(learning_rate)
  odds <- function(model, newdata) {
    one_against_rest_odds(model, newdata, function(fit, newdata) {
      suppressWarnings(stats::predict(fit, as.data.frame(newdata), n.trees = n_rounds))
    })
  }
  new_learner(
    "boosting", "gradient boosting",
    list(n_rounds = n_rounds, max_depth = max_depth, learning_rate = learning_rate),
    function(x, y) {
      one_against_rest(x, y, function(x, target) {
        # gbm warns of every constant column. All rows go into every tree.
        suppressWarnings(gbm::gbm.fit(
          as.data.frame(x), target, distribution = "bernoulli", n.trees = n_rounds,
          interaction.depth = max_depth, shrinkage = learning_rate, n.minobsinnode = 1,
          bag.fraction = 1, keep.data = FALSE, verbose = FALSE
        ))
      })
    },
    function(model, newdata) class_of_odds(odds(model, newdata)),
    importance = function(model) {
      sum_over_classes(model, function(fit) {
        gain <- gbm::relative.influence(fit, n.trees = n_rounds, scale. = FALSE, sort. = FALSE)
        full <- numeric(model$n_columns)
        full[match(names(gain), model$columns)] <- gain / max(sum(gain), .Machine$double.xmin)
        full
      })
    },
    probability = odds, decision = odds
  )
}

#' @rdname learners
#' @export
learner_lasso <- function(lambda = NULL) {
  check_package("glmnet", "learner")
  lambda <- check_positive(lambda, null_ok = TRUE)
  odds <- function(model, newdata) {
    one_against_rest_odds(model, newdata, function(fit, newdata) {
      drop(as.matrix(newdata %*% fit$beta)) + fit$intercept
    })
  }
  new_learner(
    "lasso", "lasso", list(lambda = lambda),
    function(x, y) fit_lasso(x, y, lambda),
    drawn = function(x, y, rows) fit_lasso(x, y, lambda, rows),
    predict = function(model, newdata) {
      if (is.null(model$fits)) lasso_link(model, newdata) else class_of_odds(odds(model, newdata))
    },
    importance = function(model) {
      if (is.null(model$fits)) {
        return(model$standardised^2)
      }
      sum_over_classes(model, function(fit) fit$standardised^2)
    },
    probability = odds, decision = odds, squared_importance = TRUE,
    survival = function(model, newdata, times) {
      curves_of_risk(model$baseline, lasso_link(model, newdata), times)
    },
    responses = c("binary", "multiclass", "numeric", "survival")
  )
}

lasso_link <- function(model, newdata) drop(as.matrix(newdata %*% model$beta)) + model$intercept

# @param y (factor, numbers or Surv). @param lambda (number > 0, or NULL: 3 for classes, otherwise
#   by choose_lasso()).
# @param rows of cox_times().
fit_lasso <- function(x, y, lambda, rows = NULL) {
  if (is.factor(y)) {
    if (is.null(lambda)) lambda <- 3
    return(one_against_rest(x, y, function(x, target) fit_lasso_machine(x, target, lambda)))
  }
  if (!is_survival(y)) {
    return(fit_lasso_machine(x, y, lambda, "gaussian"))
  }
  values <- surv_matrix(y)
  target <- cbind(time = values[, 1L], status = values[, 2L])
  fit <- fit_lasso_machine(x, target, lambda, "cox", rows)
  # Risks are relative to a sample with mean features.
  fit$intercept <- -sum(colMeans(x) * fit$beta)
  fit$baseline <- baseline_hazard(values[, 1L], values[, 2L], lasso_link(fit, x), rows)
  fit
}

# A path down to the penalty, which glmnet solves more reliably than a single penalty. glmnet stops
# at a single column, where a column of zeros changes nothing, and at columns that are all constant.
# @param lambda (number > 0, or NULL for choose_lasso()).
fit_lasso_machine <- function(x, target, lambda, family = "binomial", rows = NULL) {
  p <- ncol(x)
  units <- column_units(x)
  x <- x * rep(units, each = nrow(x))
  spread <- sqrt(colMeans((x - rep(colMeans(x), each = nrow(x)))^2))
  if (family != "binomial" && all(spread == 0)) {
    level <- if (family == "gaussian") mean(target) else 0
    return(list(beta = numeric(p), intercept = level, standardised = numeric(p)))
  }
  path <- if (!is.null(lambda)) lambda / nrow(x) * 2^(10:0)
  fit <- if (family == "cox") {
    cox_lasso_path(x, target, path, if (is.null(rows)) seq_len(nrow(x)) else rows)
  } else {
    if (p == 1L) x <- cbind(x, 0)
    suppressWarnings(glmnet::glmnet(x, target, family = family, lambda = path, thresh = 1e-10))
  }
  last <- if (is.null(lambda)) choose_lasso(fit, target) else length(fit$lambda)
  beta <- as.numeric(fit$beta[seq_len(p), last])
  list(
    beta = beta * units, intercept = unname(fit$a0[last]), standardised = unname(beta * spread)
  )
}

# The path of glmnet for survival times, with the ties of Efron in any of its versions.
cox_lasso_path <- function(x, target, lambda, rows) {
  own <- which(!duplicated(rows))
  response <- list(y = target[own, "time"], event = target[own, "status"])
  # A given penalty is reached, however much is explained before.
  options <- c(lambda_options(lambda, x), most_explained = if (is.null(lambda)) 0.999 else 1)
  raw <- cpp_likelihood_path(
    x[own, , drop = FALSE], likelihood_response(response, "cox"), matrix(0, length(own), 0L),
    as.double(tabulate(rows)[rows[own]]), options
  )
  size <- c(ncol(x), length(raw$lambda))
  beta <- Matrix::sparseMatrix(i = raw$beta_i + 1L, p = raw$beta_p, x = raw$beta_x, dims = size)
  # No feature may be related to the times.
  if (size[2] == 0L) beta <- matrix(0, ncol(x), 1L)
  list(
    beta = beta, lambda = numeric(ncol(beta)), df = Matrix::colSums(beta != 0),
    dev.ratio = if (size[2] > 0L) 1 - raw$deviance / raw$null_deviance else 0,
    nulldev = raw$null_deviance
  )
}

# The point of a path with the smallest AIC corrected for few samples (Hurvich & Tsai 1989), or
# events. Degrees of freedom are the features in the model (Zou, Hastie & Tibshirani 2007). Among
# points with 1 + df <= n / 2, as in ridge regression; the first point has none.
choose_lasso <- function(fit, target) {
  is_cox <- is.matrix(target)
  n <- if (is_cox) sum(target[, "status"]) else length(target)
  deviance <- (1 - fit$dev.ratio) * fit$nulldev
  loss <- if (is_cox) deviance else n * log(pmax(deviance, .Machine$double.xmin) / n)
  df <- fit$df + !is_cox
  allowed <- fit$df + 1 <= n / 2 & n - df - 1 > 0
  if (!any(allowed)) 1L else which.min(ifelse(allowed, loss + 2 * df * n / (n - df - 1), Inf))
}

# A model of the second class for two, of each against the rest for several. Columns have plain
# names, since not every package takes any name.
one_against_rest <- function(x, y, fit) {
  y <- droplevels(y)
  columns <- paste0("V", seq_len(ncol(x)))
  dimnames(x) <- list(NULL, columns)
  targets <- if (nlevels(y) == 2L) 2L else seq_len(nlevels(y))
  fits <- if (nlevels(y) > 1L) {
    lapply(targets, function(class) fit(x, as.integer(as.integer(y) == class)))
  }
  list(fits = fits, levels = levels(y), columns = columns, n_columns = ncol(x))
}

one_against_rest_odds <- function(model, newdata, link) {
  if (length(model$levels) == 1L) {
    return(matrix(1, nrow(newdata), 1L, dimnames = list(NULL, model$levels)))
  }
  dimnames(newdata) <- list(NULL, model$columns)
  score <- vapply(model$fits, link, numeric(nrow(newdata)), newdata = newdata)
  score <- matrix(score, nrow(newdata))
  if (ncol(score) == 1L) score <- cbind(0, score)
  colnames(score) <- model$levels
  machine_odds(score)
}

sum_over_classes <- function(model, importance) {
  Reduce(`+`, lapply(model$fits, importance), numeric(model$n_columns))
}
