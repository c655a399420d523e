# Designs for paths by likelihood, and the conditions that decide what is right, computed from the
# data alone.

# The data of one design; every third one has counts as weights, every third real ones, and some
# have covariates, strata, ties, an elastic net or penalty weights.
likelihood_design <- function(family, id) {
  withr::with_seed(7000 + id, {
    n <- sample(30:60, 1)
    p <- sample(8:(if (family == "cox") 24 else 70), 1)
    x <- matrix(stats::rnorm(n * p), n) + stats::rnorm(n)
    x <- sweep(x, 2, sample(c(0.1, 1, 10), p, TRUE), `*`) + 3
    colnames(x) <- paste0("g", seq_len(p))
    z <- if (id %% 4 == 0) cbind(age = stats::rnorm(n, 50, 9), sex = stats::rbinom(n, 1, 0.5))
    if (is.null(z)) z <- matrix(0, n, 0)
    eta <- drop(scale(x[, 1:3]) %*% c(1, -1, 0.7)) + if (ncol(z) > 0) z[, 2] else 0
    response <- switch(family,
      gaussian = list(y = eta + stats::rnorm(n)),
      binomial = list(y = 2 * stats::rbinom(n, 1, stats::plogis(eta)) - 1),
      poisson = list(y = stats::rpois(n, exp(0.5 + 0.5 * eta))),
      cox = {
        time <- stats::rexp(n, exp(eta))
        list(
          y = if (id %% 2 == 0) ceiling(4 * time) else time,
          event = stats::rbinom(n, 1, 0.7)
        )
      }
    )
    weights <- switch(id %% 3 + 1,
      sample(0:3, n, TRUE, c(1, 4, 2, 1)), stats::runif(n, 0.2, 2), NULL
    )
    if (family == "gaussian") response$y <- response$y / weighted_sd(response$y, weights)
    list(
      x = x, z = z, response = response, family = family, weights = weights,
      strata = if (family == "cox" && id %% 5 == 0) sample(1:2, n, TRUE),
      alpha = if (id %% 6 == 0) 0.5 else 1,
      penalty = if (id %% 7 == 0) replace(stats::runif(p, 0.5, 2), 1:2, c(0, Inf))
    )
  })
}

# Elastic nets divide the ridge part by this, which is 1 here.
weighted_sd <- function(y, w) {
  if (is.null(w)) w <- rep(1, length(y))
  sqrt(sum(w * (y - sum(w * y) / sum(w))^2) / sum(w))
}

run_likelihood <- function(design, lambda = NULL, ...) {
  roles <- c(z = "covariates", strata = "strata", weights = "weights", offset = "offset")
  given <- intersect(names(roles), names(Filter(Negate(is.null), design)))
  design$response[roles[given]] <- design[given]
  do.call(follow_likelihood, c(
    design[c("x", "response", "family", "alpha", "penalty")],
    list(lambda = lambda, ties = design$ties, ...)
  ))
}

# Score residuals at a linear predictor; ties as in Efron, unless the design says "breslow".
score_residuals <- function(design, eta, w) {
  y <- design$response$y
  if (design$family != "cox") {
    mean <- switch(design$family,
      gaussian = eta, binomial = 2 * stats::plogis(eta) - 1, poisson = exp(eta)
    )
    return(w * (y - mean) * if (design$family == "binomial") 0.5 else 1)
  }
  event <- design$response$event
  eta <- eta - max(eta[w > 0])
  strata <- if (is.null(design$strata)) rep(1, length(y)) else design$strata
  hazard <- vapply(seq_along(y), function(i) {
    at <- unique(y[event == 1 & w > 0 & strata == strata[i] & y <= y[i]])
    sum(vapply(at, function(t) {
      here <- strata == strata[i]
      tied <- here & y == t & event == 1 & w > 0
      gone <- if (identical(design$ties, "breslow")) 0 else (seq_len(sum(tied)) - 1) / sum(tied)
      own <- if (tied[i]) 1 - gone else 1
      left <- sum((w * exp(eta))[here & y >= t]) - gone * sum((w * exp(eta))[tied])
      mean(own / left) * sum(w[tied])
    }, 0))
  }, 0)
  w * (event - hazard * exp(eta))
}

# The largest violation of the optimality conditions, relative to lambda, over the points of a path.
likelihood_kkt <- function(design, path) {
  x <- design$x
  n <- nrow(x)
  w <- if (is.null(design$weights)) rep(1, n) else design$weights
  total <- sum(w)
  x <- sweep(x, 2, colSums(w * x) / total)
  x <- sweep(x, 2, sqrt(colSums(w * x^2) / total), `/`)
  sd <- sqrt(colSums(w * sweep(design$x, 2, colSums(w * design$x) / total)^2) / total)
  v <- if (is.null(design$penalty)) rep(1, ncol(x)) else design$penalty
  free <- if (design$family == "cox") design$z else cbind(1, design$z)
  worst <- vapply(seq_along(path$lambda), function(k) {
    b <- path$coefficients[, k]
    level <- path$intercepts[k]
    eta <- drop(design$x %*% b + design$z %*% path$covariates[, k])
    if (!is.na(level)) eta <- eta + level
    r <- score_residuals(design, eta, w)
    lambda <- path$lambda[k]
    g <- drop(crossprod(x, r)) / total
    b <- b * sd
    bound <- lambda * design$alpha * v
    inside <- g - sign(b) * bound - lambda * (1 - design$alpha) * ifelse(b == 0, 0, v * b)
    gap <- ifelse(b == 0, pmax(0, abs(g) - bound), abs(inside))
    gap[v == 0] <- abs(g[v == 0])
    size <- sqrt(colSums(w * free^2) / total)
    max(gap, abs(drop(crossprod(free, r)) / total / size)) / lambda
  }, 0)
  max(worst)
}

# A design with three to five classes; some with weights, covariates, an elastic net, penalty
# weights, or more features than samples.
class_design <- function(id) {
  withr::with_seed(9000 + id, {
    n <- sample(40:80, 1)
    p <- sample(6:90, 1)
    n_classes <- 3 + id %% 3
    x <- matrix(stats::rnorm(n * p), n) + stats::rnorm(n)
    x <- sweep(x, 2, sample(c(0.1, 1, 10), p, TRUE), `*`) + 3
    colnames(x) <- paste0("g", seq_len(p))
    z <- if (id %% 4 == 0) cbind(age = stats::rnorm(n, 50, 9), sex = stats::rbinom(n, 1, 0.5))
    if (is.null(z)) z <- matrix(0, n, 0)
    eta <- scale(x[, 1:3]) %*% matrix(stats::rnorm(3 * n_classes, sd = 1.5), 3)
    codes <- max.col(eta - log(-log(matrix(stats::runif(n * n_classes), n))))
    codes[seq_len(2 * n_classes)] <- rep(seq_len(n_classes), 2)
    list(
      x = x, z = z, family = "multinomial", strata = NULL,
      response = list(y = as.double(codes), codes = codes, levels = letters[seq_len(n_classes)]),
      weights = switch(id %% 3 + 1, sample(1:3, n, TRUE), stats::runif(n, 0.2, 2), NULL),
      alpha = if (id %% 6 == 0) 0.5 else 1,
      penalty = if (id %% 7 == 0) replace(stats::runif(p, 0.5, 2), 1:2, c(0, Inf))
    )
  })
}

# Features (or covariates) x classes x points.
class_array <- function(parts) {
  aperm(simplify2array(lapply(unname(parts), as.matrix)), c(1L, 3L, 2L))
}

# The largest violation of the optimality conditions of the grouped penalty, relative to lambda.
class_kkt <- function(design, path) {
  x <- design$x
  w <- if (is.null(design$weights)) rep(1, nrow(x)) else design$weights
  total <- sum(w)
  centred <- sweep(x, 2, colSums(w * x) / total)
  sd <- sqrt(colSums(w * centred^2) / total)
  v <- if (is.null(design$penalty)) rep(1, ncol(x)) else design$penalty
  observed <- outer(design$response$codes, seq_along(design$response$levels), `==`) + 0
  all <- class_array(path$coefficients)
  worst <- vapply(seq_along(path$lambda), function(k) {
    b <- matrix(all[, , k], ncol(x))
    level <- vapply(path$intercepts, function(one) one[k], 0)
    held <- vapply(path$covariates, function(one) one[, k], numeric(ncol(design$z)))
    held <- matrix(held, ncol(design$z), length(level))
    eta <- x %*% b + rep(level, each = nrow(x)) + design$z %*% held
    odds <- exp(eta - apply(eta, 1, max))
    chance <- odds / rowSums(odds)
    r <- w * (observed - chance)
    lambda <- path$lambda[k]
    g <- crossprod(sweep(centred, 2, sd, `/`), r) / total
    b <- b * sd
    norm <- sqrt(rowSums(b^2))
    inside <- g - ifelse(norm > 0, lambda * v * (design$alpha / norm + 1 - design$alpha), 0) * b
    gap <- ifelse(norm > 0, sqrt(rowSums(inside^2)),
      pmax(0, sqrt(rowSums(g^2)) - lambda * design$alpha * v)
    )
    gap[v == 0] <- sqrt(rowSums(g^2))[v == 0]
    free <- cbind(1, design$z)
    max(gap, abs(crossprod(free, r)) / total / sqrt(colSums(w * free^2) / total)) / lambda
  }, 0)
  max(worst)
}

# Weighted standard deviations of the features of a design.
weighted_sds <- function(design) {
  apply(design$x, 2, weighted_sd, w = design$weights)
}

# Data with an offset that matters, and weights.
offset_design <- function(family) {
  withr::with_seed(93, {
    n <- 60
    p <- 40
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
    new <- matrix(stats::rnorm(5 * p), 5, dimnames = list(NULL, colnames(x)))
    weights <- stats::runif(n, 0.2, 2)
    by_class <- family == "multinomial"
    offset <- if (by_class) matrix(stats::rnorm(3 * n), n) else stats::rnorm(n, 1)
    offset_new <- if (by_class) matrix(stats::rnorm(15), 5) else stats::rnorm(5, 1)
    eta <- drop(x[, 1:3] %*% c(1, -1, 0.7)) + if (by_class) 0 else offset
    y <- switch(family,
      gaussian = eta + stats::rnorm(n),
      binomial = factor(stats::rbinom(n, 1, stats::plogis(eta)), labels = c("no", "yes")),
      poisson = stats::rpois(n, exp(0.4 * eta)),
      cox = survival::Surv(stats::rexp(n, exp(eta)), stats::rbinom(n, 1, 0.7)),
      multinomial = factor(
        max.col(cbind(eta, -eta, 0) + offset + stats::rlogis(3 * n)), labels = c("a", "b", "c")
      )
    )
    list(
      x = x, y = y, family = family, weights = weights, offset = offset, new = new,
      offset_new = offset_new
    )
  })
}

# What glmnet says of that design.
# @return list(lambda, intercepts, coefficients (of classes side by side), null_deviance, explained,
#   link (of new samples)).
glmnet_with_offset <- function(family) {
  d <- offset_design(family)
  path <- function(lambda) {
    glmnet::glmnet(d$x, d$y, family,
      weights = d$weights, offset = d$offset, lambda = lambda, thresh = 1e-14, maxit = 1e6,
      type.multinomial = "grouped"
    )
  }
  # Its own penalties go on to where it does not converge.
  first <- suppressWarnings(path(NULL)$lambda[1])
  fit <- path(first * exp(seq(0, log(0.15), length.out = 6)))
  beta <- if (is.list(fit$beta)) do.call(cbind, fit$beta) else fit$beta
  list(
    lambda = fit$lambda, intercepts = fit$a0, coefficients = Matrix::Matrix(beta, sparse = TRUE),
    null_deviance = fit$nulldev, explained = fit$dev.ratio,
    link = stats::predict(fit, d$new, newoffset = d$offset_new)
  )
}

# glmnet goes on where the deviance hardly changes, in the rest of the caller.
local_whole_glmnet <- function(env = parent.frame()) {
  old <- glmnet::glmnet.control()$fdev
  withr::defer(glmnet::glmnet.control(fdev = old), env)
  glmnet::glmnet.control(fdev = 0)
}

# A level of a covariate in which one class, or every event, is lacking: its coefficient has no
# limit, and there is a path nevertheless. About `share` of the samples have it.
separated_design <- function(family, share = 0.2, seed = 1L, n = 60L, p = 8L) {
  withr::with_seed(seed, {
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
    level <- stats::rbinom(n, 1, share)
    level[1:2] <- 1
    two <- ifelse(x[, 2] + stats::rnorm(n) > 0, "a", "b")
    y <- switch(family,
      binomial = factor(ifelse(level == 1 | x[, 1] + stats::rnorm(n) > 0, "b", "a")),
      multinomial = factor(ifelse(level == 0 & x[, 1] + stats::rnorm(n) > 0.3, "c", two)),
      poisson = ifelse(level == 1, 0, stats::rpois(n, exp(x[, 1] / 2))),
      cox = survival::Surv(
        stats::rexp(n) * exp(-x[, 1] / 2), stats::rbinom(n, 1, 0.7) * (level == 0)
      )
    )
    list(x = x, y = y, z = data.frame(level = level), family = family)
  })
}

# glmnet divides penalty factors by their mean.
glmnet_separated <- function(family) {
  d <- separated_design(family)
  own <- suppressWarnings(lasso_path(d$x, d$y, family, covariates = d$z))$lambda
  lambda <- own[own > own[1] / 10]
  p <- ncol(d$x)
  fit <- suppressWarnings(glmnet::glmnet(
    cbind(d$x, as.matrix(d$z)), d$y, family, penalty.factor = c(rep(1, p), 0),
    lambda = lambda * p / (p + 1), thresh = 1e-14, maxit = 1e7
  ))
  at <- round(seq(2, length(lambda), length.out = 5))
  list(lambda = lambda[at], coefficients = unname(as.matrix(fit$beta)[seq_len(p), at]))
}
