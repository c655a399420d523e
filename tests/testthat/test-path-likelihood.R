# Paths by likelihood against glmnet, survival and the optimality conditions.

likelihoods <- c("gaussian", "binomial", "poisson", "cox")

stored <- readRDS(test_path("fixtures", "likelihood.rds"))

# A point of the path of a design, as one vector: covariates, then features.
point_of <- function(path, k) c(path$covariates[, k], path$coefficients[, k])

# Relative to the largest coefficient, per standard deviation of its column.
distance <- function(design, ours, theirs) {
  scale <- apply(cbind(design$z, design$x), 2, stats::sd)
  max(abs(ours - theirs) * scale) / max(1, max(abs(theirs) * scale))
}

for (family in likelihoods) {
  test_that(paste("coefficients are those of glmnet:", family), {
    expect_length(stored[[family]], 100)
    far <- vapply(1:100, function(id) {
      design <- likelihood_design(family, id)
      # Strata: see data-raw/make-likelihood-fixtures.R.
      design["strata"] <- list(NULL)
      design$ties <- "breslow"
      theirs <- stored[[family]][[id]]
      path <- run_likelihood(design, theirs$lambda, most_explained = 1)
      expect_equal(path$lambda, theirs$lambda, tolerance = 1e-12)
      max(vapply(seq_along(theirs$lambda), function(k) {
        distance(design, point_of(path, k), theirs$coefficients[, k])
      }, 0))
    }, 0)
    # The Poisson path of glmnet itself is not closer in one design.
    expect_lt(max(far), if (family == "poisson") 1.5e-6 else 1e-6)
  })

  test_that(paste("every point satisfies the optimality conditions:", family), {
    for (id in 1:24) {
      design <- likelihood_design(family, id)
      if (id %% 8 == 0) design$ties <- "breslow"
      path <- run_likelihood(design, n_lambda = 20, max_features = if (id %% 2) 8)
      expect_gt(length(path$lambda), 3)
      expect_lt(likelihood_kkt(design, path), 1e-9)
      expect_lt(max(path$kkt), 1e-9)
    }
  })

  # The core judges a feature relative to its own penalty, and free columns as an orthonormal basis.
  test_that(paste("a loose tolerance is kept, by what the data alone say:", family), {
    for (id in 1000 + 1:25) {
      design <- likelihood_design(family, id)
      path <- run_likelihood(design, n_lambda = 12, tolerance = 1e-6)
      expect_lte(max(path$kkt), 1e-6)
      heaviest <- max(1, design$penalty[is.finite(design$penalty)])
      allowed <- 1.001e-6 * heaviest * sqrt(1 + ncol(design$z))
      expect_lt(likelihood_kkt(design, path), allowed, label = paste("design", id))
    }
  })

  test_that(paste("counts as weights are repeated rows:", family), {
    for (id in c(3, 9, 12)) {
      design <- likelihood_design(family, id)
      design$weights <- withr::with_seed(id, sample(0:3, nrow(design$x), TRUE))
      # With Efron's, a sample twice in the data is a tie.
      design$ties <- "breslow"
      rows <- rep(seq_len(nrow(design$x)), design$weights)
      again <- design
      again[c("x", "z")] <- list(design$x[rows, ], design$z[rows, , drop = FALSE])
      again$response <- lapply(design$response, `[`, rows)
      again["strata"] <- list(design$strata[rows])
      again["weights"] <- list(NULL)
      # The default grid depends on the number of rows.
      lambda <- run_likelihood(design)$lambda[c(5, 20, 40)]
      one <- run_likelihood(design, lambda)
      other <- run_likelihood(again, lambda)
      expect_equal(one$coefficients, other$coefficients, tolerance = 1e-8)
      expect_equal(one$covariates, other$covariates, tolerance = 1e-8)
      expect_equal(one$deviance, other$deviance, tolerance = 1e-9)
    }
  })
}

test_that("without a penalty, survival times are those of coxph()", {
  skip_if_not_installed("survival")
  for (id in c(4, 5, 12, 15)) {
    design <- likelihood_design("cox", id)
    design$x <- design$x[, 1:4]
    design["penalty"] <- list(NULL)
    w <- if (is.null(design$weights)) rep(1, nrow(design$x)) else design$weights
    path <- run_likelihood(design, c(0.1, 0))
    used <- w > 0
    covariates <- cbind(design$z, design$x)
    times <- survival::Surv(design$response$y, design$response$event)
    model <- times ~ covariates
    # coxph() knows it by this name only.
    strata <- survival::strata
    if (!is.null(design$strata)) model <- times ~ covariates + strata(design$strata)
    theirs <- survival::coxph(model,
      weights = w, subset = used,
      control = survival::coxph.control(1e-11, 1e-12, iter.max = 50)
    )
    expect_equal(point_of(path, 2), stats::coef(theirs), tolerance = 1e-7, ignore_attr = TRUE)
    expect_equal(path$null_deviance - path$deviance[2] >= 0, TRUE)
    if (ncol(design$z) == 0L) {
      gain <- 2 * diff(theirs$loglik)
      expect_equal(path$null_deviance - path$deviance[2], gain, tolerance = 1e-8)
    }
  }
})

test_that("without a penalty, the others are those of glm()", {
  for (family in c("gaussian", "poisson", "binomial")) {
    design <- likelihood_design(family, 4)
    design$x <- design$x[, 1:3]
    path <- run_likelihood(design, c(0.1, 0))
    y <- if (family == "binomial") (design$response$y + 1) / 2 else design$response$y
    theirs <- suppressWarnings(stats::glm(y ~ design$z + design$x,
      family = family, weights = design$weights, control = list(epsilon = 1e-14, maxit = 100)
    ))
    expect_equal(c(path$intercepts[2], point_of(path, 2)), stats::coef(theirs),
      tolerance = 1e-7, ignore_attr = TRUE
    )
    expect_equal(path$deviance[2], stats::deviance(theirs), tolerance = 1e-8)
  }
})

test_that("least squares with each size has the models of the exact path", {
  x <- withr::with_seed(1, matrix(stats::rnorm(40 * 60), 40))
  y <- x[, 1] - x[, 2] + withr::with_seed(2, stats::rnorm(40))
  exact <- lars_path(x, y, max_features = 12)
  path <- lasso_path(x, y, max_features = 12, tolerance = 1e-10)
  for (size in 1:10) {
    here <- which(coef(path, at = size, mode = "size") != 0)
    expect_setequal(names(here), names(selected(exact, size)[[1]]))
  }
  at <- path$lambda[20]
  expect_equal(
    coef(path, at = at), coef(exact, at = at * sqrt(40), mode = "lambda"),
    tolerance = 1e-8
  )
})

test_that("the unit of numbers does not matter, for the elastic net neither", {
  design <- likelihood_design("gaussian", 6)
  expect_identical(design$alpha, 0.5)
  lambda <- run_likelihood(design)$lambda[c(10, 40)]
  one <- run_likelihood(design, lambda)
  design$response$y <- 100 * design$response$y
  other <- run_likelihood(design, 100 * lambda)
  expect_equal(other$coefficients, 100 * one$coefficients, tolerance = 1e-8)
})

test_that("the family follows from the response and can be said", {
  x <- as.matrix(mcl_sll[, -1])
  plain <- lasso_path(x, mcl_sll$MCL)
  expect_identical(plain$asked$family, "gaussian")
  expect_identical(lasso_path(x, mcl_sll$MCL, stats::binomial())$asked$family, "binomial")
  expect_error(lasso_path(x, mcl_sll$MCL, "cox"), class = "stabilect_error_input")
  expect_error(lasso_path(x, mcl_sll$MCL, "poison"), "poisson", class = "stabilect_error_input")
  expect_error(
    lasso_path(x, rnorm(nrow(x)), "binomial"), "two classes", class = "stabilect_error_input"
  )
})

test_that("constant, duplicated and collinear columns", {
  design <- likelihood_design("binomial", 1)
  x <- cbind(design$x, one = 1, twin = design$x[, 1], sum = design$x[, 1] + design$x[, 2])
  design$x <- x
  path <- run_likelihood(design)
  expect_true(all(path$coefficients["one", ] == 0))
  expect_true(all(is.finite(path$coefficients@x)))
  alone <- design
  alone$x <- x[, setdiff(colnames(x), c("one", "twin", "sum"))]
  first <- run_likelihood(alone, path$lambda)
  at <- seq_len(min(length(first$lambda), length(path$lambda)))
  expect_lte(max(path$deviance[at] - first$deviance[at]), 1e-8)
})

test_that("separated classes end the path with a reason", {
  x <- cbind(a = c(1:10, 21:30), b = withr::with_seed(1, stats::rnorm(20)))
  y <- rep(0:1, each = 10)
  path <- lasso_path(x, y, family = "binomial")
  expect_identical(path$status, "explained")
  expect_true(all(is.finite(path$coefficients@x)))
  expect_error(
    lasso_path(x[, 2, drop = FALSE], y, family = "binomial", covariates = x[, 1]),
    "separate", class = "stabilect_error_input"
  )
})

test_that("models are as exact as the tolerance asks, by default to a millionth of lambda", {
  x <- as.matrix(mcl_sll[, -1])
  path <- lasso_path(x, mcl_sll$MCL, "binomial")
  exact <- lasso_path(x, mcl_sll$MCL, "binomial", lambda = path$lambda, tolerance = 1e-10)
  expect_lt(max(exact$kkt), 1e-10)
  expect_gt(max(path$kkt), 1e-10)
  expect_lt(max(path$kkt), 1e-6)
  expect_equal(path$deviance, exact$deviance, tolerance = 1e-5)
  expect_identical(
    lasso_path(x, mcl_sll$MCL, "binomial", tolerance = 1e-14)$kkt,
    lasso_path(x, mcl_sll$MCL, "binomial", tolerance = 1e-10)$kkt
  )
})

test_that("bad penalties, covariates, strata and lambdas are refused with what to do", {
  x <- as.matrix(mcl_sll[, -1])
  y <- mcl_sll$MCL
  n <- nrow(x)
  refused <- function(pattern, ...) {
    error <- expect_error(lasso_path(x, y, ...), class = "stabilect_error_input")
    expect_match(cli::ansi_strip(conditionMessage(error)), pattern)
  }
  refused("`penalty` has 2 values", penalty = 1:2)
  refused("`tolerance` must be at most 1e-4", tolerance = 0.01)
  refused("`tolerance` must be a finite number > 0", tolerance = 0)
  refused("`penalty` has -1 at position 2", penalty = replace(rep(1, ncol(x)), 2, -1))
  refused("not a feature of `x`", penalty = c(nobody = 2))
  refused("leaves no feature", penalty = rep(Inf, ncol(x)))
  refused("`covariates` has 3 rows", covariates = 1:3)
  refused("has NA at position 2", covariates = data.frame(age = replace(seq_len(n), 2, NA)))
  refused("combination of the others", covariates = cbind(a = seq_len(n), b = 2 * seq_len(n)))
  refused("name of a covariate and of a feature", covariates = x[, 1:2])
  refused("leave nothing to explain", covariates = diag(n)[, -1], family = "binomial")
  refused("`strata` are for survival times", strata = rep(1:2, length.out = n))
  refused("`lambda` must be finite", lambda = c(1, NA))
  refused("needs fewer features than samples", lambda = 0)
  refused("one side", covariates = y ~ age)
  refused("must be a number in", alpha = 0)
})

test_that("a path on which hazards overflow ends", {
  # With more columns than events, coefficients grow without limit at small penalties.
  design <- withr::with_seed(3, {
    n <- 60
    age <- stats::rnorm(n, 50, 9)
    batch <- factor(sample(letters[1:3], n, TRUE))
    x <- matrix(stats::rnorm(n * 30), n, dimnames = list(NULL, paste0("g", 1:30)))
    stats::rnorm(n)
    time <- stats::rexp(n, exp(x[, 1]))
    list(x = x, z = data.frame(age, batch), y = new_surv(time, stats::rbinom(n, 1, 0.7)))
  })
  fit <- fealect(
    design$x, design$y, n_runs = 20, covariates = design$z, oob = FALSE, n_boot = 0, seed = 1
  )
  expect_identical(fit$selection$n_runs, 20L)
  expect_identical(unname(fit$selection$status), rep("ok", 20))
})

test_that("with as many features as events no run fails, and points are optimal", {
  # Hazards were further apart than numbers reach, squared: 4 to 22 of 30 runs failed.
  for (p in c(20, 31)) {
    d <- withr::with_seed(p, {
      n <- if (p == 20) 40 else 60
      x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
      time <- stats::rexp(n, exp(1.5 * x[, 1] + 0.75 * x[, 2]))
      list(x = x, y = new_surv(time, stats::rbinom(n, 1, 0.7)))
    })
    fit <- fealect(d$x, d$y, max_features = p, n_runs = 30, oob = FALSE, n_boot = 0, seed = 1)
    expect_identical(fit$made$n_failed, 0L)
    own <- as.matrix(fit$resamples)[, 1] > 0
    path <- lasso_path(d$x[own, ], label_rows(d$y, which(own)), family = "cox")
    expect_true(path$status %in% c("complete", "explained"))
    expect_lt(max(path$kkt), 1e-6)
    expect_gt(diff(range(d$x[own, ] %*% path$coefficients[, length(path$lambda)])), 100)
  }
})
