# Bolasso by likelihood: its runs, the cross-validation of its penalty and the last fit.

design <- survival_design(n = 60, p = 15, seed = 4)
times <- surv_of(design)
classes <- factor(withr::with_seed(1, {
  c("a", "b", "c")[max.col(cbind(2 * design$x[, 1:2], 0) - log(-log(matrix(runif(180), 60))))]
}))
counts <- withr::with_seed(2, rpois(60, exp(0.4 + 0.6 * design$x[, 3])))
two <- factor(ifelse(design$x[, 1] + design$x[, 4] + rep(c(-1, 1), 30) > 0, "high", "low"))
age <- withr::with_seed(3, rnorm(60, 50, 8))

test_that("runs are the models of lasso_path() at that lambda, for every family", {
  asked <- list(
    list(y = times, strata = rep(1:2, 30), covariates = age), list(y = classes),
    list(y = counts, family = "poisson", alpha = 0.7), list(y = two, family = "binomial")
  )
  for (one in asked) {
    fit <- do.call(bolasso, c(list(design$x, lambda = 0.08, n_runs = 5, seed = 1), one))
    drawn <- as.matrix(fit$resamples)
    for (b in 1:5) {
      path <- do.call(lasso_path, c(list(design$x, weights = drawn[, b], lambda = 0.08), one))
      beta <- coef(path, at = 0.08)
      used <- if (is.matrix(beta)) rowSums(beta != 0) > 0 else beta != 0
      expect_identical(unname(fit$selection$selected[, b]), unname(used))
    }
    all <- apply(as.matrix(fit$selection$selected), 1, all)
    expect_setequal(fit$features, colnames(design$x)[all])
  }
})

test_that("the penalty has the smallest deviance of glmnet on the same folds", {
  skip_if_not_installed("glmnet")
  cases <- list(
    cox = times, multinomial = classes, poisson = counts, binomial = two
  )
  for (family in names(cases)) {
    y <- cases[[family]]
    # glmnet may have Breslow's ties alone.
    ties <- if (family == "cox") "breslow" else "efron"
    fit <- bolasso(design$x, y, family = family, ties = ties, n_folds = 5, n_runs = 2, seed = 1)
    draws <- draw_resamples(folds_for(5, y, NULL), y, seed = 1)
    fold <- integer(60)
    for (k in 1:5) fold[split(draws, "out")[[k]]] <- k
    theirs <- if (family == "cox") cbind(time = design$time, status = design$event) else y
    peer <- suppressWarnings(glmnet::cv.glmnet(
      design$x, theirs,
      family = family, type.multinomial = "grouped", foldid = fold, lambda = fit$cv$lambda,
      thresh = 1e-14, grouped = TRUE
    ))
    # Towards the end glmnet and we stop elsewhere.
    n <- seq_len(min(25, length(peer$cvm)))
    ours <- fit$cv$error[n]
    theirs <- unname(peer$cvm)[n]
    if (family == "cox") {
      # glmnet gives the deviance of an event (4.1-6) or of a sample (4.1-10), with a constant of
      # its own for ties.
      ours <- ours - ours[1]
      theirs <- theirs - theirs[1]
      units <- c(1, 60 / sum(design$event))
      ours <- ours * units[which.min(abs(units - theirs[5] / ours[5]))]
    }
    expect_equal(ours, theirs, tolerance = 1e-5, label = family)
    expect_identical(fit$lambda, fit$cv$lambda[which.min(fit$cv$error)])
    expect_true(all(fit$cv$se > 0))
  }
})

test_that("the last fit is that of the model without a penalty", {
  fit <- bolasso(design$x, counts, cutoff = 0.8, family = "poisson", covariates = age, seed = 1)
  data <- data.frame(counts, age, design$x[, fit$features, drop = FALSE])
  peer <- stats::glm(counts ~ ., "poisson", data)
  expect_equal(unname(fit$coefficients), unname(stats::coef(peer)), tolerance = 1e-6)
  expect_identical(names(fit$coefficients), c("(Intercept)", "covariates", fit$features))
  numbers <- bolasso(design$x, design$x[, 1] + age / 10 + sin(1:60), lambda = 0.1, seed = 1)
  peer <- stats::lm(design$x[, 1] + age / 10 + sin(1:60) ~ design$x[, numbers$features])
  expect_equal(unname(numbers$coefficients), unname(stats::coef(peer)), tolerance = 1e-8)
  several <- bolasso(design$x, classes, lambda = 0.1, seed = 1)
  expect_identical(colnames(several$coefficients), c("a", "b", "c"))
  eta <- cbind(1, design$x[, several$features, drop = FALSE]) %*% several$coefficients
  residual <- outer(as.integer(classes), 1:3, `==`) - exp(eta) / rowSums(exp(eta))
  expect_lt(max(abs(crossprod(cbind(1, design$x[, several$features]), residual))), 1e-6)
  # Classes that are separated have no such fit.
  told <- factor(ifelse(design$x[, 1] > 0, "high", "low"))
  expect_null(bolasso(design$x, told, family = "binomial", lambda = 0.1, seed = 1)$coefficients)
  skip_if_not_installed("survival")
  cox <- bolasso(design$x, times, cutoff = 0.7, strata = rep(1:2, 30), lambda = 0.05, seed = 1)
  strata <- survival::strata
  peer <- survival::coxph(
    survival::Surv(design$time, design$event) ~ design$x[, cox$features] + strata(rep(1:2, 30))
  )
  expect_equal(unname(cox$coefficients), unname(stats::coef(peer)), tolerance = 1e-6)
})

test_that("threads change nothing, and prints name the model", {
  run <- function(n_threads) {
    bolasso(design$x, classes, lambda = 0.05, n_runs = 12, seed = 1, n_threads = n_threads)
  }
  expect_identical(run(2), run(1))
  expect_output(print(run(1)), "Bolasso: multinomial regression", fixed = TRUE)
  expect_match(methods_of_rule(run(1))[[1]], "the lasso (multinomial regression) at", fixed = TRUE)
})

test_that("paths of a result end somewhere, and bad input is refused", {
  scored <- fealect(design$x, times, n_runs = 6, oob = FALSE, n_boot = 0, seed = 1)
  again <- bolasso(scored, lambda = 0.2, cutoff = 0.8)
  expect_identical(again$table$frequency, bolasso(design$x, times,
    lambda = 0.2, cutoff = 0.8, resampling = scored$resamples
  )$table$frequency)
  expect_error(bolasso(scored, lambda = 1e-6), "at least", class = "stabilect_error_input")
  expect_error(bolasso(design$x, counts - 0.5, family = "poisson"), "whole numbers")
  expect_error(bolasso(design$x, classes, strata = classes), "strata")
  expect_error(bolasso(design$x, times, covariates = cbind(age, 2 * age)), "combination")
})

test_that("stored paths read at a penalty: exact by least squares, otherwise in nearly all runs", {
  x <- withr::with_seed(1, matrix(stats::rnorm(80 * 100), 80))
  colnames(x) <- paste0("g", 1:100)
  drawn <- withr::with_seed(2, list(
    noise = stats::rnorm(80), count = stats::rpois(80, exp(0.4 * x[, 1])),
    time = stats::rexp(80, exp(0.5 * x[, 1]))
  ))
  side <- factor(ifelse(x[, 1] + x[, 2] + drawn$noise > 0, "b", "a"))
  cases <- list(
    exact = list(y = side), covariates = list(y = side, covariates = data.frame(age = drawn$noise)),
    binomial = list(y = side, family = "binomial"),
    counts = list(y = drawn$count, family = "poisson"),
    cox = list(y = survival::Surv(drawn$time, rep(1, 80)))
  )
  for (name in names(cases)) {
    settings <- c(cases[[name]], list(seed = 1, progress = FALSE))
    fit <- do.call(fealect, c(list(x, n_runs = 25, n_boot = 0), settings))
    settings <- settings[names(settings) != "seed"]
    # A path by least squares ends at 0.
    lambda <- max(fit$paths$lambda) / run_scales(fit$resamples, NULL)[1]
    end <- max(path_ends(fit$paths)$last / run_scales(fit$resamples, NULL), 0.15 * lambda)
    differ <- vapply(c(1.2, 1.5, 2), function(times) {
      read <- suppressWarnings(bolasso(fit, lambda = times * end, cutoff = 0.5))
      anew <- suppressWarnings(do.call(bolasso, c(
        list(x, lambda = times * end, cutoff = 0.5, resampling = fit$resamples), settings
      )))
      c(sum(read$selection$selected != anew$selection$selected), sum(anew$selection$selected))
    }, c(0, 0))
    expect_gt(sum(differ[2, ]), 100)
    share <- sum(differ[1, ]) / sum(differ[2, ])
    expect_lte(share, if (name == "exact") 0 else 0.02)
  }
})
