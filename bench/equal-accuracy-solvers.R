# Packages that follow lasso paths, for equal-accuracy.R. Each has the families that it knows, its
# tolerances (the default first, then others), and three functions: prepare() makes what it wants of
# x and y, outside of the clock; fit() is on the clock; take() gives coefficients as lists over the
# penalties (b0: one value or one for each class; b: p values, or p x classes).

columns_of <- function(b) lapply(seq_len(ncol(b)), function(l) as.numeric(b[, l]))
no_level <- function(b) as.list(rep(0, ncol(b)))
as_surv <- function(y) survival::Surv(y[, "time"], y[, "status"])
indicator <- function(y) outer(y, seq_len(max(y)), "==") * 1

# The classes of a model as the columns of a matrix.
by_class <- function(models, n_penalties) {
  lapply(seq_len(n_penalties), function(l) {
    vapply(models, function(b) as.numeric(b[, l]), numeric(nrow(models[[1]])))
  })
}

# Our path to 20 features has models between those of the grid.
on_grid <- function(have, want) {
  at <- vapply(want, function(l) which.min(abs(have - l)), 1L)
  at[abs(have[at] - want) <= 1e-9 * want]
}

take_ours <- function(family, fit, lambda) {
  at <- on_grid(fit$lambda, lambda)
  if (family == "multinomial") {
    levels <- lapply(fit$intercepts, function(v) as.numeric(v)[at])
    return(list(
      b0 = lapply(seq_along(at), function(l) vapply(levels, `[`, 0, l)),
      b = by_class(lapply(fit$coefficients, function(b) b[, at, drop = FALSE]), length(at))
    ))
  }
  b <- columns_of(fit$coefficients[, at, drop = FALSE])
  level <- if (family == "cox") rep(0, length(at)) else as.numeric(fit$intercepts)[at]
  list(b0 = as.list(level), b = b)
}

# adelie divides the loss of several classes by their number, and weighs a group by the root of its
# size: both are undone here.
fit_adelie <- function(family, d, lambda, tolerance) {
  glm <- switch(family,
    gaussian = adelie::glm.gaussian(d$y), binomial = adelie::glm.binomial(d$y),
    poisson = adelie::glm.poisson(d$y), multinomial = adelie::glm.multinomial(d$y),
    cox = adelie::glm.cox(
      stop = d$y[, "time"], status = d$y[, "status"], tie_method = "breslow"
    )
  )
  several <- family == "multinomial"
  adelie::grpnet(
    d$x, glm, lambda = lambda / if (several) ncol(glm$y) else 1, alpha = 1, standardize = FALSE,
    penalty = if (several) rep(1, ncol(d$x)), tol = tolerance, newton_tol = 1e-12,
    irls_tol = tolerance, irls_max_iters = 1e5, adev_tol = 1, ddev_tol = 0, early_exit = FALSE,
    n_threads = 1, progress_bar = FALSE
  )
}

take_adelie <- function(family, fit) {
  found <- stats::coef(fit)
  b <- as.matrix(found$betas)
  models <- seq_len(nrow(b))
  if (family == "multinomial") {
    level <- as.matrix(found$intercepts)
    own <- function(l) matrix(b[l, ], ncol = ncol(level), byrow = TRUE)
    return(list(b0 = lapply(models, function(l) level[l, ]), b = lapply(models, own)))
  }
  level <- if (family == "cox") rep(0, nrow(b)) else as.numeric(found$intercepts)
  list(b0 = as.list(level), b = lapply(models, function(l) b[l, ]))
}

solvers <- list(
  stabilect = list(
    families = c("gaussian", "binomial", "poisson", "cox", "multinomial"),
    tolerances = c(1e-6, 1e-4, 1e-5, 1e-7, 1e-8),
    prepare = function(family, x, y) {
      list(x = x, y = switch(family,
        cox = as_surv(y), multinomial = factor(y), binomial = factor(y), y
      ))
    },
    fit = function(family, d, lambda, tolerance, max_features = NULL) {
      lasso_path(
        d$x, d$y, family = family, lambda = lambda, tolerance = tolerance,
        max_features = max_features
      )
    },
    take = take_ours
  ),
  glmnet = list(
    families = c("gaussian", "binomial", "poisson", "cox", "multinomial"),
    tolerances = 10^-c(7, 4:6, 8:14),
    prepare = function(family, x, y) list(x = x, y = if (family == "cox") as_surv(y) else y),
    fit = function(family, d, lambda, tolerance) {
      more <- if (family == "multinomial") list(type.multinomial = "grouped")
      do.call(glmnet::glmnet, c(list(
        d$x, d$y, family = family, lambda = lambda, standardize = FALSE, thresh = tolerance,
        maxit = 1e7
      ), more))
    },
    take = function(family, fit, lambda) {
      if (family == "multinomial") {
        return(list(b0 = columns_of(fit$a0), b = by_class(fit$beta, length(fit$lambda))))
      }
      level <- if (family == "cox") no_level(fit$beta) else as.list(unname(fit$a0))
      list(b0 = level, b = columns_of(fit$beta))
    }
  ),
  ncvreg = list(
    families = c("gaussian", "binomial", "poisson", "cox"), tolerances = 10^-c(4, 2:3, 5:10),
    prepare = function(family, x, y) list(x = x, y = if (family == "cox") as_surv(y) else y),
    fit = function(family, d, lambda, tolerance) {
      settings <- list(
        d$x, d$y, penalty = "lasso", lambda = lambda, eps = tolerance, max.iter = 1e6,
        warn = FALSE, returnX = FALSE
      )
      if (family == "cox") {
        do.call(ncvreg::ncvsurv, settings)
      } else {
        do.call(ncvreg::ncvreg, c(settings, family = family))
      }
    },
    take = function(family, fit, lambda) {
      b <- fit$beta
      if (family == "cox") {
        return(list(b0 = no_level(b), b = columns_of(b)))
      }
      list(b0 = as.list(unname(b[1, ])), b = columns_of(b[-1, , drop = FALSE]))
    }
  ),
  biglasso = list(
    families = c("gaussian", "binomial", "cox"), tolerances = 10^-c(7, 4:6, 8:12),
    prepare = function(family, x, y) list(x = bigmemory::as.big.matrix(x), y = y),
    fit = function(family, d, lambda, tolerance) {
      biglasso::biglasso(
        d$x, d$y, family = family, penalty = "lasso", lambda = lambda, eps = tolerance,
        max.iter = 1e6, ncores = 1, warn = FALSE
      )
    },
    take = function(family, fit, lambda) {
      b <- as.matrix(fit$beta)
      if (family == "cox") {
        return(list(b0 = no_level(b), b = columns_of(b)))
      }
      list(b0 = as.list(unname(b[1, ])), b = columns_of(b[-1, , drop = FALSE]))
    }
  ),
  # With tighter tolerances its paths by likelihood end after a few penalties.
  picasso = list(
    families = c("gaussian", "binomial", "poisson"), tolerances = 10^-c(7, 4:6, 8:12),
    prepare = function(family, x, y) list(x = x, y = y),
    fit = function(family, d, lambda, tolerance) {
      picasso::picasso(
        d$x, d$y, family = family, method = "l1", lambda = lambda, standardize = FALSE,
        prec = tolerance, max.ite = 1e5
      )
    },
    take = function(family, fit, lambda) {
      list(b0 = as.list(as.numeric(fit$intercept)), b = columns_of(as.matrix(fit$beta)))
    }
  ),
  adelie = list(
    families = c("gaussian", "binomial", "poisson", "cox", "multinomial"),
    tolerances = 10^-c(7, 4:6, 8:13),
    prepare = function(family, x, y) {
      list(x = x, y = switch(family, multinomial = indicator(y), cox = y, as.numeric(y)))
    },
    fit = fit_adelie,
    take = function(family, fit, lambda) take_adelie(family, fit)
  )
)
